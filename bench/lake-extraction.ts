import { rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { readCeiling } from './support/ceilings.ts'
import { lakeArgs, run, type Timing } from './support/lake-program.ts'
import { say } from './support/paths.ts'
import { referenceChain, type ReferenceNode } from './support/reference-chain.ts'
import type { Figure } from './support/report.ts'

const rounds = 3
/** All but the last block of a chain fill ten ranges. */
const ranges = 10
const workerCounts = [1, 2, 4]
const nameOf = (workers: number): string => `${workers} ${workers === 1 ? 'worker' : 'workers'}`
const readerName = 'a bare reader'
const cryoName = 'cryo'
/** As for the bare reader, with one worker. */
const concurrency = 8

/** What was measured on one chain. `lake` is the folder that one worker has written. */
export type Extraction = {
  readonly blocks: number
  readonly lake: string
  /** Size of that lake. */
  readonly bytes: number
  readonly timings: ReadonlyMap<string, Timing>
  readonly notes: readonly string[]
}

/**
 * Extraction of a node's chain by 1, 2 and 4 workers beside a bare reader and cryo, all in turn, with the same ranges and
 * concurrency. Throws if cryo has not written as many logs.
 */
export async function measureExtraction(node: ReferenceNode, folder: string): Promise<Extraction> {
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
    lake,
    bytes: await sizeOf(lake),
    timings,
    notes: [
      `Extraction of ${blocks} blocks: medians of ${rounds} rounds, reader, cryo and extraction in turn. The extraction checks every hash and root; cryo checks nothing. CPU seconds of all processes but the node's: ${cpu.join(', ')}.`,
      ...(timings.has(cryoName) ? [] : ['cryo was left out: CRYO_PYTHON names no Python that has it.']),
    ],
  }
}

/** Blocks per second of cryo and of each number of workers, beside the bare reader, and beside cryo. */
export function figuresOf({ blocks, timings }: Extraction): Figure[] {
  const rateOf = (name: string): number => {
    const timing = timings.get(name)
    return timing ? blocks / timing.seconds : 0
  }
  const besides = (name: string, anchor: string): Figure[] =>
    timings.has(name) && timings.has(anchor)
      ? [
          {
            name: `extraction of ${blocks} blocks, ${name}: blocks`,
            value: rateOf(name),
            unit: '/s',
            anchor: { name: anchor, value: rateOf(anchor) },
          },
        ]
      : []
  const workers = workerCounts.map(nameOf)
  return [
    ...[cryoName, ...workers].flatMap((name) => besides(name, readerName)),
    ...workers.flatMap((name) => besides(name, cryoName)),
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

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
