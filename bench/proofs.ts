import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { intervalsOf, metricNames } from '../contract/metrics/catalogue.ts'
import { networkIntervals, networkMetricNames } from '../contract/metrics/network-catalogue.ts'
import { isSampled } from '../contract/metrics/network-samples.ts'
import { startSample, type Sample } from './primary-indexing.ts'
import { lakeArgs, run } from './support/lake-program.ts'
import { latencyFigures } from './support/latency.ts'
import { cacheFolder, say } from './support/paths.ts'
import { withPostgres } from './support/postgres.ts'
import { atMost, type Figure, median, type Report } from './support/report.ts'
import { startService, type Service } from './support/service.ts'

const servicePort = 18_862
/** Milliseconds that a reader waits for a proof at most. */
const limit = 5_000
const timeoutMs = 400_000
/** Runs of a statement without rows, which is the anchor. */
const bareRuns = 20
const network = 'fuji'

/** A metric, and the intervals of its points that are counted: the newest and the one in the middle of each series. */
type Asked = { readonly name: string; readonly path: string; readonly intervals: readonly string[] }

/** The shortest and the longest interval: the longest counts the most rows. */
const endsOf = (intervals: readonly string[]): string[] => [
  ...new Set([intervals[0] ?? '', intervals.at(-1) ?? '']),
]
type Timed = { readonly name: string; readonly milliseconds: number }

/**
 * Measures how long it takes to count points of every metric of the sample network again, with its history in a lake: one
 * request at a time over HTTP. Throws if a counted value is not the stored one.
 */
export async function runProofBench(): Promise<Report> {
  const folder = mkdtempSync(join(cacheFolder('proofs'), 'run-'))
  const lakeFolder = join(folder, 'lake')
  say('the sample network makes its history, once …')
  const sample = await startSample('lake-sample', 1)
  try {
    await extractAll(sample, lakeFolder)
    return await withPostgres(async (postgres) => {
      await postgres.create('proofs')
      const service = await startService({
        name: 'proofs',
        role: 'all',
        port: servicePort,
        databaseUrl: postgres.urlOf('proofs'),
        config: {
          ...configOf(sample),
          lakeFolder,
          limits: { requestsPerMinute: 1_000_000_000 },
          // Readers without a proof of who they are have the limits of all callers here.
          sql: {
            public: true,
            publicLimits: { seconds: 30, memoryMegabytes: 1_024, threads: 2, rows: 1_000_000 },
          },
        },
      })
      try {
        return await measure(service, sample)
      } finally {
        await service.stop()
      }
    })
  } finally {
    await sample.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const configOf = ({ url, genesisFile, chains }: Sample) => ({
  networks: [{ id: network, name: 'Sample', networkId: 5, prefix: network, nodeUrl: url, genesisFile }],
  chains: chains.map(({ name, evmChainId, blockchainId, rpcUrl }) => ({
    name,
    evmChainId,
    blockchainId,
    rpcUrl,
    network,
  })),
})

/** Writes the whole ranges of all chains into a lake; the service counts the rest in its own tables. */
async function extractAll({ url, genesisFile, chains }: Sample, root: string): Promise<void> {
  say('extraction …')
  const sources = [
    ...chains.map(({ evmChainId, rpcUrl }) => [`${evmChainId}`, rpcUrl, '--confirmations', '0']),
    ...['P', 'X'].map((chain) => [chain, url, '--genesis', genesisFile]),
  ]
  for (const [chain = '', rpc = '', ...more] of sources)
    await run(
      lakeArgs('extract', '--root', root, '--chain', chain, '--rpc', rpc, '--range-size', '240', ...more),
    )
}

async function measure(service: Service, { chains }: Sample): Promise<Report> {
  say('indexing …')
  await untilReady(service)
  const ofChains = chains.flatMap(({ evmChainId, name }) =>
    metricNames.map((metric) => ({
      name: `${metric} of ${name}`,
      path: `/v2/chains/${evmChainId}/metrics/${metric}`,
      intervals: endsOf(intervalsOf(metric)),
    })),
  )
  const ofNetwork = networkMetricNames
    .filter((metric) => !isSampled(metric))
    .map((metric) => ({
      name: metric,
      path: `/v2/networks/${network}/metrics/${metric}`,
      intervals: endsOf(networkIntervals),
    }))
  const anchor = { name: 'a statement without rows', value: await bareStatement(service) }
  const groups = [
    { title: 'a metric of a chain', asked: ofChains },
    { title: 'a series of the network', asked: ofNetwork },
  ]
  const figures: Figure[] = []
  const notes: string[] = []
  for (const { title, asked } of groups) {
    say(`${title} …`)
    const began = performance.now()
    const timed: Timed[] = []
    for (const each of asked) timed.push(...(await prove(service, each)))
    say(`${timed.length} proofs in ${Math.round((performance.now() - began) / 1_000)} s`)
    const times = timed.map(({ milliseconds }) => milliseconds)
    figures.push(...latencyFigures(`proof of ${title}`, times, anchor), {
      name: `proof of ${title}, longest of ${times.length}`,
      value: Math.max(...times),
      unit: 'ms',
      anchor,
      budget: atMost(limit),
    })
    const slowest = timed.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, 5)
    notes.push(
      `${title}, longest: ${slowest.map(({ name, milliseconds }) => `${name} ${Math.round(milliseconds)} ms`).join(', ')}`,
    )
  }
  return {
    title: `Proofs: points of ${ofChains.length} metrics of ${chains.length} chains and ${ofNetwork.length} series of the sample network`,
    figures,
    notes: [
      'One request at a time over HTTP: of the shortest and the longest interval of every metric the newest point and the one in the middle of its series. All counted values equal the stored ones. The anchor is the median of a statement without rows on the SQL page: most of it is the start of a process.',
      ...notes,
    ],
  }
}

/** Counts points of a metric again. */
async function prove(service: Service, { name, path, intervals }: Asked): Promise<Timed[]> {
  const timed: Timed[] = []
  for (const interval of intervals) {
    const series = `${service.url}${path}?timeInterval=${interval}&pageSize=2160`
    const { results } = (await answerOf(await fetch(series))) as { results: { timestamp: number }[] }
    const points = new Set([results[0]?.timestamp, results[results.length >> 1]?.timestamp])
    for (const timestamp of points) {
      if (timestamp === undefined) throw new Error(`${series}: no points`)
      const began = performance.now()
      const proof = `${service.url}${path}/proof?timestamp=${timestamp}&timeInterval=${interval}`
      const { isEqual } = (await answerOf(await fetch(proof))) as { isEqual: boolean }
      timed.push({ name: `${name} by ${interval}`, milliseconds: performance.now() - began })
      if (!isEqual) throw new Error(`${proof}: another value is stored`)
    }
  }
  return timed
}

async function bareStatement(service: Service): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < bareRuns; count += 1) {
    const began = performance.now()
    await answerOf(
      await fetch(`${service.url}/v1/sql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sql: `select ${count} as nothing` }),
      }),
    )
    times.push(performance.now() - began)
  }
  return median(times)
}

/** The body of an answer. Throws if it is not a success. */
async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

/** Waits until every chain of the service is at the head of its node. */
async function untilReady({ url }: Service): Promise<void> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const response = await fetch(`${url}/ready`)
    const text = await response.text()
    if (response.ok) return
    if (performance.now() > deadline) throw new Error(`the service is not ready: ${text.slice(0, 300)}`)
    await delay(200)
  }
}
