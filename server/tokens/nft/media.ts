import { createHash } from 'node:crypto'
import type { NftMetadataConfig } from '../../kernel/settings/config.ts'
import { FetchFailure, type GuardedFetch } from '../../kernel/guarded-fetch.ts'
import { sniffPicture, type PictureType } from './pictures.ts'
import { readDataUri } from './token-uri.ts'

export type Picture = PictureType & { readonly body: Buffer; readonly etag: string }

/** Why there is no picture. `off`: fetching is disabled; `busy`: too many are being fetched. */
type MediaFailureKind = 'off' | 'busy' | 'unusable'

export class MediaFailure extends Error {
  override readonly name = 'MediaFailure'
  readonly kind: MediaFailureKind
  constructor(kind: MediaFailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

type MediaOptions = {
  readonly settings: NftMetadataConfig
  readonly fetch: GuardedFetch
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly now?: () => number
}

/** Maximum size of a picture as a multiple of a document's. */
const larger = 5
/** Concurrent fetches, and the length of their queue. */
const fetching = { atOnce: 4, waiting: 32 }
/**
 * Limits of the in-memory cache: total bytes, milliseconds for a picture and for a failure, and number of
 * failures.
 */
const kept = { bytes: 64 * 1_048_576, picture: 3_600_000, failure: 60_000, failures: 2_000 }

type Entry = { readonly until: number; readonly found: Picture | MediaFailure; readonly size: number }

/**
 * Serves the pictures of NFTs: `data:` pictures directly, others through the guarded fetch. Each link is
 * fetched once at a time and cached in memory within limits. Content that is not recognized as a picture by
 * its bytes is rejected.
 */
export class Media {
  readonly #options: MediaOptions
  readonly #now: () => number
  readonly #cache = new Map<string, Entry>()
  readonly #underway = new Map<string, Promise<Picture>>()
  readonly #queue: (() => void)[] = []
  #cached = 0
  #active = 0

  constructor(options: MediaOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** The picture behind a stored link. Throws MediaFailure. */
  async get(uri: string): Promise<Picture> {
    const { settings } = this.#options
    if (/^data:/i.test(uri)) {
      const found = readDataUri(uri)
      if (!found) throw new MediaFailure('unusable', 'the picture in the metadata cannot be read')
      return describe(found.body)
    }
    const off = !settings.enabled || (/^ipfs:/i.test(uri) && settings.ipfsGateway === undefined)
    if (off) throw new MediaFailure('off', 'pictures are not fetched from the network here')
    const entry = this.#cache.get(uri)
    if (entry && entry.until > this.#now()) {
      // Moves the entry to the end, so that the least recently used is evicted first.
      this.#cache.delete(uri)
      this.#cache.set(uri, entry)
      if (entry.found instanceof MediaFailure) throw entry.found
      return entry.found
    }
    const underway = this.#underway.get(uri)
    if (underway) return underway
    const work = this.#load(uri).finally(() => this.#underway.delete(uri))
    this.#underway.set(uri, work)
    return work
  }

  async #load(uri: string): Promise<Picture> {
    const { fetch, settings, signal } = this.#options
    await this.#turn()
    try {
      const maxBytes = larger * settings.maxBytes
      const picture = describe(await fetch(uri, { maxBytes, accepts: () => true, signal }))
      this.#keep(uri, picture, kept.picture)
      return picture
    } catch (error) {
      const failure = asFailure(error)
      if (!failure) throw error
      this.#keep(uri, failure, kept.failure)
      throw failure
    } finally {
      this.#active -= 1
      this.#queue.shift()?.()
    }
  }

  async #turn(): Promise<void> {
    if (this.#active >= fetching.atOnce) {
      if (this.#queue.length >= fetching.waiting) {
        throw new MediaFailure('busy', 'too many pictures are being fetched, try again later')
      }
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    }
    this.#active += 1
  }

  #keep(uri: string, found: Picture | MediaFailure, milliseconds: number): void {
    this.#drop(uri)
    const size = uri.length + (found instanceof MediaFailure ? kept.bytes / kept.failures : found.body.length)
    this.#cache.set(uri, { until: this.#now() + milliseconds, found, size })
    this.#cached += size
    for (const oldest of this.#cache.keys()) {
      if (this.#cached <= kept.bytes) break
      this.#drop(oldest)
    }
  }

  #drop(uri: string): void {
    this.#cached -= this.#cache.get(uri)?.size ?? 0
    this.#cache.delete(uri)
  }
}

function asFailure(error: unknown): MediaFailure | undefined {
  if (error instanceof MediaFailure) return error
  if (!(error instanceof FetchFailure)) return undefined
  return new MediaFailure('unusable', `the picture cannot be fetched: ${error.message}`)
}

function describe(body: Buffer): Picture {
  const type = sniffPicture(body)
  if (!type) throw new MediaFailure('unusable', 'what the link leads to is not a picture that is passed on')
  return { ...type, body, etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"` }
}
