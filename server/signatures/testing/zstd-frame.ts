import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** A zstd frame of blocks that are not compressed, with its size declared (RFC 8878, 3.1.1). */
export function zstdFrame(bytes: Uint8Array): Uint8Array {
  const largest = 65_536
  const header = Buffer.alloc(9)
  header.writeUInt32LE(0xfd2fb528)
  // One segment, the size in four bytes.
  header[4] = 0b1010_0000
  header.writeUInt32LE(bytes.length, 5)
  const parts: Uint8Array[] = [header]
  for (let at = 0; at === 0 || at < bytes.length; at += largest) {
    const block = bytes.subarray(at, at + largest)
    const isLast = at + largest >= bytes.length
    const blockHeader = Buffer.alloc(3)
    blockHeader.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3)
    parts.push(blockHeader, block)
  }
  return Buffer.concat(parts)
}

/** A message in the envelope of a compressed one. */
export const compressedMessage = (message: Uint8Array): Uint8Array =>
  new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(zstdFrame(message)).finish()
