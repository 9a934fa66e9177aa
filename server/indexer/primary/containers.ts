import { decodeBase58 } from '../../../protocol/ids/base58.ts'
import { refuse } from '../../kernel/json.ts'
import { decoding } from '../../kernel/progress-meter.ts'
import { sha256 } from '../../../protocol/native/hashes.ts'
import { decodeProposerWrapper, type ProposerWrapper } from '../../../protocol/primary/proposer.ts'
import { CodecError } from '../../../protocol/codec/reader.ts'
import { pause } from '../../kernel/pause.ts'
import type { Container, IndexName, PrimaryNode } from './node.ts'

/** A block from the index, with its proposer's wrapper if it has one. */
export type Wrapped = { readonly block: Uint8Array; readonly wrapper: ProposerWrapper | undefined }

/** Size of the smallest block: version, type id, parent and height. */
const minBlock = 2 + 4 + 32 + 8
const optionType = 1

const epochType = 2
const idSize = 32
const checksumSize = 4

/**
 * Unwraps a container; its id is recomputed and compared. Early blocks are stored without a wrapper. The id
 * of a bare block is the hash of all its bytes, that of a signed wrapper the hash of the bytes before the
 * signature. The wrapper around the child of a proposal has no signature, and is longer than any block it
 * could be mistaken for. `likelyWrapped` means that the previous container had a wrapper; the wrapper is then
 * tried first, which saves a hash.
 */
function unwrap({ id, bytes }: Container, likelyWrapped = false): Wrapped {
  const named = namedId(id)
  const type = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).readUInt32BE(2)
  if (likelyWrapped && type !== optionType && type <= epochType) {
    const wrapper = wrapperNamed(bytes, named)
    if (wrapper) return wrapper
  }
  if (named.equals(sha256(bytes)) && (type !== optionType || bytes.length <= minBlock))
    return { block: bytes, wrapper: undefined }
  const wrapper = decodeProposerWrapper(bytes)
  if (!named.equals(wrapper.id)) throw refuse(`a container has another id than ${id}`)
  return { block: wrapper.block, wrapper }
}

/**
 * Decodes the id of a container without verifying the checksum, because the content is hashed and compared
 * anyway.
 */
function namedId(text: string): Buffer {
  const bytes = text.length > 2 * (idSize + checksumSize) ? undefined : decodeBase58(text)
  if (bytes?.length !== idSize + checksumSize) throw refuse(`the id ${text.slice(0, 60)} cannot be read`)
  return Buffer.from(bytes.buffer, bytes.byteOffset, idSize)
}

/** The decoded wrapper if the bytes are a wrapper with that id. */
function wrapperNamed(bytes: Uint8Array, named: Buffer): Wrapped | undefined {
  try {
    const wrapper = decodeProposerWrapper(bytes)
    return named.equals(wrapper.id) ? { block: wrapper.block, wrapper } : undefined
  } catch (error) {
    if (error instanceof CodecError) return undefined
    throw error
  }
}

/** Number of checks before an index that had kept up with its chain counts as behind. */
const looks = 10

/** The index of a chain's blocks: the height of its first container and the number of containers. */
export class BlockIndex {
  readonly #node: PrimaryNode
  readonly #name: IndexName
  readonly #heightOf: (block: Uint8Array) => number
  /** The height of container 0; undefined while the index is empty. */
  #base: number | undefined
  /** Whether the index had the chain's newest block at the last check. */
  #isLevel = false

  private constructor(node: PrimaryNode, name: IndexName, heightOf: (block: Uint8Array) => number) {
    this.#node = node
    this.#name = name
    this.#heightOf = heightOf
  }

  /** Undefined if the node has no index; an empty index counts as an index. */
  static async open(
    node: PrimaryNode,
    name: IndexName,
    heightOf: (block: Uint8Array) => number,
    signal: AbortSignal,
  ): Promise<BlockIndex | undefined> {
    const count = await node.containerCount(name, signal)
    return count === undefined ? undefined : new BlockIndex(node, name, heightOf)
  }

  /** The height of the newest container; -1 if the index begins above `height` or is empty. */
  async headFrom(height: number, signal: AbortSignal): Promise<number> {
    const count = (await this.#node.containerCount(this.#name, signal)) ?? 0
    if (count === 0) return -1
    if (this.#base === undefined) {
      const [first] = await this.#node.containers(this.#name, 0, 1, signal)
      if (!first) return -1
      this.#base = this.#heightOf(unwrap(first).block)
    }
    return height >= this.#base ? this.#base + count - 1 : -1
  }

  /**
   * Like `headFrom`, for a height that the chain has reached. An index that has kept up so far gets a moment
   * to add the block, because a block read without the index is stored without its proposer. An index that is
   * behind is not waited for until it has caught up.
   */
  async headAt(height: number, signal: AbortSignal): Promise<number> {
    for (let look = 1; ; look += 1) {
      const head = await this.headFrom(height, signal)
      const isLate = head < height && this.#isLevel && look < looks && !signal.aborted
      if (!isLate) {
        this.#isLevel = head >= height
        return head
      }
      await pause(this.#node.pace.secondThought, signal)
    }
  }

  /** Blocks from a height on that `headFrom` has reached: at least one, at most `count`. */
  async blocks(from: number, count: number, signal: AbortSignal): Promise<Wrapped[]> {
    const containers = await this.#node.containers(this.#name, from - (this.#base ?? 0), count, signal)
    if (containers.length === 0) throw refuse(`the index has no block ${from}`)
    let likelyWrapped = true
    return decoding(this.#node.stats, () =>
      containers.map((container) => {
        const wrapped = unwrap(container, likelyWrapped)
        likelyWrapped = wrapped.wrapper !== undefined
        return wrapped
      }),
    )
  }
}
