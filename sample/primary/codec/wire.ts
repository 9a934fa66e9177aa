/** Bytes that are not what a codec expects; the message says what and where. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

/** Bytes in the making: big-endian, as all of the chains' codecs are. */
export class Writer {
  private buffer = Buffer.allocUnsafe(512)
  private length = 0

  private room(size: number): number {
    const at = this.length
    const end = at + size
    if (end > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, this.buffer.length * 2))
      this.buffer.copy(larger, 0, 0, at)
      this.buffer = larger
    }
    this.length = end
    return at
  }

  u8(value: number): void {
    const at = this.room(1)
    this.buffer.writeUInt8(value, at)
  }

  u16(value: number): void {
    const at = this.room(2)
    this.buffer.writeUInt16BE(value, at)
  }

  u32(value: number): void {
    const at = this.room(4)
    this.buffer.writeUInt32BE(value, at)
  }

  u64(value: bigint): void {
    const at = this.room(8)
    this.buffer.writeBigUInt64BE(value, at)
  }

  raw(bytes: Uint8Array): void {
    const at = this.room(bytes.length)
    this.buffer.set(bytes, at)
  }

  hex(text: string): void {
    const at = this.room(text.length / 2)
    this.buffer.write(text, at, 'hex')
  }

  done(): Uint8Array {
    return new Uint8Array(this.buffer.subarray(0, this.length))
  }
}

/** Reads bytes from front to back. Throws `WireError` where they end too soon. */
export class Reader {
  private readonly bytes: Buffer
  private offset = 0

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  private take(size: number): number {
    const at = this.offset
    if (size > this.bytes.length - at) throw new WireError(`${size} bytes wanted at ${at}, too few left`)
    this.offset = at + size
    return at
  }

  get position(): number {
    return this.offset
  }

  u8(): number {
    return this.bytes.readUInt8(this.take(1))
  }

  u16(): number {
    return this.bytes.readUInt16BE(this.take(2))
  }

  u32(): number {
    return this.bytes.readUInt32BE(this.take(4))
  }

  u64(): bigint {
    return this.bytes.readBigUInt64BE(this.take(8))
  }

  raw(size: number): Uint8Array {
    const at = this.take(size)
    return new Uint8Array(this.bytes.subarray(at, at + size))
  }

  hex(size: number): string {
    const at = this.take(size)
    return this.bytes.toString('hex', at, at + size)
  }

  /** What was read from `start` on, as bytes. */
  since(start: number): Uint8Array {
    return new Uint8Array(this.bytes.subarray(start, this.offset))
  }

  end(): void {
    if (this.offset !== this.bytes.length) {
      throw new WireError(`${this.bytes.length - this.offset} bytes left over at ${this.offset}`)
    }
  }
}

/** How one kind of value is written and read. */
export interface Codec<T> {
  write(to: Writer, value: T): void
  read(from: Reader): T
}

export type Of<C> = C extends Codec<infer T> ? T : never

export const u8: Codec<number> = { write: (to, value) => to.u8(value), read: (from) => from.u8() }
export const u32: Codec<number> = { write: (to, value) => to.u32(value), read: (from) => from.u32() }
export const u64: Codec<bigint> = { write: (to, value) => to.u64(value), read: (from) => from.u64() }

/** A u64 that is a time or a height: Unix seconds stay far below 2^53. */
export const whole: Codec<number> = {
  write: (to, value) => to.u64(BigInt(value)),
  read(from) {
    const value = from.u64()
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new WireError(`${value} is no time and no height`)
    return Number(value)
  },
}

/** `size` bytes as lower-case hex. */
export function fixed(size: number): Codec<string> {
  return {
    write(to, value) {
      if (value.length !== size * 2) throw new WireError(`${value} has not ${size} bytes`)
      to.hex(value)
    },
    read: (from) => from.hex(size),
  }
}

/** A u32 length and so many bytes. */
export const blob: Codec<Uint8Array> = {
  write(to, value) {
    to.u32(value.length)
    to.raw(value)
  },
  read: (from) => from.raw(from.u32()),
}

/** A u32 length and so many bytes, as hex. */
export const hexBlob: Codec<string> = {
  write(to, value) {
    to.u32(value.length / 2)
    to.hex(value)
  },
  read: (from) => from.hex(from.u32()),
}

/** A u16 length and UTF-8. */
export const text: Codec<string> = {
  write(to, value) {
    const bytes = Buffer.from(value)
    to.u16(bytes.length)
    to.raw(bytes)
  },
  read: (from) => Buffer.from(from.raw(from.u16())).toString(),
}

/** What the chains' codec takes at most. */
const LONGEST_LIST = 2_147_483_647

/** A u32 count and so many values. */
export function list<T>(each: Codec<T>): Codec<readonly T[]> {
  return {
    write(to, values) {
      to.u32(values.length)
      for (const value of values) each.write(to, value)
    },
    read(from) {
      const count = from.u32()
      if (count > LONGEST_LIST) {
        const why = `array length, ${count}, exceeds maximum length, ${LONGEST_LIST}`
        throw new WireError(`max slice length exceeded; ${why}`)
      }
      const values: T[] = []
      for (let index = 0; index < count; index += 1) values.push(each.read(from))
      return values
    },
  }
}

type Shape = Readonly<Record<string, Codec<unknown>>>
export type StructOf<S extends Shape> = { readonly [K in keyof S]: Of<S[K]> }

/** Fields one after another. */
export function struct<S extends Shape>(shape: S): Codec<StructOf<S>> {
  const fields = Object.entries(shape)
  return {
    write(to, value) {
      for (const [name, codec] of fields) codec.write(to, value[name])
    },
    read: (from) =>
      Object.fromEntries(fields.map(([name, codec]) => [name, codec.read(from)])) as StructOf<S>,
  }
}

type Kinds = Readonly<Record<string, readonly [number, Codec<object>]>>
export type TaggedOf<S extends Kinds> = {
  [K in keyof S]: { readonly type: K } & Of<S[K][1]>
}[keyof S]

/** A u32 type id and what belongs to it. */
export function tagged<S extends Kinds>(what: string, kinds: S): Codec<TaggedOf<S>> {
  const byId = new Map(Object.entries(kinds).map(([type, [id, codec]]) => [id, { type, codec }]))
  return {
    write(to, value) {
      const kind = kinds[value.type]
      if (kind === undefined) throw new WireError(`no ${what} is a ${String(value.type)}`)
      to.u32(kind[0])
      kind[1].write(to, value)
    },
    read(from) {
      const id = from.u32()
      const kind = byId.get(id)
      if (kind === undefined) throw new WireError(`unknown type ID ${id} for a ${what}`)
      return { type: kind.type, ...kind.codec.read(from) } as TaggedOf<S>
    },
  }
}

/** Codec version 0 and the value. */
export function encode<T>(codec: Codec<T>, value: T): Uint8Array {
  const to = new Writer()
  to.u16(0)
  codec.write(to, value)
  return to.done()
}

/** Throws `WireError` for bytes of another version, cut bytes and bytes that are left over. */
export function decode<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const from = new Reader(bytes)
  const version = from.u16()
  if (version !== 0) throw new WireError(`unknown codec version ${version}`)
  const value = codec.read(from)
  from.end()
  return value
}
