import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { read } from '../read.ts'

/** The `role` column of `seen`. */
export type SeenRole = 0 | 1

const extent = z.strictObject({ head_ts: z.bigint().nullable(), final_ts: z.bigint().nullable() })
/** Unix seconds of a chain's newest block and of its newest final one; null if there is none. */
type Extent = Readonly<z.output<typeof extent>>

/** How far a chain is stored, and how far `seen` has only the newest hour of each address. */
export async function readExtent(database: Queryable, chain: bigint): Promise<Extent> {
  const [row] = await read(
    database,
    extent,
    `select (select ts from blocks where chain = $1 order by number desc limit 1) as head_ts,
       (select b.ts from chains c join blocks b on b.chain = $1 and b.number = c.finalized_block
        where c.chain = $1) as final_ts`,
    [chain],
  )
  return row ?? { head_ts: null, final_ts: null }
}

const counted = z.strictObject({ addresses: z.bigint() })

/**
 * The number of addresses that have a row in the hours from `from` to before `before`. The rows of an hour are made by
 * its blocks, so that the range is also one of blocks, which have an index.
 */
export async function readSeenCount(
  database: Queryable,
  chain: bigint,
  role: SeenRole,
  from: number,
  before: number,
): Promise<bigint> {
  const [row] = await read(
    database,
    counted,
    `select count(distinct address) as addresses from seen
     where chain = $1 and role = $2 and hour_ts >= $3 and hour_ts < $4
       and first_block >= (select number from blocks where chain = $1 and ts >= $3 order by ts, number limit 1)`,
    [chain, role, from, before],
  )
  return row?.addresses ?? 0n
}
