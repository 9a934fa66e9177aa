import { writeHex } from '../../../kernel/hex-bytes.ts'

/** A value that RLP can encode: bytes, which may be given as 0x text, or a list of values. */
export type RlpItem = Uint8Array | string | readonly RlpItem[]

/**
 * Encodes an item in Ethereum's recursive length prefix format. The result for text that is not hex is
 * unspecified.
 */
export function encodeRlp(item: RlpItem): Uint8Array {
  const writer = new RlpWriter(itemBytes)
  writer.item(item)
  return writer.since(0)
}

/** Initial buffer size for a header. */
const itemBytes = 1024
/** Initial buffer size for the receipts of a busy block. */
const blockBytes = 64 * 1024
/** The largest buffer that a writer keeps between uses. */
const maxKept = 1024 * 1024

/**
 * Writes RLP from the end to the start. The length prefix of a list precedes its items, so writing backwards
 * makes the length known in time, without a counting pass. Pass items from the last to the first. Text is
 * written directly into the output, without a buffer of its own.
 */
export class RlpWriter {
  #output: Buffer
  /** Start of the written bytes in the buffer. */
  #at: number

  /** `size` is the initial buffer size; the buffer grows as needed. */
  constructor(size = blockBytes) {
    this.#output = Buffer.allocUnsafe(size)
    this.#at = size
  }

  /** Number of bytes written. */
  get length(): number {
    return this.#output.length - this.#at
  }

  /** Starts over. Bytes returned by earlier calls of `since` may be overwritten. */
  clear(): this {
    if (this.#output.length > maxKept) this.#output = Buffer.allocUnsafe(blockBytes)
    this.#at = this.#output.length
    return this
  }

  /** The bytes written since `length` was the given value. They are valid until `clear`. */
  since(length: number): Uint8Array {
    return this.#output.subarray(this.#at, this.#output.length - length)
  }

  item(item: RlpItem): void {
    if (typeof item === 'string') this.text(item)
    else if (item instanceof Uint8Array) this.bytes(item)
    else {
      const before = this.length
      for (let index = item.length - 1; index >= 0; index -= 1) this.item(item[index] ?? '0x')
      this.list(before)
    }
  }

  /** Writes the bytes of 0x text as a string. */
  text(text: string): void {
    const before = this.length
    const size = Math.max(0, (text.length >> 1) - 1)
    this.#reserve(size)
    writeHex(this.#output, text, this.#at)
    this.string(before)
  }

  bytes(bytes: Uint8Array): void {
    const before = this.length
    this.raw(bytes)
    this.string(before)
  }

  /** Writes bytes that are already RLP, without a prefix. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#output.set(bytes, this.#at)
  }

  /** Writes one byte without a prefix. */
  byte(value: number): void {
    this.#reserve(1)
    this.#output[this.#at] = value
  }

  /** Turns everything written since `length` was the given value into one string. */
  string(length: number): void {
    const size = this.length - length
    if (size !== 1 || (this.#output[this.#at] ?? 0) >= 0x80) this.#prefix(0x80, size)
  }

  /** Turns the items written since `length` was the given value into one list. */
  list(length: number): void {
    this.#prefix(0xc0, this.length - length)
  }

  #prefix(base: number, size: number): void {
    if (size < 56) return this.byte(base + size)
    const bytes = size < 0x100 ? 1 : size < 0x10000 ? 2 : size < 0x1000000 ? 3 : 4
    this.#reserve(1 + bytes)
    this.#output[this.#at] = base + 55 + bytes
    this.#output.writeUIntBE(size, this.#at + 1, bytes)
  }

  #reserve(size: number): void {
    if (size <= this.#at) {
      this.#at -= size
      return
    }
    const { length } = this
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#output.length, length + size))
    grown.set(this.since(0), grown.length - length)
    this.#output = grown
    this.#at = grown.length - length - size
  }
}

/** The bytes of 0x text. */
export function bytesOfHex(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}

const zero = 48

/** A quantity such as `0x1f` as the shortest big-endian bytes, in 0x text; zero is empty. */
export function shortest(quantity: string): string {
  let start = 2
  while (quantity.charCodeAt(start) === zero) start += 1
  const even = (quantity.length - start) % 2 === 0
  if (start === 2 && even) return quantity
  return even ? `0x${quantity.slice(start)}` : `0x0${quantity.slice(start)}`
}
