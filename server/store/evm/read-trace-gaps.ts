import { z } from 'zod'
import { query, queryOne } from '../read.ts'
import type { BlockRange } from './read-blocks.ts'

const traceGap = z.strictObject({ first: z.bigint(), last: z.bigint() })
/** Blocks whose inner calls are not stored because the node could not trace them; both ends included. */
export type TraceGap = Readonly<z.output<typeof traceGap>>

/** The gaps of a chain that overlap a range of blocks, latest first. */
export const readTraceGaps = query(traceGap, (chain: bigint, range: BlockRange) => [
  `select first_block as first, last_block as last from trace_gaps
   where chain = $1 and not filled and last_block >= $2 and first_block < $3 order by first_block desc`,
  [chain, range.from, range.before],
])

/** Whether any block of a range has a stored call. */
export const hasCalls = queryOne(
  z.strictObject({ found: z.boolean() }),
  (chain: bigint, range: BlockRange) => [
    'select exists (select from calls where chain = $1 and number >= $2 and number < $3) as found',
    [chain, range.from, range.before],
  ],
  (row) => row?.found === true,
)

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
export const readUnknownTimes = query(unknownTime, (chain: bigint) => [unknownStatement, [chain]])
