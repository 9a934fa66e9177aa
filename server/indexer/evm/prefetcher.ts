import type { DecodedBlock } from './decode.ts'

type PrefetchOptions<Block extends PrefetchedBlock> = {
  from: number
  /** The last block, inclusive. Must not be above the head. */
  to: number
  /** Number of concurrent requests. */
  concurrency: number
  fetch(number: number): Promise<Block>
  onDepth(depth: number): void
}

export type TakeLimits = {
  readonly blocks: number
  /** No further block is added once the rows have this many bytes. */
  readonly bytes: number
  /** Milliseconds to wait for more blocks after the first one. */
  readonly wait: number
}

/** Upper limits for the number and size of prefetched blocks; they bound the indexer's memory. */
const waitingBlocks = 384
const waitingBytes = 24 * 1024 * 1024

/** A block whose size can be estimated. */
type PrefetchedBlock = Pick<DecodedBlock, 'movements' | 'settlement'> & {
  readonly rows: Readonly<Record<string, { readonly length: number }>>
}

type Slot<Block> = { readonly promise: Promise<Block>; block?: Block; size: number }

/** Prefetches blocks in parallel, within limits, and returns them in height order. */
export class Prefetcher<Block extends PrefetchedBlock = DecodedBlock> {
  readonly #options: PrefetchOptions<Block>
  readonly #slots: Slot<Block>[] = []
  #nextNumber: number
  #running = 0
  #bytes = 0
  #closed = false

  constructor(options: PrefetchOptions<Block>) {
    this.#options = options
    this.#nextNumber = options.from
    this.#fill()
  }

  /**
   * The next blocks in order: waits for the first one, then adds those that are ready, or become ready before
   * the wait ends, within the limits. Returns an empty array at the end. Throws the error of the next block
   * if fetching it failed.
   */
  async take(limits: TakeLimits): Promise<Block[]> {
    const blocks: Block[] = []
    let size = 0
    let deadline = 0
    while (blocks.length < limits.blocks && size < limits.bytes) {
      const [slot] = this.#slots
      if (!slot) break
      const block =
        slot.block ??
        (blocks.length === 0
          ? await slot.promise
          : await withinWait(slot.promise, deadline - performance.now()))
      if (!block) break
      if (blocks.length === 0) deadline = performance.now() + limits.wait
      this.#slots.shift()
      blocks.push(block)
      size += slot.size
      this.#bytes -= slot.size
      this.#fill()
    }
    this.#options.onDepth(this.#slots.length)
    return blocks
  }

  /** Starts no further requests. */
  close(): void {
    this.#closed = true
    this.#options.onDepth(0)
  }

  #fill(): void {
    while (
      !this.#closed &&
      this.#nextNumber <= this.#options.to &&
      this.#running < this.#options.concurrency &&
      this.#slots.length < waitingBlocks &&
      this.#bytes < waitingBytes
    ) {
      this.#start(this.#nextNumber)
      this.#nextNumber += 1
    }
  }

  #start(number: number): void {
    this.#running += 1
    const slot: Slot<Block> = { promise: this.#options.fetch(number), size: 0 }
    this.#slots.push(slot)
    slot.promise
      .then(
        (block) => {
          slot.block = block
          slot.size = sizeOf(block)
          this.#bytes += slot.size
        },
        () => {
          // `take` throws the error when it reaches this block. No later blocks are needed.
          this.#closed = true
        },
      )
      .finally(() => {
        this.#running -= 1
        this.#fill()
      })
  }
}

/** Returns the block if it arrives in time. A failure is left to the next `take`. */
async function withinWait<Block>(block: Promise<Block>, wait: number): Promise<Block | undefined> {
  if (wait <= 0) return undefined
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), wait)
  })
  try {
    return await Promise.race([block.catch(() => undefined), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Bytes of memory for one token movement while its block is applied. One log may contain many. */
const movementBytes = 256

function sizeOf({ rows, movements, settlement }: PrefetchedBlock): number {
  return (
    Object.values(rows).reduce((sum, { length }) => sum + length, 0) +
    movements * movementBytes +
    (settlement?.receipts.size ?? 0) +
    2_048
  )
}
