const utf8 = new TextEncoder()

/**
 * Writes the node's linear codec into a growing buffer. Bytes are given as such or as hex without 0x. Numbers
 * that do not fit throw a RangeError.
 */
export class Writer {
  #bytes = new Uint8Array(512)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  u8(value: number): void {
    const at = this.#grow(1)
    this.#view.setUint8(at, unsigned(value, 8))
  }

  u16(value: number): void {
    const at = this.#grow(2)
    this.#view.setUint16(at, unsigned(value, 16))
  }

  u32(value: number): void {
    const at = this.#grow(4)
    this.#view.setUint32(at, unsigned(value, 32))
  }

  u64(value: bigint): void {
    if (BigInt.asUintN(64, value) !== value) throw new RangeError(`${value} passes 64 bits`)
    const at = this.#grow(8)
    this.#view.setBigUint64(at, value)
  }

  raw(bytes: Uint8Array | string): void {
    const size = sizeOf(bytes)
    const at = this.#grow(size)
    if (typeof bytes !== 'string') this.#bytes.set(bytes, at)
    else for (let index = 0; index < size; index += 1) this.#bytes[at + index] = hexByte(bytes, 2 * index)
  }

  /** Bytes that must have a fixed size. Throws a RangeError otherwise. */
  fixed(bytes: Uint8Array | string, size: number): void {
    if (sizeOf(bytes) !== size) throw new RangeError(`${sizeOf(bytes)} bytes given, ${size} wanted`)
    this.raw(bytes)
  }

  /** Bytes after their length of 32 bits. */
  blob(bytes: Uint8Array | string): void {
    this.u32(sizeOf(bytes))
    this.raw(bytes)
  }

  /** UTF-8 after its length of 16 bits. */
  text(value: string): void {
    const bytes = utf8.encode(value)
    this.u16(bytes.length)
    this.raw(bytes)
  }

  /** A copy of the written bytes. */
  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  /** Reserves `size` bytes and returns their offset. */
  #grow(size: number): number {
    const at = this.#length
    const end = at + size
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, at))
      this.#bytes = larger
      this.#view = new DataView(larger.buffer)
    }
    this.#length = end
    return at
  }
}

function unsigned(value: number, bits: number): number {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** bits)
    throw new RangeError(`${value} passes ${bits} bits`)
  return value
}

const sizeOf = (bytes: Uint8Array | string): number =>
  typeof bytes === 'string' ? bytes.length / 2 : bytes.length

function hexByte(text: string, at: number): number {
  const value = Number.parseInt(text.slice(at, at + 2), 16)
  if (Number.isNaN(value)) throw new RangeError('the bytes are not in hex')
  return value
}
