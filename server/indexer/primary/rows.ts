/** A value of a column; a list of bytes is a `bytea[]`. */
export type Cell = string | number | bigint | boolean | null | undefined | Uint8Array | readonly Uint8Array[]

const columnTypes = ['int2', 'int4', 'int8', 'float4', 'numeric', 'bytea', 'bytea[]', 'text', 'bool'] as const
type ColumnType = (typeof columnTypes)[number]

/** The columns of a table that rows are copied to. */
export type Columns = { readonly names: string; readonly types: readonly ColumnType[] }

/** Columns from a list such as `chain int2, height int8`, which has to say their types as the table has them. */
export function columnsOf(text: string): Columns {
  const columns = text.split(',').map((column) => column.trim().split(' '))
  return {
    names: columns.map(([name]) => name).join(', '),
    types: columns.map(([name, type]) => {
      const found = columnTypes.find((each) => each === type)
      if (!found) throw new Error(`column ${name} has no type that rows can hold`)
      return found
    }),
  }
}

/** The hex digits of bytes: how ids are keys of maps. */
export function keyOf(bytes: Uint8Array): string {
  return viewOf(bytes).toString('hex')
}

/** A key that takes a fifth of the time, for maps that never leave the process. */
export function quickKeyOf(bytes: Uint8Array): string {
  return viewOf(bytes).toString('latin1')
}

function viewOf(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** The bytes of a key. */
export function bytesOfKey(key: string): Uint8Array {
  return Buffer.from(key, 'hex')
}

const firstSize = 4 * 1024
const laterSize = 128 * 1024
const byteaType = 17
/** What the integer part of a double holds in whole groups of four digits. */
const groupedBase = 10n ** 12n

/** Rows in the binary format of COPY: half the bytes of text, and nothing is turned into text and back. */
export class Rows {
  private readonly types: readonly ColumnType[]
  private readonly full: Buffer[] = []
  private bytes: Buffer
  private view: DataView
  private at = 0

  constructor({ types }: Columns) {
    this.types = types
    this.bytes = Buffer.allocUnsafeSlow(firstSize)
    this.view = new DataView(this.bytes.buffer)
  }

  /** Adds a row, its cells in the order of the columns. */
  add(cells: readonly Cell[]): void {
    const { types } = this
    if (cells.length !== types.length)
      throw new Error(`a row has ${cells.length} cells for ${types.length} columns`)
    this.reserve(2)
    this.view.setInt16(this.at, types.length)
    this.at += 2
    for (let column = 0; column < types.length; column += 1) {
      const type = types[column]
      const cell = cells[column]
      if (cell === null || cell === undefined || type === undefined) this.int4(-1)
      else this.cell(type, cell)
    }
  }

  /** The rows so far; none are added after it. */
  done(): Buffer[] {
    return [...this.full, this.bytes.subarray(0, this.at)]
  }

  private cell(type: ColumnType, cell: NonNullable<Cell>): void {
    if (cell instanceof Uint8Array) {
      if (type !== 'bytea') throw misplaced(type, 'bytes')
      this.raw(cell)
      return
    }
    switch (typeof cell) {
      case 'number':
        this.number(type, cell)
        return
      case 'bigint':
        if (type === 'numeric') this.numeric(cell)
        else if (type === 'int8') this.int8(cell)
        else throw misplaced(type, 'a bigint')
        return
      case 'boolean':
        if (type !== 'bool') throw misplaced(type, 'a boolean')
        this.reserve(5)
        this.int4(1)
        this.view.setInt8(this.at, cell ? 1 : 0)
        this.at += 1
        return
      case 'string':
        if (type !== 'text') throw misplaced(type, 'text')
        // PostgreSQL stores no NUL.
        this.raw(Buffer.from(cell.replaceAll('\0', '\uFFFD'), 'utf8'))
        return
      default:
        if (type !== 'bytea[]') throw misplaced(type, 'a list')
        this.list(cell)
    }
  }

  private number(type: ColumnType, value: number): void {
    this.reserve(12)
    switch (type) {
      case 'int2':
        this.int4(2)
        this.view.setInt16(this.at, within(value, 0x8000))
        this.at += 2
        return
      case 'int4':
        this.int4(4)
        this.view.setInt32(this.at, within(value, 0x8000_0000))
        this.at += 4
        return
      case 'int8': {
        const high = Math.floor(within(value, 2 ** 53) / 0x1_0000_0000)
        this.int4(8)
        this.view.setInt32(this.at, high)
        this.view.setUint32(this.at + 4, value - high * 0x1_0000_0000)
        this.at += 8
        return
      }
      case 'float4':
        this.int4(4)
        this.view.setFloat32(this.at, value)
        this.at += 4
        return
      case 'numeric':
        this.numeric(BigInt(value))
        return
      default:
        throw misplaced(type, 'a number')
    }
  }

  private int8(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange(value)
    this.reserve(12)
    this.int4(8)
    this.view.setBigInt64(this.at, value)
    this.at += 8
  }

  /** Groups of four decimal digits, the highest first, without the empty ones at either end. */
  private numeric(value: bigint): void {
    const groups: number[] = []
    for (let left = value < 0n ? -value : value; left > 0n; left /= groupedBase) {
      let part = Number(left % groupedBase)
      for (let group = 0; group < 3; group += 1) {
        groups.push(part % 10_000)
        part = Math.floor(part / 10_000)
      }
    }
    while (groups.at(-1) === 0) groups.pop()
    let low = 0
    while (groups[low] === 0) low += 1
    const count = groups.length - low
    this.reserve(12 + 2 * count)
    this.int4(8 + 2 * count)
    const { view } = this
    view.setInt16(this.at, count)
    view.setInt16(this.at + 2, Math.max(0, groups.length - 1))
    view.setUint16(this.at + 4, value < 0n ? 0x4000 : 0)
    view.setInt16(this.at + 6, 0)
    this.at += 8
    for (let group = groups.length - 1; group >= low; group -= 1) {
      view.setInt16(this.at, groups[group] ?? 0)
      this.at += 2
    }
  }

  private list(items: readonly Uint8Array[]): void {
    const isEmpty = items.length === 0
    const size = items.reduce((sum, each) => sum + 4 + each.length, isEmpty ? 12 : 20)
    this.int4(size)
    this.int4(isEmpty ? 0 : 1)
    this.int4(0)
    this.int4(byteaType)
    if (isEmpty) return
    this.int4(items.length)
    this.int4(1)
    for (const each of items) this.raw(each)
  }

  private raw(value: Uint8Array): void {
    this.reserve(4 + value.length)
    this.int4(value.length)
    this.bytes.set(value, this.at)
    this.at += value.length
  }

  private int4(value: number): void {
    this.reserve(4)
    this.view.setInt32(this.at, value)
    this.at += 4
  }

  private reserve(size: number): void {
    if (this.at + size <= this.bytes.length) return
    if (this.at > 0) this.full.push(this.bytes.subarray(0, this.at))
    this.bytes = Buffer.allocUnsafeSlow(Math.max(laterSize, size))
    this.view = new DataView(this.bytes.buffer)
    this.at = 0
  }
}

function misplaced(type: ColumnType, what: string): Error {
  return new Error(`a column of type ${type} was given ${what}`)
}

function within(value: number, bound: number): number {
  if (!Number.isInteger(value) || value >= bound || value < -bound) throw outOfRange(value)
  return value
}

function outOfRange(value: number | bigint): Error {
  return new RangeError(`${value} does not fit its column`)
}
