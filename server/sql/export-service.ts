import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExportFormat, ExportTable } from '../../contract/sql/exports.ts'
import type { Chain } from '../kernel/settings/chains.ts'
import { HttpError } from '../kernel/http-errors.ts'
import type { ExportsConfig } from '../kernel/settings/sql.ts'
import { tableFile } from '../lake/manifest.ts'
import { lakeOrder } from '../lake/tables.ts'
import type { Database, Queryable } from '../store/database.ts'
import type { BlockRange } from '../store/evm/read-blocks.ts'
import { snapshot } from '../store/snapshot.ts'
import { readCoverage, type Coverage } from './coverage.ts'
import { exportInProcess, startProcess, type Answer } from './engine-child.ts'
import { conditionsOf, exportColumns, storedColumns, type ExportFilters } from './export-tables.ts'
import { httpError, JobFailure } from './failures.ts'
import { storedLines, writeLines } from './live-rows.ts'
import type { ExportJob, ExportPart } from './messages.ts'
import { Slots } from './slots.ts'

/** One export of a caller. */
export type ExportRequest = {
  readonly table: ExportTable
  readonly chain: Chain
  readonly format: ExportFormat
  readonly filters: ExportFilters
  readonly after: string | undefined
  /** The block that an earlier answer named. */
  readonly snapshot: string | undefined
  /** The heights that the caller asks for, read in the transaction that finds the newest block. */
  readonly range: (sql: Queryable) => Promise<BlockRange>
  /** Whose slots it takes. */
  readonly caller: string
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
}

/** An export that has begun: the block as of which it is, and the heights of its rows. */
export type StartedExport = Answer & {
  readonly snapshot: string
  readonly from: number
  readonly to: number
}

export type ExportServiceOptions = {
  readonly settings: ExportsConfig
  /** The lake's root. It need not exist. */
  readonly lakeFolder: string
  /** The most rows of the store in a Parquet file. */
  readonly storedRows: number
  readonly database: () => Database
}

/** Rows of the store that are read at once. */
const sliceRows = 50_000

