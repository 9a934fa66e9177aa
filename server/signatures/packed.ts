/**
 * Many byte strings as one of their own memory. What goes to another thread is copied with all of the memory
 * that it is a view of, which may be a whole chunk of a connection.
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

/** The other way round, of parts of one size: views. Throws a RangeError when the last one is cut short. */
export function unpacked(all: Uint8Array, size: number): Uint8Array[] {
  if (all.length % size !== 0) throw new RangeError(`${all.length} bytes are no whole parts of ${size}`)
  return Array.from({ length: all.length / size }, (_, at) => all.subarray(at * size, (at + 1) * size))
}
