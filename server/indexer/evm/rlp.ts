/** What RLP encodes: bytes, or a list of such. */
export type RlpItem = Uint8Array | readonly RlpItem[]

/** Encodes an item by the recursive length prefix rules of Ethereum. */
export function encodeRlp(item: RlpItem): Uint8Array {
  const output = Buffer.allocUnsafe(sizeOf(item))
  write(item, output, 0)
  return output
}

function sizeOf(item: RlpItem): number {
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

/** The bytes of 0x text. */
export function bytesOfHex(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}

/** The shortest big-endian bytes of a quantity such as `0x1f`; zero is empty. */
export function bytesOfQuantity(quantity: string): Uint8Array {
  const digits = quantity.slice(2).replace(/^0+/, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex')
}
