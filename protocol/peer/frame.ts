import { PeerMessageError } from './errors.ts'

/** The largest message of the protocol, in bytes. */
export const maxFrameBytes = 2 * 1_024 * 1_024

const headerBytes = 4

/** A message preceded by its length. Throws a RangeError for one that exceeds the protocol's limit. */
export function encodeFrame(message: Uint8Array): Buffer {
  if (message.length > maxFrameBytes) {
    throw new RangeError(`a message has at most ${maxFrameBytes} bytes, this has ${message.length}`)
  }
  const frame = Buffer.allocUnsafe(headerBytes + message.length)
  frame.writeUInt32BE(message.length)
  frame.set(message, headerBytes)
  return frame
}

/**
 * Splits the bytes of a connection into messages. It only stores received bytes and never allocates memory
 * for an announced size, so it holds at most one message and one chunk.
 */
export class FrameReader {
  #chunks: Uint8Array[] = []
  #held = 0

  /** Adds received bytes, which must not be changed afterwards. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#held += chunk.length
  }

  /**
   * The next complete message; undefined until it has arrived. Throws a PeerMessageError for one that is too
   * large.
   */
  next(): Uint8Array | undefined {
    if (this.#held < headerBytes) return undefined
    const header = this.#peekHeader()
    if (header > maxFrameBytes) {
      throw new PeerMessageError(`a message of ${header} bytes is announced`)
    }
    if (this.#held < headerBytes + header) return undefined
    const all = this.#joined()
    const rest = all.subarray(headerBytes + header)
    this.#chunks = rest.length > 0 ? [rest] : []
    this.#held = rest.length
    return all.subarray(headerBytes, headerBytes + header)
  }

  #peekHeader(): number {
    const [first] = this.#chunks
    if (first && first.length >= headerBytes) return readLength(first)
    // The header is split over up to four chunks.
    return readLength(this.#joined())
  }

  #joined(): Uint8Array {
    const [first] = this.#chunks
    if (first && this.#chunks.length === 1) return first
    const all = Buffer.concat(this.#chunks)
    this.#chunks = [all]
    return all
  }
}

function readLength(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, headerBytes).getUint32(0)
}
