import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricNames } from '../../contract/metrics/catalogue.ts'
import { chainConfig, startIndexer, storedHead, until } from '../indexer/testing/harness.ts'
import { isTraced, nothing, tracedSpan } from '../metrics/definitions.ts'
import { KeptMedians, readSeries } from '../metrics/series.ts'
import { readUnknownTimes } from '../store/evm/read-trace-gaps.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { openEngine } from './engine.ts'
import { readManifest, storedRanges } from './ranges.ts'
import { lakeSchemaVersion } from './tables.ts'
import { startSpark, type SparkCluster } from './testing/spark-cluster.ts'

/**
 * A Python that has pyspark and the folder of pyspark, as `npm run test:spark` names them. Without them nothing here is
 * tested: Spark takes half a gigabyte and minutes.
 */
const python = process.env['RIDGELINE_SPARK_PYTHON']
const spark = process.env['RIDGELINE_SPARK_HOME'] ?? ''
const programOf = (name: string) => fileURLToPath(new URL(`../../dist/node/${name}.js`, import.meta.url))

/** Days of history of the sample network. */
const days = 12
const day = 86_400

type SampleNotice = {
  readonly type: string
  readonly network?: { readonly chains: readonly SampleChain[] }
}
type SampleChain = { readonly evmChainId: number; readonly name: string; readonly rpcUrl: string }

let folder: string
let sample: ChildProcess
let store: TestDatabase
let cluster: SparkCluster
/** Tasks of each executor, by job. */
const tasks: number[][] = []
let chains: readonly SampleChain[]
/** The chain whose store and lake are made without traces. */
let untraced: number
const lastOf = new Map<number, { readonly number: number; readonly ts: number }>()