type Head = { readonly number: number; readonly hash: string }
type Plan = {
  readonly request: ExportRequest
  readonly head: Head
  readonly from: number
  readonly to: number
  readonly coverage: Coverage
  readonly indexed: string
  readonly scratch: string
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
   * Starts an export; resolves once its answer begins. Throws an HttpError: 400 for a filter that the table does not
   * have, 409 if the snapshot is gone, 422 for one that exceeds a limit, 429 and 503 without a free slot.
   */
  async run(request: ExportRequest): Promise<StartedExport> {
    const { table, format, chain, after, signal } = request
    const { settings, lakeFolder } = this.#options
    const { exact, indexed } = conditionsOf(table, request.filters, after)
    const release = this.#slots.take(request.caller)
    let scratch: string | undefined
    const ended = (): void => {
      release()
      if (scratch !== undefined)
        // A slice of the store may still be written there.
        void rm(scratch, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
    }
    let plan: Plan
    try {
      const found = await this.#plan(request)
      scratch = await mkdtemp(join(tmpdir(), 'ridgeline-export-'))
      plan = { ...found, request, indexed, scratch }
    } catch (error) {
      ended()
      throw error
    }
    const { head, from, to } = plan
    const job: ExportJob = {
      format,
      columns: exportColumns(table, format, Number(chain.key)),
      where: exact,
      from,
      to,
      stored: storedColumns(table),
      seconds: settings.seconds,
      memoryMegabytes: settings.memoryMegabytes,
      fileBytes: settings.fileMegabytes * 1_048_576,
      folder: lakeFolder,
      scratch,
    }
    const parts = this.#parts(plan)
    try {
      const { body } = await exportInProcess(startProcess(), job, {
        nextPart: async () => {
          const part = await parts.next()
          return part.done === true ? undefined : part.value
        },
        head:
          format === 'csv' && after === undefined ? `${job.columns.map(({ name }) => name).join(',')}\n` : '',
        signal,
        ended,
      })
      return { body, snapshot: `${head.number}-${head.hash}`, from, to }
    } catch (error) {
      throw error instanceof JobFailure ? httpError(error) : error
    }
  }

  /** The newest block or the one of the request, and the heights up to it that are asked for. */
  async #plan({
    chain,
    range,
    after,
    snapshot: wanted,
  }: ExportRequest): Promise<Pick<Plan, 'head' | 'from' | 'to' | 'coverage'>> {
    return snapshot(this.#options.database(), async (sql) => {
      const [number, hash] = wanted?.split('-') ?? []
      const head =
        number === undefined || hash === undefined
          ? await readHead(sql, chain)
          : { number: Number(number), hash }
      if (wanted !== undefined) await requireHead(sql, chain, head)
      const { from, before } = await range(sql)
      const to = Math.min(head.number, Number(before) - 1)
      const first = Math.max(Number(from), after === undefined ? 0 : Number.parseInt(after, 10))
      const coverage = await readCoverage(sql, this.#options.lakeFolder, Number(chain.key))
      // An empty range still has heights, for its name and its conditions.
      return { head, from: Math.min(first, to + 1), to, coverage }
    })
  }

  /** The files of the lake and of the store's rows, in the order of their heights. */
  async *#parts(plan: Plan): AsyncGenerator<ExportPart> {
    const { request, coverage, from, to } = plan
    const { chain, table, format } = request
    const spans = [
      ...coverage.sealed.map((range) => ({ ...range, isSealed: true })),
      ...coverage.live.map((range) => ({ from: range.from, to: range.to ?? Infinity, isSealed: false })),
    ].toSorted((one, other) => one.from - other.from)
    let storedRows = 0
    for (const span of spans) {
      if (span.to < from || span.from > to) continue
      if (span.isSealed) {
        yield {
          kind: 'lake',
          file: tableFile(this.#options.lakeFolder, Number(chain.key), table, span),
        }
        continue
      }
      const slices = this.#slices(plan, Math.max(span.from, from), Math.min(span.to, to))
      for await (const { file, count } of slices) {
        storedRows += count
        if (format === 'parquet' && storedRows > this.#options.storedRows)
          throw new HttpError(
            422,
            `the store has more than ${this.#options.storedRows} rows that the lake does not have: ` +
              'export CSV or JSON lines, fewer blocks at a time, or seal them (docs/lake.md)',
          )
        yield { kind: 'store', file }
      }
    }
  }

  /** Writes the store's rows between two heights, both included, to one file after the other. */
  async *#slices(
    { request, head, indexed, scratch }: Plan,
    from: number,
    to: number,
  ): AsyncGenerator<{ file: string; count: number }> {
    const { chain, table } = request
    const keys = (table === 'token_transfers' ? lakeOrder.logs : lakeOrder[table])
      .map((name) => `t."${name}"`)
      .join(', ')
    let position: readonly string[] = []
    for (;;) {
      const beyond = position.length === 0 ? 'true' : `(${keys}) > (${position.map(Number).join(', ')})`
      const where = `t.chain = ${chain.key} and t.number between ${from} and ${to} and ${beyond} and ${indexed}`
      const file = join(scratch, `stored-${from}-${position.join('-')}.csv`)
      let count = 0
      await snapshot(this.#options.database(), async (sql) => {
        await requireHead(sql, chain, head)
        async function* lines(): AsyncGenerator<readonly string[]> {
          for await (const stored of storedLines(sql, table, where, `order by ${keys} limit ${sliceRows}`)) {
            count += stored.count
            position = stored.last
            yield stored.lines
          }
        }
        await writeLines(file, lines(), Infinity)
      })
      if (count > 0) yield { file, count }
      if (count < sliceRows) return
    }
  }
}

async function readHead(sql: Queryable, chain: Chain): Promise<Head> {
  const [row] = await sql<{ number: bigint; hash: string }[]>`
    select number, '0x' || encode(hash, 'hex') as hash from blocks where chain = ${chain.key}
    order by number desc limit 1`
  if (!row) throw new HttpError(404, `no block of chain ${chain.id} is indexed yet`)
  return { number: Number(row.number), hash: row.hash }
}

/** Throws a 409 if another block is where the export's last one was. */
async function requireHead(sql: Queryable, chain: Chain, { number, hash }: Head): Promise<void> {
  const [row] = await sql`
    select 1 from blocks where chain = ${chain.key} and number = ${number}
      and hash = ${Buffer.from(hash.slice(2), 'hex')}`
  if (!row)
    throw new HttpError(
      409,
      `a reorganisation replaced block ${number}: start the export again from its beginning`,
    )
}
