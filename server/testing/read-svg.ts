import { loadImage, createCanvas } from '@napi-rs/canvas'

/** An element of a picture: its name, attributes, and the text in it. Pictures nest groups only, one deep. */
type Element = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly text: string
}

/** A parsed picture. Attributes of elements do not include the translation of their group. */
export type ReadSvg = {
  readonly width: number
  readonly height: number
  readonly title: string
  readonly elements: readonly Element[]
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** Reads the elements of an SVG document. Throws for malformed markup, as far as it is checked. */
export function readSvg(document: string): ReadSvg {
  const open: string[] = []
  const elements: { name: string; attributes: Record<string, string>; text: string }[] = []
  const rest = document.replaceAll(
    /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>([^<]*)/g,
    (_, close: string, name: string, attributes: string, empty: string, text: string) => {
      if (close !== '') {
        if (open.pop() !== name) throw new Error(`</${name}> closes nothing`)
      } else {
        const read = [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)]
        elements.push({
          name,
          attributes: Object.fromEntries(
            read.map(([, key, value]) => [String(key), unescaped(String(value))]),
          ),
          text: unescaped(text),
        })
        if (empty === '') open.push(name)
      }
      return ''
    },
  )
  if (rest !== '' || open.length > 0) throw new Error(`not well-formed: ${rest.slice(0, 80)} ${open.join()}`)
  const root = elements[0]?.attributes ?? {}
  return {
    width: Number(root['width']),
    height: Number(root['height']),
    title: elements.find(({ name }) => name === 'title')?.text ?? '',
    elements,
  }
}

const sizes: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, B: 1e9, T: 1e12 }

/** The scale of the left axis, read from its labels: the value at a height, and the height of a value. */
export function leftAxis({ elements }: ReadSvg): {
  valueAt: (y: number) => number
  yOf: (value: number) => number
} {
  const labels = elements.flatMap(({ name, attributes, text }) => {
    const read = /^(−?)([\d,.]+)([kMBT]?)$/.exec(text)
    if (name !== 'text' || attributes['text-anchor'] !== 'end' || read === null) return []
    const size = Number(read[2]?.replaceAll(',', '')) * (sizes[read[3] ?? ''] ?? 1)
    // A label's baseline is 4 px below the height that it names.
    return [{ value: read[1] === '' ? size : -size, y: Number(attributes['y']) - 4 }]
  })
  const [first, last] = [labels[0], labels.at(-1)]
  if (first === undefined || last === undefined || first === last)
    throw new Error('the axis has no two labels')
  const slope = (last.value - first.value) / (last.y - first.y)
  return {
    valueAt: (y) => first.value + (y - first.y) * slope,
    yOf: (value) => first.y + (value - first.value) / slope,
  }
}

/** The bars of a colour, from the left: the middle, the top and the bottom of each, in pixels. */
export function barsOf(
  { elements }: ReadSvg,
  colour: string,
  dashed = false,
): { x: number; top: number; base: number }[] {
  return elements
    .filter(
      ({ name, attributes }) =>
        name === 'path' &&
        attributes['fill'] === colour &&
        (attributes['stroke-dasharray'] !== undefined) === dashed,
    )
    .flatMap(({ attributes }) =>
      [...(attributes['d'] ?? '').matchAll(/M([-\d.]+),([-\d.]+)V([-\d.]+)h([\d.]+)V[-\d.]+Z/g)].map(
        ([, x, base, top, width]) => ({
          x: Number(x) + Number(width) / 2,
          top: Number(top),
          base: Number(base),
        }),
      ),
    )
}

/** The points of the lines of a colour, also of those in steps, from the left; the dashed ones are the open period with the one before. */
export function lineOf({ elements }: ReadSvg, colour: string, dashed = false): { x: number; y: number }[] {
  return elements
    .filter(
      ({ name, attributes }) =>
        name === 'path' &&
        attributes['stroke'] === colour &&
        attributes['fill'] === 'none' &&
        (attributes['stroke-dasharray'] !== undefined) === dashed,
    )
    .flatMap(({ attributes }) =>
      [...(attributes['d'] ?? '').matchAll(/[ML]([-\d.]+),([-\d.]+)|V([-\d.]+)H([-\d.]+)/g)].map(
        ([, x, y, height, to]) => ({ x: Number(x ?? to), y: Number(y ?? height) }),
      ),
    )
}

/** A decoded PNG: its size, and the colour of a pixel as `#rrggbb`. */
export async function readPng(
  bytes: Buffer,
): Promise<{ width: number; height: number; colourAt: (x: number, y: number) => string; colours: number }> {
  const image = await loadImage(bytes)
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  const colourAt = (x: number, y: number): string => {
    const at = (Math.round(y) * image.width + Math.round(x)) * 4
    return `#${Buffer.from(data.slice(at, at + 3)).toString('hex')}`
  }
  const seen = new Set<number>()
  for (let at = 0; at < data.length; at += 4)
    seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0))
  return { width: image.width, height: image.height, colourAt, colours: seen.size }
}
