import { refuse } from './json.ts'

/** What begins and ends rows in the binary format of PostgreSQL's COPY: a signature, flags, no extension; -1. */
export const binaryStart = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex')
export const binaryEnd = Buffer.from('ffff', 'hex')

/**
 * Builds rows in the binary format of COPY: half the bytes of the text format, and neither side turns
 * them into text. The size given must hold all rows.
 */
export class BinaryRows {
  private readonly bytes: Buffer
  private at = 0

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size)
  }

  /** Begins a row of so many columns. */
  row(columns: number): void {
    this.at = this.bytes.writeInt16BE(columns, this.at)
  }

  /** A column of type bigint, from a number that is held exactly. */
  bigint(value: number): void {
    this.at = this.bytes.writeInt32BE(8, this.at)
    this.at = this.bytes.writeInt32BE(Math.floor(value / 4_294_967_296), this.at)
    this.at = this.bytes.writeUInt32BE(value % 4_294_967_296, this.at)
  }

  /** A column of type integer. */
  integer(value: number): void {
    this.at = this.bytes.writeInt32BE(4, this.at)
    this.at = this.bytes.writeInt32BE(value, this.at)
  }

  /** A column of type bytea, from 0x text; refuses text that is no hex, or not of the size that is given. */
  hex(text: string, what: string, expected?: number): void {
    const size = text.length / 2 - 1
    if (expected !== undefined && size !== expected) throw refuse(`${what} is not ${expected} bytes long`)
    if (!text.startsWith('0x') || !Number.isInteger(size)) throw refuse(`${what} is no hex text`)
    this.at = this.bytes.writeInt32BE(size, this.at)
    if (this.bytes.write(text.slice(2), this.at, size, 'hex') !== size) throw refuse(`${what} is no hex text`)
    this.at += size
  }

  null(): void {
    this.at = this.bytes.writeInt32BE(-1, this.at)
  }

  /** The rows so far. */
  done(): Buffer {
    return this.bytes.subarray(0, this.at)
  }
}
