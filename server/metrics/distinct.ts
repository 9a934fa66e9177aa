import type { DistinctName } from '../../contract/metrics/distinct.ts'
import { periodEnd, periodStart, timeIntervals } from '../../contract/metrics/intervals.ts'
import type { Queryable } from '../store/database.ts'
import { readExtent, readSeenCount, type SeenRole } from '../store/metrics/read-distinct.ts'
import { KeptMedians, readSeries } from './series.ts'

const hour = 3_600
const roles: Readonly<Record<DistinctName, SeenRole>> = { activeAddresses: 0, activeSenders: 1 }

/** A range of whole hours: from `from` (0 for genesis) to before `before` (undefined for now). Unix seconds. */
export type DistinctRange = { readonly from: number; readonly before: number | undefined }

/**
 * Counts the distinct addresses of a range of a chain; undefined if the store can't tell.
 *
 * Of a final block, `seen` has only those hours of its addresses in which they were last active. An hour is given up for a
 * later one that is final too, so that a range that contains the hour of the newest final block has every address that was
 * active in it. So has a range that ends after the newest block. An earlier range can be told only if it is a period, whose
 * addresses were counted as its blocks came.
 */
export async function readDistinct(
  database: Queryable,
  chain: bigint,
  metric: DistinctName,
  { from, before = Infinity }: DistinctRange,
): Promise<bigint | undefined> {
  const { head_ts: head, final_ts: final } = await readExtent(database, chain)
  if (head === null || before <= from) return 0n
  const kept = final === null ? 0 : periodStart(Number(final), 'hour') + hour
  if (before > Number(head) || before >= kept) {
    const end = Math.min(before, Number(head) + 1)
    return readSeenCount(database, chain, roles[metric], from, end)
  }
  const interval = timeIntervals.find(
    (each) => periodStart(from, each) === from && periodEnd(from, each) === before,
  )
  if (interval === undefined) return undefined
  const asked = { chains: [chain], metric, interval, starts: [from] }
  const [value] = await readSeries(database, asked, new KeptMedians())
  return value?.amount ?? 0n
}
