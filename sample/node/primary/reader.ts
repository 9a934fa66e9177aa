/** The bytes are not what the codec makes. */
export class ParseError extends Error {
  override readonly name = 'ParseError'
}

/** Reads the codec's big-endian values one after another. Throws `ParseError` past the end. */
export type Reader = {
  /** Bytes read so far. */
  readonly offset: number
  u8(): number
  u16(): number
  u32(): number
  u64(): bigint
  bytes(length: number): Buffer
  /** Text with its length before it, two bytes. */
  text(): string
  /** Bytes with their length before them, four bytes. */
  long(): Buffer
  /** A list with its length before it, four bytes. */
  list<T>(item: (reader: Reader) => T): T[]
  /** Throws unless everything has been read. */
  end(): void
}

export function createReader(source: Uint8Array): Reader {
  const data = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  let offset = 0

  function take(length: number): number {
    const from = offset
    if (from + length > data.length) throw new ParseError(`${length} bytes wanted at ${from}`)
    offset += length
    return from
  }

  const reader: Reader = {
    get offset() {
      return offset
    },
    u8: () => data.readUInt8(take(1)),
    u16: () => data.readUInt16BE(take(2)),
    u32: () => data.readUInt32BE(take(4)),
    u64: () => data.readBigUInt64BE(take(8)),
    bytes(length) {
      const from = take(length)
      return data.subarray(from, from + length)
    },
    text: () => reader.bytes(reader.u16()).toString('utf8'),
    long: () => reader.bytes(reader.u32()),
    list(item) {
      const length = reader.u32()
      // Nothing in a list is without bytes, so a length past the end is cut before anything is made of it.
      if (offset + length > data.length) throw new ParseError(`a list of ${length} at ${offset}`)
      return Array.from({ length }, () => item(reader))
    },
    end() {
      if (offset !== data.length) throw new ParseError(`${data.length - offset} bytes too many`)
    },
  }
  return reader
}
