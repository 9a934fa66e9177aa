import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { readCeiling } from './support/ceilings.ts'
import { lakeArgs, run, type Timing } from './support/lake-program.ts'
import { cacheFolder, say } from './support/paths.ts'
import {
  referenceChain,
  startLongReferenceChain,
  startReferenceChain,
  type ReferenceNode,
} from './support/reference-chain.ts'
import type { Budget, Figure, Report } from './support/report.ts'

const rounds = 3
/** All but the last block of a chain fill ten ranges. */
const ranges = 10
const workerCounts = [1, 2, 4]
const nameOf = (workers: number): string => `${workers} ${workers === 1 ? 'worker' : 'workers'}`
const readerName = 'a bare reader'
const cryoName = 'cryo'
/** As for the bare reader, with one worker. */
const concurrency = 8

/** Whoever checks everything should not be slower than a program that checks nothing. */
const asFastAsCryo: Budget = { of: 'ratio', bound: 'at least', limit: 1 }

/** What was measured on one chain. */
type Extraction = {
  readonly blocks: number
  readonly timings: ReadonlyMap<string, Timing>
  readonly notes: readonly string[]
}

/**
 * Measures extraction by the built `lake`, of the reference chain and of one of four times the length, beside a bare
 * reader and cryo. `CRYO_PYTHON` names a Python that has cryo 0.3.2; without it that anchor is left out. Node and workers
 * share the machine, so CPU seconds stand beside the rates.
 */
export async function runExtractionBench(): Promise<Report> {
  const folder = mkdtempSync(join(cacheFolder('lake'), 'run-'))
  try {
    const long = await withNode(startLongReferenceChain, (node) => measureExtraction(node, folder))
    const short = await withNode(startReferenceChain, (node) => measureExtraction(node, folder))
    return {
      title: `Extraction of ${short.blocks} and ${long.blocks} blocks of ${referenceChain.transactions} transactions and ${referenceChain.transfers} logs, without traces`,
      figures: [...figuresOf(short), ...figuresOf(long)],
      notes: [...short.notes, ...long.notes],
    }
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

/**
 * Extraction of a node's chain by 1, 2 and 4 workers beside a bare reader and cryo, all in turn, with the same ranges and
 * concurrency. Throws if cryo has not written as many logs.
 */
async function measureExtraction(node: ReferenceNode, folder: string): Promise<Extraction> {
  const { blocks } = node
  const lakeOf = (workers: number): string => join(folder, `lake-${blocks}-${workers}`)
  const cryoFolder = join(folder, `cryo-${blocks}`)
  // The node's first answers use cold caches.
  await readCeiling(node, 'none')
  const timings = await measureInTurn(
    blocks,
    new Map<string, () => Promise<Timing | undefined>>([
      [readerName, async () => ({ seconds: blocks / (await readCeiling(node, 'none')), cpuSeconds: 0 })],
      [cryoName, () => runCryo(node, cryoFolder)],
      ...workerCounts.map((workers): [string, () => Promise<Timing>] => [
        nameOf(workers),
        () => extract(node, lakeOf(workers), workers),
      ]),
    ]),
  )
  const lake = lakeOf(1)
  if (timings.has(cryoName))
    await checkLogs(join(cryoFolder, '*logs*.parquet'), join(lake, '*', 'logs', '*.parquet'))
  rmSync(cryoFolder, { recursive: true, force: true })
  const cpu = [cryoName, ...workerCounts.map(nameOf)].map(
    (name) => `${name} ${timings.get(name)?.cpuSeconds.toFixed(1) ?? '–'}`,
  )
  return {
    blocks,
    timings,
    notes: [
      `Extraction of ${blocks} blocks: medians of ${rounds} rounds, reader, cryo and extraction in turn. The extraction checks every hash and root; cryo checks nothing. CPU seconds of all processes but the node's: ${cpu.join(', ')}.`,
      ...(timings.has(cryoName) ? [] : ['cryo was left out: CRYO_PYTHON names no Python that has it.']),
    ],
  }
}

/** Blocks per second of cryo and of each number of workers, beside the bare reader, and beside cryo. */
function figuresOf({ blocks, timings }: Extraction): Figure[] {
  const rateOf = (name: string): number => {
    const timing = timings.get(name)
    return timing ? blocks / timing.seconds : 0
  }
  const besides = (name: string, anchor: string, budget?: Budget): Figure[] =>
    timings.has(name) && timings.has(anchor)
      ? [
          {
            name: `extraction of ${blocks} blocks, ${name}: blocks`,
            value: rateOf(name),
            unit: '/s',
            anchor: { name: anchor, value: rateOf(anchor) },
            ...(budget && { budget }),
          },
        ]
      : []
  const workers = workerCounts.map(nameOf)
  return [
    ...[cryoName, ...workers].flatMap((name) => besides(name, readerName)),
    ...workers.flatMap((name) => besides(name, cryoName, asFastAsCryo)),
  ]
}

/** The arguments of an extraction of all whole ranges of a reference chain. */
function extractArgs(node: ReferenceNode, lake: string, workers: number): string[] {
  const args =
    `extract --chain ${referenceChain.chainId} --rpc ${node.url} --to ${node.blocks - 1} ` +
    `--range-size ${node.blocks / ranges} --workers ${workers} --concurrency ${concurrency} --confirmations 0 --traces off`
  return [...args.split(' '), '--root', lake]
}

async function extract(node: ReferenceNode, lake: string, workers: number): Promise<Timing> {
  rmSync(lake, { recursive: true, force: true })
  return run(lakeArgs(...extractArgs(node, lake, workers)))
}

async function runCryo(node: ReferenceNode, output: string): Promise<Timing | undefined> {
  const python = process.env['CRYO_PYTHON']
  if (python === undefined) return undefined
  rmSync(output, { recursive: true, force: true })
  const program =
    `import cryo; cryo.freeze(['blocks', 'transactions', 'logs'], blocks=['0:${node.blocks}'], rpc='${node.url}', ` +
    `output_dir='${output}', chunk_size=${node.blocks / ranges}, max_concurrent_requests=${concurrency}, verbose=False)`
  return run([python, ['-c', program]])
}

/** The run of median wall time of each, all in turn; one whose program is not there is left out. */
async function measureInTurn(
  blocks: number,
  measures: ReadonlyMap<string, () => Promise<Timing | undefined>>,
): Promise<ReadonlyMap<string, Timing>> {
  const all = new Map<string, Timing[]>()
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, measure] of measures) {
      say(`${blocks} blocks, ${name}, round ${round} of ${rounds} …`)
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
