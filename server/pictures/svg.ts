import { inTheme, type Theme } from '../../charts/palette.ts'
import type { Picture } from '../../charts/sheet.ts'
import { markupText } from '../kernel/markup.ts'
import type { Shape, Stroke, TextShape } from '../../charts/shapes.ts'

/** The fonts of the reader's system, as on pages. */
const fonts = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif'

type Value = string | number | undefined

/** An element from attributes; those that are undefined are left out. Numbers have at most two decimals. */
function element(name: string, attributes: Readonly<Record<string, Value>>, content = ''): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    const text = typeof value === 'number' ? String(Math.round(value * 100) / 100) : markupText(value)
    return ` ${key}="${text}"`
  })
  return content === '' ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`
}

function strokeOf(
  { stroke, strokeWidth, dash, round }: Partial<Stroke>,
  theme: Theme,
): Readonly<Record<string, Value>> {
  if (stroke === undefined) return {}
  return {
    stroke: inTheme(stroke, theme),
    'stroke-width': strokeWidth,
    'stroke-dasharray': dash,
    ...(round === true && { 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }),
  }
}

function textElement({ x, y, text, size, fill, anchor, strong }: TextShape, theme: Theme): string {
  return element(
    'text',
    {
      x,
      y,
      fill: inTheme(fill, theme),
      'font-size': size,
      'font-weight': strong === true ? 600 : undefined,
      'text-anchor': anchor === 'start' ? undefined : anchor,
    },
    markupText(text),
  )
}

function shapeElement(shape: Shape, theme: Theme): string {
  if (shape.kind === 'text') return textElement(shape, theme)
  if (shape.kind === 'line') {
    const { x1, y1, x2, y2 } = shape
    return element('line', { x1, y1, x2, y2, ...strokeOf(shape, theme) })
  }
  const { d, fill, fillOpacity } = shape
  return element('path', {
    d,
    fill: fill === undefined ? 'none' : inTheme(fill, theme),
    'fill-opacity': fillOpacity,
    ...strokeOf(shape, theme),
  })
}

/** A picture as an SVG document (SVG 1.1): shapes and text only, nothing that runs or loads. */
export function svgOf({ width, height, title, groups }: Picture, theme: Theme): string {
  const drawn = groups
    .filter(({ shapes }) => shapes.length > 0)
    .map(({ x, y, shapes }) =>
      element(
        'g',
        x === 0 && y === 0 ? {} : { transform: `translate(${x} ${y})` },
        shapes.map((shape) => shapeElement(shape, theme)).join(''),
      ),
    )
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'font-family': fonts,
    },
    `<title>${markupText(title)}</title>${drawn.join('')}`,
  )
}
