import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { read } from '../read.ts'
import { numberList } from '../sql-literals.ts'

const bucket = z.object({ place: z.number(), tokens: z.bigint() })

/** Whether a row of `tokens` is that of a wrapper whose first block is that of a deposit, not of a transfer. */
const isCountedWrapper = (row: string): string =>
  `(${row}.kind = 20 and exists (
    select from wrapper_candidates c where c.chain = $1 and c.token = ${row}.token and c.is_counted))`

/**
 * The number of contracts whose first token transfer is between two consecutive times, Unix seconds in ascending
 * order: the first figure counts from the first time to the second, the second time not included. A contract that
 * transfers tokens of several kinds counts once. A wrapper that is a token without a transfer counts from its first one on.
 */
export async function readFirstTokens(
  database: Queryable,
  chain: bigint,
  times: readonly number[],
): Promise<bigint[]> {
  const rows = await read(
    database,
    bucket,
    // Blocks are in order of time, so that the range of times is a range of `first_block` with an index.
    `select width_bucket(b.ts, (select $2::text::bigint[])) as place, count(*) as tokens
     from (
       select token, kind, first_block from tokens t where chain = $1 and not ${isCountedWrapper('t')}
       union all
       select c.token, 20, moved.number from wrapper_candidates c
       cross join lateral (
         select number from token_blocks
         where chain = $1 and token = c.token and kind = 20 and cum_transfers > 0 order by number limit 1) moved
       where c.chain = $1 and c.proven_block is not null and c.is_counted) t
     join blocks b on b.chain = $1 and b.number = t.first_block
     where t.first_block >= (
         select number from blocks where chain = $1 and ts >= $3::bigint order by ts, number limit 1)
       and t.first_block <= (
         select number from blocks where chain = $1 and ts < $4::bigint order by ts desc, number desc limit 1)
       and not exists (
         select from tokens e where e.chain = $1 and e.token = t.token
           and (e.first_block, e.kind) < (t.first_block, t.kind) and not ${isCountedWrapper('e')})
     group by 1`,
    [chain, numberList(times), times[0] ?? 0, times.at(-1) ?? 0],
  )
  const counts = times.slice(1).map(() => 0n)
  for (const { place, tokens } of rows) counts[place - 1] = tokens
  return counts
}
