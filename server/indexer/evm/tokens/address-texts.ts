const addressSize = 20
const slots = 1 << 14
const bytes = new Uint8Array(slots * addressSize)
const texts: (string | undefined)[] = Array.from({ length: slots })

/**
 * The 0x text of the 20 bytes at an offset. A chain's blocks mention few addresses again and again, so recent
 * texts are cached: they are neither built nor hashed again when they are looked up.
 */
export function addressText(buffer: Buffer, at: number): string {
  const slot = buffer.readUInt16BE(at + addressSize - 2) & (slots - 1)
  const kept = texts[slot]
  if (kept !== undefined && isKept(slot * addressSize, buffer, at)) return kept
  const text = `0x${buffer.toString('hex', at, at + addressSize)}`
  texts[slot] = text
  for (let index = 0; index < addressSize; index += 1)
    bytes[slot * addressSize + index] = buffer[at + index] ?? 0
  return text
}

function isKept(from: number, buffer: Buffer, at: number): boolean {
  for (let index = 0; index < addressSize; index += 1) {
    if (bytes[from + index] !== buffer[at + index]) return false
  }
  return true
}
