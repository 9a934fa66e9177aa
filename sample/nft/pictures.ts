import { deflateSync } from 'node:zlib'
import { crc32 } from './crc.ts'
import { randomOf } from '../kernel/random.ts'

/** The collections that have pictures. */
export type PictureKind = 'skyline' | 'marmots' | 'heroes' | 'gear' | 'armoury' | 'prints'

const rect = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${more}/>`

function skyline(number: number): string {
  const random = randomOf('picture', 'skyline', number)
  const hue = random.below(360)
  const parts = [rect(0, 0, 240, 240, `hsl(${hue} 45% 82%)`)]
  parts.push(
    `<circle cx="${random.between(40, 200)}" cy="${random.between(40, 90)}" r="${random.between(14, 30)}" fill="hsl(${(hue + 40) % 360} 80% 92%)"/>`,
  )
  for (const [row, light] of [58, 40, 24].entries()) {
    for (let x = -8; x < 240;) {
      const width = random.between(18, 40)
      const height = random.between(50, 110) - row * 8
      parts.push(rect(x, 240 - height + row * 6, width, height, `hsl(${hue} 28% ${light}%)`))
      x += width + random.between(0, 6)
    }
  }
  return parts.join('')
}

function marmot(number: number): string {
  const random = randomOf('picture', 'marmots', number)
  const fur = `hsl(${random.between(18, 42)} ${random.between(25, 50)}% ${random.between(38, 62)}%)`
  const tooth = random.between(10, 16)
  return [
    rect(0, 0, 240, 240, `hsl(${random.below(360)} 40% 86%)`),
    `<circle cx="76" cy="78" r="24" fill="${fur}"/><circle cx="164" cy="78" r="24" fill="${fur}"/>`,
    `<ellipse cx="120" cy="140" rx="${random.between(74, 86)}" ry="82" fill="${fur}"/>`,
    '<ellipse cx="120" cy="168" rx="40" ry="30" fill="#f3e9dc"/><ellipse cx="120" cy="150" rx="13" ry="9" fill="#2c211b"/>',
    `<circle cx="${random.between(86, 92)}" cy="120" r="8" fill="#2c211b"/><circle cx="${random.between(148, 154)}" cy="120" r="8" fill="#2c211b"/>`,
    rect(120 - tooth, 172, tooth - 1, 20, '#fff', ' rx="3"'),
    rect(121, 172, tooth - 1, 20, '#fff', ' rx="3"'),
  ].join('')
}

function hero(number: number): string {
  const random = randomOf('picture', 'heroes', number)
  const hue = random.below(360)
  const field = `hsl(${hue} 55% 40%)`
  const charge = `hsl(${(hue + random.between(90, 200)) % 360} 70% 75%)`
  const charges: [string, ...string[]] = [
    `<path d="M120 60 138 108h50l-40 30 15 48-43-29-43 29 15-48-40-30h50z" fill="${charge}"/>`,
    `<path d="M60 120h120M120 60v130" stroke="${charge}" stroke-width="30"/>`,
    `<path d="m60 70 60 60 60-60M60 120l60 60 60-60" fill="none" stroke="${charge}" stroke-width="22"/>`,
    `<circle cx="120" cy="122" r="44" fill="none" stroke="${charge}" stroke-width="20"/>`,
  ]
  return [
    rect(0, 0, 240, 240, `hsl(${hue} 25% 90%)`),
    `<path d="M44 36h152v92c0 46-40 70-76 84-36-14-76-38-76-84z" fill="${field}" stroke="#1b1b1f" stroke-width="6"/>`,
    random.pick(charges),
  ].join('')
}

/** Draws an item as a symbol of its number: rings and spokes. */
function sign(kind: PictureKind, number: number): string {
  const random = randomOf('picture', kind, number)
  const hue = random.below(360)
  const spokes = random.between(3, 8)
  const parts = [rect(0, 0, 240, 240, `hsl(${hue} 30% 18%)`)]
  for (let spoke = 0; spoke < spokes; spoke += 1) {
    const angle = (360 / spokes) * spoke
    parts.push(
      `<path d="M120 120 L120 34" stroke="hsl(${(hue + 30) % 360} 70% 68%)" stroke-width="${random.between(6, 16)}" stroke-linecap="round" transform="rotate(${angle} 120 120)"/>`,
    )
  }
  for (let ring = 0; ring < 3; ring += 1) {
    parts.push(
      `<circle cx="120" cy="120" r="${random.between(20, 90)}" fill="none" stroke="hsl(${(hue + 90 * ring) % 360} 60% 62%)" stroke-width="${random.between(3, 9)}"/>`,
    )
  }
  return parts.join('')
}

/** The picture of a token; always the same. */
export function svgOf(kind: PictureKind, number: number): string {
  const drawn =
    kind === 'skyline' || kind === 'prints'
      ? skyline(number)
      : kind === 'marmots'
        ? marmot(number)
        : kind === 'heroes'
          ? hero(number)
          : sign(kind, number)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="240" height="240">${drawn}</svg>`
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8 + body.length)
  frame.writeUInt32BE(data.length, 0)
  body.copy(frame, 4)
  frame.writeUInt32BE(crc32(body), 4 + body.length)
  return frame
}

/** A bitmap of a token: `side` times `side` pixels, mirrored left and right. */
export function pngOf(number: number, side = 96): Buffer {
  const random = randomOf('picture', 'png', number)
  const colours = Array.from({ length: 3 }, () => [random.below(256), random.below(256), random.below(256)])
  const cells = Array.from({ length: 32 }, () => random.below(3))
  const rows = Buffer.alloc(side * (1 + side * 3))
  const cell = side / 8
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const column = Math.min(x, side - 1 - x)
      const colour = colours[cells[Math.floor(y / cell) * 4 + Math.floor(column / cell)] ?? 0] ?? []
      for (let part = 0; part < 3; part += 1) rows[y * (1 + side * 3) + 1 + x * 3 + part] = colour[part] ?? 0
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Eight bits per sample: red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
