import { keccak256, type AbiEvent, type AbiFunction, type AbiParameter } from 'viem'
import { getContractCode } from '../../../../contract/evm/contract-code.ts'
import { componentsOf, typeText } from '../../../tokens/abi/arguments.ts'
import type { Known } from '../../../tokens/abi/known.ts'
import type { ContractAbi } from '../../../tokens/abi/operator.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { findProxy, type ProxyTarget } from '../../../node/proxy.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import { codeOf } from '../../../node/state.ts'
import { abiOf } from './contract-abi.ts'
import { describeProxy } from './proxy-history.ts'

/**
 * Only in Ridgeline: the size and hash of a contract's code, a proxy's target, and the read-only functions if
 * the operator configured an ABI. Read from the node at its latest block.
 */
export function contractCodeRoutes({ chains, nodes, abis, store }: RouteContext): Implementation[] {
  return [
    implement(getContractCode, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const client = nodes.of(chain)
      const code = await codeOf(client, address)
      const size = (code.length - 2) / 2
      const proxy = size === 0 ? undefined : await findProxy(client, address, code)
      const abi = await abiOf(abis, store.get().database, chain, { address, code, proxy }, client)
      return {
        codeSize: size,
        ...(size > 0 && { codeHash: keccak256(code) }),
        ...(proxy && {
          proxy: {
            ...told(proxy),
            implementationHasCode: (await codeOf(client, proxy.implementation)) !== '0x',
            ...(await describeProxy(
              proxy,
              { chain, address },
              { database: store.get().database, client, abis },
            )),
          },
        }),
        ...(abi && {
          abiName: abi.name,
          abiFrom: abi.from,
          functions: readable(abi).map(describe),
          writeFunctions: [...abi.functions.values()].filter(({ item }) => !isView(item)).map(describe),
          events: [...abi.events].flatMap(([topic0, known]) => known.map((each) => event(topic0, each))),
        }),
      }
    }),
  ]
}

const told = ({ kind, implementation, implementations, beacon }: ProxyTarget) => ({
  kind,
  implementation,
  ...(implementations && { implementations: [...implementations] }),
  ...(beacon !== undefined && { beacon }),
})

/** The read-only functions according to the ABI. */
export const readable = (abi: ContractAbi): Known<AbiFunction>[] =>
  [...abi.functions.values()].filter(({ item }) => isView(item))

const isView = ({ stateMutability }: AbiFunction): boolean =>
  stateMutability === 'view' || stateMutability === 'pure'

const describe = ({ item, signature }: Known<AbiFunction>) => ({
  signature,
  inputs: item.inputs.map(parameter),
  outputs: item.outputs.map(parameter),
  ...(!isView(item) && { isPayable: item.stateMutability === 'payable' }),
})

const event = (topic0: string, { item, signature }: Known<AbiEvent>) => ({
  signature,
  topic0,
  inputs: item.inputs.map((input) => ({
    name: input.name ?? '',
    type: typeText(input),
    indexed: input.indexed === true,
  })),
})

type Parameter = { name: string; type: string; components?: Parameter[] }

/** A parameter with its full type, and those of a tuple's parts. */
function parameter(input: AbiParameter): Parameter {
  const components = componentsOf(input)
  return {
    name: input.name ?? '',
    type: typeText(input),
    ...(components.length > 0 && { components: components.map(parameter) }),
  }
}
