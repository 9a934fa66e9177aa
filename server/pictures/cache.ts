import { HttpError } from '../kernel/http-errors.ts'

type PictureCacheOptions = {
  /** The most bytes of all kept pictures. */
  readonly maxBytes?: number
  /** Pictures that are made at the same time. */
  readonly concurrent?: number
  /** Pictures that wait to be made; one more is refused. */
  readonly waiting?: number
}

/**
 * Caches pictures by their content: the key is a digest of everything that is drawn, so an entry is never stale, and
 * one whose data has changed is not asked for again. The least recently used entries are dropped. Concurrent requests
 * for one picture share its making, and few pictures are made at a time, because each occupies a core.
 */
export class PictureCache {
  readonly #options: Required<PictureCacheOptions>
  readonly #kept = new Map<string, Buffer>()
  readonly #making = new Map<string, Promise<Buffer>>()
  readonly #queue: (() => void)[] = []
  #bytes = 0
  #underway = 0
  #made = 0

  constructor(options: PictureCacheOptions = {}) {
    this.#options = { maxBytes: 32 * 1024 * 1024, concurrent: 2, waiting: 64, ...options }
  }

  /** How many pictures were made so far. */
  get made(): number {
    return this.#made
  }

  /** Bytes kept now. */
  get bytes(): number {
    return this.#bytes
  }

  /** The picture under `key`, made if it is not kept. Throws a 503 if too many wait to be made. */
  async get(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const kept = this.#kept.get(key)
    if (kept) {
      // The last in the map is the most recently used.
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept
    }
    const underway = this.#making.get(key)
    if (underway) return underway
    const making = this.#make(key, make)
    this.#making.set(key, making)
    try {
      return await making
    } finally {
      this.#making.delete(key)
    }
  }

  async #make(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    await this.#acquire()
    try {
      const picture = await make()
      this.#made += 1
      this.#keep(key, picture)
      return picture
    } finally {
      this.#release()
    }
  }

  async #acquire(): Promise<void> {
    const { concurrent, waiting } = this.#options
    if (this.#underway < concurrent) {
      this.#underway += 1
      return
    }
    if (this.#queue.length >= waiting)
      throw new HttpError(503, `${waiting} pictures are waiting to be drawn, try again later`, {
        headers: { 'retry-after': '1' },
      })
    // The slot is handed over, so that nobody takes it in between.
    await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  #release(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#underway -= 1
  }

  #keep(key: string, picture: Buffer): void {
    if (picture.length > this.#options.maxBytes) return
    this.#kept.set(key, picture)
    this.#bytes += picture.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= this.#options.maxBytes) return
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
  }
}
