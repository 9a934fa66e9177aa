type PrefetcherOptions<Item> = {
  readonly from: number
  /** The last height, inclusive. Must not be above the head. */
  readonly to: number
  /** Heights per request. */
  readonly chunk: number
  /** Number of concurrent requests. */
  readonly concurrency: number
  /** The items of consecutive heights: at least one, at most `count`. */
  readonly fetch: (from: number, count: number) => Promise<readonly Item[]>
  readonly sizeOf: (item: Item) => number
  readonly onDepth: (depth: number) => void
}

/** Upper limits for the number and size of prefetched items; they bound memory. */
const waitingItems = 4_096
const waitingBytes = 32 * 1024 * 1024

type Slot<Item> = { readonly count: number; readonly promise: Promise<readonly Item[]>; bytes: number }

/** Prefetches blocks in parallel, within limits, and returns them in height order. */
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
   * The next items in order, at most `limit` of them and about `maxBytes`. Waits only for the first one.
   * Returns an empty array at the end. Throws the error of a failed fetch.
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
    // A node may return fewer items than requested; the rest is requested again.
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
