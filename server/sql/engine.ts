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
import { JobFailure, tooLarge, tooSlow } from './failures.ts'
import type { Job, Setup } from './messages.ts'
import { literal } from '../lake/literal.ts'
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

/** What the process and the engine need besides the memory for data, in bytes. */
const overhead = 400 * 1_048_576

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
  const tables = tablesOf(await parse(connection, job.sql), new Set(job.known))
  const { statements, notKept } = await host.setup([...tables])
  for (const statement of statements) await connection.run(statement).catch(rejectSetup)
  const file = join(job.scratch, 'answer.parquet')
  await lock(
    connection,
    job.folder === undefined ? [] : [job.folder],
    job.format === 'parquet' ? file : undefined,
  )
  const statement = await connection.prepare(job.sql)
  if (statement.statementType !== StatementType.SELECT) throw new Refusal('only SELECT statements are run')
  if (statement.parameterCount > 0) throw new Refusal('parameters such as ? and $1 have no values here')
  if (job.format === 'parquet') {
    // `query` takes the text as one SELECT, so that nothing in it can end the COPY.
    const rows = `select * from query(${literal(job.sql)}) limit ${job.rows}`
    await connection.run(`copy (${rows}) to ${literal(file)} (format parquet, compression zstd)`)
    host.begin()
    await pipeline(createReadStream(file), host.answer)
  } else await stream(statement, job, host, started, notKept)
}

/** Arrow's library is read only where it is needed: each process runs one statement. */
async function formatOf({ format }: Job): Promise<RowFormat> {
  if (format === 'arrow') return (await import('./arrow.ts')).arrowFormat()
  return format === 'csv' ? csvFormat : jsonFormat
}

/** The prefix of what the engine's error() says. */
const said = 'Invalid Input Error: '

/** A table has too many rows, and its statement says so; or the engine can't read the files. */
function rejectSetup(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith(said)) throw new JobFailure('limit', message.slice(said.length), error)
  if (/^(IO|Invalid|Binder|Catalog|Parser) /.test(message)) throw new JobFailure('internal', message, error)
  throw error
}

/** The statement's tree. Throws a Refusal unless the text is one SELECT. */
export async function parse(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const extracted = await connection.extractStatements(sql)
  const result = await connection.runAndReadAll('select json_serialize_sql($1::varchar)', [sql])
  const tree = JSON.parse(String(result.getRows()[0]?.[0])) as {
    error: boolean
    error_message?: string
    statements?: unknown[]
  }
  if (tree.error) throw new Refusal(tree.error_message ?? 'the statement can not be read')
  if (tree.statements?.length !== 1) throw new Refusal('give one statement')
  // A PIVOT without its values is two: one that creates a type of them.
  if (extracted.count !== 1) throw new Refusal('give PIVOT the values of its columns: ON column IN (…)')
  return tree
}

/** Shuts the engine: from here on it uses the given folders and file alone, and no setting can be changed. */
export async function lock(
  connection: DuckDBConnection,
  folders: readonly string[],
  file: string | undefined,
): Promise<void> {
  await connection.run(`set allowed_directories = [${folders.map(literal).join(', ')}]`)
  await connection.run(`set allowed_paths = [${file === undefined ? '' : literal(file)}]`)
  await connection.run('set enable_external_access = false')
  await connection.run('set lock_configuration = true')
}

/** Writes rows as they are found, and waits for a slow reader. */
async function stream(
  statement: DuckDBPreparedStatement,
  job: Job,
  host: Host,
  started: number,
  notKept: Setup['notKept'],
): Promise<void> {
  const format = await formatOf(job)
  const result = await statement.stream()
  const columns = result.columnNames().map((name, place) => ({ name, type: result.columnType(place) }))
  // Most failures show before the first rows: they are answered with their own status.
  let chunk = await result.fetchChunk()
  host.begin()
  await write(host.answer, format.head(columns))
  let rowCount = 0
  const ending = (more: Partial<Ending> = {}): Ending => ({
    rowCount,
    isTruncated: false,
    elapsedMilliseconds: Math.round(performance.now() - started),
    ...(notKept.length > 0 && { notKept }),
    ...more,
  })
  try {
    while (chunk !== null && chunk.rowCount > 0) {
      const kept = Math.min(chunk.rowCount, job.rows - rowCount)
      if (kept > 0) await write(host.answer, format.rows(chunk, kept, rowCount === 0))
      rowCount += kept
      if (kept < chunk.rowCount) {
        host.answer.end(format.tail(ending({ isTruncated: true })))
        return
      }
      chunk = await result.fetchChunk()
    }
  } catch (error) {
    if (job.format !== 'json') throw error
    throw new Interrupted(error, (failure) => host.answer.end(format.tail(ending({ failure }))))
  }
  host.answer.end(format.tail(ending()))
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
  const most = job.memoryMegabytes * 1_048_576
  const deadline = performance.now() + job.seconds * 1_000
  const timer = setInterval(() => {
    if (performance.now() > deadline) exceed(tooSlow(job))
    else if (process.memoryUsage.rss() > most + overhead) exceed(tooLarge(job))
    else if (sizeOf(join(job.scratch, 'answer.parquet')) > fileFactor * most)
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

function failureOf(error: unknown, exceeded: Exceeded | undefined, job: Job): JobFailure {
  if (error instanceof Interrupted) {
    const failure = failureOf(error.cause, exceeded, job)
    error.end(failure.message)
    return failure
  }
  if (exceeded) return new JobFailure('limit', exceeded.message, error)
  if (error instanceof JobFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('Out of Memory Error')) return new JobFailure('limit', tooLarge(job), error)
  if (/^(INTERNAL|FATAL) Error/.test(message)) return new JobFailure('internal', message, error)
  return new JobFailure('statement', message.replace(/^Failed to extract statements: /, ''), error)
}
