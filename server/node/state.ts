import type { Chain } from '../kernel/settings/chains.ts'
import type { NodeClient } from './client.ts'
import { NodeRefusal, NodeUnavailable, StateNotKept } from './failures.ts'
import { hexBytes, hexQuantity } from './hex-fields.ts'
import type { Nodes } from './nodes.ts'

const anyBytes = hexBytes()

/** A block parameter: the height, or the node's latest block if absent. */
const blockTag = (blockNumber: bigint | undefined): string =>
  blockNumber === undefined ? 'latest' : `0x${blockNumber.toString(16)}`

/**
 * A call whose last parameter is a block. Throws StateNotKept (404) if the node does not keep the state of
 * that block, otherwise like NodeClient.
 */
export async function askState(
  client: NodeClient,
  method: string,
  params: readonly unknown[],
  blockNumber: bigint | undefined,
): Promise<unknown> {
  try {
    return await client.call(method, [...params, blockTag(blockNumber)])
  } catch (error) {
    if (blockNumber !== undefined && error instanceof NodeRefusal && error.lacksState) {
      throw new StateNotKept(client.chainName, blockNumber)
    }
    throw error
  }
}

/** An unsigned integer of at most 256 bits. Throws a NodeUnavailable for anything else. */
export function readQuantity(client: NodeClient, method: string, value: unknown): bigint {
  const { data } = hexQuantity.safeParse(value)
  if (data === undefined) {
    throw new NodeUnavailable(client.chainName, 'malformed', `the result of ${method} is not a quantity`)
  }
  return data
}

/** Bytes as 0x text in lower case. Throws a NodeUnavailable for anything else. */
export function readBytes(client: NodeClient, method: string, value: unknown): `0x${string}` {
  const { data } = anyBytes.safeParse(value)
  if (data === undefined) {
    throw new NodeUnavailable(client.chainName, 'malformed', `the result of ${method} is not hex text`)
  }
  return data
}

/**
 * The native balance of an address in the smallest unit after a block, according to the node; at the node's
 * latest block if `blockNumber` is absent. Throws StateNotKept (404) or NodeUnavailable (502).
 */
export async function nativeBalanceAt(
  nodes: Nodes,
  chain: Chain,
  address: string,
  blockNumber?: bigint,
): Promise<bigint> {
  const client = nodes.of(chain)
  const method = 'eth_getBalance'
  return readQuantity(client, method, await askState(client, method, [address.toLowerCase()], blockNumber))
}

/**
 * For answers in which the node's data are optional: undefined if the node does not answer or does not keep
 * the state. All other errors are rethrown.
 */
export async function ifKnown<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NodeUnavailable || error instanceof StateNotKept) return undefined
    throw error
  }
}

/** Milliseconds that a page waits for optional data. */
const pageMs = 2_500

/**
 * The result of a promise, or undefined if it takes too long, in milliseconds; the promise then continues in the
 * background.
 */
export async function soon<Value>(promise: Promise<Value>, timeoutMs = pageMs): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The node's head. Throws like NodeClient. */
export async function latestBlock(client: NodeClient): Promise<bigint> {
  const method = 'eth_blockNumber'
  return readQuantity(client, method, await client.call(method, []))
}

/** The code at an address at the node's latest block, as 0x text. Throws like `askState`. */
export async function codeOf(client: NodeClient, address: string): Promise<`0x${string}`> {
  const method = 'eth_getCode'
  return readBytes(client, method, await askState(client, method, [address], undefined))
}

/** Whether code is that of a contract: an account may delegate to one (EIP-7702). */
export const isContractCode = (code: string): boolean => code !== '0x' && !code.startsWith('0xef0100')

/**
 * What a contract returns to call data, after a block or at the node's latest one; `0x` if it refuses. Throws like
 * `askState`.
 */
export async function askContract(
  client: NodeClient,
  address: string,
  selector: string,
  block?: bigint,
): Promise<`0x${string}`> {
  const method = 'eth_call'
  try {
    const call = { to: address, data: selector }
    return readBytes(client, method, await askState(client, method, [call], block))
  } catch (error) {
    if (error instanceof NodeRefusal && error.reverted) return '0x'
    throw error
  }
}
