import { sha256 } from '../native/hashes.ts'
import { CodecError, Reader } from '../codec/reader.ts'
import {
  blob,
  decode,
  encode,
  id,
  type InputOf,
  list,
  type Of,
  position,
  struct,
  typed,
} from '../codec/schema.ts'
import { Writer } from '../codec/writer.ts'
import { xBlockTypeIds } from './transaction-types.ts'
import { decodeXTx, type XTx, xTx } from './x-transactions.ts'

/** Maximum length of a vertex's lists, as in nodes. */
const maxListed = 128

/** The body of an X-Chain block, after its type id. */
const standardBlock = typed(
  'X-Chain block',
  xBlockTypeIds.StandardBlock,
  struct({ parentId: id, height: position, time: position, merkleRoot: id, transactions: list(xTx) }),
)

/** A block of the X-Chain. */
export type XBlock = {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  readonly typeId: number
  readonly transactions: readonly XTx[]
} & Omit<Of<typeof standardBlock>, 'transactions'>

/** Decodes a block of the X-Chain, its codec version included. Throws CodecError. */
export function decodeXBlock(bytes: Uint8Array): XBlock {
  const block = decode(standardBlock, bytes)
  return { id: sha256(bytes), bytes, typeId: xBlockTypeIds.StandardBlock, ...block }
}

/** The bytes of a block of the X-Chain, codec version included. */
export function encodeXBlock(block: InputOf<typeof standardBlock>): Uint8Array {
  return encode(standardBlock, block)
}

/** An element of the X-Chain before it became a linear chain; the stop vertex is the last one. */
export type Vertex = {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  readonly chainId: Uint8Array
  readonly height: number
  readonly parents: readonly Uint8Array[]
  readonly transactions: readonly XTx[]
  readonly isStop: boolean
}

/**
 * Decodes a vertex of either version. Its transactions have length prefixes, so one of an unknown type is
 * `UNKNOWN`. Throws CodecError if a list is longer than nodes allow or not sorted, because such bytes were
 * never accepted.
 */
export function decodeVertex(bytes: Uint8Array): Vertex {
  const reader = new Reader(bytes)
  const version = reader.u16()
  if (version > 1) throw new CodecError(`vertex version ${version} is unknown`, 0)
  const isStop = version === 1
  const chainId = reader.id()
  const height = reader.position()
  if (!isStop && reader.u32() !== 0) throw new CodecError('a vertex has an epoch', reader.offset)
  const parents = sortedList(reader, 32, () => reader.id(), itself)
  const signed = isStop
    ? []
    : sortedList(
        reader,
        4 + 2 + xTx.minBytes,
        () => reader.blob(),
        (tx) => sha256(tx),
      )
  if (!isStop && signed.length === 0) throw new CodecError('a vertex is empty', reader.offset)
  reader.end()
  return {
    id: sha256(bytes),
    bytes,
    chainId,
    height,
    parents,
    transactions: signed.map(decodeSigned),
    isStop,
  }
}

const itself = (id: Uint8Array): Uint8Array => id

/** A transaction with its codec version. */
function decodeSigned(bytes: Uint8Array): XTx {
  if (bytes[0] !== 0 || bytes[1] !== 0) throw new CodecError('a codec version is unknown', 0)
  return decodeXTx(bytes.subarray(2))
}

function sortedList(
  reader: Reader,
  minBytes: number,
  read: () => Uint8Array,
  keyOf: (item: Uint8Array) => Uint8Array,
): Uint8Array[] {
  const at = reader.offset
  const items = reader.list(minBytes, read)
  if (items.length > maxListed) throw new CodecError('a vertex lists too much', at)
  let before: Uint8Array | undefined
  for (const item of items) {
    const key = keyOf(item)
    if (before && Buffer.compare(before, key) >= 0) throw new CodecError('a list is not sorted', at)
    before = key
  }
  return items
}

/** The input for encoding a vertex; a stop vertex has no transactions. */
type VertexInput = {
  readonly isStop: boolean
  readonly chainId: Uint8Array | string
  readonly height: number
  /** In ascending order. */
  readonly parents: readonly (Uint8Array | string)[]
  /** Signed transactions, codec version included, in the order of their hashes. */
  readonly transactions: readonly Uint8Array[]
}

const ids = list(id)
const blobs = list(blob)

/** The bytes of a vertex, codec version included. */
export function encodeVertex({ isStop, chainId, height, parents, transactions }: VertexInput): Uint8Array {
  const writer = new Writer()
  writer.u16(isStop ? 1 : 0)
  id.write(writer, chainId)
  position.write(writer, height)
  if (!isStop) writer.u32(0)
  ids.write(writer, parents)
  if (!isStop) blobs.write(writer, transactions)
  return writer.done()
}
