import { writeHex } from '../kernel/hex-bytes.ts'
import { refuse } from '../kernel/json.ts'

/** Header (signature, flags, no extension) and trailer (-1) of the binary format of PostgreSQL's COPY. */
export const binaryStart = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex')
export const binaryEnd = Buffer.from('ffff', 'hex')

/**
 * Builds rows in the binary format of COPY, which takes half the bytes of the text format and saves both
 * sides the conversion. `first` is the size of the first buffer; if all rows fit into it, they are
 * contiguous.
 */
export class BinaryRows {
  readonly #full: Buffer[] = []
  #bytes: Buffer
  #at = 0

  constructor(first = firstSize) {
    this.#bytes = Buffer.allocUnsafe(first)
  }

  /** Adds columns that were encoded before, for example by `bytesColumn`; a row begins with `rowStart`. */
  append(encoded: Uint8Array): void {
    this.#reserve(encoded.length)
    this.#bytes.set(encoded, this.#at)
    this.#at += encoded.length
  }

  /** Begins a row with this number of columns. */
  row(columns: number): void {
    this.#reserve(2)
    this.#at = this.#bytes.writeInt16BE(columns, this.#at)
  }

  null(): void {
    this.#int32(-1)
  }

  /** A column of type smallint. */
  smallint(value: number): void {
    this.#int32(2)
    this.#reserve(2)
    this.#at = this.#bytes.writeInt16BE(value, this.#at)
  }

  /** A column of type integer. */
  integer(value: number): void {
    this.#int32(4)
    this.#int32(value)
  }

  /** A column of type bigint; a number must be a safe integer. */
  bigint(value: number | bigint): void {
    this.#reserve(12)
    if (typeof value === 'number') this.#at = writeBigint(this.#bytes, value, this.#at)
    else this.#at = this.#bytes.writeBigInt64BE(value, this.#bytes.writeInt32BE(8, this.#at))
  }

  boolean(value: boolean): void {
    this.#int32(1)
    this.#reserve(1)
    this.#at = this.#bytes.writeInt8(value ? 1 : 0, this.#at)
  }

  /** A column of type numeric. */
  numeric(value: bigint): void {
    const text = value < 0n ? (-value).toString() : value.toString()
    this.#reserve(numericSize(text))
    this.#at = writeNumeric(this.#bytes, text, value < 0n, this.#at)
  }

  /** A column of type numeric, from decimal text such as `91.1139`: exact, unlike a float. */
  decimal(text: string): void {
    const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    if (whole === '') throw new RangeError(`${text} is not a decimal`)
    const groups = Math.ceil(fraction.length / 4)
    const digits = BigInt(whole + fraction.padEnd(4 * groups, '0')).toString()
    this.#reserve(numericSize(digits))
    this.#at = writeNumeric(
      this.#bytes,
      digits,
      sign !== '' && digits !== '0',
      this.#at,
      groups,
      fraction.length,
    )
  }

  /**
   * A column of type bytea, from 0x text. Refuses text that is not hex or does not have the expected size.
   */
  hex(text: unknown, what: string, expected?: number): void {
    if (typeof text !== 'string') throw refuse(`${what} is not hex text`)
    const size = text.length / 2 - 1
    if (expected !== undefined && size !== expected) throw refuse(`${what} is not ${expected} bytes long`)
    if (!text.startsWith('0x') || !Number.isInteger(size)) throw refuse(`${what} is not hex text`)
    this.#int32(size)
    this.#reserve(size)
    if (!writeHex(this.#bytes, text, this.#at)) throw refuse(`${what} is not hex text`)
    this.#at += size
  }

  /** A column of type bytea, or of type text in UTF-8. */
  raw(value: Uint8Array): void {
    this.#int32(value.length)
    this.append(value)
  }

  /** A column of type bytea[]. */
  list(items: readonly Uint8Array[]): void {
    const isEmpty = items.length === 0
    this.#int32(items.reduce((sum, each) => sum + 4 + each.length, isEmpty ? 12 : 20))
    this.#int32(isEmpty ? 0 : 1)
    this.#int32(0)
    this.#int32(byteaType)
    if (isEmpty) return
    this.#int32(items.length)
    this.#int32(1)
    for (const each of items) this.raw(each)
  }

  /** The rows so far. */
  done(): Buffer[] {
    return [...this.#full, this.#bytes.subarray(0, this.#at)]
  }

  /** The rows so far as one buffer. */
  whole(): Buffer {
    const last = this.#bytes.subarray(0, this.#at)
    return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last])
  }

  #int32(value: number): void {
    this.#reserve(4)
    this.#at = this.#bytes.writeInt32BE(value, this.#at)
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#bytes.length) return
    this.#full.push(this.#bytes.subarray(0, this.#at))
    this.#bytes = Buffer.allocUnsafe(Math.max(laterSize, size))
    this.#at = 0
  }
}

