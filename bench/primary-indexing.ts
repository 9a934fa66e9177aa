import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Notice } from '../sample/launcher.ts'
import { primaryChainKey } from '../server/primary/chains.ts'
import { cb58 } from '../protocol/ids/text.ts'
import { primaryTableNames } from '../server/store/primary/columns.ts'
import { type Database, liveChannel } from '../server/store/database.ts'
import { copyOut, copyRun, countRows, type Run } from './support/ceilings.ts'
import { endLater } from './support/endings.ts'
import { cacheFolder, root, say } from './support/paths.ts'
import { type BenchPostgres, withDatabase, withPostgres } from './support/postgres.ts'
import { median, type Report } from './support/report.ts'
import { openRpc } from './support/rpc.ts'
import { reasonOf } from './support/reference-service.ts'
import { startService } from './support/service.ts'

const samplePort = 18_860
const servicePort = 18_861
const rounds = 3
/** The end of the sample's history, fixed so that every run reads the same one. */
const historyEnd = 1_790_000_000
/** A multiple of the usual history, most of which would be indexed before the service's code is compiled. */
const defaultDensity = 8
const megabyte = 1_000_000
const timeoutMs = 400_000

type Listening = Extract<Notice, { readonly type: 'listening' }>
/** A running sample network with its complete history. */
export type Sample = {
  readonly url: string
  readonly genesisFile: string
  readonly chains: Listening['network']['chains']
  stop(): Promise<void>
}

/**
 * Starts the built sample network without live blocks, and waits for its complete history, which is kept below a name. Its
 * density is a multiple of the usual one.
 */
