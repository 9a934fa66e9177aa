import { once } from 'node:events'
import type { Database } from '../../server/store/database.ts'
import { ensurePartitions } from '../../server/store/partitions.ts'
import { numberToHex } from 'viem'
import { referenceChain, type ReferenceNode } from './reference-chain.ts'
import { openRpc } from './rpc.ts'

/** Concurrent block requests: the service's default. */
const concurrency = 8

/** The node's method for inner calls; `none` omits them. */
export type TraceMethod = 'none' | 'trace_block' | 'debug_traceBlockByNumber'

/**
 * The first ceiling of docs/performance.md: blocks per second of a reader that only requests each block with
 * its receipts (and traces) and parses the JSON.
 */
export async function readCeiling(node: ReferenceNode, traces: TraceMethod): Promise<number> {
  const rpc = openRpc(node.url, concurrency)
  let next = 1
  const worker = async (): Promise<void> => {
    while (next <= node.blocks) {
      const block = numberToHex(next++)
      const calls: Promise<unknown>[] = [
        rpc.call('eth_getBlockByNumber', [block, true]),
        rpc.call('eth_getBlockReceipts', [block]),
      ]
      if (traces === 'trace_block') calls.push(rpc.call(traces, [block]))
      if (traces === 'debug_traceBlockByNumber')
        calls.push(rpc.call(traces, [block, { tracer: 'callTracer' }]))
      await Promise.all(calls)
    }
  }
  try {
    const began = performance.now()
    await Promise.all(Array.from({ length: concurrency }, worker))
    return (1_000 * node.blocks) / (performance.now() - began)
  } finally {
    rpc.close()
  }
}

/** Tables with rows of a block, and the column that contains the block. */
const blockTables = [
  ['blocks', 'number'],
  ['transactions', 'number'],
  ['logs', 'number'],
  ['calls', 'number'],
  ['contracts', 'number'],
  ['seen', 'first_block'],
  ['balances', 'number'],
  ['token_blocks', 'number'],
  ['tokens', 'first_block'],
  ['nfts', 'first_block'],
] as const

/** Copied once at the end, because the indexer rewrites a holder's row with each run that changes it. */
const holders = 'holders'
const copiedTables = [...blockTables.map(([table]) => table), holders]

/** Blocks per transaction, about 12,000 rows: the fastest size in docs/performance.md. */
const runLength = 100

/** Rows of some tables in the format of a binary COPY. */
export type Run = readonly { readonly table: string; readonly bytes: Buffer }[]

/** The result of a bare COPY. */
type CopyCeiling = { readonly blocksPerSecond: number; readonly rowsPerBlock: number }

/**
 * The second ceiling: blocks per second that COPY alone writes, with the indexer's own rows in runs of 100
 * blocks, into the same tables with the same indexes. Reading them from `from` is not counted.
 */
export async function copyCeiling(from: Database, to: Database): Promise<CopyCeiling> {
  const runs = await takeRuns(from)
  await ensurePartitions(to, chain, 0n, BigInt(referenceChain.blocks))
  const began = performance.now()
  for (const run of runs) await copyRun(to, run)
  const seconds = (performance.now() - began) / 1_000
  const rows = await rowsCopied(from, to, (table) => table)
  return { blocksPerSecond: referenceChain.blocks / seconds, rowsPerBlock: rows / referenceChain.blocks }
}

const chain = BigInt(referenceChain.chainId)

/** All rows of the reference chain in runs, in the format of a binary COPY. */
async function takeRuns(from: Database): Promise<Run[]> {
  const runs: Run[] = []
  for (let first = 0; first <= referenceChain.blocks; first += runLength)
    runs.push(await takeRun(from, first, first + runLength))
  const rows = await copyOut(from, `select * from ${holders} where chain = ${chain}`)
  return [...runs, [{ table: holders, bytes: rows }]]
}

/** The number of rows that were copied. Throws if a table lacks some. */
async function rowsCopied(from: Database, to: Database, nameOf: (table: string) => string): Promise<number> {
  let rows = 0
  for (const table of copiedTables) {
    const [given, copied] = await Promise.all([countRows(from, table), countRows(to, nameOf(table))])
    if (given !== copied) throw new Error(`${table}: ${copied} of ${given} rows were copied`)
    rows += given
  }
  return rows
}

/** Copies the rows of a run in one transaction. */
export async function copyRun(to: Database, run: Run): Promise<void> {
  await to.unsafe('begin')
  for (const { table, bytes } of run) {
    const sink = await to.unsafe(`copy ${table} from stdin (format binary)`).writable()
    sink.end(bytes)
    await once(sink, 'close')
  }
  await to.unsafe('commit')
}

/** How many rows a table has. */
export async function countRows(sql: Database, table: string): Promise<number> {
  const [row] = await sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${table}`)
  return row?.count ?? 0
}

/**
 * The rows of a run in COPY's format. They go through a file of the server, because the driver may leave its
 * socket paused at the end of a COPY to the client.
 */
async function takeRun(from: Database, first: number, before: number): Promise<Run> {
  const run: { table: string; bytes: Buffer }[] = []
  for (const [table, column] of blockTables) {
    const query = `select * from ${table} where chain = ${chain} and ${column} >= ${first} and ${column} < ${before}`
    run.push({ table, bytes: await copyOut(from, query) })
  }
  return run
}

/** The rows of a query in the format of a binary COPY. Throws if the file does not exist. */
export async function copyOut(from: Database, query: string): Promise<Buffer> {
  const [folder] = await from<{ path: string }[]>`select current_setting('data_directory') as path`
  if (!folder) throw new Error('the server has no data folder')
  await from.unsafe(`copy (${query}) to '${folder.path}/${exchangeFile}' (format binary)`)
  const [file] = await from<{ bytes: Buffer }[]>`select pg_read_binary_file(${exchangeFile}) as bytes`
  if (!file) throw new Error(`no rows came of ${query}`)
  return file.bytes
}

const exchangeFile = 'bench-rows.bin'
