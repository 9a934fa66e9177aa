import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExportFormat } from '../../contract/sql/exports.ts'
import { HttpError } from '../kernel/http-errors.ts'
import type { ExportsConfig } from '../kernel/settings/sql.ts'
import type { Database, Queryable } from '../store/database.ts'
import { snapshot } from '../store/snapshot.ts'
import { exportInProcess, startProcess, type Answer } from './engine-child.ts'
import { httpError, JobFailure } from './failures.ts'
import { writeLines } from './live-rows.ts'
import type { ExportJob, ExportPart } from './messages.ts'
import { Slots } from './slots.ts'

/** The table of an export with its filters, wherever its rows come from. */
export type ExportSource = {
  readonly columns: ExportJob['columns']
  readonly stored: ExportJob['stored']
  /** The condition of the engine that a row meets besides its height. */
  readonly where: string
  /** Finds the block as of which the export is. */
  readonly plan: (sql: Queryable) => Promise<ExportPlan>
}

/** The block as of which an export is, and the heights of its rows. */
type ExportSpan = { readonly snapshot: string; readonly from: number; readonly to: number }

export type ExportPlan = ExportSpan & {
  /** The files of the lake and slices of the store's rows, in the order of the key. */
  readonly parts: () => AsyncGenerator<LakePart | StoreSlices>
  /** The most rows of the store in a Parquet file. */
  readonly maxStored: number
}

type LakePart = { readonly kind: 'lake'; readonly file: string }
/** Rows of the store between two heights, which are read slice by slice. */
type StoreSlices = {
  readonly kind: 'store'
  /** Reads rows behind a position, each batch with the position of its last row and the number of rows that it took. */
  readonly read: (sql: Queryable, position: readonly string[]) => AsyncGenerator<StoredBatch>
  readonly position: readonly string[]
  /** The most rows of a slice; fewer end the rows. */
  readonly sliceRows: number
  /** Called when a slice was read, outside of its snapshot: throws if rows were dropped from it. */
  readonly check?: (sql: Queryable) => Promise<void>
}
export type StoredBatch = {
  readonly lines: readonly string[]
  readonly count: number
  readonly last: readonly string[]
}

/** One export of a caller. */
type ExportRequest = {
  readonly source: ExportSource
  readonly format: ExportFormat
  /** Whether an earlier answer had the heading. */
  readonly isContinued: boolean
  /** Whose slots it takes. */
  readonly caller: string
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}

/** An export that has begun. */
type StartedExport = Answer & ExportSpan

type ExportServiceOptions = {
  readonly settings: ExportsConfig
  /** The lake's root. It need not exist. */
  readonly lakeFolder: string
  readonly database: () => Database
}

/**
 * Writes whole tables to files (docs/exports.md). An export is as of one block: rows up to it never change, so it
 * needs no transaction that stays open, and a continued export has the same rows. Rows of the store are read only
 * while that block is there.
 */
export class ExportService {
  readonly #options: ExportServiceOptions
  readonly #slots: Slots

  constructor(options: ExportServiceOptions) {
    this.#options = options
    this.#slots = new Slots(options.settings, 'exports')
  }

  /**
   * Starts an export; resolves once its answer begins. Throws an HttpError: 409 if the snapshot is gone, 410 if rows
   * were dropped, 422 for one that exceeds a limit, 429 and 503 without a free slot.
   */
  async run({ source, format, isContinued, caller, signal }: ExportRequest): Promise<StartedExport> {
    const { settings, lakeFolder } = this.#options
    const release = this.#slots.take(caller)
    let scratch: string | undefined
    const ended = (): void => {
      release()
      if (scratch !== undefined)
        // A slice of the store may still be written there.
        void rm(scratch, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
    }
    let plan: ExportPlan
    try {
      plan = await snapshot(this.#options.database(), source.plan)
      scratch = await mkdtemp(join(tmpdir(), 'ridgeline-export-'))
    } catch (error) {
      ended()
      throw error
    }
    const { from, to } = plan
    const job: ExportJob = {
      format,
      columns: source.columns,
      where: source.where,
      from,
      to,
      stored: source.stored,
      seconds: settings.seconds,
      memoryMegabytes: settings.memoryMegabytes,
      fileBytes: settings.fileMegabytes * 1_048_576,
      folder: lakeFolder,
      scratch,
    }
    const parts = this.#files(plan, job)
    try {
      const { body } = await exportInProcess(startProcess(), job, {
        nextPart: async () => {
          const part = await parts.next()
          return part.done === true ? undefined : part.value
        },
        head: format === 'csv' && !isContinued ? `${job.columns.map(({ name }) => name).join(',')}\n` : '',
        signal,
        ended,
      })
      return { body, snapshot: plan.snapshot, from, to }
    } catch (error) {
      throw error instanceof JobFailure ? httpError(error) : error
    }
  }

  async *#files(plan: ExportPlan, { format, fileBytes, scratch }: ExportJob): AsyncGenerator<ExportPart> {
    let [rows, bytes, count] = [0, 0, 0]
    for await (const part of plan.parts()) {
      if (part.kind === 'lake') {
        yield part
        continue
      }
      for await (const slice of this.#slices(part, () => join(scratch, `stored-${count++}.csv`))) {
        rows += slice.count
        // A Parquet file is written when all of its parts are there.
        if (format === 'parquet') {
          bytes += (await stat(slice.file)).size
          if (rows > plan.maxStored || bytes > fileBytes) throw tooManyStored(plan)
        }
        yield { kind: 'store', file: slice.file }
      }
    }
  }

  /** Writes rows of the store to one file after the other. */
  async *#slices(
    { read, sliceRows, check, ...part }: StoreSlices,
    nextFile: () => string,
  ): AsyncGenerator<{ file: string; count: number }> {
    let position = part.position
    for (;;) {
      const file = nextFile()
      let count = 0
      await snapshot(this.#options.database(), async (sql) => {
        async function* lines(): AsyncGenerator<readonly string[]> {
          for await (const batch of read(sql, position)) {
            count += batch.count
            position = batch.last
            yield batch.lines
          }
        }
        await writeLines(file, lines(), Infinity)
      })
      await check?.(this.#options.database())
      if (count > 0) yield { file, count }
      if (count < sliceRows) return
    }
  }
}

const tooManyStored = ({ maxStored }: ExportPlan): HttpError =>
  new HttpError(
    422,
    Number.isFinite(maxStored)
      ? `the store has more than ${maxStored} rows that the lake does not have: ` +
          'export CSV or JSON lines, fewer blocks at a time, or seal them (docs/lake.md)'
      : 'the rows exceed the limit of a file: export CSV or JSON lines, or fewer blocks at a time',
  )

/** Throws a 409 unless the block of an export is there. */
export function requireBlock(isThere: boolean, number: number): void {
  if (!isThere)
    throw new HttpError(409, `block ${number} was replaced: start the export again from its beginning`)
}

/** The height and the hash of a snapshot. */
export function readSnapshot(text: string): { readonly number: number; readonly hash: string } {
  const [number, hash] = text.split('-')
  return { number: Number(number), hash: hash ?? '' }
}
