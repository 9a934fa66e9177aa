import { DAY, periodStart } from './periods.ts'
import type { SeriesPoint } from './series.ts'

/** The totals of a token at the end of a day in which it moved. */
type TokenDay = {
  readonly timestamp: number
  readonly supply: string
  readonly holderCount: string
  readonly transferCount: string
}

export type TokenSeries = {
  supply: SeriesPoint[]
  holders: SeriesPoint[]
  transfers: SeriesPoint[]
}

/**
 * A token's days as series without holes, to the day that holds `until` (Unix seconds). The service sends
 * only days in which the token moved, with totals at their end: on others supply and holders stay and
 * nothing is transferred. Transfers are counted for each day, from the running total.
 */
export function tokenSeries(days: readonly TokenDay[], until: number): TokenSeries {
  const series: TokenSeries = { supply: [], holders: [], transfers: [] }
  const byDay = new Map(days.map((day) => [periodStart(day.timestamp, 'day'), day]))
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return series
  let now = first
  let counted = 0n
  const end = Math.max(periodStart(until, 'day'), periodStart(last.timestamp, 'day'))
  for (let timestamp = periodStart(first.timestamp, 'day'); timestamp <= end; timestamp += DAY) {
    now = byDay.get(timestamp) ?? now
    const total = BigInt(now.transferCount)
    series.supply.push({ timestamp, value: BigInt(now.supply) })
    series.holders.push({ timestamp, value: BigInt(now.holderCount) })
    series.transfers.push({ timestamp, value: total - counted })
    counted = total
  }
  return series
}
