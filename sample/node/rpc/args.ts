import { hexOfCb58 } from '../../../protocol/ids/bare-hex.ts'
import { addressLength, decode, type Encoding } from './encodings.ts'
import type { Params } from './json2.ts'
import { ArgumentError, explained } from './service-errors.ts'

const u64Max = (1n << 64n) - 1n

/** A member by name, matched in any case as the node's decoder does; undefined when absent or null. */
export function member(params: Params, name: string): unknown {
  const exact = params[name]
  if (exact !== undefined) return exact ?? undefined
  const lower = name.toLowerCase()
  const found = Object.entries(params).find(([key]) => key.toLowerCase() === lower)
  return found?.[1] ?? undefined
}

/** Text; empty when absent. Like the other readers it throws `ArgumentError`. */
export function textArg(params: Params, name: string): string {
  const value = member(params, name) ?? ''
  if (typeof value !== 'string') throw new ArgumentError()
  return value
}

/** A flag, false when absent. */
export function flagArg(params: Params, name: string): boolean {
  const value = member(params, name) ?? false
  if (typeof value !== 'boolean') throw new ArgumentError()
  return value
}

function listArg(params: Params, name: string): readonly unknown[] {
  const value = member(params, name) ?? []
  if (!Array.isArray(value)) throw new ArgumentError()
  return value as readonly unknown[]
}

/** A list of texts, empty when absent. */
export function textsArg(params: Params, name: string): readonly string[] {
  return listArg(params, name).map((value) => {
    if (typeof value !== 'string') throw new ArgumentError()
    return value
  })
}

/** An unsigned number up to `max`, given as number or text; `0n` when absent. */
export function numberArg(params: Params, name: string, max = u64Max): bigint {
  const value = member(params, name)
  if (value === undefined) return 0n
  if (typeof value !== 'number' && typeof value !== 'string') throw new ArgumentError()
  const text = String(value)
  if (!/^\d+$/.test(text) || BigInt(text) > max) throw new ArgumentError()
  return BigInt(text)
}

function bytesOf(value: unknown, length: number): string {
  const hex = typeof value === 'string' ? hexOfCb58(value) : undefined
  if (hex?.length === 2 * length) return hex
  throw new ArgumentError()
}

/** The id of 32 zero bytes: the primary network, the P-Chain or "none". */
export const zeroId = '00'.repeat(32)

/** An id in cb58 as hex, all zeros when absent. */
export function idArg(params: Params, name: string): string {
  const value = member(params, name)
  return value === undefined ? zeroId : bytesOf(value, 32)
}

/** Ids in cb58 as hex. */
export function idsArg(params: Params, name: string): readonly string[] {
  return listArg(params, name).map((value) => bytesOf(value, 32))
}

const nodePrefix = 'NodeID-'

/** Node ids as hex. */
export function nodeIdsArg(params: Params, name: string): readonly string[] {
  return listArg(params, name).map((value) => {
    if (typeof value !== 'string' || !value.startsWith(nodePrefix)) throw new ArgumentError()
    return bytesOf(value.slice(nodePrefix.length), addressLength)
  })
}

const encodings: ReadonlySet<string> = new Set(['hex', 'hexc', 'hexnc', 'json'])

/** The encoding of bytes in the answer; hex by default. cb58 is refused, as on the node. */
export function encodingArg(params: Params): Encoding {
  const value = member(params, 'encoding') ?? 'hex'
  const lower = typeof value === 'string' ? value.toLowerCase() : ''
  if (!encodings.has(lower)) throw new ArgumentError()
  return lower as Encoding
}

/** The bytes of a submitted transaction. Throws `ServiceError`. */
export function txArg(params: Params): Uint8Array {
  const [encoding, text] = [encodingArg(params), textArg(params, 'tx')]
  return explained('problem decoding transaction: ', () => new Uint8Array(decode(encoding, text)))
}
