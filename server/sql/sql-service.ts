import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SqlFormat, SqlTable } from '../../contract/sql/sql.ts'
import type { Chain } from '../kernel/settings/chains.ts'
import type { NetworkConfig } from '../kernel/settings/config.ts'
import type { SqlConfig } from '../kernel/settings/sql.ts'
import type { Database } from '../store/database.ts'
import { snapshot } from '../store/snapshot.ts'
import { coverageFrom, readCoverage, type Coverage } from './coverage.ts'
import { EngineProcesses, runInProcess, type Answer } from './engine-child.ts'
import { httpError, JobFailure } from './failures.ts'
import { writeLiveRows, writeStoreRows } from './live-rows.ts'
import { LakeFiles } from './lake-files.ts'
import type { Job, Setup, TableLimit } from './messages.ts'
import { readNotKept } from './not-kept.ts'
import { csvSource } from './csv-source.ts'
import { Slots } from './slots.ts'
import { EventBook, liveTable } from './event-book.ts'
import type { EventSource, EventTable } from './events.ts'
import { readPrimaryCoverage } from './primary-coverage.ts'
import type { PrimaryTable } from './primary-defined.ts'
import { primaryStoredTables } from './primary-stored-tables.ts'
import { primaryTables } from './primary-tables.ts'
import { evmTables } from '../store/evm/columns.ts'
import { storeTables, type StoreSource, type StoreTable } from './store-tables.ts'
import {
  describedColumns,
  shownTables,
  sharedColumns,
  viewOf,
  type Column,
  type ShownTable,
} from './tables.ts'

/** One statement of a caller. */
type SqlRequest = {
  readonly sql: string
  readonly format: SqlFormat
  readonly rowLimit?: number | undefined
  readonly timeLimit?: number | undefined
  /** Whose slots it takes. */
  readonly caller: string
  /** Whether the caller has proved to be allowed: others have `publicLimits`. */
  readonly isTrusted: boolean
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
  /** The only blocks that the statement needs, of one chain from a height on: the tables may lack all others. */
  readonly needs?: { readonly chain: number; readonly from: number }
}

type SqlLimits = Pick<SqlConfig, 'seconds' | 'memoryMegabytes' | 'threads' | 'rows'>

type SqlServiceOptions = {
  readonly settings: SqlConfig
  /** The lake's root. It need not exist. */
  readonly lakeFolder: string
  /** The chains and networks whose rows are shown. */
  readonly chains: readonly Chain[]
  readonly networks: readonly NetworkConfig[]
  /** The operator's ABIs, whose events become tables. */
  readonly abis: readonly EventSource[]
  readonly database: () => Database
}

/** The tables that have no rows in the lake. */
const allStored = [...primaryStoredTables, ...storeTables]

/** Milliseconds that PostgreSQL gets for the rows of one table. */
const liveMilliseconds = 60_000

/** Runs statements over the lake and the newest rows of the store (docs/sql.md). */
export class SqlService {
  readonly #options: SqlServiceOptions
  readonly #slots: Slots
  readonly #publicSlots: Slots
  readonly #processes = new EngineProcesses()
  readonly #events: EventBook

