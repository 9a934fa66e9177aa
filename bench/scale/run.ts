import { readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { loadavg } from 'node:os'
import { openEngine, type LakeEngine } from '../../server/lake/engine.ts'
import type { Manifest } from '../../server/lake/manifest.ts'
import { lakeTableNames, type LakeTable } from '../../server/lake/tables.ts'
import type { Database } from '../../server/store/database.ts'
import { lakeArgs, run } from '../support/lake-program.ts'
import { measureScaleLists } from './lists.ts'
import { cacheFolder, say } from '../support/paths.ts'
import { type BenchPostgres, startBenchPostgres, withDatabase } from '../support/postgres.ts'
import { type Figure, formatNumber, type Report } from '../support/report.ts'
import { writeScaleRange } from './lake.ts'
import { scaleChain, transactionsPerBlock, transactionsUpTo } from './rows.ts'
import { tenthsOf, watchCopies } from './copy-progress.ts'
import { childrenOf, cpuSecondsOf, syntheticChainConfig, withApi } from '../support/service.ts'

const servicePort = 18_819
const ranges = 20
/** Transactions of a range: enough to measure the ordinary load of one. */
const maxPerRange = 40_000
/** Disk for each transaction: its rows with their indexes, the lake, and what the load writes meanwhile. */
const bytesPerTransaction = 7_000
const spareBytes = 4e9
/** The rate at the end of a chain whose indexes exceed memory, beside that at its beginning. */
const budget = { of: 'ratio', bound: 'at least', limit: 0.6 } as const

/**
 * All memory that PostgreSQL has for the tables is its buffers, 128 MB as in the service: with direct I/O it leaves the
 * system's page cache out.
 */
const settings = { debug_io_direct: 'data', track_io_timing: 'on' }

/**
 * Generates a lake of a synthetic chain, loads it with the built program, and reads every list of the chain from the
 * built service. The chain's indexes are many times larger than the memory that PostgreSQL has for them.
 */
export async function runScaleBench(transactions: number): Promise<Report> {
  const home = cacheFolder('scale')
  const { bavail, bsize } = statfsSync(home)
  const needed = transactions * bytesPerTransaction + spareBytes
  if (bavail * bsize < needed)
    throw new Error(`${gigabytes(needed)} of free disk are needed for ${transactions} transactions`)
  rmSync(home, { recursive: true, force: true })
  const engine = await openEngine(cacheFolder('scale/spill'), { threads: 2 })
  const postgres = await startBenchPostgres('scale/home', settings)
  const dataFolder = await withDatabase(postgres.urlOf('postgres'), async (sql) => {
    const [row] = await sql<{ folder: string }[]>`select current_setting('data_directory') as folder`
    if (!row) throw new Error('the server does not say where its data are')
    return row.folder
  })
  try {
    return await new Scale(transactions, engine, postgres, join(dataFolder, 'postmaster.pid')).run()
  } finally {
    engine.close()
    await postgres.stop()
    rmSync(dataFolder, { recursive: true, force: true })
    rmSync(home, { recursive: true, force: true })
  }
}

const gigabytes = (bytes: number): string => `${formatNumber(bytes / 1e9)} GB`

/** Rows or transactions a second, and the CPU seconds of a million of them. */
type Rate = { readonly rate: number; readonly cpuSeconds: number }

class Scale {
  readonly #engine: LakeEngine
  readonly #postgres: BenchPostgres
  readonly #root = join(cacheFolder('scale'), 'lake')
  readonly #blocksPerRange: number
  readonly #ranges: number
  readonly #manifests: Manifest[] = []
  readonly #notes: string[] = []
  readonly #pidFile: string
  #generating = 0

  constructor(transactions: number, engine: LakeEngine, postgres: BenchPostgres, pidFile: string) {
    this.#pidFile = pidFile
    this.#engine = engine
    this.#postgres = postgres
    const perRange = Math.min(Math.ceil(transactions / ranges), maxPerRange)
    this.#blocksPerRange = Math.ceil(perRange / transactionsPerBlock)
    this.#ranges = Math.ceil(transactions / perRange)
  }

  async run(): Promise<Report> {
    const figures: Figure[] = []
    // A run that was killed may have left them.
    for (const name of ['beginning', 'tenth', 'chain']) await this.#postgres.drop(name)
    // The ordinary way recomputes hashes, so the two ranges that it loads have them.
    await this.#write(1, true)
    const beginning = await this.#ordinary('beginning', 0)
    await this.#postgres.drop('beginning')

    await this.#write(Math.max(2, Math.floor(this.#ranges / 10)), false)
    const tenth = await this.#bulk('tenth')
    await this.#postgres.drop('tenth')
    await this.#write(this.#ranges, false)
    const whole = await this.#bulk('chain')
    const anchor = { name: 'a tenth of the chain', value: tenth.rate }
    figures.push(
      { name: 'bulk: rows', value: whole.rate, unit: '/s', anchor, budget },
      {
        name: 'bulk: CPU of program and database, a million rows',
        value: whole.cpuSeconds,
        unit: 's',
        anchor: { name: anchor.name, value: tenth.cpuSeconds },
      },
      ...whole.tenths.map((value, at) => ({
        name: `bulk, ${at + 1}. tenth of the rows`,
        value,
        unit: '/s',
        anchor: { name: 'first tenth', value: whole.tenths[0] ?? 0 },
      })),
    )

    await this.#write(this.#ranges + 1, true)
    const end = await this.#ordinary('chain', this.#ranges)
    figures.push(
      {
        name: 'ordinary way at the end: transactions',
        value: end.rate,
        unit: '/s',
        anchor: { name: 'at the beginning', value: beginning.rate },
        budget,
      },
      {
        name: 'ordinary way at the end: CPU of both, a million transactions',
        value: end.cpuSeconds,
        unit: 's',
        anchor: { name: 'at the beginning', value: beginning.cpuSeconds },
      },
    )

    const databaseUrl = this.#postgres.urlOf('chain')
    figures.push(...(await withDatabase(databaseUrl, (sql) => this.#sizes(sql))))
    const head = this.#manifests.at(-1)?.to ?? 0
    const config = { chains: [syntheticChainConfig(scaleChain)] }
    const lists = await withApi(
      { name: 'scale-lists', port: servicePort, databaseUrl, config },
      async (service) => measureScaleLists(service, databaseUrl, head),
    )
    return {
      title: `A chain of ${formatNumber(transactionsUpTo(head))} transactions in a store with 128 MB of memory`,
      figures: [...figures, ...lists],
      notes: [...this.#notes, `Load of the machine at the end: ${loadavg().map(formatNumber).join(', ')}.`],
    }
  }

  /** Writes ranges until there are `count`. */
  async #write(count: number, hashed: boolean): Promise<void> {
    const began = performance.now()
    while (this.#manifests.length < count) {
      const from = this.#manifests.length * this.#blocksPerRange
      const before = this.#manifests.at(-1)
      const options = { engine: this.#engine, before, hashed }
      this.#manifests.push(
        await writeScaleRange(this.#root, { from, to: from + this.#blocksPerRange - 1 }, options),
      )
      say(`range ${this.#manifests.length} of ${this.#ranges + 1} is written`)
    }
    this.#generating += performance.now() - began
  }

  /** The ordinary load of the range that the store `name` lacks, in transactions. */
  async #ordinary(name: string, range: number): Promise<Rate> {
    say(`the ordinary way, blocks ${this.#manifests[range]?.from} to ${this.#manifests[range]?.to} …`)
    const before = await this.#blockAccess()
    const readBefore = await this.#readsByRelation(name)
    const { seconds, cpuSeconds } = await this.#load(name)
    const after = await this.#blockAccess()
    const max = [...(await this.#readsByRelation(name))]
      .map(([relation, reads]) => ({ relation, reads: reads - (readBefore.get(relation) ?? 0) }))
      .filter(({ reads }) => reads > 0)
      .toSorted((one, other) => other.reads - one.reads)
    const count = this.#manifests[range]?.files.transactions.rows ?? 0
    const each = (field: 'reads' | 'writes') => ((after[field] - before[field]) / count).toFixed(1)
    this.#notes.push(
      `The ordinary way, ${name}: ${count} transactions in ${seconds.toFixed(1)} s, each with ${each('reads')} reads and ${each('writes')} writes of the disk, for which the database waited ${(after.seconds - before.seconds).toFixed(1)} s. Most reads: ${max
        .slice(0, 8)
        .map(({ relation, reads }) => `${relation} ${(reads / count).toFixed(1)}`)
        .join(', ')}.`,
    )
    return { rate: count / seconds, cpuSeconds: (cpuSeconds / count) * 1e6 }
  }

  /** Blocks that connections have read and written so far because they were not, or had no place, in memory. */
  async #blockAccess(): Promise<{ reads: number; writes: number; seconds: number }> {
    return withDatabase(this.#postgres.urlOf('postgres'), async (sql) => {
      const [row] = await sql<{ reads: number; writes: number; seconds: number }[]>`
        select sum(reads)::float8 as reads, sum(writes)::float8 as writes,
          (sum(read_time) + sum(write_time)) / 1000 as seconds
        from pg_stat_io where backend_type = 'client backend' and object = 'relation'`
      if (!row) throw new Error('the server has no statistics of its blocks')
      return row
    })
  }

  /** Blocks that were read so far of each index, and of the rows of each table. */
  async #readsByRelation(name: string): Promise<ReadonlyMap<string, number>> {
    if (!(await this.#postgres.has(name))) return new Map()
    const rows = await withDatabase(
      this.#postgres.urlOf(name),
      (sql) => sql<{ relation: string; reads: number }[]>`
        select indexrelname as relation, idx_blks_read::float8 as reads from pg_statio_user_indexes
        union all select relname || ' (rows)', heap_blks_read::float8 from pg_statio_user_tables`,
    )
    return new Map(rows.map(({ relation, reads }) => [relation, reads]))
  }

  async #bulk(name: string): Promise<Rate & { tenths: number[] }> {
    say(`bulk load of ${this.#manifests.length} ranges …`)
    const { loaded, samples } = await watchCopies(
      this.#postgres.urlOf('postgres'),
      this.#load(name, '--bulk'),
    )
    const rows = await withDatabase(this.#postgres.urlOf(name), writtenRows)
    const { seconds, cpuSeconds } = loaded
    const parts = [...loaded.output.matchAll(/^(.+: [\d.]+ s)$/gm)].map(([, part]) => part)
    this.#notes.push(
      `Bulk, ${name}: ${formatNumber(rows)} rows in ${seconds.toFixed(1)} s; ${parts.join(', ')}.`,
    )
    return { rate: rows / seconds, cpuSeconds: (cpuSeconds / rows) * 1e6, tenths: tenthsOf(samples, seconds) }
  }

  async #load(name: string, ...flags: readonly string[]) {
    if (!(await this.#postgres.has(name))) await this.#postgres.create(name)
    const output = join(cacheFolder('scale'), 'load.log')
    const args = lakeArgs('load', '--root', this.#root, '--chain', `${scaleChain}`, ...flags)
    const env = { DATABASE_URL: this.#postgres.urlOf(name), RIDGELINE_HOME: cacheFolder('scale/scratch') }
    const before = serverCpuSeconds(this.#pidFile)
    const { seconds, cpuSeconds } = await run(args, env, output)
    const ofServer = serverCpuSeconds(this.#pidFile) - before
    return { seconds, cpuSeconds: cpuSeconds + ofServer, output: readFileSync(output, 'utf8') }
  }

  /** Sizes on disk, and what the lake takes. */
  async #sizes(sql: Database): Promise<Figure[]> {
    await sql`analyze`
    const [row] = await sql<{ tables: number; indexes: number; memory: number }[]>`
      select sum(pg_table_size(oid))::float8 as tables, sum(pg_indexes_size(oid))::float8 as indexes,
        (select setting::float8 * 8192 from pg_settings where name = 'shared_buffers') as memory
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
    if (!row) throw new Error('the store has no tables')
    const largest = await sql<{ name: string; tables: number; indexes: number }[]>`
      select relname as name, pg_table_size(oid)::float8 as tables, pg_indexes_size(oid)::float8 as indexes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      order by pg_total_relation_size(oid) desc limit 10`
    const count = transactionsUpTo(this.#manifests.at(-1)?.to ?? 0)
    const ofTable = (table: LakeTable, field: 'rows' | 'bytes') =>
      this.#manifests.reduce((sum, { files }) => sum + files[table][field], 0)
    const lakeBytes = lakeTableNames.reduce((sum, table) => sum + ofTable(table, 'bytes'), 0)
    this.#notes.push(
      `Tables with their indexes, MB: ${largest.map(({ name, tables, indexes }) => `${name} ${formatNumber(tables / 1e6)} and ${formatNumber(indexes / 1e6)}`).join(', ')}.`,
      `The lake, bytes a row: ${lakeTableNames
        .filter((table) => ofTable(table, 'rows') > 0)
        .map((table) => `${table} ${formatNumber(ofTable(table, 'bytes') / ofTable(table, 'rows'))}`)
        .join(', ')}. It was written in ${Math.round(this.#generating / 1_000)} s.`,
    )
    const memory = { name: 'memory', value: row.memory / 1e6 }
    return [
      { name: 'indexes', value: row.indexes / 1e6, unit: 'MB', anchor: memory },
      { name: 'tables', value: row.tables / 1e6, unit: 'MB', anchor: memory },
      { name: 'the store: bytes per transaction', value: (row.tables + row.indexes) / count, unit: 'B' },
      { name: 'the lake: bytes per transaction', value: lakeBytes / count, unit: 'B' },
    ]
  }
}

/** Rows that were written to a database since it was created. */
async function writtenRows(sql: Database): Promise<number> {
  const [row] = await sql<{ rows: number }[]>`select sum(n_tup_ins)::float8 as rows from pg_stat_user_tables`
  return row?.rows ?? 0
}

/** CPU seconds of a server so far: of its first process, of the others that live, and of those that ended. */
function serverCpuSeconds(pidFile: string): number {
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  return childrenOf(pid).reduce((sum, child) => sum + child.cpuSeconds, cpuSecondsOf(pid, { ended: true }))
}
