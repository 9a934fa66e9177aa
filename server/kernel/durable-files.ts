import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'

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
export async function readAll(
  source: FileHandle,
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<Content> {
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
