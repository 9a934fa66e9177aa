import type { DecodedBlock } from './decode.ts'

export type PrefetchOptions = {
  from: number
  /** The last block, inclusive: never past the head. */
  to: number
  /** Blocks asked for at the same time. */
  concurrency: number
  fetch(number: number): Promise<DecodedBlock>
  onDepth(depth: number): void
}

/** How much is taken at once. */
export type TakeLimits = {
  readonly blocks: number
  /** Bytes of rows after which no block is added. */
  readonly bytes: number
  /** Milliseconds to wait for more after the first block. */
  readonly wait: number
}

/** Blocks that wait, and their bytes, stay below these: they bound the indexer's memory. */
const waitingBlocks = 384
const waitingBytes = 24 * 1024 * 1024

type Slot = { readonly promise: Promise<DecodedBlock>; block?: DecodedBlock; size: number }

/** Fetches blocks before they are needed, in parallel and within bounds, and returns them in order of height. */
export class Prefetcher {
  readonly #options: PrefetchOptions
  readonly #slots: Slot[] = []
  #nextNumber: number
  #running = 0
  #bytes = 0
  #closed = false

  constructor(options: PrefetchOptions) {
    this.#options = options
    this.#nextNumber = options.from
    this.#fill()
  }

  /**
   * The next blocks in order: waits for the first one, then adds those that are ready, or become ready before
   * the wait is over, within the limits. Empty at the end. Throws what fetching the next block threw.
   */
  async take(limits: TakeLimits): Promise<DecodedBlock[]> {
    const blocks: DecodedBlock[] = []
    let size = 0
    let deadline = 0
    while (blocks.length < limits.blocks && size < limits.bytes) {
      const [slot] = this.#slots
      if (!slot) break
      const block =
        slot.block ??
        (blocks.length === 0 ? await slot.promise : await soon(slot.promise, deadline - performance.now()))
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

  /** Starts no further request. */
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
    const slot: Slot = { promise: this.#options.fetch(number), size: 0 }
    this.#slots.push(slot)
    slot.promise
      .then(
        (block) => {
          slot.block = block
          slot.size = sizeOf(block)
          this.#bytes += slot.size
        },
        () => {
          // `take` throws it when the block's turn comes; later ones are of no use then.
          this.#closed = true
        },
      )
      .finally(() => {
        this.#running -= 1
        this.#fill()
      })
  }
}

/** The block when it comes in time; a failure is left to whoever takes it next. */
async function soon(block: Promise<DecodedBlock>, wait: number): Promise<DecodedBlock | undefined> {
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

/** Bytes that a movement of a token takes while its block is applied: a contract may put many in one log. */
const movementBytes = 256

function sizeOf({ rows, movements, settlement }: DecodedBlock): number {
  return (
    rows.transactions.length +
    rows.logs.length +
    rows.calls.length +
    rows.contracts.length +
    movements * movementBytes +
    (settlement?.receipts.size ?? 0) +
    2_048
  )
}
