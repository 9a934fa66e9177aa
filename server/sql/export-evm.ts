import { exportKeys, type ExportFormat, type ExportTable } from '../../contract/sql/exports.ts'
import type { Chain } from '../kernel/settings/chains.ts'
import { HttpError } from '../kernel/http-errors.ts'
import { tableFile } from '../lake/manifest.ts'
import type { Queryable } from '../store/database.ts'
import type { BlockRange } from '../store/evm/read-blocks.ts'
import { readCoverage, type Coverage } from './coverage.ts'
import { readSnapshot, requireBlock, type ExportPlan, type ExportSource } from './export-service.ts'
import { conditionsOf, exportColumns, storedColumns, type ExportFilters } from './export-tables.ts'
import { storedLines } from './live-rows.ts'
import { readLowestKept } from './not-kept.ts'

/** A table of an EVM chain as a caller wants it. */
type EvmExport = {
  readonly table: ExportTable
  readonly chain: Chain
  readonly format: ExportFormat
  readonly filters: ExportFilters
  readonly after: string | undefined
  /** The block that an earlier answer named. */
  readonly snapshot: string | undefined
  /** The heights that the caller asks for, read in the transaction that finds the newest block. */
  readonly range: (sql: Queryable) => Promise<BlockRange>
  /** The lake's root. It need not exist. */
  readonly lakeFolder: string
  /** The most rows of the store in a Parquet file. */
  readonly storedRows: number
}

/** Rows of the store that are read at once. */
const sliceRows = 50_000

type Head = { readonly number: number; readonly hash: string }

/** Throws a 400 for a filter that the table does not have. */
export function evmExport(wanted: EvmExport): ExportSource {
  const { table, chain, format, filters, after } = wanted
  const { exact, indexed } = conditionsOf(table, filters, after)
  return {
    columns: exportColumns(table, format, Number(chain.key)),
    stored: storedColumns(table),
    where: exact,
    plan: (sql) => planOf(sql, wanted, indexed),
  }
}

/** The newest block or the one of the request, and the heights up to it that are asked for. */
async function planOf(sql: Queryable, wanted: EvmExport, indexed: string): Promise<ExportPlan> {
  const { table, chain, after, lakeFolder, storedRows: maxStored } = wanted
  const head = wanted.snapshot === undefined ? await readHead(sql, chain) : readSnapshot(wanted.snapshot)
  if (wanted.snapshot !== undefined) await requireHead(sql, chain, head)
  const range = await wanted.range(sql)
  const to = Math.min(head.number, Number(range.before) - 1)
  // An empty range still has heights, for its name and its conditions.
  const first = Math.max(Number(range.from), after === undefined ? 0 : Number.parseInt(after, 10))
  const from = Math.min(first, to + 1)
  const coverage = await readCoverage(sql, lakeFolder, Number(chain.key))
  await requireKept(sql, wanted, coverage, { from, to })
  const spans = [
    ...coverage.sealed.map((each) => ({ ...each, isSealed: true })),
    ...coverage.live.map((each) => ({ from: each.from, to: each.to ?? Infinity, isSealed: false })),
  ].toSorted((one, other) => one.from - other.from)

  // Transfers are read as their logs.
  const keys = (table === 'token_transfers' ? exportKeys.logs : exportKeys[table])
    .map((name) => `t."${name}"`)
    .join(', ')
  async function* read(
    reader: Queryable,
    heights: { from: number; to: number },
    position: readonly string[],
  ): ReturnType<typeof storedLines> {
    await requireHead(reader, chain, head)
    const beyond = position.length === 0 ? 'true' : `(${keys}) > (${position.map(Number).join(', ')})`
    const where = `t.chain = ${chain.key} and t.number between ${heights.from} and ${heights.to} and ${beyond} and ${indexed}`
    yield* storedLines(reader, table, where, `order by ${keys} limit ${sliceRows}`)
  }

  return {
    snapshot: `${head.number}-${head.hash}`,
    from,
    to,
    maxStored,
    async *parts() {
      for (const span of spans) {
        if (span.to < from || span.from > to) continue
        if (span.isSealed) {
          yield { kind: 'lake', file: tableFile(lakeFolder, Number(chain.key), table, span) }
          continue
        }
        const heights = { from: Math.max(span.from, from), to: Math.min(span.to, to) }
        yield {
          kind: 'store',
          sliceRows,
          position: [],
          read: (reader, position) => read(reader, heights, position),
          check: (reader) => requireKept(reader, wanted, coverage, heights),
        }
      }
    },
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
  const rows = await sql`
    select 1 from blocks where chain = ${chain.key} and number = ${number}
      and hash = ${Buffer.from(hash.slice(2), 'hex')}`
  requireBlock(rows.length > 0, number)
}

/** Throws a 410 if rows between two heights were dropped and the lake does not have them: a file could not say so. */
async function requireKept(
  sql: Queryable,
  { chain, table }: Pick<EvmExport, 'chain' | 'table'>,
  coverage: Coverage,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  const kept = await readLowestKept(sql, chain, table, coverage, range)
  if (kept !== undefined)
    throw new HttpError(
      410,
      `not kept: rows of ${table} of ${chain.config.name} before block ${kept} were dropped; give startBlock=${kept}`,
    )
}
