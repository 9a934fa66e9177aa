import { createHash } from 'node:crypto'

/**
 * An id in the form of a UUID (version 8) that follows from its parts: the same alarm or message has the same id
 * whoever makes it, and however often.
 */
export function idFrom(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest()
  hash.writeUInt8(((hash[6] ?? 0) & 0x0f) | 0x80, 6)
  hash.writeUInt8(((hash[8] ?? 0) & 0x3f) | 0x80, 8)
  const hex = hash.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
