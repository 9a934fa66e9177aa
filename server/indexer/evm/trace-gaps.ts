import type { Queryable } from '../../store/database.ts'
import type { DecodedBlock } from './decode.ts'

/** A range of blocks, both ends included. */
export type BlockSpan = { first: number; last: number }

/**
 * Adds the blocks that the node could not trace to the chain's gaps, after their rows were written. A gap may
 * span blocks that cannot contain inner calls.
 */
export async function recordUntraced(
  sql: Queryable,
  chain: number,
  blocks: readonly Pick<DecodedBlock, 'number' | 'txCount' | 'traced'>[],
): Promise<void> {
  for (const { first, last } of untracedSpans(blocks)) {
    const extended = await sql`
      update trace_gaps g set last_block = ${last}
      where g.chain = ${chain} and not g.filled and g.last_block = (
          select max(last_block) from trace_gaps where chain = ${chain} and not filled)
        and g.last_block < ${first}
        and not exists (
          select from transactions t
          where t.chain = ${chain} and t.number > g.last_block and t.number < ${first} and ${needsTraces(sql)})`
    if (extended.count === 0) {
      await sql`insert into trace_gaps (chain, first_block, last_block) values (${chain}, ${first}, ${last})`
    }
  }
}

function untracedSpans(blocks: readonly Pick<DecodedBlock, 'number' | 'txCount' | 'traced'>[]): BlockSpan[] {
  const spans: BlockSpan[] = []
  let open: BlockSpan | undefined
  for (const { number, txCount, traced } of blocks) {
    if (!traced && open) open.last = number
    else if (!traced) spans.push((open = { first: number, last: number }))
    else if (txCount > 0) open = undefined
  }
  return spans
}

/** SQL condition for transactions that a trace may tell of: the same rule as `needsTraces` in traces.ts. */
export function needsTraces(sql: Queryable) {
  return sql`(gas_used <> 21000 or length(input) > 0 or status = 0)`
}

/**
 * Truncates the gaps above a block, as a reorg requires. Call it after the transactions above the block were
 * deleted.
 */
export async function deleteGapsAbove(sql: Queryable, chain: number, number: number): Promise<void> {
  const left = sql`
    select t.number from transactions t
    where t.chain = ${chain} and t.number between g.first_block and ${number} and ${needsTraces(sql)}
    order by t.number desc limit 1`
  await sql`
    delete from trace_gaps g where g.chain = ${chain} and g.last_block > ${number} and not exists (${left})`
  await sql`
    update trace_gaps g set last_block = (${left}) where g.chain = ${chain} and g.last_block > ${number}`
  await sql`
    update chains set trace_sums_from = null where chain = ${chain} and trace_sums_from > ${number}`
}

/** The ranges of a chain whose inner calls are not stored, in height order. */
export async function readGaps(sql: Queryable, chain: number): Promise<BlockSpan[]> {
  const rows = await sql<{ first_block: bigint; last_block: bigint }[]>`
    select first_block, last_block from trace_gaps where chain = ${chain} and not filled order by first_block`
  return rows.map(({ first_block, last_block }) => ({ first: Number(first_block), last: Number(last_block) }))
}

/**
 * Removes blocks from the gap that contains them, once their calls are stored. With `sumsChange`, they become
 * part of a filled range whose prefix sums must be recomputed. Returns false if no gap contains all of them.
 */
export async function closeGap(
  sql: Queryable,
  chain: number,
  { first, last }: BlockSpan,
  sumsChange: boolean,
): Promise<boolean> {
  const [gap] = await sql<{ first_block: bigint; last_block: bigint }[]>`
    delete from trace_gaps
    where chain = ${chain} and not filled and first_block <= ${first} and last_block >= ${last}
    returning first_block, last_block`
  if (!gap) return false
  const add = (from: bigint | number, to: bigint | number, filled: boolean) => sql`
    insert into trace_gaps (chain, first_block, last_block, filled) values (${chain}, ${from}, ${to}, ${filled})`
  if (gap.first_block < first) await add(gap.first_block, first - 1, false)
  if (gap.last_block > last) await add(last + 1, gap.last_block, false)
  if (!sumsChange) return true
  const joined = await sql`
    update trace_gaps set last_block = ${last}
    where chain = ${chain} and filled and last_block = ${first - 1}`
  if (joined.count === 0) await add(first, last, true)
  return true
}
