import { MOST_BYTES } from './messages.ts'

/** The bytes of a message behind their length. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(4 + message.length)
  frame.writeUInt32BE(message.length)
  frame.set(message, 4)
  return frame
}

/** Cuts a stream into messages. `take` throws `RangeError` once a message is announced that is too large. */
export function createFrames(): { take(chunk: Buffer): Buffer[] } {
  let held: Buffer[] = []
  let length = 0
  let wanted = 4
  return {
    take(chunk) {
      held.push(chunk)
      length += chunk.length
      const found: Buffer[] = []
      // What has come so far is joined only when a whole message is among it.
      while (length >= wanted) {
        let bytes = held.length === 1 ? (held[0] ?? chunk) : Buffer.concat(held)
        const size = bytes.readUInt32BE()
        if (size > MOST_BYTES) throw new RangeError(`a message of ${size} bytes`)
        wanted = 4 + size
        if (length >= wanted) {
          found.push(bytes.subarray(4, wanted))
          bytes = bytes.subarray(wanted)
          length = bytes.length
          wanted = 4
        }
        held = [bytes]
      }
      return found
    },
  }
}
