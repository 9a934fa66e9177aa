import { once } from 'node:events'
import { crc32, createDeflate } from 'node:zlib'

/**
 * A chart is areas of one colour: hardly anything is gained by a higher level, which takes four times as long
 * (docs/performance.md).
 */
const level = 3

/** About how many bytes are filtered at a time, so that other requests are served in between. */
const stretch = 1024 * 1024

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** The filters of a row that are used (PNG, 9.2): its bytes, or their differences from those of the row above. */
const filters = { none: 0, up: 2 } as const

/** A chunk of a PNG (PNG, 5.3): length, type, data and checksum. */
function chunk(type: string, data: Buffer): Buffer {
  const made = Buffer.alloc(data.length + 12)
  made.writeUInt32BE(data.length, 0)
  made.write(type, 4, 'latin1')
  data.copy(made, 8)
  made.writeUInt32BE(crc32(made.subarray(4, data.length + 8)), data.length + 8)
  return made
}

/** Eight bits of red, green, blue and alpha for each pixel; not interlaced. */
function header(width: number, height: number): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([8, 6, 0, 0, 0], 8)
  return chunk('IHDR', data)
}

/**
 * The differences of four bytes each, without carry between them: seven bits are subtracted below a bit that is set,
 * and the eighth is put right afterwards.
 */
const difference = (of: number, from: number): number =>
  of === from ? 0 : ((of | 0x80808080) - (from & 0x7f7f7f7f)) ^ ((of ^ ~from) & 0x80808080)

/** The rows from `first` to before `end`, each after its filter; what repeats the row above it becomes zeros. */
function filtered(words: Uint32Array, width: number, first: number, end: number): Buffer {
  const made = Buffer.allocUnsafeSlow((width * 4 + 1) * (end - first))
  const line = new Uint32Array(width)
  const bytes = new Uint8Array(line.buffer)
  for (let y = first; y < end; y += 1) {
    const row = y * width
    for (let x = 0; x < width; x += 1) {
      const word = words[row + x] ?? 0
      line[x] = y === 0 ? word : difference(word, words[row + x - width] ?? 0)
    }
    const at = (y - first) * (width * 4 + 1)
    made[at] = y === 0 ? filters.none : filters.up
    made.set(bytes, at + 1)
  }
  return made
}

/**
 * Encodes pixels (RGBA, rows from the top) as PNG. The canvas's own encoder tries all filters for each row and takes
 * ten times as long at the largest size. Rows are filtered on this thread, a stretch at a time, and compressed on
 * another.
 */
export async function encodePng(pixels: Buffer, width: number, height: number): Promise<Buffer> {
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * height)
  const deflate = createDeflate({ level, chunkSize: 64 * 1024 })
  const parts: Buffer[] = []
  deflate.on('data', (part: Buffer) => parts.push(part))
  const ended = once(deflate, 'end')
  const rows = Math.max(1, Math.floor(stretch / (width * 4)))
  for (let first = 0; first < height; first += rows) {
    if (!deflate.write(filtered(words, width, first, Math.min(height, first + rows))))
      await once(deflate, 'drain')
  }
  deflate.end()
  await ended
  return Buffer.concat([
    signature,
    header(width, height),
    chunk('IDAT', Buffer.concat(parts)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
