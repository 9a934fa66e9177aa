import { z } from 'zod'
import { query, queryOne } from '../read.ts'
import { numberList } from '../sql-literals.ts'

/** How many peers run a version in the last sample of the period at `place`, counted from 1. */
const versionRow = z.object({
  place: z.number(),
  version: z.string(),
  peers: z.number(),
  /** All peers of the sample. */
  all_peers: z.number(),
})

/** The versions in the last sample of each period; a period without one has no rows. */
export const readVersions = query(versionRow, (chain: number, boundaries: readonly number[]) => [
  `select period.place::integer as place, v.version, v.peers, s.peers as all_peers
   from unnest($2::text::bigint[], $3::text::bigint[]) with ordinality period (start, before, place)
   cross join lateral (
     select hour from version_samples l
     where l.chain = $1 and l.hour >= period.start and l.hour < period.before order by hour desc limit 1) last
   join version_samples v on v.chain = $1 and v.hour = last.hour
   join network_samples s on s.chain = $1 and s.hour = last.hour`,
  [chain, numberList(boundaries.slice(0, -1)), numberList(boundaries.slice(1))],
])

const versionSum = z.object({ version: z.string(), peers: z.bigint() })

/** For each version, the peers of all samples between two times added up, the end not included. */
export const readVersionSums = query(versionSum, (chain: number, from: number, before: number) => [
  `select version, sum(peers) as peers from version_samples
   where chain = $1 and hour >= $2 and hour < $3 group by version`,
  [chain, from, before],
])

const sampledHours = z.object({ first: z.bigint().nullable(), last: z.bigint().nullable() })

/** The hours of the first and the last sample of versions. */
export const readVersionHours = queryOne(
  sampledHours,
  (chain: number) => [
    `select min(hour) as first, max(hour) as last from version_samples where chain = $1`,
    [chain],
  ],
  (row) => {
    if (!row || row.first === null || row.last === null) return undefined
    return { first: Number(row.first), last: Number(row.last) }
  },
)
