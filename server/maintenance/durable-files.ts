import { createHash } from 'node:crypto'
import { open, opendir, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readAll, sync, syncFolder, type Content } from '../kernel/durable-files.ts'

/** The owner of new files, if it is not this process's user. */
type Owner = { readonly uid: number; readonly gid: number } | undefined

/**
 * Copies a file to a new one. The source may change meanwhile: the result describes what was written. The copy is not
 * flushed: see `syncAll`. Rejects with the code ENOENT if there is no source.
 */
export async function copyFile(from: string, to: string, owner?: Owner): Promise<Content> {
  const source = await open(from, 'r')
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const content = await readAll(source, async (chunk) => {
        for (let done = 0; done < chunk.length;)
          done += (await target.write(chunk, done, chunk.length - done)).bytesWritten
      })
      if (owner) await target.chown(owner.uid, owner.gid)
      return content
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Writes a new file. It is not flushed: see `syncAll`. */
export async function createFile(path: string, text: string | Uint8Array): Promise<Content> {
  await writeFile(path, text, { flag: 'wx', mode: 0o600 })
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/**
 * Flushes everything below a folder to the disk, and the folder itself. At the end rather than with each file: by
 * then most is written, and a thousand flushes share a few commits of the file system.
 */
export async function syncAll(folder: string): Promise<void> {
  await forEach(entriesBelow(folder), 4, ({ path, isFolder }) =>
    isFolder ? syncFolder(join(folder, path)) : sync(join(folder, path)),
  )
  await syncFolder(folder)
}

/** An entry below a folder; `path` is relative to it, with `/`. */
export type Entry = { readonly path: string; readonly isFolder: boolean }

/** Everything below a folder, parents first. Entries that vanish meanwhile are left out. `enters` may skip folders. */
export async function* entriesBelow(
  folder: string,
  enters: (path: string) => boolean = () => true,
  prefix = '',
): AsyncGenerator<Entry> {
  const entries = []
  try {
    for await (const entry of await opendir(join(folder, prefix))) entries.push(entry)
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  for (const entry of entries) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    yield { path, isFolder: entry.isDirectory() }
    if (entry.isDirectory() && enters(path)) yield* entriesBelow(folder, enters, path)
  }
}

export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Runs an action for every item, at most `width` at a time. After a failure no further one starts. */
export async function forEach<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  width: number,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>()
  let failure: { readonly error: unknown } | undefined
  for await (const item of items) {
    const one = action(item)
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => running.delete(one))
    running.add(one)
    if (running.size >= width) await Promise.race(running)
    if (failure) break
  }
  await Promise.all(running)
  if (failure) throw failure.error
}

/** Throws unless the file system of a folder has `bytes` left for this user. */
export async function requireSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= bytes) return
  throw new Error(`${folder} has ${gigabytes(free)} free, and ${gigabytes(bytes)} are needed`)
}

/** Bytes for people: 1.5 GB. */
export const gigabytes = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
