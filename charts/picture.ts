import { axisShapes } from './axes.ts'
import { allZeroWords, isAllZero } from './drawn-points.ts'
import { endLabelShapes } from './end-labels.ts'
import { markShapes } from './marks.ts'
import { plotOf, type PlotOptions } from './plot.ts'
import { drawSheet, emptyShape, innerWidth, type Picture, type SheetOptions } from './sheet.ts'

type PictureOptions = PlotOptions &
  SheetOptions & {
    /** Shown instead of the marks when no series has a value. */
    readonly empty: string
  }

/** Draws a chart over time: the same marks as on a page, with names at the line ends or above the plot. */
export function drawPicture(options: PictureOptions): Picture {
  const { series, width, height, empty } = options
  const known = series.some(({ points }) => points.some(({ value }) => value !== null))
  const words = known ? (isAllZero(series) ? allZeroWords : undefined) : empty
  const isNamed =
    words === undefined && series.length > 1 && !plotOf(options, innerWidth(width), height).labels
  return drawSheet(options, isNamed ? series : [], (inner, room) => {
    const plot = plotOf(options, inner, room)
    const { geometry } = plot
    if (words !== undefined)
      return [emptyShape(geometry.width / 2, geometry.top + geometry.plotHeight / 2, words)]
    return [
      ...axisShapes(geometry, plot.left, plot.right),
      ...markShapes(plot),
      ...(plot.labels ? endLabelShapes(plot) : []),
    ]
  })
}
