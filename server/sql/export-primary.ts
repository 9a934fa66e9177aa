import {
  primaryExportFilters,
  primaryExportKeys,
  type ExportFormat,
  type PrimaryExportFilter,
  type PrimaryExportTable,
} from '../../contract/sql/exports.ts'
import { HttpError } from '../kernel/http-errors.ts'
import type { ServedNetwork } from '../primary/served-network.ts'
import { idOf } from '../primary/request-values.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import type { Queryable } from '../store/database.ts'
import type { HeightRange } from '../store/primary/read-primary.ts'
import {
  readSnapshot,
  requireBlock,
  type ExportPlan,
  type ExportSource,
  type StoredBatch,
} from './export-service.ts'
import { givenFilters, keyValues } from './export-tables.ts'
import { lineOf } from './live-rows.ts'
import type { ExportJob } from './messages.ts'
import type { PrimaryTable } from './primary-defined.ts'
import { primaryTables } from './primary-tables.ts'

/** A table of the primary network as a caller wants it. */
type PrimaryExport = {
  readonly table: PrimaryExportTable
  readonly network: ServedNetwork
  readonly format: ExportFormat
  /** The 20 bytes of addresses and nodes. */
  readonly filters: { readonly [Name in PrimaryExportFilter]?: readonly Buffer[] | undefined }
  readonly after: string | undefined
  /** The block that an earlier answer named. */
  readonly snapshot: string | undefined
  /** The heights of a chain that the caller asks for. */
  readonly range: (sql: Queryable, chain: number) => Promise<HeightRange>
}

/** Rows that are read at once. Each has several ids, whose texts are computed here. */
const sliceRows = 10_000

/**
 * A table of the P- or X-Chain. Its rows come from the store, which has all of them: the files of the lake have what ends
 * later than it begins in several tables. Throws a 400 for a filter that the table does not have.
 */
export function primaryExport(wanted: PrimaryExport): ExportSource {
  const table = primaryTables.find(({ name }) => name === wanted.table)
  if (!table) throw new TypeError(`${wanted.table} is not a table of the primary network`)
  const chain = table.chainAlias === 'P' ? wanted.network.p : wanted.network.x
  const conditions = givenFilters<PrimaryExportFilter, readonly Buffer[]>(
    wanted.table,
    primaryExportFilters[wanted.table],
    wanted.filters,
  ).map(([name, values]) => conditionOf(wanted.table, chain, name, values))
  const position =
    wanted.after === undefined ? [] : keyValues(primaryExportKeys[wanted.table], wanted.after).map(String)
  return {
    columns: table.columns.map((column) => shown(column, wanted.format)),
    stored: table.columns,
    where: 'true',
    plan: (sql) => planOf(sql, wanted, { table, chain, conditions, position }),
  }
}

/** Amounts are text of all digits, times as in the exports of EVM chains. */
function shown(
  { name, type }: { name: string; type: string },
  format: ExportFormat,
): ExportJob['columns'][number] {
  const quoted = `"${name}"`
  if (type === 'HUGEINT') return { name, expression: `${quoted}::varchar` }
  if (type === 'TIMESTAMP' && format !== 'parquet')
    return { name, expression: `strftime(${quoted}, '%Y-%m-%dT%H:%M:%SZ')` }
  if (type.endsWith('[]') && format === 'csv') return { name, expression: `to_json(${quoted})::varchar` }
  return { name, expression: quoted }
}

const listOf = (values: readonly Buffer[]): string =>
  `array[${values.map((value) => String.raw`'\x${value.toString('hex')}'::bytea`).join(', ')}]`

/** A filter as a condition that an index of the store answers. */
function conditionOf(
  table: PrimaryExportTable,
  chain: number,
  name: PrimaryExportFilter,
  values: readonly Buffer[],
): string {
  const list = listOf(values)
  const among = (columns: string, rows: string): string => `(${columns}) in (${rows})`
  if (name === 'nodeIds') return `${table.endsWith('_blocks') ? 'proposer_node' : 'node'} = any(${list})`
  switch (table) {
    case 'stakers':
      return `reward_addresses && ${list}`
    case 'rewards':
      return among(
        'height, index, ordinal',
        `select height, index, ordinal from reward_owners where chain = ${chain} and address = any(${list})`,
      )
    case 'p_transactions':
    case 'x_transactions':
      return among(
        'height, index',
        `select height, index from primary_address_transactions where chain = ${chain} and address = any(${list})`,
      )
    default: {
      const place = 'height, tx_index, output_index'
      return among(
        place,
        `select ${place} from utxos where chain = ${chain} and owner = any(${list})
         union select ${place} from utxo_co_owners where chain = ${chain} and address = any(${list})`,
      )
    }
  }
}

type Found = {
  readonly table: PrimaryTable
  readonly chain: number
  readonly conditions: readonly string[]
  readonly position: readonly string[]
}

async function planOf(
  sql: Queryable,
  wanted: PrimaryExport,
  { table, chain, conditions, position }: Found,
): Promise<ExportPlan> {
  const { network } = wanted
  const head = wanted.snapshot === undefined ? await readHead(sql, chain) : readSnapshot(wanted.snapshot)
  await requireHead(sql, chain, head)
  const range = await wanted.range(sql, chain)
  const to = Math.min(head.number, Number(range.before) - 1)
  const from = Math.min(Number(range.from), to + 1)
  const keys = primaryExportKeys[wanted.table]
  async function* read(reader: Queryable, behind: readonly string[]): AsyncGenerator<StoredBatch> {
    await requireHead(reader, chain, head)
    const where = [
      `height between ${from} and ${to}`,
      ...(behind.length === 0 ? [] : [`(${keys.join(', ')}) > (${behind.map(Number).join(', ')})`]),
      ...conditions,
    ].join(' and ')
    const of = { network: network.id, prefix: network.config.prefix }
    for await (const rows of table.stored(reader, of, where, sliceRows))
      // The key's columns follow the network.
      yield {
        lines: rows.map(lineOf),
        count: rows.length,
        last: (rows.at(-1) ?? []).slice(1, keys.length + 1).map(String),
      }
  }
  return {
    snapshot: `${head.number}-${head.hash}`,
    from,
    to,
    maxStored: Infinity,
    async *parts() {
      yield { kind: 'store', read, position, sliceRows }
    },
  }
}

async function readHead(sql: Queryable, chain: number): Promise<{ number: number; hash: string }> {
  const [row] = await sql<{ height: bigint; id: Buffer }[]>`
    select height, id from primary_blocks where chain = ${chain} order by height desc limit 1`
  if (!row) throw new HttpError(404, 'no block of this chain is indexed yet')
  return { number: Number(row.height), hash: cb58(row.id) }
}

async function requireHead(
  sql: Queryable,
  chain: number,
  { number, hash }: { number: number; hash: string },
): Promise<void> {
  const rows = await sql`
    select 1 from primary_blocks where chain = ${chain} and height = ${number} and id = ${idOf('snapshot', hash)}`
  requireBlock(rows.length > 0, number)
}
