import type { TimeInterval } from '../../contract/metrics/intervals.ts'
import { COMPARE_SEPARATOR, type ViewMode, type ViewScale } from '../../contract/metrics/view.ts'
import { seriesColour } from '../palette.ts'
import { DAY, periodEnd, type Interval } from '../series/periods.ts'
import { resolveRange, type RangeChoice, type TimeRange } from '../series/range.ts'
import type { SeriesPoint } from '../series/series.ts'
import { indexed } from '../series/transforms.ts'
import type { ChartSeries } from '../chart-series.ts'
import type { Owner, SeriesDefinition } from './definition.ts'

/** Chain ids of a `compare` value; an id that occurs twice counts once. */
export function comparedChains(text: string, own: string): string[] {
  return [...new Set(text.split(COMPARE_SEPARATOR))].filter(
    (id) => /^[0-9A-Za-z]{1,64}$/.test(id) && id !== own,
  )
}

/** Whether a fitted axis starts above zero: it cannot if a value is zero. */
export function isFitted(
  zero: boolean,
  lines: readonly { readonly points: readonly { readonly value: number | bigint | null }[] }[],
): boolean {
  return !zero && lines.every(({ points }) => points.every(({ value }) => value === null || value > 0))
}

/** Whether the value axis starts at zero: sums do unless asked otherwise, levels fit. */
export function startsAtZero(scale: ViewScale, sum: boolean): boolean {
  return scale === 'auto' ? sum : scale === 'zero'
}

/** The longest time that a planned series shows after now: a stake lasts at most a year. */
const planned = 366 * DAY

/** The time range of a series at `now`. A range that ends now reaches as far ahead for a planned series. */
export function boundsOf(
  info: Pick<SeriesDefinition, 'planned'>,
  range: RangeChoice,
  interval: Interval,
  now: number,
): TimeRange {
  const bounds = resolveRange(range, interval, now)
  if (info.planned !== true || !('preset' in range)) return bounds
  const ahead = bounds.from === null ? planned : Math.min(planned, now - bounds.from)
  return { from: bounds.from, to: periodEnd(now + ahead, interval) }
}

/** Whether no series has a value. */
export const hasNoValue = (series: readonly ChartSeries[]): boolean =>
  series.every(({ points }) => points.every(({ value }) => value === null))

/** Where the time axis starts: with the range, or with the first point if the range has no start. */
export const startOf = (range: TimeRange, series: readonly ChartSeries[], now: number): number =>
  range.from ?? Math.min(...series.map(({ points }) => points[0]?.timestamp ?? now), now)

/** Why several chains cannot be drawn in one of the modes; undefined where they can. */
type Reasons = {
  readonly noPlain: string | undefined
  readonly noStack: string | undefined
  readonly noIndex: string | undefined
}

/** A chart has two value axes, and an axis has one unit. */
const maxAxes = 2

/**
 * What the comparison allows. Stacks need sums in one unit, plain lines an axis for each unit, of which a series of
 * another metric (`hasSecond`) takes one; a stack and an index need a second chain.
 */
export function comparisonReasons(
  info: Pick<SeriesDefinition, 'sum' | 'title' | 'unit'>,
  chains: readonly Owner[],
  hasSecond = false,
): Reasons {
  const symbols = new Set(chains.map((chain) => info.unit(chain).symbol))
  const noPlain =
    symbols.size > 1 && symbols.size + (hasSecond ? 1 : 0) > maxAxes
      ? `The chains count in ${[...symbols].join(', ')}: more units than axes`
      : undefined
  if (chains.length < 2) {
    const reason = 'Choose a chain to compare with first'
    return { noPlain, noStack: reason, noIndex: reason }
  }
  const noStack = !info.sum
    ? `${info.title} of several chains do not add up`
    : symbols.size > 1
      ? 'The chains count in different tokens'
      : chains.some((chain) => chain.chainId === 'total')
        ? 'The sum of all chains holds each of them already'
        : undefined
  return { noPlain, noStack, noIndex: undefined }
}

/** The mode that is drawn: the one asked for where it is possible. */
export function effectiveMode(mode: ViewMode, reasons: Reasons): ViewMode {
  const plain = reasons.noPlain === undefined ? 'plain' : 'indexed'
  if (mode === 'stacked' && reasons.noStack !== undefined) return plain
  if (mode === 'indexed' && reasons.noIndex !== undefined) return 'plain'
  return mode === 'plain' ? plain : mode
}

type Intervals = { readonly intervals: readonly TimeInterval[] }

/** The interval that both series support, preferring the one wanted. */
export function sharedInterval(info: Intervals, second: Intervals | undefined, wanted: Interval): Interval {
  const both =
    second === undefined ? info.intervals : info.intervals.filter((one) => second.intervals.includes(one))
  return both.includes(wanted) ? wanted : 'day'
}

export type Line = { readonly chain: Owner; readonly points: readonly SeriesPoint[] }

/**
 * The chart's series of one metric: a line a chain, each in its chain's colour. A chain that counts in another unit than
 * the first has the right axis.
 */
export function chainLines(
  info: Pick<SeriesDefinition, 'unit' | 'isLevel'>,
  lines: readonly Line[],
  mode: ViewMode,
): ChartSeries[] {
  const [first] = lines
  const left = first && info.unit(first.chain).symbol
  return lines.map(({ chain, points }) => {
    const unit = info.unit(chain)
    const { isLevel } = info
    const base = { id: chain.chainId, label: chain.name, colour: seriesColour(chain.index), isLevel }
    if (mode === 'indexed') return { ...base, unit: { symbol: '', decimals: 0 }, points: indexed(points) }
    return { ...base, unit, points, ...(unit.symbol !== left && { side: 'right' as const }) }
  })
}
