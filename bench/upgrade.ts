import { type Database, openDatabase } from '../server/store/database.ts'
import { migrate } from '../server/store/migrate.ts'
import { migrations } from '../server/store/migrations/list.ts'
import { type BenchPostgres, startBenchPostgres, withDatabase } from './support/postgres.ts'
import { say } from './support/paths.ts'
import { atMost, quantile, type Report } from './support/report.ts'
import { fillSyntheticRows, syntheticChain } from './rows/synthetic-rows.ts'

/** Migrations that rewrite or extend the big tables, and that can be taken back by dropping their columns. */
const undone = ['0010-settled-blocks', '0014-burned-fees', '0016-fill-and-failures', '0018-token-order']

/** Milliseconds after which the API gives a statement up (`limits.statementMilliseconds`). */
const statementTimeout = 5_000

/**
 * Reads of a store of an earlier version, alone and while it is upgraded: two readers ask for lists, blocks and
 * transactions without a pause, as processes of the API do that still run.
 */
export async function runUpgradeBench(transactions: number): Promise<Report> {
  const postgres = await startBenchPostgres()
  try {
    const url = await makeOld(postgres, transactions)
    const alone = await readWhile(url, () => new Promise((resolve) => setTimeout(resolve, 10_000)))
    say('upgrading …')
    const during = await readWhile(url, () => withDatabase(url, migrate))
    const figure = (name: string, part: number) => ({
      name: `reads, ${name}`,
      value: quantile(during.times, part),
      unit: 'ms',
      anchor: { name: 'before', value: quantile(alone.times, part) },
    })
    return {
      title: `Upgrade: ${transactions.toLocaleString('en')} transactions and their blocks, ${undone.length} migrations`,
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

/** A store with the synthetic chain, as the version before the undone migrations had it. */
async function makeOld(postgres: BenchPostgres, transactions: number): Promise<string> {
  const what = `${transactions.toLocaleString('en')} transactions`
  await postgres.filled(`rows_${transactions}`, what, (sql) => fillSyntheticRows(sql, transactions))
  await postgres.copy(`rows_${transactions}`, 'upgrade')
  const url = postgres.urlOf('upgrade')
  await withDatabase(url, async (sql) => {
    for (const { name, columns = {} } of migrations.filter((each) => undone.includes(each.name))) {
      for (const [table, definitions] of Object.entries(columns))
        await sql.unsafe(
          `alter table ${table} ${definitions.map((each) => `drop column ${each.split(' ', 1)[0]}`).join(', ')}`,
        )
      await sql`delete from migrations where name = ${name}`
    }
    await sql`vacuum analyze blocks`
  })
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
