import { isHex, quantity } from '../../kernel/hex.ts'
import { quantityFault } from './blocks.ts'
import { MethodError, badParam, kindOf } from './local.ts'
import { expectCount, hashParam } from './params.ts'
import type { RpcRequest } from '../rpc/jsonrpc.ts'

type Filter = Readonly<Record<string, unknown>>

const maxTopics = 4
const tags: ReadonlySet<unknown> = new Set(['latest', 'safe', 'finalized', undefined, null])

/** A bound of the range: an explicit height, or the head's. */
function boundOf(value: unknown, head: number): { readonly height: number; readonly isNumber: boolean } {
  if (tags.has(value) || value === 'pending') return { height: head, isNumber: false }
  if (value === 'earliest') return { height: 0, isNumber: true }
  const fault = typeof value === 'string' ? quantityFault(value) : 'hex string without 0x prefix'
  if (fault !== undefined) throw badParam(0, fault)
  return { height: Number(value), isNumber: true }
}

/** Throws `MethodError` for text that is not exactly `bytes` bytes of hex. */
function expectBytes(value: unknown, bytes: number, what: 'address' | 'topic'): void {
  const wrong = what === 'address' ? 'invalid address: ' : ''
  if (!isHex(value)) throw badParam(0, `${wrong}hex string without 0x prefix`)
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(value)) throw badParam(0, `${wrong}invalid hex string`)
  const length = (value.length - 2) / 2
  if (length === bytes) return
  throw badParam(0, `${wrong}hex has invalid length ${length} after decoding; expected ${bytes} for ${what}`)
}

function checkAddresses(value: unknown): void {
  if (value === undefined || value === null) return
  if (typeof value === 'string') return expectBytes(value, 20, 'address')
  if (!Array.isArray(value)) throw badParam(0, 'invalid addresses in query')
  for (const [index, each] of (value as readonly unknown[]).entries()) {
    if (typeof each !== 'string') throw badParam(0, `non-string address at index ${index}`)
    expectBytes(each, 20, 'address')
  }
}

function checkTopics(value: unknown): void {
  if (value === undefined || value === null) return
  if (!Array.isArray(value)) {
    const into = 'into Go struct field input.topics of type []interface {}'
    throw badParam(0, `json: cannot unmarshal ${kindOf(value)} ${into}`)
  }
  const list = value as readonly unknown[]
  for (const each of list.flat()) if (each !== null) expectBytes(each, 32, 'topic')
  if (list.length > maxTopics) throw new MethodError('exceed max topics')
}

function rangeOf(
  { fromBlock, toBlock }: Filter,
  head: number,
): { readonly from: number; readonly to: number } {
  const [begin, end] = [boundOf(fromBlock, head), boundOf(toBlock, head)]
  const [from, to] = [begin.height, end.height]
  if (begin.isNumber && end.isNumber && from > to) throw new MethodError('invalid block range params')
  const accepted = `after last accepted block ${head}`
  if (from > head) throw new MethodError(`requested from block ${from} ${accepted}`)
  if (to > head) throw new MethodError(`requested to block ${to} ${accepted}`)
  if (from > to) throw new MethodError(`begin block ${from} is greater than end block ${to}`)
  return { from, to }
}

/** The filter of a call; null is an empty one. Throws `MethodError` for an invalid one. */
function filterOf(params: readonly unknown[]): Filter {
  expectCount(params, 1, 1)
  const [value] = params
  if (value === null) return {}
  if (typeof value === 'object' && !Array.isArray(value)) return value as Filter
  throw badParam(0, `json: cannot unmarshal ${kindOf(value)} into Go value of type filters.input`)
}

/**
 * eth_getLogs with its range as heights, for the chain's node; undefined when the range has no blocks. Throws
 * `MethodError` with a node's message for an invalid range, or one that ends above `head`.
 */
export function logsRequest(request: RpcRequest, head: number): RpcRequest | undefined {
  const filter = filterOf((request.params ?? []) as readonly unknown[])
  const { fromBlock, toBlock, blockHash, address, topics } = filter
  if (blockHash !== undefined && blockHash !== null) {
    if ((fromBlock ?? toBlock ?? undefined) !== undefined) {
      throw badParam(0, 'cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other')
    }
    hashParam(blockHash, 0)
    checkAddresses(address)
    checkTopics(topics)
    return request
  }
  checkAddresses(address)
  checkTopics(topics)
  const { from, to } = rangeOf(filter, head)
  if (fromBlock === 'pending') return undefined
  const { blockHash: _blockHash, ...rest } = filter
  return { ...request, params: [{ ...rest, fromBlock: quantity(from), toBlock: quantity(to) }] }
}
