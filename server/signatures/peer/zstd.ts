import { createContext, Script } from 'node:vm'
import { decompress } from 'fzstd'
import { PeerFailure } from './failures.ts'
import { mostFrameBytes } from './frame.ts'

/** Milliseconds that one message may take. */
const longest = 100

const magic = 0xfd2fb528
const context: { work: () => unknown } = { work: () => undefined }
const script = new Script('work()')
createContext(context)

/**
 * Decompresses a message that is one zstd frame with its size declared, as peers send it. Neither more room
 * than the size declared nor more than 2 MiB is taken. A few hostile bytes can keep the decoder busy for
 * minutes, so it is ended after a tenth of a second. Throws a PeerFailure.
 */
export function decompressFrame(bytes: Uint8Array): Uint8Array {
  const size = declaredSize(bytes)
  if (size > mostFrameBytes) throw new PeerFailure('malformed', `${size} bytes are declared`)
  const out = new Uint8Array(size)
  context.work = () => decompress(bytes, out)
  try {
    script.runInContext(context, { timeout: longest })
    return out
  } catch (error) {
    throw new PeerFailure('malformed', 'compressed bytes can not be read', { cause: error })
  } finally {
    context.work = () => undefined
  }
}

/** The size that a frame's header declares (RFC 8878, 3.1.1.1). */
function declaredSize(bytes: Uint8Array): number {
  const refuse = (what: string): never => {
    throw new PeerFailure('malformed', `compressed bytes ${what}`)
  }
  // The least header with a size, and one block.
  if (bytes.length < 9) return refuse('are cut short')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== magic) return refuse('are no zstd frame')
  const flags = view.getUint8(4)
  const isSingleSegment = (flags & 0x20) !== 0
  if ((flags & 0x0b) !== 0) return refuse('need a dictionary or a later version')
  const at = isSingleSegment ? 5 : 6
  const width = [isSingleSegment ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  if (width === 0) return refuse('do not declare their size')
  if (at + width > bytes.length) return refuse('are cut short')
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
