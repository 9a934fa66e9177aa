import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../server/store/database.ts'
import { fillPartition, fillTable, partitionedTables } from '../server/store/partitions.ts'
import { lakeArgs, run } from './support/lake-program.ts'
import { copyOut, countRows } from './support/ceilings.ts'
import { cacheFolder, say } from './support/paths.ts'
import { startBenchPostgres, withDatabase, type BenchPostgres } from './support/postgres.ts'
import {
  referenceChain,
  startLongReferenceChain,
  startReferenceChain,
  type ReferenceNode,
} from './support/reference-chain.ts'
import { median, type Figure, type Report } from './support/report.ts'

const rounds = 3
/** All but the last block of a chain fill ten ranges. */
const ranges = 10
const chain = BigInt(referenceChain.chainId)
const sharedTables = [
  'cross_chain_messages',
  'seen',
  'balances',
  'holders',
  'token_blocks',
  'tokens',
  'nfts',
  'nft_ranges',
]
const tables = [...partitionedTables, ...sharedTables]

/**
 * Measures the built `lake load` on lakes of the reference chain and of one of four times the length, on which the start of
 * the program counts less: in bulk, beside a COPY of the same rows into bare tables with their indexes built afterwards,
 * and beside the ordinary way. Rows are those of all tables, derived ones included; times are those of the whole program.
 */
export async function runLakeLoadBench(): Promise<Report> {
  const folder = mkdtempSync(join(cacheFolder('lake'), 'load-'))
  const postgres = await startBenchPostgres()
  try {
    const measured: Measured[] = []
    for (const start of [startReferenceChain, startLongReferenceChain]) {
      const node = await start()
      const lake = join(folder, `lake-${node.blocks}`)
      try {
        await extractChain(node, lake)
      } finally {
        await node.stop()
      }
      measured.push(await measureLoad(postgres, { lake, blocks: node.blocks, home: join(folder, 'home') }))
    }
    return {
      title: 'Loading a lake, without inner calls',
      figures: measured.flatMap(({ figures }) => figures),
      notes: [`Medians of ${rounds} rounds; the ordinary way once.`, ...measured.map(({ note }) => note)],
    }
  } finally {
    for (const name of ['ordinary', 'bulk', 'bare']) await postgres.drop(name)
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

type Measured = { readonly figures: readonly Figure[]; readonly note: string }

/** Loads a lake once in the ordinary way, then in bulk and by COPY in turn. Throws if rows are missing. */
async function measureLoad(
  postgres: BenchPostgres,
  { lake, blocks, home }: { lake: string; blocks: number; home: string },
): Promise<Measured> {
  const load = async (name: string, ...flags: readonly string[]) => {
    await postgres.create(name)
    const args = lakeArgs('load', '--root', lake, '--chain', `${chain}`, ...flags)
    return run(args, { DATABASE_URL: postgres.urlOf(name), RIDGELINE_HOME: home })
  }
  say(`${blocks} blocks, the ordinary way …`)
  const ordinary = await load('ordinary')
  const { rows, copies } = await withDatabase(postgres.urlOf('ordinary'), takeRows)
  const bare: number[] = []
  const bulk: number[] = []
  let cpuSeconds = 0
  while (bulk.length < rounds) {
    say(`${blocks} blocks, round ${bulk.length + 1} of ${rounds} …`)
    bare.push(await copyBare(postgres, copies))
    const loaded = await load('bulk', '--bulk')
    bulk.push(loaded.seconds)
    cpuSeconds = loaded.cpuSeconds
  }
  const counted = await withDatabase(postgres.urlOf('bulk'), countAll)
  // The ordinary way may leave older hours in `seen`, fewer than one row in a hundred here.
  if (counted > rows || counted < rows * 0.99) throw new Error(`${counted} of ${rows} rows were loaded`)
  const rate = (seconds: number) => rows / seconds
  const figure = { name: `bulk, ${blocks} blocks: rows`, value: rate(median(bulk)), unit: '/s' }
  return {
    figures: [
      { ...figure, anchor: { name: 'COPY, then indexes', value: rate(median(bare)) } },
      { ...figure, anchor: { name: 'the ordinary way', value: rate(ordinary.seconds) } },
    ],
    note: `${rows} rows of ${blocks} blocks. CPU seconds without the database's: bulk ${cpuSeconds.toFixed(1)}, the ordinary way ${ordinary.cpuSeconds.toFixed(1)}. Seconds of each round, bulk ${bulk.map((seconds) => seconds.toFixed(1)).join(', ')}, COPY ${bare.map((seconds) => seconds.toFixed(1)).join(', ')}.`,
  }
}

async function extractChain(node: ReferenceNode, lake: string): Promise<void> {
  say(`extraction of ${node.blocks} blocks …`)
  const args =
    `extract --chain ${chain} --rpc ${node.url} --to ${node.blocks - 1} --range-size ${node.blocks / ranges} ` +
    '--workers 2 --confirmations 0 --traces off'
  await run(lakeArgs(...args.split(' '), '--root', lake))
}

type Copy = { readonly table: string; readonly bytes: Buffer }

/** All rows of the chain in the format of a binary COPY. */
async function takeRows(from: Database): Promise<{ rows: number; copies: readonly Copy[] }> {
  const copies: Copy[] = []
  for (const table of tables) copies.push({ table, bytes: await copyOut(from, `select * from ${table}`) })
  return { rows: await countAll(from), copies }
}

async function countAll(from: Database): Promise<number> {
  let rows = 0
  for (const table of tables) rows += await countRows(from, table)
  return rows
}

/** Seconds of a COPY into each table before its indexes are built, as a bulk load does it. */
async function copyBare(postgres: BenchPostgres, copies: readonly Copy[]): Promise<number> {
  await postgres.create('bare')
  return withDatabase(postgres.urlOf('bare'), async (sql) => {
    const began = performance.now()
    for (const { table, bytes } of copies) {
      const copy = async (name: string) => {
        const sink = await sql.unsafe(`copy ${name} from stdin (format binary)`).writable()
        sink.end(bytes)
        await once(sink, 'close')
      }
      const partitioned = partitionedTables.find((name) => name === table)
      await sql.unsafe('begin')
      await sql`select set_config('maintenance_work_mem', '256MB', true)`
      if (partitioned) await fillPartition(sql, partitioned, { chain, from: 0n, before: 100_000n }, copy)
      else await fillTable(sql, table, () => copy(table))
      await sql.unsafe('commit')
    }
    return (performance.now() - began) / 1_000
  })
}
