import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { literal } from '../lake/literal.ts'
import { csvSource } from './csv-source.ts'
import { lock, openEngine } from './engine.ts'
import { JobFailure, tooLarge } from './failures.ts'
import type { ExportJob, ExportPart } from './messages.ts'

/** What an export tells and asks while it runs. */
type ExportHost = {
  /** The next part; undefined after the last one. */
  nextPart(): Promise<ExportPart | undefined>
  /** Hands a file over, which is removed; resolves once the caller has it. */
  send(file: string): Promise<void>
  /** Keeps the time limit of a part from ending work that goes on. */
  working(): void
}

/** Milliseconds between two looks at a growing file. */
const watchEvery = 200

/**
 * Writes the rows of an export to files. CSV and JSON lines are written a piece at a time, of about a row group of the
 * lake, and each piece is sent while the next one is written: the engine's own writer is many times faster than rows in
 * JavaScript, and a slow caller holds up two such files. Parquet has its index at the end and is one file. Throws a
 * JobFailure.
 *
 * One thread, without the buffers that restore an order: files and pieces are in the order of the key already.
 */
export async function runExportJob(job: ExportJob, host: ExportHost): Promise<void> {
  const connection = await openEngine({ threads: 1, memoryMegabytes: job.memoryMegabytes })
  try {
    await connection.run(`set preserve_insertion_order = ${job.format === 'parquet'}`)
    // The statements are the service's own; shutting the engine costs nothing and holds whatever is in them.
    await lock(connection, { folders: [job.folder, job.scratch] })
    await (job.format === 'parquet' ? sendWhole(job, host, connection) : sendPieces(job, host, connection))
  } catch (error) {
    throw failureOf(error, job)
  } finally {
    connection.closeSync()
  }
}

async function sendPieces(job: ExportJob, host: ExportHost, connection: DuckDBConnection): Promise<void> {
  const pieces = writePieces(job, host, connection)
  let writing = pieces.next()
  for (;;) {
    const piece = await writing
    if (piece.done === true) return
    writing = pieces.next()
    // Its failure is seen in the next turn.
    writing.catch(() => undefined)
    await host.send(piece.value)
  }
}

/** Writes one file after the other, each when it is asked for. */
async function* writePieces(
  job: ExportJob,
  host: ExportHost,
  connection: DuckDBConnection,
): AsyncGenerator<string> {
  const options = job.format === 'csv' ? 'format csv, header false' : 'format json'
  let count = 0
  for (let part = await host.nextPart(); part; part = await host.nextPart()) {
    for (const window of await windowsOf(connection, part, job)) {
      const file = join(job.scratch, `piece-${count++}`)
      await connection.run(`copy (${selectOf(job, part, window)}) to ${literal(file)} (${options})`)
      host.working()
      if (statSync(file).size > 0) yield file
    }
    if (part.kind === 'store') await rm(part.file)
  }
}

async function sendWhole(job: ExportJob, host: ExportHost, connection: DuckDBConnection): Promise<void> {
  const parts: ExportPart[] = []
  for (let part = await host.nextPart(); part; part = await host.nextPart()) parts.push(part)
  const file = join(job.scratch, 'export.parquet')
  const selects = [noRows(job), ...parts.map((part) => selectOf(job, part, 'true'))]
  let isTooLarge = false
  const timer = setInterval(() => {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > job.fileBytes) {
      isTooLarge = true
      connection.interrupt()
    }
    host.working()
  }, watchEvery)
  try {
    await connection.run(
      `copy (${selects.join(' union all ')}) to ${literal(file)} (format parquet, compression zstd)`,
    )
  } catch (error) {
    if (isTooLarge)
      throw new JobFailure('limit', 'the file grows beyond the limit: export fewer blocks at a time', error)
    throw error
  } finally {
    clearInterval(timer)
  }
  await host.send(file)
}

/**
 * The conditions that cut a part into pieces of about a row group: the rows of a block stay together. A file's
 * statistics give the heights at which its row groups begin, and let the engine skip all but one or two of them.
 */
async function windowsOf(
  connection: DuckDBConnection,
  part: ExportPart,
  { from, to }: ExportJob,
): Promise<string[]> {
  if (part.kind === 'store') return ['true']
  const groups = await connection.runAndReadAll(
    `select distinct stats_min_value::bigint from parquet_metadata(${literal(part.file)})
     where path_in_schema = 'number' order by 1`,
  )
  const starts = groups.getRowsJson().map(([start]) => Number(start))
  return starts.flatMap((start, place) => {
    const next = starts[place + 1]
    if (start > to || (next !== undefined && next <= from)) return []
    return [next === undefined ? `number >= ${start}` : `number >= ${start} and number < ${next}`]
  })
}

const listOf = ({ columns }: ExportJob): string =>
  columns.map(({ expression, name }) => `${expression} as "${name}"`).join(', ')

/** Gives a file its columns, even if no row follows. */
function noRows(job: ExportJob): string {
  const nulls = job.stored.map(({ name, type }) => `null::${type} as "${name}"`)
  return `select ${listOf(job)} from (select ${nulls.join(', ')}) where false`
}

function selectOf(job: ExportJob, part: ExportPart, window: string): string {
  const { where, stored, from, to } = job
  // The store's rows are those of the heights already.
  if (part.kind === 'store')
    return `select ${listOf(job)} from ${csvSource(part.file, stored)} where ${where}`
  return `select ${listOf(job)} from read_parquet(${literal(part.file)})
    where number between ${from} and ${to} and ${window} and ${where}`
}

function failureOf(error: unknown, job: ExportJob): JobFailure {
  if (error instanceof JobFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  if (message.startsWith('Out of Memory Error')) return new JobFailure('limit', tooLarge(job), error)
  return new JobFailure('internal', message, error)
}
