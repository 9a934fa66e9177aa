import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Content, contentOf, namesIn, publish } from '../../kernel/durable-files.ts'
import { FatalError } from '../../kernel/errors.ts'
import type { Bucket } from './bucket.ts'

/** What a manifest of any chain says of its files. */
const manifest = z.looseObject({
  files: z.record(z.string(), z.looseObject({ bytes: z.number(), sha256: z.string() })),
})

/** Whether each range of a chain is made from all files before it: P and X, whose rules need what came before. */
const needsAll = (chain: string): boolean => chain === 'P' || chain === 'X'

/** A range's manifest and its files, as keys of the bucket and paths of the folder. */
const manifestKey = (chain: string, name: string): string => `${chain}/manifests/${name}.json`
const fileKey = (chain: string, table: string, name: string): string => `${chain}/${table}/${name}.parquet`

/**
 * A folder with a part of a lake that is in S3-compatible storage, of the same layout. As in a folder, a range exists if
 * its manifest exists: files come first in both directions.
 */
export class LakeMirror {
  readonly #bucket: Bucket
  readonly folder: string

  constructor(bucket: Bucket, folder: string) {
    this.#bucket = bucket
    this.folder = folder
  }

  /** The chains of the lake. */
  async chains(): Promise<string[]> {
    const keys = await this.#bucket.keys('')
    return [...new Set(keys.flatMap((key) => /^([^/]+)\/manifests\//.exec(key)?.[1] ?? []))]
  }

  /** Downloads what writing further ranges of a chain needs: its manifests, so that it is known which ranges there are. */
  async pullForWriting(chain: string, onRange: (name: string) => void): Promise<void> {
    if (needsAll(chain)) await this.pull(chain, onRange)
    else for (const name of await this.#missing(chain)) await this.#pullManifest(chain, name)
  }

  /** Downloads the ranges of a chain that the folder lacks. Throws FatalError if a file is not what its manifest says. */
  async pull(chain: string, onRange: (name: string) => void): Promise<void> {
    const names = await this.#missing(chain)
    if (names.length > 0) await this.#pullBeside(chain)
    for (const name of names) {
      const key = manifestKey(chain, name)
      const files = Object.entries(filesOf(await this.#bucket.read(key), key))
      await Promise.all(
        files.map(([table, { bytes, sha256 }]) =>
          this.#download(fileKey(chain, table, name), { size: bytes, sha256 }),
        ),
      )
      await this.#pullManifest(chain, name)
      onRange(name)
    }
  }

  /**
   * Uploads the ranges of a chain that the folder has and the bucket lacks: those of a run that was interrupted. A range
   * that somebody deleted from the bucket is given up in the folder too, which has no files of it any more.
   */
  async pushMissing(chain: string, onRange: (name: string) => void): Promise<void> {
    const there = new Set(await this.#remoteNames(chain))
    for (const name of await this.#localNames(chain)) {
      if (there.has(name)) continue
      const path = join(this.folder, manifestKey(chain, name))
      const tables = Object.keys(filesOf(await readFile(path, 'utf8'), path))
      if (tables.every((table) => existsSync(join(this.folder, fileKey(chain, table, name))))) {
        await this.push(chain, name)
        onRange(name)
      } else await rm(path)
    }
  }

  /**
   * Uploads a range, the manifest last, and deletes its files from the folder if no further range needs them. Throws FatalError if the bucket has the
   * range with another content.
   */
  async push(chain: string, name: string): Promise<void> {
    const key = manifestKey(chain, name)
    const path = join(this.folder, key)
    const text = await readFile(path, 'utf8')
    const files = Object.entries(filesOf(text, path))
    for (const beside of await this.#filesBeside(chain))
      await this.#upload(beside, await contentOf(join(this.folder, beside)), key, text)
    await Promise.all(
      files.map(([table, { bytes, sha256 }]) =>
        this.#upload(fileKey(chain, table, name), { size: bytes, sha256 }, key, text),
      ),
    )
    await this.#upload(key, await contentOf(path), key, text)
    if (needsAll(chain)) return
    for (const [table] of files) await rm(join(this.folder, fileKey(chain, table, name)), { force: true })
  }

  close(): void {
    this.#bucket.close()
  }

  /** Uploads a file of the range whose manifest has the given key and text. */
  async #upload(key: string, content: Content, manifestOf: string, text: string): Promise<void> {
    const path = join(this.folder, key)
    if (await this.#bucket.put(key, path, content, false)) return
    if ((await this.#bucket.checksum(key)) === content.sha256) return
    if (
      (await this.#bucket.checksum(manifestOf)) !== undefined &&
      (await this.#bucket.read(manifestOf)) !== text
    )
      throw new FatalError(`${manifestOf}: the bucket has this range with another content`)
    // What an interrupted upload by another engine left: had it finished, its manifest would be there.
    await this.#bucket.put(key, path, content, true)
  }

  async #remoteNames(chain: string): Promise<string[]> {
    const keys = await this.#bucket.keys(`${chain}/manifests/`)
    return keys.flatMap((key) => /\/([^/]+)\.json$/.exec(key)?.[1] ?? [])
  }

  async #localNames(chain: string): Promise<string[]> {
    const names = await namesIn(join(this.folder, chain, 'manifests'))
    return names.flatMap((name) => /^(.+)\.json$/.exec(name)?.[1] ?? [])
  }

  async #missing(chain: string): Promise<string[]> {
    const here = new Set(await this.#localNames(chain))
    return (await this.#remoteNames(chain)).filter((name) => !here.has(name))
  }

  /** The files in a chain's folder itself, which belong to all of its ranges. */
  async #filesBeside(chain: string): Promise<string[]> {
    const entries = await readdir(join(this.folder, chain), { withFileTypes: true })
    return entries.flatMap((entry) => (entry.isFile() ? `${chain}/${entry.name}` : []))
  }

  async #pullBeside(chain: string): Promise<void> {
    const keys = await this.#bucket.keys(`${chain}/`)
    for (const key of keys.filter((each) => each.split('/').length === 2))
      await this.#receive(key, (path) => this.#bucket.download(key, path))
  }

  async #pullManifest(chain: string, name: string): Promise<void> {
    const key = manifestKey(chain, name)
    await this.#receive(key, async (path) => writeFile(path, await this.#bucket.read(key), { flush: true }))
  }

  /** Downloads a file, unless the folder has it: a file with its name is whole. */
  async #download(key: string, wanted: Content): Promise<void> {
    const there = await stat(join(this.folder, key)).catch(() => undefined)
    if (there?.size === wanted.size) return
    await this.#receive(key, async (path) => {
      await this.#bucket.download(key, path)
      const { size, sha256 } = await contentOf(path)
      if (size !== wanted.size || sha256 !== wanted.sha256)
        throw new FatalError(`${key}: the bucket has another content than the manifest says`)
    })
  }

  /** Writes a file of the folder: it has its name only once it is whole and on disk. */
  async #receive(key: string, write: (path: string) => Promise<void>): Promise<void> {
    await mkdir(this.folder, { recursive: true })
    const work = await mkdtemp(join(this.folder, 'unfinished-'))
    try {
      await write(join(work, 'received'))
      await publish(join(work, 'received'), join(this.folder, key))
    } finally {
      await rm(work, { recursive: true, force: true })
    }
  }
}

function filesOf(text: string, path: string): z.infer<typeof manifest>['files'] {
  const found = manifest.safeParse(JSON.parse(text))
  if (!found.success) throw new FatalError(`${path}: is not a manifest`)
  return found.data.files
}
