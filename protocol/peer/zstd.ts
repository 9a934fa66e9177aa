import { createContext, Script } from 'node:vm'
import { decompress } from 'fzstd'
import { PeerMessageError } from './errors.ts'
import { maxFrameBytes } from './frame.ts'

/** Timeout of the decompression of one message, in milliseconds. */
const longest = 100
/**
 * Number of matches for which no timeout is needed: each match and each block takes at most the time of about
 * 100 KiB.
 */
const maxMatches = 64
const maxBlocks = 32

const magic = 0xfd2fb528
const context: { work: () => unknown } = { work: () => undefined }
const script = new Script('work()')
createContext(context)

/**
 * Decompresses a message that is one zstd frame with its size declared, as peers send it. Neither more room
 * than the size declared nor more than 2 MiB is taken. A few hostile bytes can keep the decoder busy for
 * minutes, so it is ended after a tenth of a second. Throws a PeerMessageError.
 */
export function decompressFrame(bytes: Uint8Array): Uint8Array {
  const { size } = headerOf(bytes)
  if (size > maxFrameBytes) throw new PeerMessageError(`${size} bytes are declared`)
  const out = new Uint8Array(size)
  try {
    if (isHarmless(bytes)) return decompress(bytes, out)
    context.work = () => decompress(bytes, out)
    script.runInContext(context, { timeout: longest })
    return out
  } catch (error) {
    throw new PeerMessageError('compressed bytes cannot be read', { cause: error })
  } finally {
    context.work = () => undefined
  }
}

/**
 * Whether a frame announces so few matches that it cannot keep the decoder busy, as is the case for an answer
 * with a signature: supervising the decoder costs more than running it. A truncated frame counts as harmful.
 */
function isHarmless(bytes: Uint8Array): boolean {
  const { headerBytes, checksumBytes } = headerOf(bytes)
  let at = headerBytes
  let matches = 0
  for (let blocks = 0; blocks < maxBlocks && matches <= maxMatches; blocks += 1) {
    const [first, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]]
    if (first === undefined || second === undefined || third === undefined) return false
    const [isLast, type] = [first & 1, (first >> 1) & 3]
    const size = (first >> 3) | (second << 5) | (third << 13)
    if (type === 2) matches += matchesOf(bytes.subarray(at + 3, at + 3 + size))
    at += 3 + (type === 1 ? 1 : size)
    // Another frame may follow the last block.
    if (isLast === 1) return matches <= maxMatches && at + checksumBytes === bytes.length
  }
  return false
}

/** The number of matches that a compressed block announces after its literals (RFC 8878, 3.1.1.3). */
function matchesOf(block: Uint8Array): number {
  const at = literalsEnd(block)
  const [first, second, third] = [block[at], block[at + 1], block[at + 2]]
  if (first === undefined || second === undefined || third === undefined)
    return first ?? Number.POSITIVE_INFINITY
  if (first < 128) return first
  return first < 255 ? ((first - 128) << 8) | second : (second | (third << 8)) + 0x7f00
}

/** The offset at which the literals of a block end; past the block if they are incomplete. */
function literalsEnd(block: Uint8Array): number {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = block
  const [type, format] = [first & 3, (first >> 2) & 3]
  if (type < 2) {
    const header = [1, 2, 1, 3][format] ?? 1
    const size = [
      first >> 3,
      (first >> 4) | (second << 4),
      first >> 3,
      (first >> 4) | (second << 4) | (third << 12),
    ]
    return header + (type === 1 ? 1 : (size[format] ?? 0))
  }
  // The compressed size follows two bits of format, two bits of type and the regenerated size.
  const bits = first | (second << 8) | (third << 16)
  if (format < 2) return 3 + (bits >>> 14)
  if (format === 2) return 4 + (((bits >>> 18) | (fourth << 6)) & 0x3fff)
  return 5 + (((bits >>> 22) | (fourth << 2) | (fifth << 10)) & 0x3ffff)
}

type Header = { readonly size: number; readonly headerBytes: number; readonly checksumBytes: number }

/** The contents of a frame's header (RFC 8878, 3.1.1.1). */
function headerOf(bytes: Uint8Array): Header {
  const refuse = (what: string): never => {
    throw new PeerMessageError(`compressed bytes ${what}`)
  }
  // The smallest header with a size, and one block.
  if (bytes.length < 9) return refuse('are cut short')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== magic) return refuse('are not a zstd frame')
  const flags = view.getUint8(4)
  const isSingleSegment = (flags & 0x20) !== 0
  if ((flags & 0x0b) !== 0) return refuse('need a dictionary or a later version')
  const at = isSingleSegment ? 5 : 6
  const width = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  if (width === 0) return refuse('do not declare their size')
  if (at + width > bytes.length) return refuse('are cut short')
  return { size: sizeAt(view, at, width), headerBytes: at + width, checksumBytes: flags & 4 }
}

function sizeAt(view: DataView, at: number, width: number): number {
  switch (width) {
    case 1:
      return view.getUint8(at)
    case 2:
      return view.getUint16(at, true) + 256
    case 4:
      return view.getUint32(at, true)
    default:
      return Number(view.getBigUint64(at, true))
  }
}

/** Maximum size of a block (RFC 8878, 3.1.1.2.4). */
const maxBlockBytes = 128 * 1_024

/** A zstd frame with uncompressed contents and a declared size (RFC 8878, 3.1.1). */
export function storedFrame(bytes: Uint8Array): Uint8Array {
  const header = Buffer.alloc(9)
  header.writeUInt32LE(magic)
  // One segment, the size in four bytes.
  header[4] = 0b1010_0000
  header.writeUInt32LE(bytes.length, 5)
  const parts: Uint8Array[] = [header]
  for (let at = 0; at === 0 || at < bytes.length; at += maxBlockBytes) {
    const block = bytes.subarray(at, at + maxBlockBytes)
    const isLast = at + maxBlockBytes >= bytes.length
    const blockHeader = Buffer.alloc(3)
    blockHeader.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3)
    parts.push(blockHeader, block)
  }
  return Buffer.concat(parts)
}
