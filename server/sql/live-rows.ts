import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Queryable } from '../store/database.ts'
import { transferLogs } from '../store/evm/transfer-logs.ts'
import { tokenTransfers } from '../tokens/abi/token-transfers.ts'
import { evmTables } from '../store/evm/columns.ts'
import type { Coverage } from './coverage.ts'
import type { Field, StoreSource, StoreTable } from './store-tables.ts'
import { sharedColumns, type ShownTable } from './tables.ts'

/** The condition that selects a table's rows above and between the sealed ranges. */
function liveCondition(coverages: readonly Coverage[], alias: string): string {
  const parts = coverages.flatMap(({ chain, live }) =>
    live.map(
      ({ from, to }) =>
        `(${alias}.chain = ${chain} and ${alias}.number >= ${from}${to === undefined ? '' : ` and ${alias}.number <= ${to}`})`,
    ),
  )
  return parts.length === 0 ? 'false' : parts.join(' or ')
}

/**
 * Writes the rows of a table that the lake lacks to a CSV file: the chain, then the shared columns in order. At most
 * `max` rows and one more, which shows that there are too many.
 */
export async function writeLiveRows(
  sql: Queryable,
  table: ShownTable,
  coverages: readonly Coverage[],
  path: string,
  max: number,
): Promise<void> {
  const where = liveCondition(coverages, 't')
  // A log may be several transfers or none, so that their number is known only when they are decoded.
  const tail = table === 'token_transfers' ? 'order by t.chain, t.number, t.index' : `limit ${max + 1}`
  async function* lines(): AsyncGenerator<readonly string[]> {
    for await (const stored of storedLines(sql, table, where, tail)) yield stored.lines
  }
  await writeLines(path, lines(), max)
}

/** Some rows of the store as lines of CSV: the chain, then the shared columns in order. */
type StoredLines = {
  readonly lines: readonly string[]
  /** The number of rows that were read, which for transfers are logs. */
  readonly count: number
  /** Where the last of these rows is: the columns of its key without the chain. */
  readonly last: readonly string[]
}

/**
 * Reads the rows of a table that meet a condition, in batches. The condition and `tail`, what follows it in the statement,
 * call the table `t`. Transfers are read as their logs.
 */
export async function* storedLines(
  sql: Queryable,
  table: ShownTable,
  where: string,
  tail: string,
): AsyncGenerator<StoredLines> {
  if (table === 'token_transfers') {
    yield* transferLines(sql, where, tail)
    return
  }
  const fields = sharedColumns(table).map(({ name, kind }) => {
    if (kind === 'seconds') return table === 'blocks' ? 't.ts' : 'b.ts'
    if (kind === 'hex') return `coalesce('0x' || encode(t."${name}", 'hex'), '')`
    if (kind === 'text') return `coalesce('"' || replace(t."${name}", '"', '""') || '"', '')`
    return `coalesce(t."${name}"::text, '')`
  })
  const join = table === 'blocks' ? '' : 'join blocks b on b.chain = t.chain and b.number = t.number'
  // The server writes the line: that is one text for each row here. A COPY would be faster, but the driver's stream of
  // one stops for good now and then, when its reader keeps up with it.
  const found = sql.unsafe<{ line: string }[]>(`
    select concat_ws(',', t.chain, ${fields.join(', ')}) as line from ${table} t ${join} where ${where} ${tail}`)
  const keyColumns = evmTables[table].key.length
  for await (const rows of found.cursor(batch)) {
    const lines = rows.map(({ line }) => line)
    // The key is the first of the columns.
    yield { lines, count: lines.length, last: (lines.at(-1) ?? '').split(',').slice(1, keyColumns + 1) }
  }
}

const batch = 2_000

type LogRow = {
  chain: bigint
  number: bigint
  index: number
  tx_index: number
  ts: bigint
  address: string
  topics: string
  data: string
}

const kinds = { 'ERC-20': 20, 'ERC-721': 721, 'ERC-1155': 1155 } as const

/** Writes batches of lines to a file and waits for the disk. Stops after more than `max` lines. */
export async function writeLines(
  path: string,
  batches: AsyncIterable<readonly string[]>,
  max: number,
): Promise<void> {
  let count = 0
  async function* texts(): AsyncGenerator<string> {
    for await (const lines of batches) {
      count += lines.length
      if (lines.length > 0) yield `${lines.join('\n')}\n`
      if (count > max) return
    }
  }
  await pipeline(texts, createWriteStream(path))
}

/** Transfers are not stored: they are decoded from the logs, as the lake does. */
async function* transferLines(sql: Queryable, where: string, tail: string): AsyncGenerator<StoredLines> {
  const hex = (column: string): string => `'0x' || encode(t.${column}, 'hex')`
  const found = sql.unsafe<LogRow[]>(`
    select t.chain, t.number, t.index, t.tx_index, b.ts, ${hex('address')} as address, ${hex('data')} as data,
      concat_ws(' ', ${['topic0', 'topic1', 'topic2', 'topic3'].map(hex).join(', ')}) as topics
    from logs t join blocks b on b.chain = t.chain and b.number = t.number
    where (${where}) and (${transferLogs.any}) ${tail}`)
  for await (const rows of found.cursor(batch)) {
    const end = rows.at(-1)
    yield {
      lines: rows.flatMap(linesOf),
      count: rows.length,
      last: end ? [String(end.number), String(end.index)] : [],
    }
  }
}

function linesOf(log: LogRow): string[] {
  return tokenTransfers({ ...log, topics: log.topics.split(' ') }).map((moved, position) =>
    [
      log.chain,
      log.number,
      log.index,
      position,
      log.ts,
      log.tx_index,
      moved.token,
      kinds[moved.standard],
      moved.from,
      moved.to,
      moved.standard === 'ERC-20' ? '' : moved.tokenId,
      moved.value,
    ].join(','),
  )
}

/** Writes the rows of a table that the store alone has. */
export async function writeStoreRows(
  table: StoreTable,
  source: StoreSource,
  path: string,
  max: number,
): Promise<void> {
  async function* lines(): AsyncGenerator<string[]> {
    for await (const rows of table.rows(source)) yield rows.map(lineOf)
  }
  await writeLines(path, lines(), max)
}

/** A row as a line of CSV. */
export const lineOf = (row: readonly Field[]): string => row.map(cell).join(',')

/** A value of a line: null is empty, and only text needs quotes. */
function cell(value: Field): string {
  if (typeof value !== 'string') return String(value ?? '')
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
