/** The type of a picture, determined by its bytes and never by a server's content type. */
export type PictureType = { readonly type: string; readonly extension: string }

const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpeg = Buffer.from([0xff, 0xd8, 0xff])

/** An SVG must be recognizable within this many bytes: prologue, comments and document type come first. */
const longestPrologue = 4_096

/** Recognizes PNG, JPEG, GIF, WebP, AVIF and SVG by their first bytes; undefined for everything else. */
export function sniffPicture(body: Buffer): PictureType | undefined {
  const text = (start: number, end: number): string => body.toString('latin1', start, end)
  if (body.subarray(0, 8).equals(png)) return { type: 'image/png', extension: 'png' }
  if (body.subarray(0, 3).equals(jpeg)) return { type: 'image/jpeg', extension: 'jpg' }
  if (/^GIF8[79]a$/.test(text(0, 6))) return { type: 'image/gif', extension: 'gif' }
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return { type: 'image/webp', extension: 'webp' }
  if (text(4, 8) === 'ftyp' && isAvif(body)) return { type: 'image/avif', extension: 'avif' }
  return isSvg(body) ? { type: 'image/svg+xml', extension: 'svg' } : undefined
}

/** Checks the brands of an ISO media file: avif or avis, as the major or a compatible brand. */
function isAvif(body: Buffer): boolean {
  const end = Math.min(body.length, body.readUInt32BE(0), 256)
  for (let at = 8; at + 4 <= end; at += 4) {
    if (at !== 12 && /^avi[fs]$/.test(body.toString('latin1', at, at + 4))) return true
  }
  return false
}

function isSvg(body: Buffer): boolean {
  let rest = body.toString('utf8', 0, longestPrologue).replace(/^\uFEFF/, '')
  for (;;) {
    rest = rest.trimStart()
    const skipped = /^(?:<\?[^>]*\?>|<!--[^]*?-->|<!DOCTYPE\s+svg[^>[]*(?:\[[^\]]*\]\s*)?>)/i.exec(rest)
    if (!skipped) return /^<svg[\s>/]/i.test(rest)
    rest = rest.slice(skipped[0].length)
  }
}
