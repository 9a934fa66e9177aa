import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { type QuestionTimes, timePrimaryQuestions, timeQuestions } from './lake-questions.ts'
import { lakeArgs, run, type Timing } from './support/lake-program.ts'
import { startSample } from './primary-indexing.ts'
import type { Database } from '../server/store/database.ts'
import { copyThenIndexCeiling, readCeiling } from './support/ceilings.ts'
import { cacheFolder, say } from './support/paths.ts'
import { startBenchPostgres, withDatabase } from './support/postgres.ts'
import { referenceChain, startReferenceChain, type ReferenceNode } from './support/reference-chain.ts'
import { indexReferenceChain } from './support/reference-service.ts'
import type { Figure, Report } from './support/report.ts'

const servicePort = 18_813
const rounds = 3
/** Ten whole ranges: the blocks 0 to 2,159. */
const rangeSize = 216
const lastBlock = 2_159
const blocks = lastBlock + 1
const workerCounts = [1, 2, 4]
const nameOf = (workers: number): string => `${workers} ${workers === 1 ? 'worker' : 'workers'}`
/** As for the bare reader, with one worker. */
const concurrency = 8

/**
 * Measures the built `lake` on the reference chain: extraction by 1, 2 and 4 workers beside a bare reader and
 * cryo, then the recount, and loading beside the ordinary way. `CRYO_PYTHON` names a Python that has cryo
 * 0.3.2; without it that anchor is left out. Node, database and workers share the machine, so CPU seconds
 * stand beside the rates.
 */
export async function runLakeBench(): Promise<Report> {
  const folder = mkdtempSync(join(cacheFolder('lake'), 'run-'))
  const node = await startReferenceChain()
  try {
    // The node's first answers use cold caches.
    await readCeiling(node, 'none')
    const measures = new Map<string, () => Promise<Timing | undefined>>([
      ['a bare reader', async () => ({ seconds: blocks / (await readCeiling(node, 'none')), cpuSeconds: 0 })],
      ['cryo', () => runCryo(node, join(folder, 'cryo'))],
      ...workerCounts.map((workers): [string, () => Promise<Timing>] => [
        nameOf(workers),
        () => extract(node, join(folder, `lake-${workers}`), workers),
      ]),
    ])
    const timings = await measureInTurn(measures)
    const cryo = timings.get('cryo')
    if (cryo)
      await checkLogs(
        join(folder, 'cryo', '*logs*.parquet'),
        join(folder, 'lake-1', '*', 'logs', '*.parquet'),
      )
    const lake = join(folder, 'lake-1')
    const bytes = await sizeOf(lake)
    say('recount …')
    const recount = await run(lakeArgs('verify', '--root', lake))
    const load = await measureLoad(node, lake)
    const rate = ({ seconds }: Timing) => blocks / seconds
    const reader = timings.get('a bare reader')
    const anchor = { name: 'bare reader', value: reader ? rate(reader) : 0 }
    const figures: Figure[] = [
      ...['cryo', ...workerCounts.map(nameOf)].flatMap((name) => {
        const timing = timings.get(name)
        return timing
          ? [{ name: `extraction, ${name}: blocks`, value: rate(timing), unit: '/s', anchor }]
          : []
      }),
      { name: 'recount: blocks', value: rate(recount), unit: '/s' },
      {
        name: 'load: blocks',
        value: blocks / load.seconds,
        unit: '/s',
        anchor: { name: 'the ordinary way', value: load.ordinary },
      },
      {
        name: 'load: rows',
        value: load.rows / load.seconds,
        unit: '/s',
        anchor: { name: 'COPY, then indexes', value: load.copy },
      },
      {
        name: 'the lake: bytes per transaction',
        value: bytes / (blocks * referenceChain.transactions),
        unit: 'B',
      },
      ...load.questions.map(({ question, lake: time, store, rows }) => ({
        name: `${question} (${rows} rows)`,
        value: time,
        unit: 'ms',
        anchor: { name: 'PostgreSQL', value: store },
      })),
    ]
    const cpu = ['cryo', ...workerCounts.map(nameOf)]
      .flatMap((name) => `${name} ${timings.get(name)?.cpuSeconds.toFixed(1) ?? '–'}`)
      .join(', ')
    return {
      title: `The lake: ${blocks} blocks of ${referenceChain.transactions} transactions and ${referenceChain.transfers} logs, without traces`,
      figures,
      notes: [
        `Medians of ${rounds} rounds, reader, cryo and extraction in turn. The extraction checks every hash and root; cryo checks nothing.`,
        `CPU seconds of all processes but the node's: ${cpu}; recount ${recount.cpuSeconds.toFixed(1)}, load ${load.cpuSeconds.toFixed(1)} without the database's.`,
        'The questions are the twenty of docs/sql.md, the last two on the P-chain of a sample network: DuckDB on the files, and PostgreSQL on the loaded tables after ANALYZE, medians of five rounds in turn. Both answer the same.',
        ...(cryo ? [] : ['cryo was left out: CRYO_PYTHON names no Python that has it.']),
      ],
    }
  } finally {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The run of median wall time of each, all in turn; one whose program is not there is left out. */
async function measureInTurn(
  measures: ReadonlyMap<string, () => Promise<Timing | undefined>>,
): Promise<ReadonlyMap<string, Timing>> {
  const all = new Map<string, Timing[]>()
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, measure] of measures) {
      say(`${name}, round ${round} of ${rounds} …`)
      const timing = await measure()
      if (timing) all.set(name, [...(all.get(name) ?? []), timing])
    }
  }
  return new Map(
    [...all].flatMap(([name, timings]) => {
      const timing = timings.toSorted((one, other) => one.seconds - other.seconds)[timings.length >> 1]
      return timing ? [[name, timing]] : []
    }),
  )
}

