import type { Database } from '../store/database.ts'
import { lastBlock, lastIndex } from '../store/read.ts'
import { readBlocks } from '../store/evm/read-blocks.ts'
import { readTransactions } from '../store/evm/read-transactions.ts'
import { checkAddressPartitions } from './address-partitions.ts'
import type { Findings } from './findings.ts'

/**
 * Checks the tables of one chain against each other: I1 to I4 and I7 of docs/indexer.md, without the node.
 */
export async function checkInvariants(database: Database, chain: bigint, findings: Findings): Promise<void> {
  await checkLinks(database, chain, findings)
  await checkCounts(database, chain, findings)
  await checkOrphans(database, chain, findings)
  await checkCursor(database, chain, findings)
  await checkPages(database, chain, findings)
  await checkAddressPartitions(database, chain, findings)
}

async function checkLinks(database: Database, chain: bigint, findings: Findings): Promise<void> {
  const unnamed = Buffer.alloc(32)
  const rows = await database<{ number: bigint; why: string }[]>`
    select number, case when number <> last + 1 then 'does not follow ' || last
      when ts < last_ts then 'is older than its parent' else 'has another parent' end as why
    from (
      select number, ts, parent_hash, lag(number) over w as last, lag(hash) over w as last_hash, lag(ts) over w as last_ts
      from blocks where chain = ${chain} window w as (order by number)) linked
    where number <> last + 1 or (parent_hash <> last_hash and parent_hash <> ${unnamed}) or ts < last_ts limit 20`
  for (const { number, why } of rows) findings.add('I1', `block ${number} ${why}`)
  const hashes = await database<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from blocks where chain = ${chain} group by hash having count(*) > 1 limit 20`
  for (const { hash } of hashes) findings.add('I1', `block hash ${hash} is there twice`)
}

async function checkCounts(database: Database, chain: bigint, findings: Findings): Promise<void> {
  const rows = await database<{ number: bigint; why: string }[]>`
    select b.number, concat_ws(', ',
        case when b.tx_count <> coalesce(t.rows, 0) then 'transactions: ' || b.tx_count || ' in the header, ' || coalesce(t.rows, 0) || ' rows' end,
        case when coalesce(t.last, -1) <> b.tx_count - 1 then 'transactions: indexes have gaps' end,
        case when b.fees <> coalesce(t.fees, 0) then 'fees differ' end,
        case when kept and b.log_count <> coalesce(l.rows, 0) then 'logs: ' || b.log_count || ' in the header, ' || coalesce(l.rows, 0) || ' rows' end,
        case when kept and coalesce(l.last, -1) <> b.log_count - 1 then 'logs: indexes have gaps' end) as why
    from blocks b
    cross join lateral (
      select (b.number < (select logs_from from chains where chain = ${chain})) is not true as kept) logs_of
    left join (select number, count(*) as rows, max(index) as last, sum(gas_used * gas_price) as fees
      from transactions where chain = ${chain} group by number) t on t.number = b.number
    left join (select number, count(*) as rows, max(index) as last
      from logs where chain = ${chain} group by number) l on l.number = b.number
    where b.chain = ${chain}
      and (b.tx_count <> coalesce(t.rows, 0) or coalesce(t.last, -1) <> b.tx_count - 1
        or b.fees <> coalesce(t.fees, 0)
        or (kept and (b.log_count <> coalesce(l.rows, 0) or coalesce(l.last, -1) <> b.log_count - 1)))
    limit 20`
  for (const { number, why } of rows) findings.add('I2', `block ${number}: ${why}`)
  const logs = await database<{ number: bigint; index: number }[]>`
    select l.number, l.index from logs l
    where l.chain = ${chain} and not exists (
      select from transactions t where t.chain = ${chain} and t.number = l.number and t.index = l.tx_index) limit 20`
  for (const { number, index } of logs)
    findings.add('I2', `block ${number}: log ${index} belongs to no transaction`)
}

async function checkOrphans(database: Database, chain: bigint, findings: Findings): Promise<void> {
  for (const table of ['transactions', 'logs', 'calls', 'contracts', 'balances', 'token_blocks'] as const) {
    const rows = await database<{ number: bigint }[]>`
      select distinct number from ${database(table)} c
      where chain = ${chain} and not exists (
        select from blocks b where b.chain = ${chain} and b.number = c.number) limit 20`
    for (const { number } of rows) findings.add('I3', `${table}: rows of block ${number}, which is not there`)
  }
  for (const table of ['seen', 'tokens', 'nfts'] as const) {
    const [lost] = await database<{ rows: bigint }[]>`
      select count(*) as rows from ${database(table)} r where chain = ${chain} and not exists (
        select from blocks b where b.chain = ${chain} and b.number = r.first_block)`
    if ((lost?.rows ?? 0n) > 0n)
      findings.add('I3', `${table}: ${lost?.rows} rows of blocks that are not there`)
  }
}

async function checkCursor(database: Database, chain: bigint, findings: Findings): Promise<void> {
  const [row] = await database<
    { start_block: bigint; finalized: bigint | null; low: bigint | null; high: bigint | null }[]
  >`
    select c.start_block, c.finalized_block as finalized,
      (select min(number) from blocks where chain = ${chain}) as low,
      (select max(number) from blocks where chain = ${chain}) as high
    from chains c where c.chain = ${chain}`
  if (!row) return findings.add('I4', 'the chain has no row')
  if (row.low === null || row.high === null) return
  if (row.low !== row.start_block) findings.add('I4', `the first block is ${row.low}, not ${row.start_block}`)
  if (row.finalized !== null && row.finalized > row.high) {
    findings.add('I4', `block ${row.finalized} is final, but the highest is ${row.high}`)
  }
}

/** Reads the lists page by page like the API: in both directions, with the largest page size. */
async function checkPages(database: Database, chain: bigint, findings: Findings): Promise<void> {
  const all = { from: 0n, before: lastBlock }
  const [counts] = await database<{ blocks: bigint; transactions: bigint }[]>`
    select (select count(*) from blocks where chain = ${chain}) as blocks,
      (select count(*) from transactions where chain = ${chain}) as transactions`
  const size = 100
  let range = all
  let blocks = 0n
  let previous: bigint | undefined
  for (;;) {
    const page = await readBlocks(database, chain, range, 'desc', size)
    for (const { number } of page) {
      if (previous !== undefined && number >= previous)
        findings.add('I7', `block ${number} comes after ${previous}`)
      previous = number
      blocks += 1n
    }
    if (page.length < size || previous === undefined) break
    range = { from: 0n, before: previous }
  }
  if (blocks !== counts?.blocks) findings.add('I7', `a walk met ${blocks} of ${counts?.blocks} blocks`)
  for (const order of ['asc', 'desc'] as const) {
    let past = order === 'asc' ? { number: -1n, index: lastIndex } : { number: lastBlock, index: lastIndex }
    let met = 0n
    for (;;) {
      const page = await readTransactions(database, chain, all, order, past, size)
      met += BigInt(page.length)
      past = page.at(-1) ?? past
      if (page.length < size) break
    }
    if (met !== counts?.transactions) {
      findings.add('I7', `a walk (${order}) met ${met} of ${counts?.transactions} transactions`)
    }
  }
}