  constructor(options: SqlServiceOptions) {
    this.#options = options
    this.#events = new EventBook(
      options.abis,
      options.chains.map(({ key }) => key),
      [
        ...shownTables,
        ...primaryTables.flatMap(({ name, also }) => [name, also?.name ?? name]),
        ...allStored.map(({ name }) => name),
      ],
    )
    this.#slots = new Slots(options.settings)
    this.#publicSlots = new Slots(options.settings.publicLimits)
  }

  /** The tables that statements may name. */
  async tables(): Promise<SqlTable[]> {
    return describe(await this.#events.tables(this.#options.database()))
  }

  /** The limits of a caller. */
  limits(isTrusted: boolean): SqlLimits {
    const { seconds, memoryMegabytes, threads, rows, publicLimits: own } = this.#options.settings
    if (isTrusted) return { seconds, memoryMegabytes, threads, rows }
    return {
      seconds: Math.min(seconds, own.seconds),
      memoryMegabytes: Math.min(memoryMegabytes, own.memoryMegabytes),
      threads: Math.min(threads, own.threads),
      rows: Math.min(rows, own.rows),
    }
  }

  /** Takes a slot of all callers, and one of those without a proof. */
  #take({ caller, isTrusted }: SqlRequest): () => void {
    const release = this.#slots.take(caller)
    if (isTrusted) return release
    try {
      const releasePublic = this.#publicSlots.take(caller)
      return () => {
        releasePublic()
        release()
      }
    } catch (error) {
      release()
      throw error
    }
  }

  /** How the lake and the store share each chain's blocks. */
  async coverages(): Promise<Coverage[]> {
    return snapshot(this.#options.database(), (sql) => this.#coverages(sql))
  }

  /**
   * Starts a statement; resolves once its answer begins. Throws an HttpError: 400 for a statement that can't be run,
   * 422 for one that exceeds a limit, 429 and 503 without a free slot.
   */
  async run(request: SqlRequest): Promise<Answer & Pick<Setup, 'notKept'>> {
    const release = this.#take(request)
    let scratch: string | undefined
    const ended = (): void => {
      release()
      if (scratch !== undefined) void rm(scratch, { recursive: true, force: true }).catch(() => undefined)
    }
    let decoded: ReadonlyMap<string, EventTable>
    try {
      decoded = await this.#events.tables(this.#options.database())
      scratch = await mkdtemp(join(tmpdir(), 'ridgeline-sql-'))
    } catch (error) {
      ended()
      throw error
    }
    const limits = this.limits(request.isTrusted)
    const job: Job = {
      sql: request.sql,
      format: request.format,
      ...limits,
      rows: Math.min(request.rowLimit ?? limits.rows, limits.rows),
      seconds: Math.min(request.timeLimit ?? limits.seconds, limits.seconds),
      known: describe(decoded).map(({ name }) => name),
      scratch,
    }
    let notKept: Setup['notKept'] = []
    try {
      const answer = await runInProcess(this.#processes.take(), job, {
        prepare: async (tables) => {
          const setup = await this.#prepare(new Set(tables), decoded, job.scratch, request.needs)
          notKept = setup.notKept
          return setup
        },
        signal: request.signal,
        ended,
      })
      return { ...answer, notKept }
    } catch (error) {
      throw error instanceof JobFailure ? httpError(error) : error
    } finally {
      this.#processes.prepare()
    }
  }

  close(): void {
    this.#processes.close()
  }

  #coverages(sql: Parameters<typeof readCoverage>[0]): Promise<Coverage[]> {
    const { lakeFolder, chains } = this.#options
    return Promise.all(chains.map(({ key }) => readCoverage(sql, lakeFolder, Number(key))))
  }

  /** Writes the rows of the store, all as of one moment, and says how the engine makes its tables. */
  async #prepare(
    named: ReadonlySet<string>,
    decoded: ReadonlyMap<string, EventTable>,
    scratch: string,
    needs: SqlRequest['needs'],
  ): Promise<Setup> {
    if (named.size === 0) return { statements: [], limits: [], files: [], notKept: [] }
    const { settings, lakeFolder, chains, networks } = this.#options
    const events = [...named].flatMap((name) => decoded.get(name) ?? [])
    const evm = shownTables.filter((name) => named.has(name) || (name === 'logs' && events.length > 0))
    const lake = new LakeFiles(lakeFolder)
    const limits: TableLimit[] = []
    const limit = (name: string, table: string): void => {
      limits.push(limitOf(name, table, settings.liveRows))
    }
    let coverages: readonly Coverage[] = []
    const statements = await snapshot(this.#options.database(), async (sql) => {
      await sql`select set_config('statement_timeout', ${String(liveMilliseconds)}, true)`
      const all = await this.#coverages(sql)
      coverages = needs ? all.flatMap((each) => coverageFrom(each, needs)) : all
      const made: string[] = []
      for (const table of evm) {
        const file = join(scratch, `${table}.csv`)
        await writeLiveRows(sql, table, coverages, file, settings.liveRows)
        const columns = [{ name: 'chain', type: 'BIGINT' }, ...sharedColumns(table)]
        made.push(
          ...loadStatements(liveTable(table), columns, file),
          viewOf(table, lakeSources(table, coverages, lake), liveTable(table)),
        )
        limit(table, liveTable(table))
      }
      const primary = primaryTables.filter(({ name }) => named.has(name))
      const stored = allStored.filter(({ name }) => named.has(name))
      const isPrimary = primary.length > 0 || primaryStoredTables.some((table) => stored.includes(table))
      const coverage = isPrimary ? await readPrimaryCoverage(sql, lakeFolder, networks, lake) : []
      const source = { sql, chains, primary: coverage }
      const max = settings.liveRows
      for (const table of primary) {
        made.push(...(await preparePrimary(table, source, scratch, max)))
        limit(table.name, liveTable(table.name))
        if (table.also) limit(table.name, table.also.name)
      }
      for (const table of stored) {
        made.push(...(await prepareStored(table, source, scratch, max)))
        limit(table.name, table.name)
      }
      const prepared = await this.#events.prepare(sql, events, scratch, max)
      limits.push(...prepared.limits)
      made.push(...prepared.statements)
      return made
    })
    const notKept = await readNotKept(this.#options.database(), chains, coverages, evm)
    return { statements, limits, files: lake.paths, notKept }
  }
}

