import { keccak256, type AbiFunction, type AbiParameter } from 'viem'
import { getContractCode } from '../../../../contract/evm/contracts.ts'
import { typeText } from '../../../tokens/abi/arguments.ts'
import type { Known } from '../../../tokens/abi/known.ts'
import type { AbiBook, ContractAbi } from '../../../tokens/abi/operator.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { NodeClient } from '../../../node/client.ts'
import { findProxy, type ProxyTarget } from '../../../node/proxy.ts'
import { askState, readBytes } from '../../../node/state.ts'
import type { RouteContext } from '../../../http/route-context.ts'

/**
 * Only in Ridgeline: the size and hash of a contract's code, a proxy's target, and the read-only functions if
 * the operator configured an ABI. Read from the node at its latest block.
 */
export function contractCodeRoutes({ chains, nodes, abis }: RouteContext): Implementation[] {
  return [
    implement(getContractCode, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const client = nodes.of(chain)
      const code = await codeOf(client, address)
      const size = (code.length - 2) / 2
      const proxy = size === 0 ? undefined : await findProxy(client, address, code)
      const abi = abiOf(abis, chain, address, proxy)
      return {
        codeSize: size,
        ...(size > 0 && { codeHash: keccak256(code) }),
        ...(proxy && {
          proxy: { ...proxy, implementationHasCode: (await codeOf(client, proxy.implementation)) !== '0x' },
        }),
        ...(abi && { abiName: abi.name, functions: readable(abi).map(describe) }),
      }
    }),
  ]
}

/** The code at an address, as 0x text. */
export async function codeOf(client: NodeClient, address: string): Promise<`0x${string}`> {
  const method = 'eth_getCode'
  return readBytes(client, method, await askState(client, method, [address], undefined))
}

/** The ABI of a contract, otherwise that of its implementation. */
export const abiOf = (
  abis: AbiBook,
  chain: Chain,
  address: string,
  proxy: ProxyTarget | undefined,
): ContractAbi | undefined => abis.of(chain.id, address) ?? (proxy && abis.of(chain.id, proxy.implementation))

/** The read-only functions according to the ABI. */
export const readable = (abi: ContractAbi): Known<AbiFunction>[] =>
  [...abi.functions.values()].filter(
    ({ item }) => item.stateMutability === 'view' || item.stateMutability === 'pure',
  )

const describe = ({ item, signature }: Known<AbiFunction>) => ({
  signature,
  inputs: item.inputs.map(parameter),
  outputs: item.outputs.map(parameter),
})

/** A parameter with its full type. */
export const parameter = (input: AbiParameter) => ({ name: input.name ?? '', type: typeText(input) })
