import { createHash } from 'node:crypto'
import { mkdir, open, opendir, readdir, rename, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { forEach } from './for-each.ts'

/** What was read from a file. */
export type Content = { readonly size: number; readonly sha256: string }

const chunkBytes = 1 << 20

/** The size and checksum of a file. */
export async function contentOf(path: string): Promise<Content> {
  const source = await open(path, 'r')
  try {
    return await readAll(source, () => Promise.resolve())
  } finally {
    await source.close()
  }
}

/** Reads a file to its end, in pieces that are reused once `take` resolves; the size and checksum of all. */
async function readAll(source: FileHandle, take: (chunk: Uint8Array) => Promise<void>): Promise<Content> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(chunkBytes)
  let size = 0
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, chunkBytes)
    if (bytesRead === 0) return { size, sha256: hash.digest('hex') }
    const chunk = buffer.subarray(0, bytesRead)
    hash.update(chunk)
    size += bytesRead
    await take(chunk)
  }
}

/** Flushes the entries of a folder, so that files created or renamed in it survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  // Windows can't open folders, and flushes their entries by itself.
  if (process.platform !== 'win32') await sync(path, 'r')
}

/** Flushes a file to the disk. `flags` are those to open it with; Windows flushes only what may be written. */
export async function sync(path: string, flags: 'r' | 'r+' = 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Moves a synced file to its name, which it replaces: the name then means the old or the new file, whatever
 * happens. `from` and `to` are on one file system.
 */
export async function publish(from: string, to: string): Promise<void> {
  const made = await mkdir(dirname(to), { recursive: true })
  if (made !== undefined) await syncFolder(dirname(made))
  await rename(from, to)
  await syncFolder(dirname(to))
}

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

/** The names in a folder in order; empty if there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
