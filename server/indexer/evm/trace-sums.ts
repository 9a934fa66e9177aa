import type { Database } from '../../store/database.ts'
import { lockChain } from '../../store/session.ts'

/**
 * Blocks whose sums are computed in one transaction: few, because the indexing of new blocks waits for it.
 */
const defaultBatch = 2_000

/**
 * Recomputes the prefix sums of contracts and deployers from the lowest filled range up to the head, if there
 * is a filled range. The sums are a function of the stored creations, so any part can be computed from the
 * row below it. The progress is stored in `chains.trace_sums_from` and committed with the rows, so an
 * interrupted run resumes. Returns whether anything was computed.
 */
export async function sumTraces(
  database: Database,
  chain: number,
  signal: AbortSignal,
  batch = defaultBatch,
): Promise<boolean> {
  const begun = await database`
    update chains c set trace_sums_from = coalesce(trace_sums_from, filled.first_block)
    from (select min(first_block) as first_block from trace_gaps where chain = ${chain} and filled) filled
    where c.chain = ${chain} and coalesce(trace_sums_from, filled.first_block) is not null`
  if (begun.count === 0) return false
  while (!signal.aborted && (await sumBatch(database, chain, batch)));
  return true
}

/** Computes the sums of the next batch; returns false at the head. */
async function sumBatch(database: Database, chain: number, batch: number): Promise<boolean> {
  return database.begin(async (sql) => {
    await lockChain(sql, chain)
    const [row] = await sql<{ first: bigint | null; head: bigint | null }[]>`
      select trace_sums_from as first, (select max(number) from blocks where chain = ${chain}) as head
      from chains where chain = ${chain}`
    // A reorg or rewind below the range ends it: no remaining block lacks the sums.
    if (row?.first == null || row.head === null) return false
    const first = Number(row.first)
    const head = Number(row.head)
    const last = Math.min(head, first + batch - 1)
    // Materialized, so that each part is computed once; inlined, it would be computed again for every block.
    await sql`
      with base as materialized (
        select cum_contracts, cum_deployers, cum_day_deployers
        from blocks where chain = ${chain} and number = ${first - 1}),
      span as materialized (select number, ts from blocks where chain = ${chain} and number between ${first} and ${last}),
      made as materialized (
        select number, count(*) as contracts from contracts
        where chain = ${chain} and number between ${first} and ${last} group by number),
      deployed as materialized (
        select distinct c.number, c.deployer, span.ts from contracts c join span on span.number = c.number
        where c.chain = ${chain} and c.deployer <> ${Buffer.alloc(20)}),
      fresh as materialized (
        select d.number,
          count(*) filter (where not exists (
            select from contracts e
            where e.chain = ${chain} and e.deployer = d.deployer and e.number < d.number)) as ever,
          count(*) filter (where not exists (
            select from contracts e
            where e.chain = ${chain} and e.deployer = d.deployer and e.number < d.number and e.number >= (
              select number from blocks where chain = ${chain} and ts >= d.ts - d.ts % 86400
              order by ts, number limit 1))) as today
        from deployed d group by d.number),
      sums as materialized (
        select span.number,
          coalesce((select cum_contracts from base), 0)
            + (sum(coalesce(made.contracts, 0)) over up_to)::bigint as contracts,
          coalesce((select cum_deployers from base), 0)
            + (sum(coalesce(fresh.ever, 0)) over up_to)::bigint as deployers,
          coalesce((select cum_day_deployers from base), 0)
            + (sum(coalesce(fresh.today, 0)) over up_to)::bigint as day_deployers
        from span left join made using (number) left join fresh using (number)
        window up_to as (order by span.number))
      update blocks b
      set cum_contracts = sums.contracts, cum_deployers = sums.deployers, cum_day_deployers = sums.day_deployers
      from sums
      where b.chain = ${chain} and b.number between ${first} and ${last} and b.number = sums.number
        and (b.cum_contracts, b.cum_deployers, b.cum_day_deployers)
          is distinct from (sums.contracts, sums.deployers, sums.day_deployers)`
    await sql`delete from trace_gaps where chain = ${chain} and filled and last_block <= ${last}`
    await sql`
      update trace_gaps set first_block = ${last + 1}
      where chain = ${chain} and filled and first_block <= ${last}`
    await sql`update chains set trace_sums_from = ${last < head ? last + 1 : null} where chain = ${chain}`
    return last < head
  })
}
