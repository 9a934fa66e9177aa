import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { headerHash } from '../../server/indexer/evm/verify/header.ts'
import { encodeReceipts, encodeTransactions } from '../../server/indexer/evm/verify/roots.ts'
import { indexedTrieRoot, toHex } from '../../server/indexer/evm/verify/trie.ts'
import { contentOf } from '../../server/kernel/durable-files.ts'
import { keccak256 } from '../../server/kernel/keccak.ts'
import type { LakeEngine } from '../../server/lake/engine.ts'
import { literal } from '../../server/lake/literal.ts'
import { manifestFile, tableFile, type BlockRange, type Manifest } from '../../server/lake/manifest.ts'
import { answerOf } from '../../server/lake/stored-blocks.ts'
import { StoredRows } from '../../server/lake/stored-rows.ts'
import {
  columnTypes,
  lakeSchemaVersion,
  lakeTableNames,
  lakeTables,
  type LakeTable,
} from '../../server/lake/tables.ts'
import { rowsOf, scaleChain, sourceTables } from './rows.ts'

/** A range that is written before another: what the next one follows. */
type Before = Pick<Manifest, 'genesisHash' | 'last'>

/**
 * Writes a range of the synthetic chain as a lake has it, set by set in DuckDB. With `hashed`, transactions and blocks
 * get the hashes and roots that follow from the rows, as `lake verify` and the ordinary `lake load` recompute them; that
 * takes several times as long as everything else. Without, hashes are arbitrary but link the blocks, which
 * is what a bulk load checks.
 */
export async function writeScaleRange(
  root: string,
  range: BlockRange,
  { engine, before, hashed }: { engine: LakeEngine; before: Before | undefined; hashed: boolean },
): Promise<Manifest> {
  const connection = await engine.connect()
  try {
    for (const statement of sourceTables(range.from, range.to)) await connection.run(statement)
    for (const table of lakeTableNames) await copyTo(connection, root, range, table, selectRows(table, range))
    // What block `from` follows, in case the range before has other hashes than those of the rows.
    await connection.run('create or replace temp table links (number bigint, parent_hash varchar)')
    if (before) await connection.run(`insert into links values (${range.from}, ${literal(before.last.hash)})`)
    if (hashed) await recomputeHashes(connection, engine, root, range, before)
    else if (before) await replaceColumns(connection, root, range, 'blocks', 'links', ['parent_hash'])
    return await writeManifest(connection, root, range, { engine, before })
  } finally {
    connection.closeSync()
  }
}

function selectRows(table: LakeTable, { from, to }: BlockRange): string {
  const { columns, source } = rowsOf[table]
  const values = lakeTables[table].map(
    ({ name, kind }) => `(${columns[name]})::${columnTypes[kind]} as "${name}"`,
  )
  return `select ${values.join(', ')} from ${source.replaceAll('$from', `${from}`).replaceAll('$to', `${to}`)}`
}

async function copyTo(
  connection: DuckDBConnection,
  root: string,
  range: BlockRange,
  table: LakeTable,
  select: string,
): Promise<void> {
  const path = tableFile(root, scaleChain, table, range)
  mkdirSync(dirname(path), { recursive: true })
  await connection.run(
    `copy (${select}) to ${literal(`${path}.new`)} (format parquet, compression zstd, compression_level 3, row_group_size 122880)`,
  )
  renameSync(`${path}.new`, path)
}

/** Writes a file again with columns of another table, where that has the row. */
async function replaceColumns(
  connection: DuckDBConnection,
  root: string,
  range: BlockRange,
  table: 'blocks' | 'transactions',
  source: string,
  columns: readonly string[],
): Promise<void> {
  const key = table === 'blocks' ? ['number'] : ['number', 'index']
  const values = columns.map((name) => `coalesce(s."${name}", t."${name}") as "${name}"`)
  await copyTo(
    connection,
    root,
    range,
    table,
    `select t.* replace (${values.join(', ')})
    from ${literal(tableFile(root, scaleChain, table, range))} t left join ${source} s using (${key.map((name) => `"${name}"`).join(', ')})
    order by ${key.map((name) => `t."${name}"`).join(', ')}`,
  )
}

