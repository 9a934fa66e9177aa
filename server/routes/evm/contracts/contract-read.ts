import { encodeAbiParameters, toFunctionSelector, type AbiFunction, type Hex } from 'viem'
import { readContract } from '../../../../contract/evm/contracts.ts'
import { ArgumentError, nameless, parseArguments } from '../../../tokens/abi/arguments.ts'
import { decodeValues, toText } from '../../../tokens/abi/decode.ts'
import type { AbiBook } from '../../../tokens/abi/operator.ts'
import { describeRevert } from '../../../tokens/abi/revert.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { badRequest, notFound } from '../../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { NodeClient } from '../../../node/client.ts'
import { NodeRefusal } from '../../../node/failures.ts'
import { findProxy } from '../../../node/proxy.ts'
import { askState, readBytes, readQuantity } from '../../../node/state.ts'
import { readBlockHash } from '../../../store/evm/read-blocks.ts'
import { abiOf, codeOf, parameter, readable } from './contract-code.ts'
import type { RouteContext } from '../../../http/route-context.ts'

/** Limits of one call: gas, bytes of input, and bytes of output. */
const limits = { gas: 30_000_000n, input: 131_072, output: 262_144 } as const

/**
 * Only in Ridgeline: calls a read-only function of a contract by the operator's ABI. Arguments and results
 * are text; lists and tuples are lists. 404 without an ABI or for a missing block; 400 for a function that
 * the ABI does not mark view or pure, for wrong arguments and for a reverted call; 502 if the node does not
 * answer.
 */
export function contractReadRoutes({ chains, nodes, abis, store }: RouteContext): Implementation[] {
  return [
    implement(readContract, async ({ params, body }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const client = nodes.of(chain)
      const own = abis.of(chain.id, address)
      const abi =
        own ?? abiOf(abis, chain, address, await findProxy(client, address, await codeOf(client, address)))
      if (!abi) throw notFound(`no ABI of ${address} is configured`)
      const known = readable(abi).find(({ signature }) => signature === body.signature)
      if (!known) throw badRequest(`signature: is not among the functions of ${abi.name} that only read`)
      const asked = body.blockNumber === undefined ? undefined : BigInt(body.blockNumber)
      if (
        asked !== undefined &&
        (await readBlockHash(store.get().database, chain.key, asked)) === undefined
      ) {
        throw notFound(`block ${asked} is not indexed on chain ${chain.id}`)
      }
      const call = {
        to: address,
        data: encodeCall(known.item, body.args),
        gas: `0x${limits.gas.toString(16)}`,
        ...(body.address !== undefined && { from: body.address.toLowerCase() }),
      }
      const block = asked ?? (await latestBlock(client))
      const result = await ask(client, chain, abis, call, block)
      return { blockNumber: block.toString(), outputs: decodeOutputs(known.item, result) }
    }),
  ]
}

function encodeCall(item: AbiFunction, args: readonly unknown[]): Hex {
  let values
  try {
    values = parseArguments(item.inputs, args)
  } catch (error) {
    if (error instanceof ArgumentError) throw badRequest(error.problems)
    throw error
  }
  const data: Hex = `${toFunctionSelector(item)}${encodeAbiParameters(nameless(item.inputs), values).slice(2)}`
  if (data.length > 2 * limits.input) throw badRequest(`args: are longer than ${limits.input} bytes`)
  return data
}

/** The node's head: the call uses an explicit height, which the answer contains. */
async function latestBlock(client: NodeClient): Promise<bigint> {
  const method = 'eth_blockNumber'
  return readQuantity(client, method, await client.call(method, []))
}

async function ask(
  client: NodeClient,
  chain: Chain,
  abis: AbiBook,
  call: { readonly to: string },
  block: bigint,
): Promise<Hex> {
  const method = 'eth_call'
  let result
  try {
    result = readBytes(client, method, await askState(client, method, [call], block))
  } catch (error) {
    if (error instanceof NodeRefusal && error.reverted) {
      const { data = '0x', reason } = error
      const { reason: said } = describeRevert(data, (selector) => abis.errors(selector, chain.id, call.to))
      throw badRequest(`the call reverted: ${data === '0x' ? reason : said}`)
    }
    throw error
  }
  if (result.length > 2 * limits.output) throw badRequest(`the result is longer than ${limits.output} bytes`)
  if (result === '0x') {
    throw badRequest(`the call answered nothing: there is no such function on chain ${chain.id}, or no code`)
  }
  return result
}

function decodeOutputs({ outputs }: AbiFunction, result: Hex) {
  let values
  try {
    values = decodeValues(outputs, result)
  } catch {
    throw badRequest('the result does not fit the ABI')
  }
  return outputs.map((output, index) => ({ ...parameter(output), value: toText(values[index], output) }))
}
