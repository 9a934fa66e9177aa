import { createReadStream, statSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Writable } from 'node:stream'
import {
  DuckDBInstance,
  StatementType,
  type DuckDBConnection,
  type DuckDBPreparedStatement,
} from '@duckdb/node-api'
import { csvFormat, jsonFormat, type Ending, type RowFormat } from './formats.ts'
import { JobFailure, messageFor, tooLarge, tooSlow } from './failures.ts'
import type { Job, Setup } from './messages.ts'
import { literal } from '../lake/literal.ts'
import { BrokenOff, WholeRows, type Rows } from '../lake/whole-rows.ts'
import { Refusal, tablesOf } from './statement.ts'

/** What the engine tells and asks while it runs a job. */
export type Host = {
  /** Resolves with what makes the tables. */
  setup(tables: readonly string[]): Promise<Setup>
  /** The answer begins: nothing can be told but in it. */
  begin(): void
  readonly answer: Writable
}

/** Milliseconds between two looks at the memory and the file of a job. */
const watchEvery = 50

/** What the engine needs besides the memory for data, in bytes, beyond what the process had before. */
const overhead = 320 * 1_048_576

/** The largest Parquet file as a multiple of the engine's memory. */
const fileFactor = 2

/**
 * Runs one statement in an engine of its own, in this process, and writes its answer. Throws a JobFailure; once the
 * answer has begun, JSON says so itself and ends whole.
 */
export async function runJob(job: Job, host: Host): Promise<void> {
  const started = performance.now()
  const connection = await openEngine(job)
  const limits = watch(job, connection)
  try {
    await answerTo(job, host, connection, started)
  } catch (error) {
    throw failureOf(error, limits.exceeded, job)
  } finally {
    limits.end()
    connection.closeSync()
  }
}

/** Opens an empty engine in memory, with the limits of a job. */
export async function openEngine(job: Pick<Job, 'threads' | 'memoryMegabytes'>): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    threads: String(job.threads),
    memory_limit: `${job.memoryMegabytes}MiB`,
    // Without a folder for them the engine writes no temporary files.
    temp_directory: '',
  })
  return instance.connect()
}

async function answerTo(job: Job, host: Host, connection: DuckDBConnection, started: number): Promise<void> {
  const tables = await tablesIn(job)
  const { statements, limits, files, notKept } = await host.setup([...tables])
  await setUp(connection, statements, limits)
  const file = join(job.scratch, 'answer.parquet')
  await lock(connection, { paths: [...files, ...(job.format === 'parquet' ? [file] : [])] })
  const statement = await connection.prepare(job.sql)
  if (statement.statementType !== StatementType.SELECT) throw new Refusal('only SELECT statements are run')
  if (statement.parameterCount > 0) throw new Refusal('parameters such as ? and $1 have no values here')
  if (job.format === 'parquet') {
    // `query` takes the text as one SELECT, so that nothing in it can end the COPY.
    const rows = `select * from query(${literal(job.sql)}) limit ${job.rows}`
    await withoutPlace(
      connection.run(`copy (${rows}) to ${literal(file)} (format parquet, compression zstd)`),
    )
    host.begin()
    await pipeline(createReadStream(file), host.answer)
  } else await stream(connection, statement, job, host, started, notKept)
}

/** The tables of a job's statement, read in an engine of its own that is shut from the beginning and has no tables. */
async function tablesIn(job: Job): Promise<Set<string>> {
  const connection = await openEngine({ threads: 1, memoryMegabytes: job.memoryMegabytes })
  try {
    await lock(connection)
    return tablesOf(await parse(connection, job.sql), new Set(job.known))
  } finally {
    connection.closeSync()
  }
}

/** Makes the tables. What fails here is the service's fault, unless the job meets a limit. */
async function setUp(
  connection: DuckDBConnection,
  statements: Setup['statements'],
  limits: Setup['limits'],
): Promise<void> {
  const run = async (sql: string): Promise<unknown> => {
    try {
      const found = await connection.runAndReadAll(sql)
      return found.getRows()[0]?.[0]
    } catch (error) {
      if (isMemory(error) || isInterruption(error)) throw error
      throw new JobFailure('internal', messageOf(error), error)
    }
  }
  for (const statement of statements) await run(statement)
  for (const { table, max, complaint } of limits)
    if (Number(await run(`select count(*) from ${table}`)) > max) throw new JobFailure('limit', complaint)
}

/** Arrow's library is read only where it is needed: each process runs one statement. */
async function formatOf({ format }: Job): Promise<RowFormat> {
  if (format === 'arrow') return (await import('./arrow.ts')).arrowFormat()
  return format === 'csv' ? csvFormat : jsonFormat
}

/**
 * The statement's tree. Throws a Refusal unless the text is one SELECT. The connection must be locked: to give the
 * message of a text that it can't read, the engine reads it like any other.
 */
export async function parse(connection: DuckDBConnection, sql: string): Promise<unknown> {
  // This reads the text and nothing else: what runs while other statements are read, such as IMPORT, is an error here.
  const result = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [sql])
  const tree = JSON.parse(String(result.getRows()[0]?.[0])) as {
    error: boolean
    error_type?: string
    error_message?: string
    statements?: unknown[]
  }
  // The engine's own message shows the line.
  if (tree.error && tree.error_type === 'parser') await connection.extractStatements(sql)
  if (tree.error) throw new Refusal(onlySelect)
  if (tree.statements?.length !== 1) throw new Refusal('give one statement')
  return tree
}