/** Gives the rows of a range their hashes and roots, by the code that checks those of a node. */
async function recomputeHashes(
  connection: DuckDBConnection,
  engine: LakeEngine,
  root: string,
  range: BlockRange,
  before: Before | undefined,
): Promise<void> {
  await connection.run(`
    create or replace temp table tx_hashes (number bigint, "index" integer, hash varchar);
    create or replace temp table block_hashes (
      number bigint, hash varchar, parent_hash varchar, transactions_root varchar, receipts_root varchar)`)
  const transactions = await connection.createAppender('tx_hashes', 'main', 'temp')
  const blocks = await connection.createAppender('block_hashes', 'main', 'temp')
  const tables = ['blocks', 'transactions', 'logs'] as const
  const readers = new Map<(typeof tables)[number], StoredRows>()
  try {
    for (const table of tables) {
      const path = tableFile(root, scaleChain, table, range)
      readers.set(table, await StoredRows.open(await engine.connect(), table, path, range.from))
    }
    const take = async (table: (typeof tables)[number], number: number) =>
      (await readers.get(table)?.take(number)) ?? []
    let parentHash = before?.last.hash
    for (let number = range.from; number <= range.to; number += 1) {
      const [block] = await take('blocks', number)
      if (!block) throw new Error(`block ${number} was not generated`)
      const { header, receipts } = answerOf(scaleChain, {
        block,
        transactions: await take('transactions', number),
        logs: await take('logs', number),
        withdrawals: [],
      })
      const encoded = encodeTransactions(header['transactions'] as never)
      const encodedReceipts = encodeReceipts(receipts)
      if (!encoded || !encodedReceipts) throw new Error(`block ${number} can't be encoded`)
      const parent = parentHash ?? String(header['parentHash'])
      const roots = {
        transactionsRoot: indexedTrieRoot(encoded),
        receiptsRoot: indexedTrieRoot(encodedReceipts),
      }
      const hash = headerHash({ ...header, ...roots, parentHash: parent })
      if (hash === undefined) throw new Error(`the header of block ${number} can't be hashed`)
      encoded.forEach((bytes, index) => {
        transactions.appendBigInt(BigInt(number))
        transactions.appendInteger(index)
        transactions.appendVarchar(toHex(keccak256(bytes)))
        transactions.endRow()
      })
      blocks.appendBigInt(BigInt(number))
      for (const text of [hash, parent, roots.transactionsRoot, roots.receiptsRoot])
        blocks.appendVarchar(text)
      blocks.endRow()
      parentHash = hash
    }
  } finally {
    for (const reader of readers.values()) reader.close()
    transactions.closeSync()
    blocks.closeSync()
  }
  await replaceColumns(connection, root, range, 'transactions', 'tx_hashes', ['hash'])
  const columns = ['hash', 'parent_hash', 'transactions_root', 'receipts_root']
  await replaceColumns(connection, root, range, 'blocks', 'block_hashes', columns)
}

async function writeManifest(
  connection: DuckDBConnection,
  root: string,
  range: BlockRange,
  { engine, before }: { engine: LakeEngine; before: Before | undefined },
): Promise<Manifest> {
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
  const blocks = literal(tableFile(root, scaleChain, 'blocks', range))
  const ends = await read(`
    select hash, parent_hash, ts::integer from ${blocks} where number in (${range.from}, ${range.to}) order by number`)
  const [first, last] = [ends[0] ?? [], ends.at(-1) ?? []]
  const files: [LakeTable, Manifest['files'][LakeTable]][] = []
  for (const table of lakeTableNames) {
    const path = tableFile(root, scaleChain, table, range)
    const [[rows] = []] = await read(`select count(*)::integer from ${literal(path)}`)
    const { size, sha256 } = await contentOf(path)
    files.push([table, { rows: Number(rows), bytes: size, sha256 }])
  }
  const manifest: Manifest = {
    schemaVersion: lakeSchemaVersion,
    engine: engine.version,
    chain: scaleChain,
    genesisHash: before?.genesisHash ?? String(first[0]),
    ...range,
    client: 'synthetic',
    traces: 'debug',
    first: { hash: String(first[0]), parentHash: String(first[1]), ts: Number(first[2]) },
    last: { hash: String(last[0]), ts: Number(last[2]) },
    files: Object.fromEntries(files) as Manifest['files'],
  }
  const path = manifestFile(root, scaleChain, range)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`)
  return manifest
}
