import type { Shape, TextShape } from './shapes.ts'

/** Shapes moved together, in pixels to the right and down. */
type Group = { readonly x: number; readonly y: number; readonly shapes: readonly Shape[] }

/** A chart with its heading, on an area of `width` × `height` pixels. */
export type Picture = {
  readonly width: number
  readonly height: number
  /** The heading, for those who cannot see the picture. */
  readonly title: string
  readonly groups: readonly Group[]
}

/** What every picture has around its chart. */
export type SheetOptions = {
  readonly width: number
  readonly height: number
  readonly title: string
  /** Shown where the title has no room. */
  readonly shortTitle: string
  /** What is said below the title: range, units, interval. They are separated by points. */
  readonly note: readonly string[]
}

/** A name above the chart with its colour. */
type LegendEntry = { readonly label: string; readonly colour: string }

const PADDING = 16
const TITLE = { size: 15, line: 22 } as const
const NOTE = { size: 12, line: 17, max: 3 } as const
const LEGEND = { size: 11, line: 16, dash: 12, gap: 16, max: 3 } as const
/**
 * The mean width of a character, as a share of the font's size. Texts are not measured, because the reader of an SVG
 * has other fonts; this is the upper end of what sans-serif fonts have.
 */
const CHARACTER = { plain: 0.56, strong: 0.6 } as const

const muted = 'var(--color-muted)'

/** A text cut to a width. */
function cut(text: string, width: number, size: number, share: number): string {
  const max = Math.max(1, Math.floor(width / (size * share)))
  return text.length <= max ? text : `${text.slice(0, max - 1).trimEnd()}…`
}

/** The first of the texts if it has room in a width, else the second, which is cut. */
function fitting(long: string, short: string, width: number, size: number, share: number): string {
  return cut(long.length * size * share <= width ? long : short, width, size, share)
}

/** Parts in as few lines as their widths allow, at most `max`; what does not fit is cut. */
function lines(parts: readonly string[], width: number, size: number, max: number): string[] {
  const room = Math.floor(width / (size * CHARACTER.plain))
  const made: string[] = []
  for (const part of parts) {
    const last = made.at(-1)
    const joined = last === undefined ? part : `${last} · ${part}`
    if (last === undefined || (joined.length > room && made.length < max)) made.push(part)
    else made[made.length - 1] = joined
  }
  return made.map((line) => cut(line, width, size, CHARACTER.plain))
}

/** A line of text in the sheet's own style. */
const text = (x: number, y: number, size: number, fill: string, words: string): TextShape => ({
  kind: 'text',
  x,
  y,
  text: words,
  size,
  fill,
  anchor: 'start',
})

/** Names above the chart, in rows of at most `width` pixels, and the height that they take. */
function legendShapes(entries: readonly LegendEntry[], width: number): { shapes: Shape[]; height: number } {
  const shapes: Shape[] = []
  let [x, row] = [0, 0]
  for (const one of entries) {
    const label = cut(one.label, width - LEGEND.dash - 6, LEGEND.size, CHARACTER.plain)
    const wide = LEGEND.dash + 6 + Math.ceil(label.length * LEGEND.size * CHARACTER.plain)
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1]
    if (row >= LEGEND.max) break
    const y = row * LEGEND.line + LEGEND.line - 5
    shapes.push(
      {
        kind: 'line',
        x1: x + 1.5,
        x2: x + LEGEND.dash - 1.5,
        y1: y - 4,
        y2: y - 4,
        stroke: one.colour,
        strokeWidth: 3,
        round: true,
      },
      text(x + LEGEND.dash + 6, y, LEGEND.size, muted, label),
    )
    x += wide + LEGEND.gap
  }
  return { shapes, height: shapes.length === 0 ? 0 : (Math.min(row, LEGEND.max - 1) + 1) * LEGEND.line + 4 }
}

/** The width that a chart has on a sheet of `width` pixels. */
export const innerWidth = (width: number): number => width - 2 * PADDING

/** The words in the middle of a chart's area that has nothing to show. */
export const emptyShape = (x: number, y: number, words: string): TextShape => ({
  ...text(x, y, NOTE.size, muted, words),
  anchor: 'middle',
})

/** Draws a sheet: heading, names of what is drawn, and the chart on the area that is left. */
export function drawSheet(
  { width, height, title, shortTitle, note }: SheetOptions,
  entries: readonly LegendEntry[],
  chart: (width: number, height: number) => readonly Shape[],
): Picture {
  const inner = innerWidth(width)
  const notes = lines(note, inner, NOTE.size, NOTE.max)
  const heading: Shape[] = [
    {
      ...text(
        0,
        TITLE.size,
        TITLE.size,
        'var(--color-text)',
        fitting(title, shortTitle, inner, TITLE.size, CHARACTER.strong),
      ),
      strong: true,
    },
    ...notes.map((line, index) =>
      text(0, TITLE.line + NOTE.size + index * NOTE.line, NOTE.size, muted, line),
    ),
  ]
  const headingHeight = TITLE.line + notes.length * NOTE.line + 6
  const names = legendShapes(entries, inner)
  const top = PADDING + headingHeight + names.height
  return {
    width,
    height,
    title,
    groups: [
      {
        x: 0,
        y: 0,
        shapes: [{ kind: 'path', d: `M0,0H${width}V${height}H0Z`, fill: 'var(--color-surface)' }],
      },
      { x: PADDING, y: PADDING, shapes: heading },
      { x: PADDING, y: PADDING + headingHeight, shapes: names.shapes },
      { x: PADDING, y: top, shapes: chart(inner, Math.max(60, height - top - PADDING / 2)) },
    ],
  }
}
