import { statfs } from 'node:fs/promises'

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
