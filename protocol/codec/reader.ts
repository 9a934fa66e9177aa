/** Bytes that violate the codec; `offset` is the position in the input. */
export class CodecError extends Error {
  override readonly name = 'CodecError'
  readonly offset: number
  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`)
    this.offset = offset
  }
}

/** An unknown type id. */
export class UnknownTypeError extends CodecError {}

/** The longest list that nodes accept. */
export const longestList = 2 ** 31 - 1

/** A list whose count exceeds `longestList`; nodes have a separate error for it. */
export class ListTooLongError extends CodecError {
  readonly count: number
  constructor(count: number, offset: number) {
    super(`a list of ${count} is too long`, offset)
    this.count = count
  }
}

const utf8 = new TextDecoder('utf-8')

/**
 * Reads the node's linear codec: big-endian integers, lists preceded by their count. Every length is checked
 * against the remaining bytes before it is used. Byte fields are views of the input.
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

  /** A signed integer of 64 bits, such as a proposer's time. */
  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8))
  }

  /** A height or a time: 64 bits with a value that a number holds exactly. */
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

  /** Bytes after their length of 32 bits. */
  blob(): Uint8Array {
    return this.fixed(this.u32())
  }

  /** Text after its 16-bit length; invalid UTF-8 becomes U+FFFD. */
  text(): string {
    return utf8.decode(this.fixed(this.u16()))
  }

  /** Items after their count; each item takes at least `minBytes` bytes. */
  list<Item>(minBytes: number, read: () => Item): Item[] {
    const at = this.#at
    const count = this.u32()
    if (count > longestList) throw new ListTooLongError(count, at)
    if (count * minBytes > this.left) throw new CodecError(`a list of ${count} passes the end`, at)
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

  /** The bytes from `start` to the current offset. */
  since(start: number): Uint8Array {
    return this.bytes.subarray(start, this.#at)
  }

  /** Moves back to an earlier offset. */
  rewind(offset: number): void {
    this.#at = Math.min(this.#at, offset)
  }

  rest(): Uint8Array {
    return this.fixed(this.left)
  }

  /** Throws CodecError if bytes are left. */
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
