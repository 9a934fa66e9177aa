import { z } from 'zod'
import { queryOne } from '../read.ts'

/** The `role` column of `seen`. */
export type SeenRole = 0 | 1

/** Unix seconds of a chain's newest block and of its newest final one; null if there is none. */
const extent = z.strictObject({ head_ts: z.bigint().nullable(), final_ts: z.bigint().nullable() })

/** How far a chain is stored, and how far `seen` has only the newest hour of each address. */
export const readExtent = queryOne(
  extent,
  (chain: bigint) => [
    `select (select ts from blocks where chain = $1 order by number desc limit 1) as head_ts,
     (select b.ts from chains c join blocks b on b.chain = $1 and b.number = c.finalized_block
      where c.chain = $1) as final_ts`,
    [chain],
  ],
  (row) => row ?? { head_ts: null, final_ts: null },
)

/**
 * The number of addresses that have a row in the hours from `from` to before `before`. The rows of an hour are made by
 * its blocks, so that the range is also one of blocks, which have an index.
 */
export const readSeenCount = queryOne(
  z.strictObject({ addresses: z.bigint() }),
  (chain: bigint, role: SeenRole, from: number, before: number) => [
    `select count(distinct address) as addresses from seen
     where chain = $1 and role = $2 and hour_ts >= $3 and hour_ts < $4
       and first_block >= (select number from blocks where chain = $1 and ts >= $3 order by ts, number limit 1)`,
    [chain, role, from, before],
  ],
  (row) => row?.addresses ?? 0n,
)
