import type { TimeInterval } from '../../../contract/metrics/intervals.ts'
import type { ChainFacts } from '../../api/current.ts'
import type { MetricRange, SeriesQuery } from '../../api/metrics/series-query.ts'
import type { Interval } from '../../lib/series/periods.ts'
import type { SeriesPoint } from '../../lib/series/series.ts'
import type { Unit } from '../../lib/series/units.ts'

/** A metric that a series is made of. */
export type Ingredient = {
  readonly metric: string
  /** The query of its points; `subject` is the id of a chain or group, or the name of a network. */
  readonly query: (subject: string, range: MetricRange) => SeriesQuery
}

/** All that pages know of a series besides its points. */
export type SeriesInfo = {
  readonly name: string
  readonly title: string
  readonly group: string
  /** One sentence: what a value counts. */
  readonly about: string
  /** Sums stand on zero and may be added up over chains; levels and rates are neither. */
  readonly sum: boolean
  /** Whether the values of several periods add up: not those of distinct addresses, which repeat. */
  readonly addsUp: boolean
  readonly unit: (chain: ChainFacts) => Unit
  /** Counted from traces, which a node may lack (docs/metrics.md). */
  readonly traced: boolean
  /** Made by the dashboard of other metrics; the interface does not have it. */
  readonly derived: boolean
  readonly intervals: readonly TimeInterval[]
  readonly needs: readonly Ingredient[]
  /** Makes the series of the ingredients' points, in their order. */
  readonly make: (
    ingredients: readonly (readonly SeriesPoint[])[],
    interval: Interval,
  ) => readonly SeriesPoint[]
  /** Whether the first period of a range needs the one before it. */
  readonly looksBack: boolean
  /** Whether it goes on after now. */
  readonly planned?: boolean
}

export const plain = (symbol: string) => (): Unit => ({ symbol, decimals: 0 })
export const token = (chain: ChainFacts): Unit => ({
  symbol: chain.symbol || 'native token',
  decimals: chain.decimals,
})

/** A series that is its only ingredient. */
export function asIs(ingredients: readonly (readonly SeriesPoint[])[]): readonly SeriesPoint[] {
  return ingredients[0] ?? []
}

/** `wanted` where the series supports it, else the interval it has (most have the day only). */
export function supportedInterval(info: SeriesInfo, wanted: Interval): Interval {
  return info.intervals.includes(wanted) ? wanted : 'day'
}
