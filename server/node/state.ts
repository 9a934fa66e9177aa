import type { Chain } from '../kernel/chains.ts'
import type { NodeClient } from './client.ts'
import { NodeRefusal, NodeUnavailable, StateNotKept } from './failures.ts'
import type { Nodes } from './nodes.ts'

/** A block parameter: the height, or the node's latest block when left out. */
export const blockTag = (blockNumber: bigint | undefined): string =>
  blockNumber === undefined ? 'latest' : `0x${blockNumber.toString(16)}`

/**
 * A call whose last parameter is a block. Throws StateNotKept (404) when the node does not keep the state
 * of that block, else as NodeClient does.
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
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value)) {
    throw new NodeUnavailable(client.chainName, 'malformed', `the result of ${method} is no quantity`)
  }
  return BigInt(value)
}

/** Whole bytes as 0x text in lower case. Throws a NodeUnavailable for anything else. */
export function readBytes(client: NodeClient, method: string, value: unknown): `0x${string}` {
  if (typeof value !== 'string' || !/^0x([0-9a-fA-F]{2})*$/.test(value)) {
    throw new NodeUnavailable(client.chainName, 'malformed', `the result of ${method} is no hex text`)
  }
  return value.toLowerCase() as `0x${string}`
}

/**
 * The native balance of an address in the smallest unit, as the node has it after a block; at the node's
 * latest block when `blockNumber` is left out. Throws StateNotKept (404) or NodeUnavailable (502).
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
 * What an answer shows where a node is a help and not a must: undefined when the node does not answer or
 * does not keep the state. Every other error is thrown on.
 */
export async function ifKnown<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NodeUnavailable || error instanceof StateNotKept) return undefined
    throw error
  }
}

/** Milliseconds that a page waits for what it can also do without. */
const patience = 2_500

/** What a promise comes to, or undefined when it takes too long; it goes on by itself then. */
export async function soon<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
