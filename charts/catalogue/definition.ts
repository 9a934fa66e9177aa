import type { TimeInterval } from '../../contract/metrics/intervals.ts'
import type { Interval } from '../series/periods.ts'
import type { SeriesPoint } from '../series/series.ts'
import type { Unit } from '../series/units.ts'

/** A chain, a group of chains or a network, as charts name and colour it. */
export type Owner = {
  /** The id of the chain or group, or the name of the network. */
  readonly chainId: string
  readonly name: string
  /** Its token: the symbol, and the power of ten to the smallest unit. */
  readonly symbol: string
  readonly decimals: number
  /** Its place in the list of chains, which selects its colour. */
  readonly index: number
}

/** A metric that a series is made of: of the series' own chain, or of all chains together. */
export type Need = { readonly metric: string; readonly of: 'own' | 'total' }

/** All that is known of a series besides its points. */
export type SeriesDefinition = {
  readonly name: string
  readonly title: string
  readonly group: string
  /** One sentence: what a value counts. */
  readonly about: string
  /** Sums start at zero and can be added up over chains; levels and rates can do neither. */
  readonly sum: boolean
  /** Whether it stays until something changes it (`ChartSeries`). */
  readonly isLevel?: boolean
  /** Whether the values of several periods add up: not those of distinct addresses, which repeat. */
  readonly addsUp: boolean
  readonly unit: (owner: Owner) => Unit
  /** Counted from traces, which a node may lack (docs/metrics.md). */
  readonly traced: boolean
  /** Made of other metrics; the API does not have it. */
  readonly derived: boolean
  readonly intervals: readonly TimeInterval[]
  readonly needs: readonly Need[]
  /** Makes the series of the points of `needs`, in their order. */
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
export const token = (owner: Owner): Unit => ({
  symbol: owner.symbol || 'native token',
  decimals: owner.decimals,
})

/** A series that is its only ingredient. */
export function asIs(ingredients: readonly (readonly SeriesPoint[])[]): readonly SeriesPoint[] {
  return ingredients[0] ?? []
}

/** `wanted` where the series supports it, else the interval it has (most have the day only). */
export function supportedInterval(info: Pick<SeriesDefinition, 'intervals'>, wanted: Interval): Interval {
  return info.intervals.includes(wanted) ? wanted : 'day'
}
