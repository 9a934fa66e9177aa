export type PrefetcherOptions<Item> = {
  readonly from: number
  /** The last height, inclusive: never past the head. */
  readonly to: number
  /** Heights asked for at once. */
  readonly chunk: number
  /** Requests under way at the same time. */
  readonly concurrency: number
  /** The items of some heights in a row: at least one, at most `count`. */
  readonly fetch: (from: number, count: number) => Promise<readonly Item[]>
  readonly sizeOf: (item: Item) => number
  readonly onDepth: (depth: number) => void
}

/** Items that wait, and their bytes, stay below these: they bound the memory. */
const waitingItems = 4_096
const waitingBytes = 32 * 1024 * 1024

type Slot<Item> = { readonly count: number; readonly promise: Promise<readonly Item[]>; bytes: number }

/** Fetches blocks before they are needed, in parallel and within bounds, and returns them in order of height. */
export class Prefetcher<Item> {
  readonly #options: PrefetcherOptions<Item>
  readonly #slots: Slot<Item>[] = []
  #ready: Item[] = []
  #next: number
  #bytes = 0
  #waiting = 0
  #closed = false

  constructor(options: PrefetcherOptions<Item>) {
    this.#options = options
    this.#next = options.from
    this.#fill()
  }

  /**
   * The next items in order, at most `limit` of them and about `maxBytes`: waits for the first one only.
   * Empty at the end. Throws what fetching threw.
   */
  async take(limit: number, maxBytes: number): Promise<Item[]> {
    if (this.#ready.length === 0 && this.#slots.length > 0) await this.#receive()
    const taken: Item[] = []
    let size = 0
    while (taken.length < limit && size < maxBytes) {
      if (this.#ready.length === 0) {
        const [slot] = this.#slots
        if (!slot || slot.bytes < 0) break
        await this.#receive()
      }
      const item = this.#ready.shift()
      if (item === undefined) break
      size += this.#options.sizeOf(item)
      taken.push(item)
    }
    this.#waiting -= taken.length
    this.#bytes -= size
    this.#fill()
    return taken
  }

  close(): void {
    this.#closed = true
  }

  async #receive(): Promise<void> {
    const slot = this.#slots.shift()
    if (!slot) return
    const items = await slot.promise
    this.#ready = items.slice()
    const missing = slot.count - items.length
    if (missing <= 0) return
    // A node may give fewer than asked for: what is behind them is asked for again.
    this.#next -= missing + this.#slots.reduce((sum, each) => sum + each.count, 0)
    this.#waiting -= missing + this.#slots.reduce((sum, each) => sum + each.count, 0)
    this.#slots.length = 0
  }

  #fill(): void {
    const { to, chunk, concurrency, fetch, sizeOf, onDepth } = this.#options
    while (!this.#closed && this.#next <= to && this.#slots.length < concurrency) {
      if (this.#waiting >= waitingItems || this.#bytes >= waitingBytes) break
      const from = this.#next
      const count = Math.min(chunk, to - from + 1)
      this.#next += count
      this.#waiting += count
      const promise = fetch(from, count)
      const slot: Slot<Item> = { count, promise, bytes: -1 }
      promise.then(
        (items) => {
          slot.bytes = items.reduce((sum, item) => sum + sizeOf(item), 0)
          this.#bytes += slot.bytes
        },
        () => {
          slot.bytes = 0
        },
      )
      this.#slots.push(slot)
    }
    onDepth(this.#waiting)
  }
}
