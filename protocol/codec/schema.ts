import { Reader, UnknownTypeError } from './reader.ts'
import { Writer } from './writer.ts'

/** The input type for writing a value: bytes may be given as hex without 0x. */
export type Writable<T> = T extends Uint8Array
  ? Uint8Array | string
  : T extends readonly (infer Item)[]
    ? readonly Writable<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Writable<T[Key]> }
      : T

/**
 * Reads and writes one kind of value. Byte fields that are read are views of the input. `minBytes` is the
 * minimum size of a value in bytes, which bounds the number of items in a list.
 */
export type Codec<T, In = Writable<T>> = {
  readonly minBytes: number
  read(reader: Reader): T
  write(writer: Writer, value: In): void
}

/** The type that a codec reads. */
export type Of<C> = C extends { read(reader: Reader): infer T } ? T : never
/** The type that a codec writes. */
export type InputOf<C> = C extends { write(writer: Writer, value: infer In): void } ? In : never

export const u8: Codec<number> = {
  minBytes: 1,
  read: (reader) => reader.u8(),
  write: (writer, value) => writer.u8(value),
}
export const u32: Codec<number> = {
  minBytes: 4,
  read: (reader) => reader.u32(),
  write: (writer, value) => writer.u32(value),
}
export const u64: Codec<bigint> = {
  minBytes: 8,
  read: (reader) => reader.u64(),
  write: (writer, value) => writer.u64(value),
}
/** A height or a time in Unix seconds: a 64-bit value that a number represents exactly. */
export const position: Codec<number> = {
  minBytes: 8,
  read: (reader) => reader.position(),
  write: (writer, value) => writer.u64(BigInt(value)),
}

/** `size` bytes. Writing throws a RangeError for another number of bytes. */
export function fixed(size: number): Codec<Uint8Array> {
  return {
    minBytes: size,
    read: (reader) => reader.fixed(size),
    write: (writer, value) => writer.fixed(value, size),
  }
}
/** The id of a transaction, a block, a chain, a subnet or an asset. */
export const id = fixed(32)
/** An address or a node id. */
export const shortId = fixed(20)
/** Bytes after their length of 32 bits. */
export const blob: Codec<Uint8Array> = {
  minBytes: 4,
  read: (reader) => reader.blob(),
  write: (writer, value) => writer.blob(value),
}
/** UTF-8 after its length of 16 bits. */
export const text: Codec<string> = {
  minBytes: 2,
  read: (reader) => reader.text(),
  write: (writer, value) => writer.text(value),
}

/** Items after their count. */
export function list<T, In>(item: Codec<T, In>): Codec<readonly T[], readonly In[]> {
  return {
    minBytes: 4,
    read: (reader) => reader.list(item.minBytes, () => item.read(reader)),
    write(writer, values) {
      writer.u32(values.length)
      for (const value of values) item.write(writer, value)
    },
  }
}

type Fields = Readonly<Record<string, Codec<unknown, never>>>
type Read<F extends Fields> = { readonly [Name in keyof F]: Of<F[Name]> }
type Written<F extends Fields> = { readonly [Name in keyof F]: InputOf<F[Name]> }

/** The fields of an object, in order. */
class Shape {
  readonly minBytes: number
  readonly #fields: readonly { readonly name: string; readonly codec: Codec<unknown, unknown> }[]

  constructor(fields: Fields) {
    this.#fields = Object.entries(fields).map(([name, codec]) => ({
      name,
      codec: codec as Codec<unknown, unknown>,
    }))
    this.minBytes = this.#fields.reduce((sum, { codec }) => sum + codec.minBytes, 0)
  }

  readInto(reader: Reader, target: Record<string, unknown>): void {
    for (const { name, codec } of this.#fields) target[name] = codec.read(reader)
  }

  write(writer: Writer, value: Readonly<Record<string, unknown>>): void {
    for (const { name, codec } of this.#fields) codec.write(writer, value[name])
  }
}

/** An object whose fields are concatenated. */
export function struct<F extends Fields>(fields: F): Codec<Read<F>, Written<F>> {
  const shape = new Shape(fields)
  return {
    minBytes: shape.minBytes,
    read(reader) {
      const value: Record<string, unknown> = {}
      shape.readInto(reader, value)
      return value as Read<F>
    },
    write: (writer, value) => shape.write(writer, value),
  }
}

type Kinds = Readonly<Record<string, readonly [typeId: number, fields: Fields]>>
type ReadUnion<K extends Kinds> = {
  [Type in keyof K]: { readonly type: Type } & Read<K[Type][1]>
}[keyof K]
type WrittenUnion<K extends Kinds> = {
  [Type in keyof K]: { readonly type: Type } & Written<K[Type][1]>
}[keyof K]

/**
 * One of several objects, preceded by its type id. Reading throws UnknownTypeError; `what` names the value in
 * the message.
 */
export function union<K extends Kinds>(what: string, kinds: K): Codec<ReadUnion<K>, WrittenUnion<K>> {
  const shapes = Object.entries(kinds).map(([type, [typeId, fields]]) => {
    return { type, typeId, shape: new Shape(fields) }
  })
  const byId = new Map(shapes.map((each) => [each.typeId, each]))
  const byType = new Map(shapes.map((each) => [each.type, each]))
  return {
    minBytes: 4 + Math.min(...shapes.map(({ shape }) => shape.minBytes)),
    read(reader) {
      const at = reader.offset
      const typeId = reader.u32()
      const kind = byId.get(typeId)
      if (kind === undefined) throw new UnknownTypeError(`${what} type ${typeId} is unknown`, at)
      const value: Record<string, unknown> = { type: kind.type }
      kind.shape.readInto(reader, value)
      return value as ReadUnion<K>
    },
    write(writer, value) {
      const kind = byType.get(value.type as string)
      if (kind === undefined) throw new RangeError(`${what} type ${String(value.type)} is unknown`)
      writer.u32(kind.typeId)
      kind.shape.write(writer, value)
    },
  }
}

/** A value preceded by its only possible type id. Reading throws UnknownTypeError for another one. */
export function typed<T, In>(what: string, typeId: number, codec: Codec<T, In>): Codec<T, In> {
  return {
    minBytes: 4 + codec.minBytes,
    read(reader) {
      const at = reader.offset
      const found = reader.u32()
      if (found !== typeId) throw new UnknownTypeError(`${what} type ${found} is unknown`, at)
      return codec.read(reader)
    },
    write(writer, value) {
      writer.u32(typeId)
      codec.write(writer, value)
    },
  }
}

/**
 * Reads a value preceded by the codec's version. Throws CodecError for another version, truncated bytes and
 * remaining bytes.
 */
export function decode<T, In>(codec: Codec<T, In>, bytes: Uint8Array): T {
  const reader = new Reader(bytes)
  reader.version()
  const value = codec.read(reader)
  reader.end()
  return value
}

/** Writes a value preceded by the codec's version. */
export function encode<T, In>(codec: Codec<T, In>, value: In): Uint8Array {
  const writer = new Writer()
  writer.u16(0)
  codec.write(writer, value)
  return writer.done()
}