/** A PIVOT without its values is two statements: one that creates a type of them. */
const onlySelect =
  'only SELECT statements are run, and PIVOT with the values of its columns: ON column IN (…)'

/** Shuts the engine: from here on it uses the given folders and files alone, and no setting can be changed. */
export async function lock(
  connection: DuckDBConnection,
  { folders = [], paths = [] }: { folders?: readonly string[]; paths?: readonly string[] } = {},
): Promise<void> {
  await connection.run(`set allowed_directories = [${folders.map(literal).join(', ')}]`)
  await connection.run(`set allowed_paths = [${paths.map(literal).join(', ')}]`)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
}

/** Writes rows as they are found, and waits for a slow reader. */
async function stream(
  connection: DuckDBConnection,
  statement: DuckDBPreparedStatement,
  job: Job,
  host: Host,
  started: number,
  notKept: Setup['notKept'],
): Promise<void> {
  const format = await formatOf(job)
  const result = await withoutPlace(WholeRows.open(connection, job.sql, statement))
  const next = (): Promise<Rows | undefined> =>
    result.next().catch(async (error: unknown) => {
      throw error instanceof BrokenOff ? await reasonOf(connection, job, error) : error
    })
  // Most failures show before the first rows: they are answered with their own status.
  let rows = await next()
  host.begin()
  await write(host.answer, format.head(result.columns))
  let rowCount = 0
  const ending = (more: Partial<Ending> = {}): Ending => ({
    rowCount,
    isTruncated: false,
    elapsedMilliseconds: Math.round(performance.now() - started),
    ...(notKept.length > 0 && { notKept }),
    ...more,
  })
  try {
    while (rows) {
      const kept = Math.min(rows.count, job.rows - rowCount)
      if (kept > 0) await write(host.answer, format.rows(rows, kept, rowCount === 0))
      rowCount += kept
      if (kept < rows.count) {
        host.answer.end(format.tail(ending({ isTruncated: true })))
        return
      }
      rows = await next()
    }
  } catch (error) {
    if (job.format !== 'json') throw error
    throw new Interrupted(error, (failure) =>
      host.answer.end(format.tail(ending({ isTruncated: true, failure }))),
    )
  }
  host.answer.end(format.tail(ending()))
}

/**
 * Why rows broke off. The engine does not say so: the statement is run again into one value, which reports the error
 * that any of its rows meets. What interrupted the first run interrupts this one too.
 */
async function reasonOf(connection: DuckDBConnection, job: Job, error: BrokenOff): Promise<unknown> {
  try {
    await withoutPlace(connection.run(`select max(hash(each)) from query(${literal(job.sql)}) each`))
    return error
  } catch (reason) {
    return reason
  }
}

/** Drops the place of an error: it is one in the statement around the caller's. */
async function withoutPlace<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    throw new Error(messageOf(error).replace(/\n+LINE \d+: [\s\S]*$/, ''), { cause: error })
  }
}

/** A failure after the first rows, and how the answer ends with its message. */
class Interrupted extends Error {
  readonly end: (failure: string) => void
  constructor(cause: unknown, end: (failure: string) => void) {
    super('interrupted', { cause })
    this.end = end
  }
}

async function write(answer: Writable, bytes: string | Uint8Array): Promise<void> {
  if (!answer.write(bytes)) await once(answer, 'drain')
}

type Exceeded = { readonly message: string }

/** Watches the job's time, memory and file; exceeding one interrupts the statement. */
function watch(job: Job, connection: DuckDBConnection) {
  const state: { exceeded?: Exceeded } = {}
  const exceed = (message: string): void => {
    state.exceeded ??= { message }
    connection.interrupt()
  }
  const max = job.memoryMegabytes * 1_048_576
  const before = process.memoryUsage.rss()
  const deadline = performance.now() + job.seconds * 1_000
  const timer = setInterval(() => {
    if (performance.now() > deadline) exceed(tooSlow(job))
    else if (process.memoryUsage.rss() > before + max + overhead) exceed(tooLarge(job))
    else if (sizeOf(join(job.scratch, 'answer.parquet')) > fileFactor * max)
      exceed('the file grows beyond the limit: select fewer rows or columns')
  }, watchEvery)
  return {
    get exceeded() {
      return state.exceeded
    },
    end: () => clearInterval(timer),
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
const isMemory = (error: unknown): boolean => messageOf(error).startsWith('Out of Memory Error')
const isInterruption = (error: unknown): boolean => messageOf(error).startsWith('INTERRUPT Error')

/** Errors that are not the statement's: the message may name files of this machine. */
const notForCallers = /^(INTERNAL|FATAL|IO|HTTP|Permission|Serialization|Missing Extension|INTERRUPT) Error/

function failureOf(error: unknown, exceeded: Exceeded | undefined, job: Job): JobFailure {
  if (error instanceof Interrupted) {
    const failure = failureOf(error.cause, exceeded, job)
    error.end(messageFor(failure))
    return failure
  }
  if (exceeded) return new JobFailure('limit', exceeded.message, error)
  if (error instanceof JobFailure) return error
  if (isMemory(error)) return new JobFailure('limit', tooLarge(job), error)
  const message = messageOf(error)
  if (error instanceof BrokenOff || notForCallers.test(message))
    return new JobFailure('internal', message, error)
  const [told = ''] = message.replace(/^Failed to extract statements: /, '').split(/\n+Stack Trace:/)
  return new JobFailure('statement', told, error)
}
