/** Two bytes, big-endian. */
export function u16(value: number): Uint8Array {
  const bytes = new Uint8Array(2)
  new DataView(bytes.buffer).setUint16(0, value)
  return bytes
}

/** Four bytes, big-endian. */
export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value)
  return bytes
}

/** Eight bytes, big-endian. Throws a RangeError for a value that does not fit. */
export function u64(value: bigint): Uint8Array {
  if (BigInt.asUintN(64, value) !== value) throw new RangeError(`${value} passes 64 bits`)
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}

/** Bytes preceded by their 32-bit length. */
export function blob(bytes: Uint8Array): Uint8Array {
  return pack(u32(bytes.length), bytes)
}

/** Concatenates all parts. */
export function pack(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}

/** Bytes of a fixed size. Throws a RangeError for another size. */
export function sized(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size) throw new RangeError(`${bytes.length} bytes given, ${size} wanted`)
  return bytes
}
