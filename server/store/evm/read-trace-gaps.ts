import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { read } from '../read.ts'
import type { BlockRange } from './read-blocks.ts'

const traceGap = z.strictObject({ first: z.bigint(), last: z.bigint() })
/** Blocks whose inner calls are not stored because the node could not trace them; both ends included. */
export type TraceGap = Readonly<z.output<typeof traceGap>>

/** The gaps of a chain that overlap a range of blocks, latest first. */
export async function readTraceGaps(
  database: Queryable,
  chain: bigint,
  range: BlockRange,
): Promise<TraceGap[]> {
  return read(
    database,
    traceGap,
    `select first_block as first, last_block as last from trace_gaps
     where chain = $1 and not filled and last_block >= $2 and first_block < $3 order by first_block desc`,
    [chain, range.from, range.before],
  )
}

const callsRow = z.strictObject({ found: z.boolean() })

/** Whether any block of a range has a stored call. */
export async function hasCalls(database: Queryable, chain: bigint, range: BlockRange): Promise<boolean> {
  const [row] = await read(
    database,
    callsRow,
    'select exists (select from calls where chain = $1 and number >= $2 and number < $3) as found',
    [chain, range.from, range.before],
  )
  return row?.found === true
}

const unknownTime = z.strictObject({ first_ts: z.bigint(), last_ts: z.bigint() })
/** Times of the first and last block of a range, in Unix seconds. */
export type UnknownTime = Readonly<z.output<typeof unknownTime>>

const unknownStatement = `
  select first.ts as first_ts, last.ts as last_ts
  from (
    select first_block, last_block from trace_gaps where chain = $1
    union all
    select trace_sums_from, trace_sums_from from chains where chain = $1) spans
  join blocks first on first.chain = $1 and first.number = spans.first_block
  join blocks last on last.chain = $1 and last.number = spans.last_block
  order by spans.first_block`

/**
 * The times at which a chain's sums of contracts and deployers are unreliable, earliest first: in its gaps,
 * including filled ones whose sums are not computed yet, and at the block up to which sums are being
 * recomputed.
 */
export async function readUnknownTimes(database: Queryable, chain: bigint): Promise<UnknownTime[]> {
  return read(database, unknownTime, unknownStatement, [chain])
}
