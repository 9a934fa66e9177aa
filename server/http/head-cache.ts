import type { LiveHub } from '../events/hub.ts'
import { JsonText } from './bind.ts'

type Entry = { readonly version: number; readonly madeAt: number; readonly answer: JsonText }

type HeadCacheOptions = {
  readonly live: Pick<LiveHub, 'version' | 'connected'>
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** The most characters of all kept answers. */
  readonly maxSize?: number
  /** Milliseconds after which an answer is made again even without an announcement. */
  readonly maxAge?: number
}

/**
 * Caches answers that hold until the head moves: first pages, metrics, status. An answer is kept only if no
 * change was announced while it was made, so that a read that began before a commit is never returned after it.
 * Concurrent requests for one answer share one read. The age limit bounds how stale an answer can be if
 * announcements are lost or a replica lags.
 */
export class HeadCache {
  readonly #options: Required<HeadCacheOptions>
  readonly #kept = new Map<string, Entry>()
  readonly #making = new Map<string, { readonly version: number; readonly answer: Promise<JsonText> }>()
  #size = 0

  constructor(options: HeadCacheOptions) {
    this.#options = { maxSize: 32 * 1024 * 1024, maxAge: 1_000, ...options }
  }

  /** Characters kept now. */
  get size(): number {
    return this.#size
  }

  /** The answer under `key`; `make` runs again if one of `topics` (events/hub.ts) has changed since the last time. */
  async get(key: string, topics: readonly string[], make: () => Promise<string>): Promise<JsonText> {
    const version = this.#version(topics)
    const entry = this.#kept.get(key)
    if (entry && entry.version === version && this.#options.now() - entry.madeAt < this.#options.maxAge) {
      return entry.answer
    }
    const underway = this.#making.get(key)
    if (underway?.version === version) return underway.answer
    const answer = this.#make(key, topics, version, make)
    const making = { version, answer }
    this.#making.set(key, making)
    try {
      return await answer
    } finally {
      if (this.#making.get(key) === making) this.#making.delete(key)
    }
  }

  async #make(
    key: string,
    topics: readonly string[],
    version: number,
    make: () => Promise<string>,
  ): Promise<JsonText> {
    const madeAt = this.#options.now()
    const answer = new JsonText(await make())
    if (this.#options.live.connected && this.#version(topics) === version) {
      this.#keep(key, { version, madeAt, answer })
    }
    return answer
  }

  #keep(key: string, entry: Entry): void {
    this.#drop(key)
    this.#kept.set(key, entry)
    this.#size += key.length + entry.answer.text.length
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#options.maxSize) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const entry = this.#kept.get(key)
    if (!entry) return
    this.#kept.delete(key)
    this.#size -= key.length + entry.answer.text.length
  }

  #version(topics: readonly string[]): number {
    return topics.reduce((sum, topic) => sum + this.#options.live.version(topic), 0)
  }
}
