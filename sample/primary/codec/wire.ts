import { Reader, UnknownTypeError } from '../../../protocol/codec/reader.ts'
import { Writer } from '../../../protocol/codec/writer.ts'
import { bareHex } from '../../kernel/hex.ts'

/** How one kind of value is written and read. */
export type Codec<T> = {
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
  read: (from) => from.position(),
}

/** `size` bytes as lower-case hex. */
export function fixed(size: number): Codec<string> {
  return {
    write(to, value) {
      if (value.length !== size * 2) throw new RangeError(`${value} has not ${size} bytes`)
      to.raw(value)
    },
    read: (from) => bareHex(from.fixed(size)),
  }
}

/** A u32 length and so many bytes. */
export const blob: Codec<Uint8Array> = {
  write(to, value) {
    to.u32(value.length)
    to.raw(value)
  },
  read: (from) => new Uint8Array(from.blob()),
}

/** A u32 length and so many bytes, as hex. */
export const hexBlob: Codec<string> = {
  write(to, value) {
    to.u32(value.length / 2)
    to.raw(value)
  },
  read: (from) => bareHex(from.blob()),
}

/** A u16 length and UTF-8. */
export const text: Codec<string> = {
  write(to, value) {
    const bytes = Buffer.from(value)
    to.u16(bytes.length)
    to.raw(bytes)
  },
  read: (from) => from.text(),
}

/** A list that the chains' codec doesn't take; the message is the node's. */
export class ListTooLongError extends Error {
  override readonly name = 'ListTooLongError'
}

/** What the chains' codec takes at most. */
const longestList = 2_147_483_647

/** A u32 count and so many values. */
export function list<T>(each: Codec<T>): Codec<readonly T[]> {
  return {
    write(to, values) {
      to.u32(values.length)
      for (const value of values) each.write(to, value)
    },
    read(from) {
      const count = from.u32()
      if (count > longestList) {
        const why = `array length, ${count}, exceeds maximum length, ${longestList}`
        throw new ListTooLongError(`max slice length exceeded; ${why}`)
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
      if (kind === undefined) throw new RangeError(`no ${what} is a ${String(value.type)}`)
      to.u32(kind[0])
      kind[1].write(to, value)
    },
    read(from) {
      const id = from.u32()
      const kind = byId.get(id)
      if (kind === undefined) throw new UnknownTypeError(`unknown type ID ${id} for a ${what}`, from.offset)
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

/** Throws CodecError for bytes of another version, cut bytes and bytes that are left over. */
export function decode<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const from = new Reader(bytes)
  from.version()
  const value = codec.read(from)
  from.end()
  return value
}