/** The tables that statements may name, with those of events. */
function describe(decoded: ReadonlyMap<string, EventTable>): SqlTable[] {
  const evm = shownTables.map((name) => ({
    name,
    group: 'EVM chains',
    description: evmTables[name].description,
    columns: describedColumns(name),
  }))
  const events = [...decoded.values()].map(({ name, description, columns }) => ({
    name,
    group: 'Decoded events',
    description,
    columns: [...columns],
  }))
  const store = [...primaryTables, ...allStored].map(({ name, group, description, columns }) => ({
    name,
    group,
    description,
    columns: [...columns],
  }))
  return [...evm, ...events, ...store]
}

/** Makes the table of a table's rows in the store, which may have another name. */
async function prepareStored(
  table: StoreTable,
  source: StoreSource,
  scratch: string,
  max: number,
  name = table.name,
): Promise<string[]> {
  const file = join(scratch, `${name}.csv`)
  await writeStoreRows(table, source, file, max)
  return loadStatements(name, table.columns, file)
}

/** Joins what the lake and the store have of a table of the primary network. */
async function preparePrimary(
  table: PrimaryTable,
  source: StoreSource,
  scratch: string,
  max: number,
): Promise<string[]> {
  const { name, also } = table
  const sealed = source.primary.flatMap((coverage) => table.sealed(coverage) ?? [])
  const live = liveTable(name)
  const view = [`select * from ${live}`, ...sealed].join(' union all ')
  return [
    ...(also ? await prepareStored(also, source, scratch, max) : []),
    ...(await prepareStored(table, source, scratch, max, live)),
    `create view ${name} as ${view}`,
  ]
}

/** Makes a table of the rows of a file. */
function loadStatements(table: string, columns: readonly Column[], file: string): string[] {
  return [`create table ${table} as select * from ${csvSource(file, columns)}`]
}

/** The most rows of a table of the store, and what to do about more. */
function limitOf(name: string, table: string, max: number): TableLimit {
  const complaint =
    `the store has more than ${max} rows of ${name} that the lake does not have: ` +
    'seal them (docs/sql.md), or raise sql.liveRows'
  return { table, max, complaint }
}

function lakeSources(
  table: ShownTable,
  coverages: readonly Coverage[],
  lake: LakeFiles,
): { chain: number; from: string }[] {
  return coverages.flatMap(({ chain, sealed }) =>
    sealed.length === 0 ? [] : [{ chain, from: lake.read(chain, table, sealed) }],
  )
}
