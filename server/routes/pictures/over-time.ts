import type { ViewScale } from '../../../contract/metrics/view.ts'
import type { Owner } from '../../../charts/catalogue/definition.ts'
import { startOf, startsAtZero } from '../../../charts/catalogue/view.ts'
import { viewNote } from '../../../charts/catalogue/view-note.ts'
import type { ChartSeries } from '../../../charts/chart-series.ts'
import { endsOpen } from '../../../charts/drawn-points.ts'
import { drawPicture } from '../../../charts/picture.ts'
import { dashedNote, rangeLabel } from '../../../charts/series/periods.ts'
import type { Picture } from '../../../charts/sheet.ts'
import type { TimeAxis } from './time.ts'

type Size = { readonly width: number; readonly height: number }

/** Draws levels over time, such as balances and stakes, as a page draws them. */
export function drawLevels(options: {
  readonly axis: TimeAxis
  readonly size: Size
  readonly scale: ViewScale
  /** Whether the values are sums of their periods. */
  readonly sum?: boolean
  readonly series: readonly ChartSeries[]
  /** What is shown, and of what: “Balance”, “L1 validator 2ZW6…”. */
  readonly title: string
  readonly of: string
  /** Further notes, before those of the axis. */
  readonly note?: readonly string[]
  readonly empty: string
}): Picture {
  const { axis, size, scale, sum = false, series, title, of, note = [], empty } = options
  const { interval, now, bounds } = axis
  const zero = startsAtZero(scale, sum)
  const from = startOf(bounds, series, now)
  const open = series.some((one) => endsOpen(one, { interval, now }))
  const unit = series[0]?.unit ?? { symbol: '', decimals: 0 }
  const info = { name: title, title, unit: () => unit }
  const own: Owner = { chainId: '', name: of, ...unit, index: 0 }
  return drawPicture({
    series,
    interval,
    now,
    from,
    to: bounds.to,
    sum,
    zero,
    endLabels: true,
    ...size,
    title: `${title} · ${of}`,
    shortTitle: title,
    note: [
      rangeLabel(from, bounds.to),
      ...note,
      ...viewNote({ info, own, series, interval, mode: 'plain', zero, open }),
    ],
    empty,
  })
}

/** Draws parts that lie on each other, as a page draws them: transactions unless `empty` says otherwise. */
export function drawStack(options: {
  readonly axis: TimeAxis
  readonly size: Size
  readonly series: readonly ChartSeries[]
  readonly title: string
  readonly of: string
  readonly note?: readonly string[]
  /** Whether the values are sums of their periods; otherwise levels. */
  readonly sum?: boolean
  readonly empty?: string
}): Picture {
  const { axis, size, series, title, of, note = [] } = options
  const { sum = true, empty = 'No transactions in this range' } = options
  const { interval, now, bounds } = axis
  const from = startOf(bounds, series, now)
  const open = series.some((one) => endsOpen(one, { interval, now }))
  return drawPicture({
    series,
    interval,
    now,
    from,
    to: bounds.to,
    sum,
    zero: true,
    stacked: series.length > 1,
    endLabels: true,
    ...size,
    title: `${title} · ${of}`,
    shortTitle: title,
    note: [
      rangeLabel(from, bounds.to),
      `by ${interval}${series.length > 1 ? ', stacked' : ''}`,
      ...note,
      ...(open ? [dashedNote(interval)] : []),
    ],
    empty,
  })
}