/** Starts the sample network and waits for its history. */
async function startSample(): Promise<readonly SampleChain[]> {
  const args = ['--port', '0', '--home', join(folder, 'sample'), '--hours', `${days * 24}`, '--live', 'off']
  sample = spawn(process.execPath, [programOf('sample'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let found: readonly SampleChain[] = []
  if (sample.stdout === null) throw new Error('no output')
  for await (const line of createInterface(sample.stdout)) {
    const notice = JSON.parse(line) as SampleNotice
    if (notice.network) found = notice.network.chains
    if (notice.type === 'ready') break
  }
  sample.stdout.resume()
  return found
}

async function headOf(url: string): Promise<number> {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  return Number(((await (await fetch(url, { ...asked, body })).json()) as { result: string }).result)
}

/** Extracts blocks from 0 on with the built program, in at least two ranges if their number can be divided. */
async function extractAll(chain: string, blocks: number, options: readonly string[]): Promise<string> {
  let size = Math.floor(blocks / 2)
  while (blocks % size !== 0) size -= 1
  if (size === 1) size = blocks
  const root = join(folder, 'lake')
  const args = ['extract', '--root', root, '--chain', chain, '--range-size', `${size}`, ...options]
  const child = spawn(process.execPath, [programOf('lake'), ...args], { stdio: 'inherit' })
  expect(await once(child, 'exit')).toEqual([0, null])
  return root
}

async function extract({ evmChainId, rpcUrl }: SampleChain): Promise<void> {
  const blocks = (await headOf(rpcUrl)) + 1
  const traces = evmChainId === untraced ? ['--traces', 'off'] : []
  const options = ['--rpc', rpcUrl, '--confirmations', '0', ...traces]
  const root = await extractAll(`${evmChainId}`, blocks, options)
  const last = (await storedRanges(root, evmChainId)).at(-1)
  if (!last) throw new Error('the lake is empty')
  const manifest = await readManifest(root, evmChainId, last)
  lastOf.set(evmChainId, { number: last.to, ts: manifest.last.ts })
}

async function index({ evmChainId, rpcUrl }: SampleChain): Promise<void> {
  const traces = evmChainId === untraced ? ('off' as const) : ('auto' as const)
  const indexer = startIndexer(store.database, chainConfig({ evmChainId, rpcUrl, traces }))
  const last = lastOf.get(evmChainId)?.number ?? 0
  await until(
    'the store ends with the lake',
    async () => (await storedHead(store.database, evmChainId))?.number === last,
    120_000,
  )
  await indexer.stop()
}

/** Rows that Spark wrote, each value as text. */
async function written(chain: number, table: string, columns: string): Promise<string[]> {
  const engine = await openEngine(folder)
  const connection = await engine.connect()
  const files = join(folder, 'counted', `${chain}`, table, '*.parquet')
  const reader = await connection.runAndReadAll(
    `select concat_ws(' ', ${columns}) as line from read_parquet('${files}') order by line`,
  )
  connection.closeSync()
  engine.close()
  return reader.getRows().map(([line]) => String(line))
}

/** The fractions of every metric on every complete day, as the store has them. */
async function storedMetrics(chain: number): Promise<Map<string, { amount: bigint; per: bigint }>> {
  const key = BigInt(chain)
  const [first] = await store.database<{ ts: bigint }[]>`
    select ts from blocks where chain = ${key} and ts > 0 order by number limit 1`
  const from = Number(first?.ts)
  const starts: number[] = []
  const end = lastOf.get(chain)?.ts ?? 0
  for (let start = from - (from % day); start + day <= end; start += day) starts.push(start)
  expect(starts.length).toBeGreaterThan(3)
  const unknown = await readUnknownTimes(store.database, key)
  const values = new Map<string, { amount: bigint; per: bigint }>()
  for (const metric of metricNames) {
    const span = tracedSpan(metric)
    const known = starts.filter((start) => !span || isTraced(span, start, start + day, unknown, from))
    const series: { amount: bigint; per: bigint }[] = []
    // Medians come in parts.
    while (series.length < known.length) {
      const asked = {
        chains: [key],
        metric,
        interval: 'day' as const,
        starts: known.slice(series.length),
      }
      series.push(...(await readSeries(store.database, asked, new KeptMedians())))
    }
    for (const [place, start] of known.entries()) values.set(`${metric} ${start}`, series[place] ?? nothing)
  }
  return values
}

test('the job reads the layout of today', () => {
  const source = readFileSync(new URL('../../ops/spark/lake.py', import.meta.url), 'utf8')
  expect(/^SCHEMA_VERSION = (\d+)$/m.exec(source)?.[1]).toBe(`${lakeSchemaVersion}`)
})

describe.skipIf(python === undefined)('a lake counted by Spark', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ridgeline-spark-'))
    store = await createTestDatabase()
    const [first, ...others] = await startSample()
    const other = others.at(-1)
    if (!first || !other) throw new Error('the sample has too few chains')
    chains = [first, other]
    untraced = other.evmChainId
    for (const chain of chains) {
      await extract(chain)
      await index(chain)
    }
    cluster = await startSpark({ python: python ?? '', spark }, 2, folder)
    for (const { evmChainId } of chains) {
      const out = join(folder, 'counted', `${evmChainId}`)
      const given = ['--lake', join(folder, 'lake'), '--chain', `${evmChainId}`, '--out', out]
      tasks.push(await cluster.submit(['metrics', 'tokens', ...given]))
    }
    // Spark alone takes minutes, and ten times as long on a busy machine.
  }, 3_600_000)

  afterAll(async () => {
    await cluster?.stop()
    sample?.kill()
    await store?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  test('both workers had a part in it', () => {
    expect(tasks.map((each) => each.length)).toEqual(chains.map(() => 2))
  })

  test('has every metric of every complete day as the store has it', async () => {
    for (const { evmChainId } of chains) {
      const stored = await storedMetrics(evmChainId)
      const counted = await written(evmChainId, 'metrics', 'metric, day, amount, per')
      const differences: string[] = []
      for (const line of counted) {
        const [metric = '', start = '', amount = '', per = ''] = line.split(' ')
        const value = stored.get(`${metric} ${start}`)
        stored.delete(`${metric} ${start}`)
        const figure = { amount: BigInt(amount), per: BigInt(per) }
        const isEqual =
          value !== undefined &&
          (figure.per === 0n) === (value.per === 0n) &&
          figure.amount * value.per === value.amount * figure.per
        if (!isEqual) differences.push(`${line}, stored ${value?.amount}/${value?.per}`)
      }
      expect(differences).toEqual([])
      expect([...stored.keys()]).toEqual([])
      // Without traces, what is counted from them is not known.
      const metrics = new Set(counted.map((line) => line.split(' ')[0]))
      expect(metrics.size).toBe(metricNames.length - (evmChainId === untraced ? 4 : 0))
    }
  })

  /** Columns by table; those of the store are bytes where Spark has text. */
  test.each([
    ['balances', 'kind, token, address, token_id, number, balance'],
    ['holders', 'kind, token, address, balance, peak'],
    ['token_blocks', 'kind, token, number, supply, holders, cum_transfers'],
    ['tokens', 'kind, token, first_block'],
    ['nfts', 'kind, token, token_id, first_block'],
  ])('folds %s as the store has them', async (table, columns) => {
    let compared = 0
    for (const { evmChainId } of chains) {
      const texts = columns.replaceAll(/token\b|address/g, (name) => `'0x' || encode(${name}, 'hex')`)
      const rows = await store.database.unsafe<{ line: string }[]>(
        `select line from (select concat_ws(' ', ${texts}) as line from ${table} where chain = ${evmChainId}) l
         order by line collate "C"`,
      )
      compared += rows.length
      expect((await written(evmChainId, table, columns)).join('\n')).toBe(
        rows.map(({ line }) => line).join('\n'),
      )
    }
    expect(compared).toBeGreaterThan(0)
  })
})
