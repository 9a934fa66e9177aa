import {
  DuckDBArrayType,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBTypeId,
  JsonDuckDBValueConverter,
  type DuckDBBlobValue,
  type DuckDBDateValue,
  type DuckDBDecimalValue,
  type DuckDBListValue,
  type DuckDBMapValue,
  type DuckDBStructValue,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import {
  AsyncByteQueue,
  Binary,
  Bool,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  List,
  makeData,
  Null,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  type Data,
  type DataType,
} from 'apache-arrow'
import { textOf, type RowFormat } from './formats.ts'

/** How the values of one of the engine's types become a column of Arrow. */
type ColumnOf = {
  readonly type: DataType
  readonly data: (values: readonly (DuckDBValue | null)[]) => Data
}

/** One bit for each value, the lowest first. */
function bits(flags: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(flags.length / 8))
  for (const [place, flag] of flags.entries())
    if (flag) bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (1 << (place & 7))
  return bytes
}

const validity = (values: readonly (DuckDBValue | null)[]) => ({
  length: values.length,
  nullBitmap: bits(values.map((value) => value !== null)),
})

/** What is in `Numbers` for a value, of which null ones have a zero. */
type Numbers = { readonly buffer: ArrayBufferLike; [place: number]: number | bigint }

function fixed(
  type: DataType,
  numbers: new (length: number) => Numbers,
  toNumber: (value: never) => number | bigint,
): ColumnOf {
  return {
    type,
    data(values) {
      const data = new numbers(values.length)
      for (const [place, value] of values.entries())
        if (value !== null) data[place] = toNumber(value as never)
      return makeData({ type, data, ...validity(values) } as never)
    },
  }
}

const plain = (value: number | bigint): number | bigint => value

/** Decimals of 128 bits: two words of 64, the lower one first. */
function decimal(precision: number, scale: number, toBigInt: (value: never) => bigint): ColumnOf {
  const type = new Decimal(scale, precision)
  return {
    type,
    data(values) {
      const words = new BigUint64Array(2 * values.length)
      for (const [place, value] of values.entries()) {
        if (value === null) continue
        const number = toBigInt(value as never)
        words[2 * place] = BigInt.asUintN(64, number)
        words[2 * place + 1] = BigInt.asUintN(64, number >> 64n)
      }
      return makeData({ type, data: new Uint32Array(words.buffer), ...validity(values) })
    },
  }
}

/** The places where the values begin and end that have the given lengths. */
function offsetsOf(lengths: readonly number[]): Int32Array {
  const offsets = new Int32Array(lengths.length + 1)
  for (const [place, length] of lengths.entries()) offsets[place + 1] = (offsets[place] ?? 0) + length
  return offsets
}

function variable(type: Utf8 | Binary, toBytes: (value: never) => Uint8Array): ColumnOf {
  return {
    type,
    data(values) {
      const pieces = values.map((value) => (value === null ? new Uint8Array() : toBytes(value as never)))
      const valueOffsets = offsetsOf(pieces.map(({ length }) => length))
      return makeData({ type, valueOffsets, data: Buffer.concat(pieces), ...validity(values) } as never)
    },
  }
}

function list(item: ColumnOf, toItems: (value: never) => readonly (DuckDBValue | null)[]): ColumnOf {
  const type = new List(new Field('item', item.type, true))
  return {
    type,
    data(values) {
      const lists = values.map((value) => (value === null ? [] : toItems(value as never)))
      const valueOffsets = offsetsOf(lists.map(({ length }) => length))
      return makeData({ type, valueOffsets, child: item.data(lists.flat()), ...validity(values) })
    },
  }
}

function struct(fields: readonly (readonly [string, ColumnOf])[]): ColumnOf {
  const type = new Struct(fields.map(([name, field]) => new Field(name, field.type, true)))
  return {
    type,
    data(values) {
      const children = fields.map(([name, field]) =>
        field.data(values.map((value) => (value as DuckDBStructValue | null)?.entries[name] ?? null)),
      )
      return makeData({ type, children, ...validity(values) })
    },
  }
}

const bool: ColumnOf = {
  type: new Bool(),
  data: (values) =>
    makeData({ type: new Bool(), data: bits(values.map((value) => value === true)), ...validity(values) }),
}

const micros = ({ micros: count }: { micros: bigint }): bigint => count

