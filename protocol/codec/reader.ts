/** Bytes that do not follow the codec; `offset` is where in the bytes given. */
export class CodecError extends Error {
  override readonly name = 'CodecError'
  readonly offset: number
  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`)
    this.offset = offset
  }
}

/** A type id that this codec does not know. */
export class UnknownTypeError extends CodecError {}

const utf8 = new TextDecoder('utf-8')

/**
 * Reads the node's linear codec: big-endian integers, lists with their count. Every length is held against
 * the bytes that are left before anything is made of it. What is returned are views of the bytes given.
 */
export class Reader {
  readonly bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get offset(): number {
    return this.#at
  }

  get left(): number {
    return this.bytes.length - this.#at
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1))
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2))
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4))
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8))
  }

  /** An integer of 64 bits with a sign, as times of proposers are. */
  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8))
  }

  /** A height or a time: 64 bits, of which a number holds the value. */
  position(): number {
    const at = this.#at
    const value = Number(this.u64())
    if (!Number.isSafeInteger(value)) throw new CodecError('a height or time passes 53 bits', at)
    return value
  }

  fixed(size: number): Uint8Array {
    const at = this.#take(size)
    return this.bytes.subarray(at, at + size)
  }

  /** The 32 bytes of an id. */
  id(): Uint8Array {
    return this.fixed(32)
  }

  /** The 20 bytes of an address or a node id. */
  shortId(): Uint8Array {
    return this.fixed(20)
  }

  /** Bytes behind their length of 32 bits. */
  blob(): Uint8Array {
    return this.fixed(this.u32())
  }

  /** Text behind its length of 16 bits; what is no UTF-8 becomes U+FFFD. */
  text(): string {
    return utf8.decode(this.fixed(this.u16()))
  }

  /** A list behind its count; each item takes `least` bytes or more. */
  list<Item>(least: number, read: () => Item): Item[] {
    const at = this.#at
    const count = this.u32()
    if (count * least > this.left) throw new CodecError(`a list of ${count} passes the end`, at)
    const items: Item[] = []
    for (let index = 0; index < count; index += 1) items.push(read())
    return items
  }

  /** The codec's version, which is 0 everywhere. */
  version(): void {
    const at = this.#at
    const version = this.u16()
    if (version !== 0) throw new CodecError(`codec version ${version} is unknown`, at)
  }

  /** Everything from `start` to here. */
  since(start: number): Uint8Array {
    return this.bytes.subarray(start, this.#at)
  }

  /** Goes back to an offset that was passed. */
  rewind(offset: number): void {
    this.#at = Math.min(this.#at, offset)
  }

  rest(): Uint8Array {
    return this.fixed(this.left)
  }

  /** Throws when bytes are left over. */
  end(): void {
    if (this.left > 0) throw new CodecError(`${this.left} bytes are left over`, this.#at)
  }

  #take(size: number): number {
    const at = this.#at
    if (size > this.left) throw new CodecError(`${size} bytes wanted, ${this.left} left`, at)
    this.#at += size
    return at
  }
}
