/** Properties that come from the style sheet and that a picture must have inline. */
const carried = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
  'opacity',
] as const

const SCALE = 2
const PADDING = 16
const HEADING = 44

/** A copy of the drawing with colours and fonts as attributes: it looks the same outside the page. */
function standalone(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement
  const originals = [svg, ...svg.querySelectorAll('*')]
  const copies = [copy, ...copy.querySelectorAll('*')]
  for (const [index, original] of originals.entries()) {
    const target = copies[index]
    if (target === undefined) continue
    const style = getComputedStyle(original)
    for (const name of carried) {
      const value = style.getPropertyValue(name)
      if (value !== '') target.setAttribute(name, value)
    }
    target.removeAttribute('style')
    target.removeAttribute('class')
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return copy
}

async function load(svg: SVGSVGElement): Promise<HTMLImageElement> {
  const image = new Image()
  // A data URL is allowed by the page's img-src; the drawing has no scripts.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
  await image.decode()
  return image
}

/**
 * A picture of a chart at twice its size, with a heading and a note below it. Throws when the browser cannot decode
 * the drawing or encode the canvas.
 */
export async function chartPng(svg: SVGSVGElement, heading: string, note: string): Promise<Blob> {
  const width = svg.width.baseVal.value
  const height = svg.height.baseVal.value
  const image = await load(standalone(svg))
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * PADDING) * SCALE
  canvas.height = (height + HEADING + 2 * PADDING) * SCALE
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser gives no canvas to draw on.')
  const page = getComputedStyle(document.body)
  context.scale(SCALE, SCALE)
  context.fillStyle = page.backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = page.color
  context.font = `600 15px ${page.fontFamily}`
  context.fillText(heading, PADDING, PADDING + 14, width)
  context.globalAlpha = 0.7
  context.font = `400 12px ${page.fontFamily}`
  context.fillText(note, PADDING, PADDING + 32, width)
  context.globalAlpha = 1
  context.drawImage(image, PADDING, PADDING + HEADING, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The picture could not be encoded.'))
      else resolve(blob)
    }, 'image/png')
  })
}
