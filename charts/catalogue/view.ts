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

/** Why several chains cannot be stacked or indexed; undefined when they can. */
export type Reasons = { readonly noStack: string | undefined; readonly noIndex: string | undefined }

/** What the comparison allows: stacks need sums in one unit, and both need a second chain. */
export function comparisonReasons(
  info: Pick<SeriesDefinition, 'sum' | 'title' | 'unit'>,
  chains: readonly Owner[],
): Reasons {
  if (chains.length < 2) {
    const reason = 'Choose a chain to compare with first'
    return { noStack: reason, noIndex: reason }
  }
  const symbols = new Set(chains.map((chain) => info.unit(chain).symbol))
  const noStack = !info.sum
    ? `${info.title} of several chains do not add up`
    : symbols.size > 1
      ? 'The chains count in different tokens'
      : chains.some((chain) => chain.chainId === 'total')
        ? 'The sum of all chains holds each of them already'
        : undefined
  return { noStack, noIndex: undefined }
}

/** The mode that is drawn: the one asked for where it is possible. */
export function effectiveMode(mode: ViewMode, reasons: Reasons): ViewMode {
  if (mode === 'stacked' && reasons.noStack !== undefined) return 'plain'
  if (mode === 'indexed' && reasons.noIndex !== undefined) return 'plain'
  return mode
}

type Intervals = { readonly intervals: readonly TimeInterval[] }

/** The interval that both series support, preferring the one wanted. */
export function sharedInterval(info: Intervals, second: Intervals | undefined, wanted: Interval): Interval {
  const both =
    second === undefined ? info.intervals : info.intervals.filter((one) => second.intervals.includes(one))
  return both.includes(wanted) ? wanted : 'day'
}

/** What drawing needs to know of a series. */
type Drawn = Pick<SeriesDefinition, 'name' | 'title' | 'unit'>

/** The series on the second axis, and the chain or network that it is of. */
export type SecondOf<Info> = { readonly facts: Owner; readonly info: Info }

/** The series of one owner, and those that may be laid beside them: series of other owners. */
type Choices<Info> = {
  readonly own: { readonly facts: Owner; readonly series: readonly Info[] }
  readonly beside: { readonly facts: readonly Owner[]; readonly series: readonly Info[] }
}

/** Separates the chain or network of a second series from its name. */
export const SECOND_SEPARATOR = '/'

/** The series of a `second` value: any of the own subject but `info`, or one of what stands beside it. */
export function findSecondOf<Info extends { readonly name: string }>(
  text: string,
  { own, beside }: Choices<Info>,
  info: Info,
): SecondOf<Info> | undefined {
  const [id = '', ...names] = text.split(SECOND_SEPARATOR)
  // A link from another page may name this page's own subject.
  if (names.length === 0 || id === own.facts.chainId) {
    const found = own.series.find((one) => one.name === (names[0] ?? id) && one !== info)
    return found && { facts: own.facts, info: found }
  }
  const other = beside.facts.find((one) => one.chainId === id)
  const found = beside.series.find((one) => one.name === names.join(SECOND_SEPARATOR))
  return other && found && { facts: other, info: found }
}

type Line = { readonly chain: Owner; readonly points: readonly SeriesPoint[] }

/** The chart's series of one metric: a line a chain, each in its chain's colour. */
export function chainLines(info: Pick<Drawn, 'unit'>, lines: readonly Line[], mode: ViewMode): ChartSeries[] {
  return lines.map(({ chain, points }) => ({
    id: chain.chainId,
    label: chain.name,
    colour: seriesColour(chain.index),
    unit: mode === 'indexed' ? { symbol: '', decimals: 0 } : info.unit(chain),
    points: mode === 'indexed' ? indexed(points) : points,
  }))
}

/** A colour for the second axis that no chain on the chart has. */
export function secondColour(chains: readonly Owner[]): string {
  const taken = new Set(chains.map((chain) => chain.index))
  const free = [1, 3, 4, 5, 2, 6, 7, 0].find((index) => !taken.has(index)) ?? 7
  return seriesColour(free)
}

type Parts<Info> = {
  readonly info: Info
  readonly second: SecondOf<Info> | undefined
  /** The chart's own chain first. */
  readonly chains: readonly Owner[]
  /**
   * The points of each chain, in the order of `chains`, then of the second series where there is one; undefined where
   * they are not known.
   */
  readonly points: readonly (readonly SeriesPoint[] | undefined)[]
  readonly mode: ViewMode
}

/** All series of a large chart whose points are known. */
export function viewSeries<Info extends Drawn>(parts: Parts<Info>): ChartSeries[] {
  const { info, second, chains, points, mode } = parts
  const lines = chains.flatMap((chain, index) => {
    const known = points[index]
    return known === undefined ? [] : [{ chain, points: known }]
  })
  const made = chainLines(info, lines, mode)
  const [own] = chains
  const beside = points[chains.length]
  if (second === undefined || own === undefined || beside === undefined) return made
  // Two metrics of one chain are told apart by what they are; several chains by which.
  const alone = chains.length === 1
  return [
    ...made.map((one) => (alone ? { ...one, label: info.title } : one)),
    {
      id: `second ${second.facts.chainId} ${second.info.name}`,
      label:
        second.facts.chainId === own.chainId
          ? second.info.title
          : `${second.info.title}, ${second.facts.name}`,
      colour: secondColour(chains),
      unit: second.info.unit(second.facts),
      points: beside,
      side: 'right',
    },
  ]
}

type NoteParts<Info> = {
  readonly info: Info
  readonly second: SecondOf<Info> | undefined
  readonly own: Owner
  readonly series: readonly ChartSeries[]
  readonly interval: Interval
  readonly mode: ViewMode
  readonly zero: boolean
  /** Whether the last period has not ended. */
  readonly open: boolean
}

/** What a large chart says about itself: units, interval, axis and what is dashed. */
export function viewNote<Info extends Drawn>(parts: NoteParts<Info>): string[] {
  const { info, second, own, series, interval, mode, zero, open } = parts
  return [
    mode === 'indexed'
      ? 'first period = 100'
      : `${info.unit(own).symbol}${second === undefined ? '' : ' on the left'}`,
    ...(second === undefined ? [] : [`${second.info.unit(second.facts).symbol} on the right`]),
    `by ${interval}`,
    mode === 'stacked'
      ? 'stacked, axis from 0'
      : isFitted(zero, series)
        ? 'axis fitted to the values'
        : 'axis from 0',
    ...(open ? [`the last ${interval} has not ended and is dashed`] : []),
  ].filter((part) => part !== '')
}
