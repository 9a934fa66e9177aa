/**
 * Concatenates byte strings into memory of their own. A view that is sent to another thread is copied together with its
 * whole underlying buffer, which may be a large chunk of a connection.
 */
export function packed(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Splits packed bytes into views of one size. Throws a RangeError if the last one is incomplete. */
export function unpacked(all: Uint8Array, size: number): Uint8Array[] {
  if (all.length % size !== 0)
    throw new RangeError(`${all.length} bytes are not a whole number of parts of ${size}`)
  return Array.from({ length: all.length / size }, (_, at) => all.subarray(at * size, (at + 1) * size))
}
