/** Writes the node's linear codec: big-endian integers into a buffer that grows. */
export class Writer {
  #buffer = Buffer.allocUnsafe(512)
  #length = 0

  u8(value: number): void {
    const at = this.#room(1)
    this.#buffer.writeUInt8(value, at)
  }

  u16(value: number): void {
    const at = this.#room(2)
    this.#buffer.writeUInt16BE(value, at)
  }

  u32(value: number): void {
    const at = this.#room(4)
    this.#buffer.writeUInt32BE(value, at)
  }

  u64(value: bigint): void {
    const at = this.#room(8)
    this.#buffer.writeBigUInt64BE(value, at)
  }

  raw(bytes: Uint8Array): void {
    const at = this.#room(bytes.length)
    this.#buffer.set(bytes, at)
  }

  /** Bytes given as hex without 0x. */
  hex(text: string): void {
    const at = this.#room(text.length / 2)
    this.#buffer.write(text, at, 'hex')
  }

  /** A copy of what was written. */
  done(): Uint8Array {
    return new Uint8Array(this.#buffer.subarray(0, this.#length))
  }

  #room(size: number): number {
    const at = this.#length
    const end = at + size
    if (end > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, this.#buffer.length * 2))
      this.#buffer.copy(larger, 0, 0, at)
      this.#buffer = larger
    }
    this.#length = end
    return at
  }
}
