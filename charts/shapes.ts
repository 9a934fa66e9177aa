/** How lines and outlines are drawn. Colours are CSS colours or variables of the style sheet. */
export type Stroke = {
  readonly stroke: string
  readonly strokeWidth: number
  /** Dash lengths in pixels, separated by a space. */
  readonly dash?: string
  /** Round ends and joins: a line of no length is a dot. */
  readonly round?: boolean
}

export type LineShape = Stroke & {
  readonly kind: 'line'
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/** `d` is the path data of SVG; a path is filled, stroked, or both. */
export type PathShape = Partial<Stroke> & {
  readonly kind: 'path'
  readonly d: string
  readonly fill?: string
  readonly fillOpacity?: number
  /** Shown while the pointer is over it. */
  readonly title?: string
}

/** One line of text; `y` is its baseline. */
export type TextShape = {
  readonly kind: 'text'
  readonly x: number
  readonly y: number
  readonly text: string
  readonly size: number
  readonly fill: string
  readonly anchor: 'start' | 'middle' | 'end'
  readonly strong?: boolean
}

/**
 * A mark of a chart, in pixels from the top left. The dashboard renders shapes as SVG elements, the service writes
 * them into SVG documents and paints them into PNGs.
 */
export type Shape = LineShape | PathShape | TextShape
