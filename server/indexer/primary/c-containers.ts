import { decodeProposerWrapper, type ProposerWrapper } from '../../../protocol/primary/proposer.ts'
import { idOfText } from '../../../protocol/ids/text.ts'
import { refuse } from '../../kernel/json.ts'
import { keccak256 } from '../../kernel/keccak.ts'
import type { Container, PrimaryNode } from './node.ts'
import { keyOf } from './batch/rows.ts'

/** A C-Chain block as stored in the index: its identity and its proposer's wrapper. */
export type CContainer = {
  readonly height: number
  /** The hash of its header. */
  readonly id: Uint8Array
  /** Undefined for early blocks, which are stored without a wrapper. */
  readonly wrapper: ProposerWrapper | undefined
  readonly size: number
}

/**
 * Blocks are RLP lists, which begin with a byte of at least 0xc0; wrappers begin with the codec version, 0.
 */
const firstList = 0xc0
/** Index of the height among the fields of a header. */
const heightMember = 8

/**
 * Reads a container of the C-Chain's index. The container's id is recomputed and compared: it is the id of
 * the wrapper, or for a bare block the hash of its header. Throws RetryableError if the ids differ or the
 * block cannot be read, and CodecError if the wrapper cannot be read.
 */
export function readCContainer({ id, bytes }: Container): CContainer {
  const named = keyOf(idOfText(id))
  const isBare = (bytes[0] ?? 0) >= firstList
  const wrapper = isBare ? undefined : decodeProposerWrapper(bytes)
  const block = headerOf(wrapper?.block ?? bytes)
  if (keyOf(wrapper?.id ?? block.id) !== named) throw refuse(`a container has another id than ${id}`)
  return { ...block, wrapper, size: bytes.length }
}

/** Hash and height of an encoded block. The header is the first item of the block's list. */
function headerOf(block: Uint8Array): { readonly height: number; readonly id: Uint8Array } {
  const header = itemAt(block, itemAt(block, 0).start)
  let at = header.start
  for (let member = 0; member < heightMember; member += 1) at = itemAt(block, at).end
  const number = itemAt(block, at)
  if (number.end > header.end || number.end - number.start > 6) throw refuse('a C-Chain block has no height')
  const digits = keyOf(block.subarray(number.start, number.end))
  return {
    height: digits === '' ? 0 : Number.parseInt(digits, 16),
    id: keccak256(block.subarray(header.from, header.end)),
  }
}

/** The position of an RLP item: prefix at `from`, content from `start` to `end`. */
function itemAt(
  bytes: Uint8Array,
  from: number,
): { readonly from: number; readonly start: number; readonly end: number } {
  const first = bytes[from]
  if (first === undefined) throw refuse('a C-Chain block ends early')
  if (first < 0x80) return { from, start: from, end: from + 1 }
  const long = first >= 0xf8 ? first - 0xf7 : first >= 0xb8 && first < firstList ? first - 0xb7 : 0
  const short = first >= firstList ? first - firstList : first - 0x80
  let length = long === 0 ? short : 0
  for (let offset = 1; offset <= long; offset += 1) length = length * 256 + (bytes[from + offset] ?? 0)
  const start = from + 1 + long
  if (start + length > bytes.length) throw refuse('a C-Chain block ends early')
  return { from, start, end: start + length }
}

/** Target size of one answer, and number of blocks to request before their size is known. */
const answerBytes = 8 * 1024 * 1024
const firstCount = 64
/** The index returns at most this many containers at once. */
const max = 1_024

/** The index of the C-Chain's blocks. Its containers are consecutive, without gaps. */
export class CIndex {
  readonly #node: PrimaryNode
  /** The height of container 0. */
  readonly base: number
  /** Blocks to request next: fewer when blocks are large. */
  count = firstCount

  private constructor(node: PrimaryNode, base: number) {
    this.#node = node
    this.base = base
  }

  /** Undefined if the node has no index; 'empty' if the index has no container yet. */
  static async open(node: PrimaryNode, signal: AbortSignal): Promise<CIndex | 'empty' | undefined> {
    const count = await node.containerCount('cBlocks', signal)
    if (count === undefined) return undefined
    if (count === 0) return 'empty'
    const [first] = await node.containers('cBlocks', 0, 1, signal)
    return first ? new CIndex(node, readCContainer(first).height) : 'empty'
  }

  /** The height of the newest container. */
  async head(signal: AbortSignal): Promise<number> {
    return this.base + ((await this.#node.containerCount('cBlocks', signal)) ?? 0) - 1
  }

  /** The blocks of a range of heights, both ends included. May return only the first part of the range. */
  async blocks(from: number, to: number, signal: AbortSignal): Promise<CContainer[]> {
    const given = await this.#node.containers('cBlocks', from - this.base, to - from + 1, signal)
    const blocks = given.map(readCContainer)
    if (blocks.length === 0) throw refuse(`the index has no C-Chain block ${from}`)
    for (const [offset, { height }] of blocks.entries()) {
      if (height !== from + offset) throw refuse(`the index has C-Chain block ${height} for ${from + offset}`)
    }
    const size = blocks.reduce((sum, block) => sum + block.size, 0)
    this.count = Math.max(1, Math.min(max, Math.floor((answerBytes / size) * blocks.length)))
    return blocks
  }

  /**
   * Call it after an answer that was too slow. Answers that are too large are already split by the node
   * client.
   */
  askForLess(): void {
    this.count = Math.max(1, this.count >> 2)
  }
}
