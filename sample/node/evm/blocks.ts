import type { Hex } from 'viem'
import type { Head } from '../../evm/evm-chain.ts'
import { isHex, quantity } from '../../kernel/hex.ts'
import type { RpcClient } from '../../evm/anvil/rpc.ts'
import { MethodError, badParam, kindOf } from './local.ts'

/** A chain's EVM node over a connection of its own, so that its answers delay no block. */
export type LocalNode = {
  readonly head: Head
  readonly rpc: RpcClient
  /** Submits a signed transaction between two blocks. Throws `RpcError` when it is refused. */
  submit(raw: Hex): Promise<Hex>
}

/** The members of a block that these methods need. Time in Unix seconds. */
export type FoundBlock = {
  readonly number: number
  readonly hash: Hex
  readonly time: number
}

const tags: ReadonlySet<string> = new Set(['latest', 'pending', 'safe', 'finalized'])
const hashLength = 66

async function read(node: LocalNode, method: string, at: unknown): Promise<FoundBlock | undefined> {
  const found = (await node.rpc.call(method, at, false)) as {
    number: Hex
    hash: Hex
    timestamp: Hex
  } | null
  if (found === null) return undefined
  return { number: Number(found.number), hash: found.hash, time: Number(found.timestamp) }
}

/** The block at a height; undefined above the head. */
export function blockAt(node: LocalNode, height: number): Promise<FoundBlock | undefined> {
  return read(node, 'eth_getBlockByNumber', quantity(height))
}

export function blockOfHash(node: LocalNode, hash: string): Promise<FoundBlock | undefined> {
  return read(node, 'eth_getBlockByHash', hash)
}

/** Why text is not a number in the node's format; undefined for a valid one. */
export function quantityFault(text: string): string | undefined {
  if (!/^0x/i.test(text)) return 'hex string without 0x prefix'
  if (text.length === 2) return 'hex string "0x"'
  if (!isHex(text)) return 'invalid hex string'
  return /^0x0./.test(text) ? 'hex number with leading zero digits' : undefined
}

/**
 * A requested block: a height, or a hash. The parameter may be a tag, a number, a hash or an object with one of
 * them.
 */
export type BlockChoice = { readonly height: number } | { readonly hash: string }

/** Reads the block parameter at `index`; the default is the head. Throws `MethodError`. */
export function blockParam(head: number, value: unknown, index: number): BlockChoice {
  if (value === undefined || value === null) return { height: head }
  if (typeof value === 'object' && !Array.isArray(value)) {
    const { blockNumber, blockHash } = value as { blockNumber?: unknown; blockHash?: unknown }
    if (blockNumber !== undefined && blockHash !== undefined) {
      throw badParam(index, 'cannot specify both BlockHash and BlockNumber, choose one or the other')
    }
    return blockParam(head, blockHash ?? blockNumber, index)
  }
  if (typeof value !== 'string') {
    throw badParam(index, `json: cannot unmarshal ${kindOf(value)} into Go value of type string`)
  }
  if (value === 'earliest') return { height: 0 }
  if (tags.has(value)) return { height: head }
  if (value.length === hashLength && isHex(value)) return { hash: value }
  const fault = quantityFault(value)
  if (fault !== undefined) throw badParam(index, fault)
  const height = Number(value)
  if (height > head) throw new MethodError('cannot query unfinalized data')
  return { height }
}

/** The height of the first block at or after `time`; undefined when there is none yet. */
export async function firstBlockSince(node: LocalNode, time: number): Promise<number | undefined> {
  let [low, high] = [0, node.head.number]
  if (node.head.time < time) return undefined
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = await blockAt(node, middle)
    if (found === undefined || found.time >= time) high = middle
    else low = middle + 1
  }
  return low
}
