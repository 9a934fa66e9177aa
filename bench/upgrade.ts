import { type Database, openDatabase } from '../server/store/database.ts'
import { migrate } from '../server/store/schema/migrate.ts'
import { type Migration, migrations } from '../server/store/schema/migrations.ts'
import { type BenchPostgres, startBenchPostgres, withDatabase } from './support/postgres.ts'
import { say } from './support/paths.ts'
import { atMost, quantile, type Report } from './support/report.ts'
import { fillSyntheticRows, syntheticChain } from './rows/synthetic-rows.ts'

/** Migrations of a later version, made up: they extend the big tables, and fill new sums and totals for all rows. */
const later: readonly Migration[] = [
  { name: '9001-column', columns: { blocks: ['later_height bigint'] }, sql: '' },
  {
    name: '9002-sum',
    columns: { blocks: ['later_burned numeric not null default 0'] },
    sql: `
update blocks b set later_burned = sums.burned
from (
  select chain, number,
    sum(coalesce(base_fee, 0) * gas_used) over (partition by chain order by number) as burned
  from blocks) sums
where b.chain = sums.chain and b.number = sums.number and sums.burned > 0;
`,
  },
  {
    name: '9003-sums',
    columns: {
      blocks: [
        'later_priority numeric not null default 0',
        'later_gas_limit numeric not null default 0',
        'later_failed bigint not null default 0',
      ],
    },
    sql: `
update blocks b
set later_priority = sums.priority, later_gas_limit = sums.gas_limit, later_failed = sums.failed
from (
  select b.chain, b.number,
    sum(coalesce(paid.priority, 0)) over up_to as priority,
    sum(b.gas_limit) over up_to as gas_limit,
    (sum(coalesce(paid.failed, 0)) over up_to)::bigint as failed
  from blocks b
  left join (
    select t.chain, t.number,
      sum(greatest(t.gas_price - coalesce(h.base_fee, 0), 0) * t.gas_used) as priority,
      count(*) filter (where t.status = 0) as failed
    from transactions t join blocks h on h.chain = t.chain and h.number = t.number
    group by t.chain, t.number) paid on paid.chain = b.chain and paid.number = b.number
  window up_to as (partition by b.chain order by b.number)) sums
where b.chain = sums.chain and b.number = sums.number;
`,
  },
  {
    name: '9004-order',
    columns: { tokens: ['later_holders bigint not null default 0', 'later_block bigint not null default 0'] },
    sql: `
update tokens t set later_holders = last.holders, later_block = last.number
from tokens own
cross join lateral (
  select holders, number from token_blocks b
  where b.chain = own.chain and b.token = own.token and b.kind = own.kind
  order by b.number desc limit 1) last
where t.chain = own.chain and t.token = own.token and t.kind = own.kind;
create index tokens_later_holders on tokens (chain, later_holders, token, kind);
create index tokens_later_block on tokens (chain, later_block);
`,
  },
]

/** Milliseconds after which the API gives a statement up (`limits.statementMilliseconds`). */
const statementTimeout = 5_000

/**
 * Reads of a store, alone and while it is upgraded to a later version: two readers ask for lists, blocks and
 * transactions without a pause, as processes of the API do that still run.
 */
export async function runUpgradeBench(transactions: number): Promise<Report> {
  const postgres = await startBenchPostgres()
  try {
    const url = await makeStore(postgres, transactions)
    const alone = await readWhile(url, () => new Promise((resolve) => setTimeout(resolve, 10_000)))
    say('upgrading …')
    const during = await readWhile(url, () =>
      withDatabase(url, (sql) => migrate(sql, [...migrations, ...later])),
    )
    const figure = (name: string, part: number) => ({
      name: `reads, ${name}`,
      value: quantile(during.times, part),
      unit: 'ms',
      anchor: { name: 'before', value: quantile(alone.times, part) },
    })
    return {
      title: `Upgrade: ${transactions.toLocaleString('en')} transactions and their blocks, ${later.length} migrations`,
      figures: [
        { name: 'duration', value: during.seconds, unit: 's' },
        figure('p50', 0.5),
        figure('p99', 0.99),
        { ...figure('longest', 1), budget: atMost(statementTimeout) },
      ],
      notes: [
        `${during.times.length.toLocaleString('en')} reads of two readers during the upgrade, none of which failed. ` +
          'The upgrade, the readers and the database share the cores.',
      ],
    }
  } finally {
    await postgres.drop('upgrade')
    await postgres.stop()
  }
}

/** A store with the synthetic chain. */
async function makeStore(postgres: BenchPostgres, transactions: number): Promise<string> {
  const what = `${transactions.toLocaleString('en')} transactions`
  await postgres.filled(`rows_${transactions}`, what, (sql) => fillSyntheticRows(sql, transactions))
  await postgres.copy(`rows_${transactions}`, 'upgrade')
  const url = postgres.urlOf('upgrade')
  await withDatabase(url, (sql) => sql`vacuum analyze blocks`)
  return url
}

/** The milliseconds of each read while an action runs. Throws if one fails. */
async function readWhile(
  url: string,
  action: () => Promise<unknown>,
): Promise<{ times: number[]; seconds: number }> {
  const database = openDatabase(url, { max: 2, statementTimeout, applicationName: 'ridgeline bench' })
  const times: number[] = []
  const ended = new AbortController()
  const read = async (): Promise<void> => {
    for (let turn = 0; !ended.signal.aborted; turn += 1) {
      const began = performance.now()
      await reads[turn % reads.length]?.(database)
      times.push(performance.now() - began)
    }
  }
  try {
    const began = performance.now()
    const readers = Promise.all([read(), read()])
    await Promise.race([action(), readers])
    ended.abort()
    await readers
    return { times, seconds: (performance.now() - began) / 1000 }
  } finally {
    ended.abort()
    await database.end({ timeout: 5 })
  }
}

const reads: readonly ((sql: Database) => Promise<unknown>)[] = [
  (sql) =>
    sql`select number, hash, tx_count from blocks where chain = ${syntheticChain} order by number desc limit 25`,
  (sql) => sql`
    select hash, value from transactions where chain = ${syntheticChain} order by number desc, index desc limit 25`,
  (sql) => sql`
    select b.number, b.ts, t.hash from blocks b join transactions t using (chain, number)
    where b.chain = ${syntheticChain} and b.number = ${1 + Math.floor(Math.random() * 5_000)}`,
  (sql) => sql`select token from tokens where chain = ${syntheticChain} limit 25`,
]