/** Throws unless two sets of files have equally many logs: who leaves some out is faster. */
async function checkLogs(files: string, others: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const count = async (path: string): Promise<unknown> =>
    (await connection.runAndReadAll(`select count(*) from '${path}'`)).getRowsJson()[0]?.[0]
  const [found, wanted] = [await count(files), await count(others)]
  connection.closeSync()
  if (found !== wanted) throw new Error(`${files} has ${String(found)} logs instead of ${String(wanted)}`)
}

async function extract(node: ReferenceNode, lake: string, workers: number): Promise<Timing> {
  rmSync(lake, { recursive: true, force: true })
  const args =
    `extract --chain ${referenceChain.chainId} --rpc ${node.url} --to ${lastBlock} --range-size ${rangeSize} ` +
    `--workers ${workers} --concurrency ${concurrency} --confirmations 0 --traces off`
  return run(lakeArgs(...args.split(' '), '--root', lake))
}

async function runCryo(node: ReferenceNode, output: string): Promise<Timing | undefined> {
  const python = process.env['CRYO_PYTHON']
  if (python === undefined) return undefined
  rmSync(output, { recursive: true, force: true })
  const program =
    `import cryo; cryo.freeze(['blocks', 'transactions', 'logs'], blocks=['0:${blocks}'], rpc='${node.url}', ` +
    `output_dir='${output}', chunk_size=${rangeSize}, max_concurrent_requests=${concurrency}, verbose=False)`
  return run([python, ['-c', program]])
}

type Load = Timing & {
  /** Blocks per second of the ordinary way from the node. */
  readonly ordinary: number
  readonly rows: number
  /** Rows per second of the same rows into bare tables whose indexes are built afterwards. */
  readonly copy: number
  readonly questions: readonly QuestionTimes[]
}

/** Loads into an empty database, and asks it and the lake the questions of docs/sql.md. */
async function measureLoad(node: ReferenceNode, lake: string): Promise<Load> {
  const postgres = await startBenchPostgres()
  try {
    say('the ordinary way …')
    const { service, blocksPerSecond: ordinary } = await indexReferenceChain(node, postgres, 'reference', {
      name: 'lake',
      port: servicePort,
      traces: 'off',
    })
    await service.stop()
    await postgres.create('loaded')
    say('load …')
    const url = postgres.urlOf('loaded')
    const args = lakeArgs('load', '--root', lake, '--chain', `${referenceChain.chainId}`)
    const timing = await run(args, { DATABASE_URL: url })
    await postgres.create('bare')
    const more = await withDatabase(url, async (loaded) => {
      say('COPY into bare tables …')
      const { rows, rowsPerSecond: copy } = await withDatabase(postgres.urlOf('bare'), (bare) =>
        copyThenIndexCeiling(loaded, bare),
      )
      say('the questions …')
      await loaded`analyze`
      const questions = await timeQuestions(lake, referenceChain.chainId, loaded)
      return { rows, copy, questions: [...questions, ...(await askPrimary(url, loaded, `${lake}-primary`))] }
    })
    return { ...timing, ordinary, ...more }
  } finally {
    await postgres.stop()
  }
}

/** Extracts and loads the P-chain of a sample network, and asks both of it. */
async function askPrimary(url: string, loaded: Database, lake: string): Promise<readonly QuestionTimes[]> {
  const sample = await startSample('lake-sample', 1)
  try {
    const chain = ['--root', lake, '--chain', 'P']
    const source = ['--rpc', sample.url, '--genesis', sample.genesisFile, '--range-size', '1000']
    await run(lakeArgs('extract', ...chain, ...source))
    await run(lakeArgs('load', ...chain, '--network', 'fuji', '--without-c'), { DATABASE_URL: url })
  } finally {
    await sample.stop()
  }
  await loaded`analyze`
  return timePrimaryQuestions(lake, 'fuji', loaded)
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
