import { distinctNames } from '../../contract/metrics/distinct.ts'
import { readDistinct } from '../metrics/distinct.ts'
import type { Database } from '../store/database.ts'
import type { Findings } from './findings.ts'
import type { Recount } from './recount.ts'

const hour = 3_600
/** The most starts of ranges that are compared, spread over the history. */
const maxStarts = 40

/**
 * Compares the distinct addresses of ranges, to now, to the hours about the head and to some in the past, with the union of the addresses of
 * their hours. A range that the service refuses is left out. Returns the number of compared values.
 */
export async function compareDistinct(
  database: Database,
  chain: bigint,
  recount: Recount,
  findings: Findings,
): Promise<number> {
  const hours = recount.periods('hour')
  const last = hours.at(-1)
  if (last === undefined) return 0
  const step = Math.max(1, Math.floor(hours.length / maxStarts))
  // The newest hours are those about the newest final block.
  const starts = new Set([...hours.filter((_, index) => index % step === 0), ...hours.slice(-5)])
  // Most of those in the past are refused.
  const past = [...starts].filter((_, index) => index % 8 === 4)
  const ends = [undefined, ...past, ...hours.slice(-5), last + hour]
  let compared = 0
  for (const metric of distinctNames) {
    const role = metric === 'activeAddresses' ? 'parties' : 'senders'
    for (const from of starts) {
      for (const before of ends) {
        const value = await readDistinct(database, chain, metric, { from, before })
        if (value === undefined) continue
        const counted = recount.distinct(role, from, before ?? Infinity)
        compared += 1
        if (value !== BigInt(counted))
          findings.add(
            'I6',
            `distinct ${metric} from ${from} to ${before ?? 'now'} are ${value}, counted ${counted}`,
          )
      }
    }
  }
  return compared
}