/** The types that need nothing but their values. */
const simple: Partial<Record<DuckDBTypeId, ColumnOf>> = {
  [DuckDBTypeId.SQLNULL]: {
    type: new Null(),
    data: ({ length }) => makeData({ type: new Null(), length }),
  },
  [DuckDBTypeId.BOOLEAN]: bool,
  [DuckDBTypeId.TINYINT]: fixed(new Int8(), Int8Array, plain),
  [DuckDBTypeId.SMALLINT]: fixed(new Int16(), Int16Array, plain),
  [DuckDBTypeId.INTEGER]: fixed(new Int32(), Int32Array, plain),
  [DuckDBTypeId.BIGINT]: fixed(new Int64(), BigInt64Array, plain),
  [DuckDBTypeId.UTINYINT]: fixed(new Uint8(), Uint8Array, plain),
  [DuckDBTypeId.USMALLINT]: fixed(new Uint16(), Uint16Array, plain),
  [DuckDBTypeId.UINTEGER]: fixed(new Uint32(), Uint32Array, plain),
  [DuckDBTypeId.UBIGINT]: fixed(new Uint64(), BigUint64Array, plain),
  [DuckDBTypeId.FLOAT]: fixed(new Float32(), Float32Array, plain),
  [DuckDBTypeId.DOUBLE]: fixed(new Float64(), Float64Array, plain),
  // As in the engine's own Arrow: 38 digits are declared, and the 128 bits hold the largest HUGEINT, too.
  [DuckDBTypeId.HUGEINT]: decimal(38, 0, (value: bigint) => value),
  [DuckDBTypeId.DATE]: fixed(new DateDay(), Int32Array, ({ days }: DuckDBDateValue) => days),
  [DuckDBTypeId.TIME]: fixed(new TimeMicrosecond(), BigInt64Array, micros),
  [DuckDBTypeId.TIMESTAMP]: fixed(new TimestampMicrosecond(), BigInt64Array, micros),
  [DuckDBTypeId.TIMESTAMP_TZ]: fixed(new TimestampMicrosecond('UTC'), BigInt64Array, micros),
  [DuckDBTypeId.TIMESTAMP_S]: fixed(
    new TimestampSecond(),
    BigInt64Array,
    ({ seconds }: { seconds: bigint }) => seconds,
  ),
  [DuckDBTypeId.TIMESTAMP_MS]: fixed(
    new TimestampMillisecond(),
    BigInt64Array,
    ({ millis }: { millis: bigint }) => millis,
  ),
  [DuckDBTypeId.TIMESTAMP_NS]: fixed(
    new TimestampNanosecond(),
    BigInt64Array,
    ({ nanos }: { nanos: bigint }) => nanos,
  ),
  [DuckDBTypeId.BLOB]: variable(new Binary(), ({ bytes }: DuckDBBlobValue) => bytes),
}

/** A type without a counterpart in Arrow is text, as a field of CSV has it. */
function columnOf(type: DuckDBType): ColumnOf {
  if (type instanceof DuckDBDecimalType)
    return decimal(type.width, type.scale, ({ value }: DuckDBDecimalValue) => value)
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType)
    return list(columnOf(type.valueType), ({ items }: DuckDBListValue) => items)
  if (type instanceof DuckDBStructType)
    return struct(
      type.entryNames.map((name, place) => [name, columnOf(type.entryTypes[place] as DuckDBType)] as const),
    )
  if (type instanceof DuckDBMapType) {
    const entry = struct([
      ['key', columnOf(type.keyType)],
      ['value', columnOf(type.valueType)],
    ])
    return list(entry, ({ entries }: DuckDBMapValue) => entries.map((each) => ({ entries: each })) as never)
  }
  return (
    simple[type.typeId] ??
    variable(new Utf8(), (value: DuckDBValue) =>
      Buffer.from(textOf(JsonDuckDBValueConverter(value, type, JsonDuckDBValueConverter))),
    )
  )
}

/** Keeps what the writer writes until it is taken. */
class Taken extends AsyncByteQueue {
  #chunks: Uint8Array[] = []
  override write(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
  }
  take(): Uint8Array {
    return Buffer.concat(this.#chunks.splice(0))
  }
}

/** Rows as a stream of Arrow's IPC format: a batch of records for each chunk of the engine. */
export function arrowFormat(): RowFormat {
  const sink = new Taken()
  const writer = new RecordBatchStreamWriter({ autoDestroy: false })
  let columns: ColumnOf[] = []
  let schema = new Schema([])
  return {
    head(described) {
      columns = described.map(({ type }) => columnOf(type))
      schema = new Schema(described.map(({ name, type }) => new Field(name, columnOf(type).type, true)))
      writer.reset(sink, schema)
      return sink.take()
    },
    rows(rows, count) {
      const children = columns.map(({ data }, place) =>
        data(rows.column(place).slice(0, count) as (DuckDBValue | null)[]),
      )
      const batch = makeData({ type: new Struct(schema.fields), length: count, nullCount: 0, children })
      writer.write(new RecordBatch(schema, batch))
      return sink.take()
    },
    tail() {
      writer.reset(sink)
      return sink.take()
    },
  }
}
