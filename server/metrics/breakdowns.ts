import { periodEnd, type TimeInterval } from '../../contract/metrics/intervals.ts'
import { toNumber } from './definitions.ts'
import { askedPeriods, periodsDown, type AskedPeriods } from './periods.ts'

/** A period in parts: what each part has, what all of them have, and what a value is a fraction of. */
export type PeriodParts = {
  readonly parts: ReadonlyMap<string, bigint>
  readonly all: bigint
  /** What the amounts are divided by to get values. */
  readonly per: bigint
}

/** Where the parts of a series are read from, by their ids. */
export type PartsSource = {
  /** The first and the last second of the series; undefined if it is empty. */
  range(): Promise<{ readonly first: number; readonly last: number } | undefined>
  /** How much each part has between two times (Unix seconds, the end not included). */
  weights(from: number, before: number): Promise<ReadonlyMap<string, bigint>>
  /** The periods between boundaries, ascending; undefined for a period without a point. */
  periods(boundaries: readonly number[]): Promise<readonly (PeriodParts | undefined)[]>
}

type AskedBreakdown = AskedPeriods & {
  readonly interval: TimeInterval
  readonly pageSize: number
  /** The number of parts that are listed. */
  readonly parts: number
}

/** A page of a series in parts, latest first; values in the order of the listed parts, then of all others if there are any. */
type BreakdownPage = {
  readonly next?: number
  readonly listed: readonly string[]
  readonly hasOthers: boolean
  readonly results: readonly { readonly timestamp: number; readonly values: readonly (number | bigint)[] }[]
}

const empty: BreakdownPage = { listed: [], hasOthers: false, results: [] }

/**
 * Reads the parts of a series that are largest over the whole asked range, and of each period of the page their
 * values. The reads have to see one snapshot.
 */
export async function readBreakdown(source: PartsSource, asked: AskedBreakdown): Promise<BreakdownPage> {
  const { interval, pageSize, position } = asked
  const range = await source.range()
  if (range === undefined) return empty
  const { first, last } = range
  const { earliest, latest: end } = askedPeriods({ ...asked, position: undefined }, first, last)
  if (end < earliest) return empty
  const latest = position === undefined ? end : Math.min(end, position)
  const starts = periodsDown(interval, latest, earliest, pageSize + 1)
  const all = periodsDown(interval, end, earliest, Infinity)
  const weights = await source.weights(all.at(-1) ?? earliest, Math.min(periodEnd(end, interval), last + 1))
  const ranked = [...weights].toSorted(
    ([leftId, left], [rightId, right]) =>
      Number(right > left) - Number(right < left) || (leftId < rightId ? -1 : 1),
  )
  const listed = ranked.slice(0, asked.parts).map(([id]) => id)
  const hasOthers = ranked.length > listed.length
  const next = starts[pageSize]
  const shown = starts.slice(0, pageSize)
  const [newest] = shown
  if (newest === undefined) return { ...empty, listed, hasOthers }
  const boundaries = [...shown.toReversed(), Math.min(periodEnd(newest, interval), last + 1)]
  const periods = (await source.periods(boundaries)).toReversed()
  return {
    ...(next !== undefined && { next }),
    listed,
    hasOthers,
    results: shown.flatMap((timestamp, index) => {
      const period = periods[index]
      if (period === undefined) return []
      const amounts = listed.map((id) => period.parts.get(id) ?? 0n)
      const rest = amounts.reduce((left, amount) => left - amount, period.all)
      const values = [...amounts, ...(hasOthers ? [rest] : [])]
      return [{ timestamp, values: values.map((amount) => toNumber({ amount, per: period.per })) }]
    }),
  }
}
