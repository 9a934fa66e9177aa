import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Extraction, figuresOf, measureExtraction } from './lake-extraction.ts'
import { type QuestionTimes, timePrimaryQuestions, timeQuestions } from './lake-questions.ts'
import { lakeArgs, run, type Timing } from './support/lake-program.ts'
import { startSample } from './primary-indexing.ts'
import type { Database } from '../server/store/database.ts'
import { copyThenIndexCeiling } from './support/ceilings.ts'
import { cacheFolder, say } from './support/paths.ts'
import { startBenchPostgres, withDatabase } from './support/postgres.ts'
import {
  referenceChain,
  startLongReferenceChain,
  startReferenceChain,
  type ReferenceNode,
} from './support/reference-chain.ts'
import { indexReferenceChain } from './support/reference-service.ts'
import type { Report } from './support/report.ts'

const servicePort = 18_813

/**
 * Measures the built `lake`: extraction of the reference chain and of one of four times the length by 1, 2 and 4 workers
 * beside a bare reader and cryo, then the recount of the shorter one, and loading it beside the ordinary way.
 * `CRYO_PYTHON` names a Python that has cryo 0.3.2; without it that anchor is left out. Node, database and workers share
 * the machine, so CPU seconds stand beside the rates.
 */
export async function runLakeBench(): Promise<Report> {
  const folder = mkdtempSync(join(cacheFolder('lake'), 'run-'))
  try {
    const long = await withNode(startLongReferenceChain, (node) => measureExtraction(node, folder))
    return await withNode(startReferenceChain, async (node) => {
      const short = await measureExtraction(node, folder)
      return report(short, long, await measureLake(node, short.lake))
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function withNode<Result>(
  start: () => Promise<ReferenceNode>,
  use: (node: ReferenceNode) => Promise<Result>,
): Promise<Result> {
  const node = await start()
  try {
    return await use(node)
  } finally {
    await node.stop()
  }
}

type Measured = { readonly recount: Timing; readonly load: Load }

/** The recount of a lake of the reference chain, and loading it. */
async function measureLake(node: ReferenceNode, lake: string): Promise<Measured> {
  say('recount …')
  const recount = await run(lakeArgs('verify', '--root', lake))
  return { recount, load: await measureLoad(node, lake) }
}

function report(short: Extraction, long: Extraction, { recount, load }: Measured): Report {
  const { blocks } = short
  return {
    title: `The lake: ${short.blocks} and ${long.blocks} blocks of ${referenceChain.transactions} transactions and ${referenceChain.transfers} logs, without traces`,
    figures: [
      ...figuresOf(short),
      ...figuresOf(long),
      { name: 'recount: blocks', value: blocks / recount.seconds, unit: '/s' },
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
        value: short.bytes / (blocks * referenceChain.transactions),
        unit: 'B',
      },
      ...load.questions.map(({ question, lake: time, store, rows }) => ({
        name: `${question} (${rows} rows)`,
        value: time,
        unit: 'ms',
        anchor: { name: 'PostgreSQL', value: store },
      })),
    ],
    notes: [
      ...short.notes,
      ...long.notes,
      `CPU seconds of the recount ${recount.cpuSeconds.toFixed(1)}, of the load ${load.cpuSeconds.toFixed(1)} without the database's.`,
      'The questions are the twenty of docs/sql.md, the last two on the P-chain of a sample network: DuckDB on the files, and PostgreSQL on the loaded tables after ANALYZE, medians of five rounds in turn. Both answer the same.',
    ],
  }
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