export async function startSample(name = 'primary-sample', density = defaultDensity): Promise<Sample> {
  const home = cacheFolder(name)
  const place = ['--port', String(samplePort), '--home', home]
  const options = [...place, '--now', String(historyEnd), '--live', 'off', '--density', String(density)]
  const child = spawn(process.execPath, [join(root, 'dist/node/sample.js'), ...options], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const stop = endLater(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  return new Promise((resolve, reject) => {
    let found: Omit<Sample, 'stop'> | undefined
    child.on('message', (message) => {
      const notice = message as Notice
      if (notice.type === 'listening') {
        const { genesisFile, chains } = notice.network
        found = { url: notice.url, genesisFile, chains }
      }
      if (notice.type === 'ready' && found !== undefined) resolve({ ...found, stop })
      if (notice.type === 'failed') reject(new Error(notice.message))
    })
    child.once('exit', () => reject(new Error('the sample network ended')))
  })
}

const indexes = ['P/block', 'X/block', 'X/vtx'] as const
const containersAtOnce = 1_024

/** Concurrent requests of the same kind: the service's default. */
const concurrency = 8

type ReadAll = { readonly containers: number; readonly seconds: number }

/**
 * Reads and parses everything that an indexer must read from a node: the index of P and X, and the UTXOs paid
 * to each staker at its end, which are in no block.
 */
async function readAll(url: string, stakers: readonly string[]): Promise<ReadAll> {
  const began = performance.now()
  const [counts] = await Promise.all([
    Promise.all(indexes.map((index) => readIndex(url, index))),
    readRewards(url, stakers),
  ])
  const containers = counts.reduce((sum, count) => sum + count, 0)
  return { containers, seconds: (performance.now() - began) / 1_000 }
}

async function readIndex(url: string, index: string): Promise<number> {
  const rpc = openRpc(`${url}/ext/index/${index}`, 1)
  try {
    for (let start = 0; ;) {
      const params = { startIndex: start, numToFetch: containersAtOnce, encoding: 'hex' }
      const { containers } = (await rpc.call('index.getContainerRange', params)) as { containers: unknown[] }
      start += containers.length
      if (containers.length < containersAtOnce) return start
    }
  } finally {
    rpc.close()
  }
}

async function readRewards(url: string, stakers: readonly string[]): Promise<void> {
  const rpc = openRpc(`${url}/ext/bc/P`, concurrency)
  const left = stakers.values()
  const worker = async (): Promise<void> => {
    for (const txID of left) await rpc.call('platform.getRewardUTXOs', { txID, encoding: 'hex' })
  }
  try {
    await Promise.all(Array.from({ length: concurrency }, worker))
  } finally {
    rpc.close()
  }
}

/** The stakers whose end was decided by a block, from the indexed data. */
async function endedStakers(databaseUrl: string): Promise<string[]> {
  return withDatabase(databaseUrl, async (sql) => {
    const rows = await sql<{ id: Buffer }[]>`
      select tx_id as id from stakers where ended_tx is not null and outcome <> 'removed'`
    return rows.map(({ id }) => cb58(id))
  })
}

/** Seconds that COPY alone takes for the indexer's rows, into the same primaryTableNames with the same indexes. */
async function copyAll(
  postgres: BenchPostgres,
): Promise<{ readonly rows: number; readonly seconds: number }> {
  await postgres.create('primary_copied')
  return withDatabase(postgres.urlOf('primary_indexed'), (from) =>
    withDatabase(postgres.urlOf('primary_copied'), async (to) => {
      const run: { table: string; bytes: Buffer }[] = []
      for (const table of primaryTableNames)
        run.push({ table, bytes: await copyOut(from, `select * from ${table}`) })
      const began = performance.now()
      await copyRun(to, run satisfies Run)
      const seconds = (performance.now() - began) / 1_000
      let rows = 0
      for (const table of primaryTableNames) {
        const [given, copied] = await Promise.all([from, to].map((sql) => countRows(sql, table)))
        if (given === undefined || given !== copied)
          throw new Error(`${table}: ${copied} of ${given} rows were copied`)
        rows += given
      }
      return { rows, seconds }
    }),
  )
}

/** The newest heights of P and X, by chain key. */
async function headsOf(url: string): Promise<ReadonlyMap<number, number>> {
  const heightOf = async (alias: 'P' | 'X', method: string): Promise<[number, number]> => {
    const rpc = openRpc(`${url}/ext/bc/${alias}`, 1)
    try {
      const { height } = (await rpc.call(method, {})) as { height: string }
      return [primaryChainKey('fuji', alias === 'P' ? 'p-chain' : 'x-chain'), Number(height)]
    } finally {
      rpc.close()
    }
  }
  return new Map(await Promise.all([heightOf('P', 'platform.getHeight'), heightOf('X', 'avm.getHeight')]))
}

/** Resolves once both chains are announced at their heads. Polling would slow down the measured process. */
async function whenAt(sql: Database, heads: ReadonlyMap<number, number>): Promise<{ done: Promise<void> }> {
  const left = new Map(heads)
  let arrive = (): void => undefined
  const done = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await sql.listen(liveChannel, (payload) => {
    const { kind, primary, height } = JSON.parse(payload) as { kind: string; primary: number; height: number }
    if (kind === 'primary' && height >= (left.get(primary) ?? Infinity)) left.delete(primary)
    if (left.size === 0) arrive()
  })
  return { done }
}

type Indexed = { readonly seconds: number; readonly cpuSeconds: number; readonly peakMemory: number }

/** Starts the built service on an empty database, and waits until P and X are at the node's heads. */
async function indexAll(sample: Sample, postgres: BenchPostgres): Promise<Indexed> {
  await postgres.create('primary_indexed')
  const databaseUrl = postgres.urlOf('primary_indexed')
  const heads = await headsOf(sample.url)
  return withDatabase(databaseUrl, async (sql) => {
    const { done } = await whenAt(sql, heads)
    const service = await startService({
      name: 'primary-indexing',
      role: 'all',
      port: servicePort,
      databaseUrl,
      config: {
        networks: [
          {
            id: 'fuji',
            name: 'Sample',
            networkId: 5,
            prefix: 'fuji',
            nodeUrl: sample.url,
            genesisFile: sample.genesisFile,
          },
        ],
        // The service requires at least one EVM chain; this one never answers.
        chains: [{ evmChainId: 1, name: 'None', rpcUrl: 'http://127.0.0.1:9' }],
      },
    })
    try {
      const began = performance.now()
      const late = delay(timeoutMs, 'late' as const, { ref: false })
      if ((await Promise.race([done, late])) === 'late')
        throw new Error(`the service did not reach the heads: ${await reasonOf(service)}`)
      const seconds = (performance.now() - began) / 1_000
      return { seconds, cpuSeconds: service.cpuSeconds(), peakMemory: service.peakMemory() }
    } finally {
      await service.stop()
    }
  })
}

/**
 * Measures the built service on the sample's P- and X-Chain from an empty database, and alternately two
 * ceilings: a bare reader of the same node data, and a bare COPY of the same rows.
 */
export async function runPrimaryIndexingBench(): Promise<Report> {
  return withPostgres(async (postgres) => {
    say('the sample network makes its history, once …')
    const sample = await startSample()
    try {
      const { containers } = await readAll(sample.url, [])
      const all: (Indexed & { reader: number; copy: number; rows: number })[] = []
      for (let round = 1; round <= rounds; round += 1) {
        say(`round ${round} of ${rounds} …`)
        const indexed = await indexAll(sample, postgres)
        const reader = await readAll(sample.url, await endedStakers(postgres.urlOf('primary_indexed')))
        const copy = await copyAll(postgres)
        all.push({ ...indexed, reader: reader.seconds, copy: copy.seconds, rows: copy.rows })
      }
      const middle = (pick: (round: (typeof all)[number]) => number): number => median(all.map(pick))
      const rate = (seconds: number): number => containers / seconds
      const reader = { name: 'bare reader', value: rate(middle((round) => round.reader)) }
      const copy = { name: 'bare COPY', value: rate(middle((round) => round.copy)) }
      const [lower, higher] = reader.value < copy.value ? [reader, copy] : [copy, reader]
      const value = rate(middle((round) => round.seconds))
      return {
        title: `Indexing ${containers.toLocaleString('en')} blocks and vertices of P and X, ${middle((round) => round.rows).toLocaleString('en')} rows`,
        figures: [
          {
            name: 'P and X',
            value,
            unit: '/s',
            anchor: lower,
            budget: { of: 'ratio', bound: 'at least', limit: 0.6 },
          },
          { name: 'P and X, the higher ceiling', value, unit: '/s', anchor: higher },
          { name: 'P and X, whole history', value: middle((round) => round.seconds), unit: 's' },
          { name: 'CPU of the service', value: middle((round) => round.cpuSeconds), unit: 's' },
          {
            name: 'peak memory of the service',
            value: middle((round) => round.peakMemory) / megabyte,
            unit: 'MB',
          },
        ],
        notes: [
          `Medians of ${rounds} rounds. The time begins when the service answers. The reader asks for 1,024 containers ` +
            'at a time, of P, X and its vertices side by side, and for the rewards of every staker that ended; the sample node ' +
            'makes them in the same process that serves them.',
        ],
      }
    } finally {
      await sample.stop()
    }
  })
}
