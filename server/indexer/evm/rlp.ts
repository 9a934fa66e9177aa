import { writeHex } from './hex-bytes.ts'

/** What RLP encodes: bytes, which may be given as 0x text, or a list of such. */
export type RlpItem = Uint8Array | string | readonly RlpItem[]

/**
 * Encodes an item by the recursive length prefix rules of Ethereum. Text goes into the output as it is read,
 * without a buffer of its own; what text that is no hex comes to is undefined.
 */
export function encodeRlp(item: RlpItem): Uint8Array {
  const lists: number[] = []
  const output = Buffer.allocUnsafe(sizeOf(item, lists))
  new Encoder(output, lists).write(item)
  return output
}

/** The size of an item; `lists` gets that of the content of each list in it, in the order in which they begin. */
function sizeOf(item: RlpItem, lists: number[]): number {
  if (typeof item === 'string') {
    const size = (item.length >> 1) - 1
    return size === 1 && firstByte(item) < 0x80 ? 1 : prefixSize(size) + size
  }
  if (item instanceof Uint8Array) {
    const [first] = item
    return item.length === 1 && first !== undefined && first < 0x80
      ? 1
      : prefixSize(item.length) + item.length
  }
  const place = lists.push(0) - 1
  let inner = 0
  for (const part of item) inner += sizeOf(part, lists)
  lists[place] = inner
  return prefixSize(inner) + inner
}

function prefixSize(length: number): number {
  return length < 56 ? 1 : 1 + bytesOf(length)
}

function bytesOf(length: number): number {
  return length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4
}

/** Writes items one behind the other. The sizes of lists are counted once: each list lies in others. */
class Encoder {
  private readonly output: Buffer
  private readonly lists: readonly number[]
  private list = 0
  private at = 0

  constructor(output: Buffer, lists: readonly number[]) {
    this.output = output
    this.lists = lists
  }

  write(item: RlpItem): void {
    if (typeof item === 'string') this.writeText(item)
    else if (item instanceof Uint8Array) this.writeBytes(item)
    else {
      this.at = writePrefix(0xc0, this.lists[this.list] ?? 0, this.output, this.at)
      this.list += 1
      for (const part of item) this.write(part)
    }
  }

  private writeText(text: string): void {
    const size = (text.length >> 1) - 1
    if (size !== 1 || firstByte(text) >= 0x80) this.at = writePrefix(0x80, size, this.output, this.at)
    writeHex(this.output, text, this.at)
    this.at += size
  }

  private writeBytes(bytes: Uint8Array): void {
    const [first] = bytes
    if (bytes.length !== 1 || first === undefined || first >= 0x80) {
      this.at = writePrefix(0x80, bytes.length, this.output, this.at)
    }
    this.output.set(bytes, this.at)
    this.at += bytes.length
  }
}

function writePrefix(base: number, length: number, output: Buffer, at: number): number {
  if (length < 56) {
    output[at] = base + length
    return at + 1
  }
  const size = bytesOf(length)
  output[at] = base + 55 + size
  output.writeUIntBE(length, at + 1, size)
  return at + 1 + size
}

function firstByte(hex: string): number {
  return Number.parseInt(hex.slice(2, 4), 16)
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