const firstSize = 16 * 1024
const laterSize = 256 * 1024
/** PostgreSQL's OID of the type bytea. */
const byteaType = 17

function writeBigint(bytes: Buffer, value: number, at: number): number {
  const high = Math.floor(value / 4_294_967_296)
  const next = bytes.writeInt32BE(high, bytes.writeInt32BE(8, at))
  return bytes.writeUInt32BE(value - high * 4_294_967_296, next)
}

/** The maximum size of a numeric with these decimal digits, including its length. */
function numericSize(digits: string): number {
  return 12 + 2 * Math.ceil(digits.length / 4)
}

/**
 * Writes groups of four decimal digits, the highest first, without trailing empty groups. The last `fraction` groups are
 * behind the point, of which `scale` digits are shown.
 */
function writeNumeric(
  bytes: Buffer,
  digits: string,
  negative: boolean,
  at: number,
  fraction = 0,
  scale = 0,
): number {
  const groups = Math.ceil(digits.length / 4)
  let end = digits.length
  while (end > 0 && digits.charCodeAt(end - 1) === 48) end -= 1
  const written = Math.max(0, groups - Math.floor((digits.length - end) / 4))
  const used = end === 0 ? 0 : written
  let next = bytes.writeInt32BE(8 + 2 * used, at)
  next = bytes.writeInt16BE(used, next)
  next = bytes.writeInt16BE(used === 0 ? 0 : groups - 1 - fraction, next)
  next = bytes.writeUInt16BE(negative ? 0x4000 : 0, next)
  next = bytes.writeInt16BE(scale, next)
  let from = 0
  let to = digits.length - 4 * (groups - 1)
  for (let group = 0; group < used; group += 1) {
    let value = 0
    for (let place = from; place < to; place += 1) value = value * 10 + digits.charCodeAt(place) - 48
    next = bytes.writeInt16BE(value, next)
    from = to
    to += 4
  }
  return next
}

/** The header of a row with this number of columns. */
export function rowStart(columns: number): Buffer {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeInt16BE(columns)
  return bytes
}

/** Columns of the types bigint, smallint, bytea (from 0x text) and numeric (from decimal text). */
export function bigintColumn(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(12)
  writeBigint(bytes, value, 0)
  return bytes
}

export function smallintColumn(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(6)
  bytes.writeInt16BE(value, bytes.writeInt32BE(2))
  return bytes
}

export function bytesColumn(hex: string): Buffer {
  const bytes = Buffer.allocUnsafe(4 + hex.length / 2 - 1)
  bytes.writeInt32BE(bytes.length - 4)
  writeHex(bytes, hex, 4)
  return bytes
}

export function numericColumn(digits: string): Buffer {
  const plain = digits.startsWith('-') ? digits.slice(1) : digits
  const bytes = Buffer.allocUnsafe(numericSize(plain))
  return bytes.subarray(0, writeNumeric(bytes, plain, plain !== digits, 0))
}
