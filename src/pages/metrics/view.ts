import type { ChartSeries } from '../../components/charts/series.ts'
import { seriesColour } from '../../lib/palette.ts'
import type { SeriesPoint } from '../../lib/series/series.ts'
import { indexed } from '../../lib/series/transforms.ts'
import type { ChainFacts } from '../../api/current.ts'
import type { Interval } from '../../lib/series/periods.ts'
import type { TimeRange } from '../../lib/series/range.ts'
import type { SeriesInfo } from './series-info.ts'
import type { Second } from './second.ts'
import type { MetricsState } from './state.ts'
import type { LoadedSeries } from './use-series.ts'

/** Why several chains cannot be stacked or indexed; undefined when they can. */
export type Reasons = { readonly noStack: string | undefined; readonly noIndex: string | undefined }

/** What the comparison allows: stacks need sums in one unit, and both need a second chain. */
export function comparisonReasons(info: SeriesInfo, chains: readonly ChainFacts[]): Reasons {
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
export function effectiveMode(mode: MetricsState['mode'], reasons: Reasons): MetricsState['mode'] {
  if (mode === 'stacked' && reasons.noStack !== undefined) return 'plain'
  if (mode === 'indexed' && reasons.noIndex !== undefined) return 'plain'
  return mode
}

/** The interval that both series support, preferring the one wanted. */
export function sharedInterval(info: SeriesInfo, second: SeriesInfo | undefined, wanted: Interval): Interval {
  const both =
    second === undefined ? info.intervals : info.intervals.filter((one) => second.intervals.includes(one))
  return both.includes(wanted) ? wanted : 'day'
}

type Line = { readonly chain: ChainFacts; readonly points: readonly SeriesPoint[] }

/** The chart's series of one metric: a line a chain, each in its chain's colour. */
export function chainLines(
  info: SeriesInfo,
  lines: readonly Line[],
  mode: MetricsState['mode'],
): ChartSeries[] {
  return lines.map(({ chain, points }) => ({
    id: chain.chainId,
    label: chain.name,
    colour: seriesColour(chain.index),
    unit: mode === 'indexed' ? { symbol: '', decimals: 0 } : info.unit(chain),
    points: mode === 'indexed' ? indexed(points) : points,
  }))
}

/** Whether no series has a value. */
export const hasNoValue = (series: readonly ChartSeries[]): boolean =>
  series.every(({ points }) => points.every(({ value }) => value === null))

/** Where the time axis starts: with the range, or with the first point if the range has no start. */
export const startOf = (range: TimeRange, series: readonly ChartSeries[], now: number): number =>
  range.from ?? Math.min(...series.map(({ points }) => points[0]?.timestamp ?? now), now)

/** A colour for the second axis that no chain on the chart has. */
export function secondColour(chains: readonly ChainFacts[]): string {
  const taken = new Set(chains.map((chain) => chain.index))
  const free = [1, 3, 4, 5, 2, 6, 7, 0].find((index) => !taken.has(index)) ?? 7
  return seriesColour(free)
}

type Parts = {
  readonly info: SeriesInfo
  readonly second: Second | undefined
  /** The page's own chain first. */
  readonly chains: readonly ChainFacts[]
  /** One a chain, in the order of `chains`, then the second series where there is one. */
  readonly loaded: readonly LoadedSeries[]
  readonly mode: MetricsState['mode']
}

/** All series of the large chart that have arrived. */
export function chartSeries({ info, second, chains, loaded, mode }: Parts): ChartSeries[] {
  const lines = chains.flatMap((chain, index) => {
    const result = loaded[index]
    return result?.state === 'ready' ? [{ chain, points: result.points }] : []
  })
  const made = chainLines(info, lines, mode)
  const [own] = chains
  const beside = loaded[chains.length]
  if (second === undefined || own === undefined || beside?.state !== 'ready') return made
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
      points: beside.points,
      side: 'right',
    },
  ]
}
