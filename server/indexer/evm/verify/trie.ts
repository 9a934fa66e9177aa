import { keccak256 } from '../../../kernel/keccak.ts'
import { encodeRlp, RlpWriter } from './rlp.ts'

/** The keccak-256 of RLP's empty string: the root of an empty trie. */
export const emptyTrieRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

type Entry = { readonly path: readonly number[]; readonly value: Uint8Array }

/**
 * The root of the Merkle Patricia trie that maps the RLP of each index to its value, which is how Ethereum
 * commits to the transactions and receipts of a block. 0x text. The nodes are written with `writer`, which a
 * caller with many tries may reuse.
 */
export function indexedTrieRoot(values: readonly Uint8Array[], writer = new RlpWriter()): string {
  if (values.length === 0) return emptyTrieRoot
  const entries = values.map((value, index) => ({ path: pathOf(index), value }))
  entries.sort((left, right) => comparePaths(left.path, right.path))
  return toHex(keccak256(encodeNode(writer, entries, 0)))
}

/** The cached paths of the most frequent indexes. */
const paths: (readonly number[])[] = []
const pathsKept = 1_024

function pathOf(index: number): readonly number[] {
  const kept = paths[index]
  if (kept) return kept
  const path = nibbles(encodeIndex(index))
  if (index < pathsKept) paths[index] = path
  return path
}

function encodeIndex(index: number): Uint8Array {
  if (index === 0) return encodeRlp(new Uint8Array())
  const digits = index.toString(16)
  return encodeRlp(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
}

function nibbles(bytes: Uint8Array): number[] {
  const path: number[] = []
  for (const byte of bytes) path.push(byte >> 4, byte & 15)
  return path
}

function comparePaths(left: readonly number[], right: readonly number[]): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/**
 * The RLP of the node that contains the sorted entries, whose paths are equal before `depth`. It is stored in
 * the writer, which all nodes share.
 */
function encodeNode(writer: RlpWriter, entries: readonly Entry[], depth: number): Uint8Array {
  const [first] = entries
  const last = entries.at(-1)
  if (!first || !last) throw new Error('a node of a trie holds an entry at least')
  if (entries.length === 1) {
    writer.clear()
    writer.bytes(first.value)
    writer.bytes(compact(first.path.slice(depth), true))
    writer.list(0)
    return writer.since(0)
  }
  let shared = depth
  while (first.path[shared] !== undefined && first.path[shared] === last.path[shared]) shared += 1
  if (shared > depth) {
    const child = encodeReference(writer, entries, shared)
    writer.clear()
    writer.raw(child)
    writer.bytes(compact(first.path.slice(depth, shared), false))
    writer.list(0)
    return writer.since(0)
  }
  return encodeBranch(writer, entries, depth)
}

function encodeBranch(writer: RlpWriter, entries: readonly Entry[], depth: number): Uint8Array {
  const children: Uint8Array[] = []
  let start = 0
  for (let nibble = 0; nibble < 16; nibble += 1) {
    let end = start
    while (end < entries.length && entries[end]?.path[depth] === nibble) end += 1
    children.push(end === start ? emptyItem : encodeReference(writer, entries.slice(start, end), depth + 1))
    start = end
  }
  writer.clear()
  // No RLP of an index is a prefix of another, so a branch has no value of its own.
  writer.raw(emptyItem)
  for (const child of children.toReversed()) writer.raw(child)
  writer.list(0)
  return writer.since(0)
}

const emptyItem = Uint8Array.of(0x80)

/**
 * The reference from a parent to a node: nodes below 32 bytes are embedded, longer ones are referenced by
 * hash.
 */
function encodeReference(writer: RlpWriter, entries: readonly Entry[], depth: number): Uint8Array {
  const node = encodeNode(writer, entries, depth)
  if (node.length < hashSize) return Uint8Array.from(node)
  const name = new Uint8Array(1 + hashSize)
  name[0] = 0x80 + hashSize
  name.set(keccak256(node), 1)
  return name
}

const hashSize = 32

/** Hex-prefix encoding: a flag nibble for leaf and odd length, then the nibbles. */
function compact(path: readonly number[], leaf: boolean): Uint8Array {
  const odd = path.length % 2
  const flag = (leaf ? 2 : 0) + odd
  const padded = odd === 1 ? [flag, ...path] : [flag, 0, ...path]
  return Uint8Array.from({ length: padded.length / 2 }, (_, index) => {
    return ((padded[index * 2] ?? 0) << 4) | (padded[index * 2 + 1] ?? 0)
  })
}

/** Bytes as 0x text. */
export function toHex(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
}
