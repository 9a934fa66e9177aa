/** What RLP encodes: bytes, which may be given as 0x text, or a list of such. */
export type RlpItem = Uint8Array | string | readonly RlpItem[]

/**
 * Encodes an item by the recursive length prefix rules of Ethereum. Text goes into the output as it is read,
 * without a buffer of its own; what text that is no hex comes to is undefined.
 */
export function encodeRlp(item: RlpItem): Uint8Array {
  const output = Buffer.allocUnsafe(sizeOf(item))
  write(item, output, 0)
  return output
}

function sizeOf(item: RlpItem): number {
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
  const inner = listSize(item)
  return prefixSize(inner) + inner
}

function listSize(items: readonly RlpItem[]): number {
  let size = 0
  for (const item of items) size += sizeOf(item)
  return size
}

function prefixSize(length: number): number {
  return length < 56 ? 1 : 1 + bytesOf(length)
}

function bytesOf(length: number): number {
  return length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4
}

function write(item: RlpItem, output: Buffer, start: number): number {
  if (typeof item === 'string') {
    const size = (item.length >> 1) - 1
    const at = size === 1 && firstByte(item) < 0x80 ? start : writePrefix(0x80, size, output, start)
    if (size > 0) output.write(item.slice(2), at, size, 'hex')
    return at + size
  }
  if (item instanceof Uint8Array) {
    const [first] = item
    if (item.length === 1 && first !== undefined && first < 0x80) {
      output[start] = first
      return start + 1
    }
    const at = writePrefix(0x80, item.length, output, start)
    output.set(item, at)
    return at + item.length
  }
  let at = writePrefix(0xc0, listSize(item), output, start)
  for (const inner of item) at = write(inner, output, at)
  return at
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
