import { encodeAbiParameters, toFunctionSelector, type AbiFunction, type Hex } from 'viem'
import { maxViews, readContract, readContractViews } from '../../../../contract/evm/contract-code.ts'
import { maxCallBytes } from '../../../../contract/evm/simulation.ts'
import { ArgumentError, nameless, parseArguments } from '../../../tokens/abi/arguments.ts'
import { decodeOutputs } from '../../../tokens/abi/decode.ts'
import type { Queryable } from '../../../store/database.ts'
import type { AbiBook } from '../../../tokens/abi/operator.ts'
import { describeRevert } from '../../../tokens/abi/revert.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { badRequest, HttpError, notFound } from '../../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { NotIndexed } from '../../../http/once-indexed.ts'
import type { NodeClient } from '../../../node/client.ts'
import { isMachineError, NodeRefusal } from '../../../node/failures.ts'
import { askState, latestBlock, readBytes } from '../../../node/state.ts'
import { readBlockHash } from '../../../store/evm/read-blocks.ts'
import { findAbi } from './contract-abi.ts'
import { readable } from './contract-code.ts'
import type { RouteContext } from '../../../http/route-context.ts'

/** Limits of one call: gas, bytes of input, and bytes of output. */
const limits = { gas: 30_000_000n, input: maxCallBytes, output: 262_144 } as const

/** The gas that a call may use, as JSON-RPC has it. */
export const gasOfCall = `0x${limits.gas.toString(16)}`

/**
 * Only in Ridgeline: calls a read-only function of a contract by the operator's ABI. Arguments and results
 * are text; lists and tuples are lists. 404 without an ABI or for a missing block; 400 for a function that
 * the ABI does not mark view or pure, for wrong arguments and for a reverted call; 502 if the node does not
 * answer.
 */
export function contractReadRoutes({ chains, nodes, abis, store }: RouteContext): Implementation[] {
  const find = async (params: { readonly chainId: string; readonly address: string }) => {
    const chain = chains.find(params.chainId)
    const address = params.address.toLowerCase()
    const client = nodes.of(chain)
    const { database } = store.get()
    const abi = await findAbi(abis, database, chain, client, address)
    if (!abi) throw notFound(`no ABI of ${address} is known`)
    return { chain, address, client, database, abi }
  }
  return [
    implement(readContract, async ({ params, body }) => {
      const { chain, address, client, database, abi } = await find(params)
      const known = readable(abi).find(({ signature }) => signature === body.signature)
      if (!known) throw badRequest(`signature: is not among the functions of ${abi.name} that only read`)
      const block = await blockOf(database, chain, client, body.blockNumber)
      const call = {
        to: address,
        data: encodeCall(known.item, body.args),
        gas: gasOfCall,
        ...(body.address !== undefined && { from: body.address.toLowerCase() }),
      }
      const result = await ask(client, chain, abis, call, block)
      return { blockNumber: block.toString(), outputs: outputsOf(known.item, result) }
    }),

    implement(readContractViews, async ({ params, query }) => {
      const { chain, address, client, database, abi } = await find(params)
      const block = await blockOf(database, chain, client, query.blockNumber)
      const views = readable(abi)
        .filter(({ item }) => item.inputs.length === 0)
        .slice(0, maxViews)
        .map(async ({ item, signature }) => {
          const call = { to: address, data: toFunctionSelector(item), gas: gasOfCall }
          try {
            const result = await ask(client, chain, abis, call, block)
            return { signature, outputs: outputsOf(item, result) }
          } catch (error) {
            // The call itself failed; a node that does not answer fails the whole.
            if (error instanceof HttpError && error.status === 400) return { signature, error: error.message }
            throw error
          }
        })
      return { blockNumber: block.toString(), views: await Promise.all(views) }
    }),
  ]
}

/** The block after which a call is made: the given one, which must be indexed, or the node's newest. */
async function blockOf(
  database: Queryable,
  chain: Chain,
  client: NodeClient,
  asked: string | number | undefined,
): Promise<bigint> {
  if (asked === undefined) return latestBlock(client)
  const block = BigInt(asked)
  if ((await readBlockHash(database, chain.key, block)) === undefined)
    throw new NotIndexed(404, `block ${block} is not indexed on chain ${chain.id}`)
  return block
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
    if (error instanceof NodeRefusal && isMachineError(error.reason))
      throw badRequest(`the call failed: ${error.reason}`)
    throw error
  }
  if (result.length > 2 * limits.output) throw badRequest(`the result is longer than ${limits.output} bytes`)
  if (result === '0x') {
    throw badRequest(`the call answered nothing: there is no such function on chain ${chain.id}, or no code`)
  }
  return result
}

function outputsOf(item: AbiFunction, result: Hex) {
  const outputs = decodeOutputs(item, result)
  if (!outputs) throw badRequest('the result does not fit the ABI')
  return outputs
}
