import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Load, load, keepBusy } from './support/load-http.ts'
import { cacheFolder, say } from './support/paths.ts'
import { type BenchPostgres, withDatabase, withPostgres } from './support/postgres.ts'
import { atLeast, atMost, type Figure, type Report } from './support/report.ts'
import { type Service, syntheticChainConfig, withApi } from './support/service.ts'
import { blocksFor, fillSyntheticRows, syntheticChain } from './rows/synthetic-rows.ts'

const servicePort = 18_820
const barePort = 18_821
const pageSize = 25
const list = `/v1/chains/${syntheticChain}`

/**
 * Requests per second and latency of lists and single transactions at several sizes of the store. The
 * service, the database and the client share the machine's cores, as in docs/performance.md.
 */
export async function runHttpBench(sizes: readonly number[]): Promise<Report> {
  const figures: Figure[] = []
  await withPostgres(async (postgres) => {
    for (const size of sizes) figures.push(...(await measureSize(postgres, size)))
  })
  return {
    title: `HTTP: pages of ${pageSize}, 32 connections, ${sizes.map(nameOf).join(', ')} transactions`,
    figures,
    notes: [
      'Anchors: a bare Node server that answers with the same bytes as the hot list from memory; and one that ' +
        'reads a page of 25 transactions as JSON in one statement from the same database.',
    ],
  }
}

const nameOf = (size: number): string => `10^${Math.round(Math.log10(size))}`

async function measureSize(postgres: BenchPostgres, size: number): Promise<Figure[]> {
  const what = `${size.toLocaleString('en')} transactions`
  const databaseUrl = await postgres.filled(`rows_${size}`, what, (sql) => fillSyntheticRows(sql, size))
  const config = { chains: [syntheticChainConfig(Number(syntheticChain))] }
  return await withApi({ name: 'http', port: servicePort, databaseUrl, config }, (service) =>
    measure(service, databaseUrl, size),
  )
}

type Anchors = { readonly text: Load; readonly page: Load }

async function measure(service: Service, databaseUrl: string, size: number): Promise<Figure[]> {
  const hotPath = `${list}/transactions?pageSize=${pageSize}`
  const anchors = await measureAnchors(databaseUrl, await textOf(service.url, hotPath), size)
  const at = nameOf(size)
  const figures: Figure[] = []
  const add = async (name: string, paths: readonly string[], kind: 'hot' | 'page' | 'one'): Promise<void> => {
    say(`${at}: ${name} …`)
    await keepBusy(service.url, paths, { seconds: 1 })
    figures.push(...describe(`${at} ${name}`, await load(service.url, paths), kind, anchors))
  }
  await add('hot transactions', [hotPath], 'hot')
  await add('hot blocks', [`${list}/blocks?pageSize=${pageSize}`], 'hot')
  await add('transactions, any depth', await deepPages(service.url, 'transactions', size), 'page')
  await add('blocks, any depth', await deepPages(service.url, 'blocks', size), 'page')
  await add('one transaction', await transactionPaths(databaseUrl), 'one')
  figures.push(...(await measureHealth(service, databaseUrl, size)))
  return figures
}

function describe(name: string, measured: Load, kind: 'hot' | 'page' | 'one', anchors: Anchors): Figure[] {
  const anchor = kind === 'hot' ? anchors.text : anchors.page
  const anchorName = kind === 'hot' ? 'static' : 'bare page'
  const least = kind === 'hot' ? 10_000 : kind === 'page' ? 4_500 : undefined
  return [
    {
      name,
      value: measured.rate,
      unit: 'requests/s',
      anchor: { name: anchorName, value: anchor.rate },
      ...(least !== undefined && { budget: atLeast(least) }),
    },
    {
      name: `${name}, p50`,
      value: measured.p50,
      unit: 'ms',
      anchor: { name: anchorName, value: anchor.p50 },
    },
    {
      name: `${name}, p99`,
      value: measured.p99,
      unit: 'ms',
      anchor: { name: anchorName, value: anchor.p99 },
      ...(kind === 'page' && { budget: atMost(20) }),
    },
  ]
}

async function measureAnchors(databaseUrl: string, text: string, size: number): Promise<Anchors> {
  const file = join(cacheFolder('http'), 'static.json')
  writeFileSync(file, text)
  const program = fileURLToPath(new URL('./support/bare-server.ts', import.meta.url))
  const child = fork(program, [String(barePort), file, databaseUrl, String(syntheticChain)])
  try {
    await once(child, 'message')
    const url = `http://127.0.0.1:${barePort}`
    say(`${nameOf(size)}: the anchors …`)
    await keepBusy(url, ['/static'], { seconds: 1 })
    const staticText = await load(url, ['/static'])
    const pages = spread(blocksFor(size), 400).map((block) => `/page/${block}`)
    await keepBusy(url, pages, { seconds: 1 })
    return { text: staticText, page: await load(url, pages) }
  } finally {
    child.kill()
    await once(child, 'exit')
  }
}

/** Heights spread over a chain, in an order without neighbours. */
function spread(blocks: number, count: number): number[] {
  const lowest = Math.ceil(blocks / 10)
  return Array.from({ length: count }, (_, index) => {
    const share = (index * 0.618_033_988_75) % 1
    return lowest + Math.floor(share * (blocks - lowest))
  })
}

/** Second pages of lists that end at any height. Their page tokens lead beyond what the service may cache. */
async function deepPages(url: string, kind: 'transactions' | 'blocks', size: number): Promise<string[]> {
  const paths: string[] = []
  for (const block of spread(blocksFor(size), 400)) {
    const first = `${list}/${kind}?pageSize=${pageSize}&endBlock=${block}`
    const { nextPageToken } = JSON.parse(await textOf(url, first)) as { nextPageToken?: string }
    if (nextPageToken !== undefined) paths.push(`${first}&pageToken=${encodeURIComponent(nextPageToken)}`)
  }
  return paths
}

async function transactionPaths(databaseUrl: string): Promise<string[]> {
  return withDatabase(databaseUrl, async (sql) => {
    const [head] = await sql<{ number: bigint }[]>`select max(number) as number from blocks`
    const heights = spread(Number(head?.number ?? 0n), 400)
    const rows = await sql<{ hash: Buffer }[]>`
      select hash from transactions where chain = ${syntheticChain} and index = 0 and number = any(${heights})`
    return rows.map(({ hash }) => `${list}/transactions/0x${hash.toString('hex')}`)
  })
}

/** Measures `/health` during lists at full load, and while all reads of the lists wait for a lock. */
async function measureHealth(service: Service, databaseUrl: string, size: number): Promise<Figure[]> {
  const at = nameOf(size)
  const pages = await deepPages(service.url, 'transactions', size)
  const budget = atMost(50)
  const probe = (): Promise<Load> => load(service.url, ['/health'], { connections: 1, limit: 50, seconds: 8 })
  say(`${at}: /health beside a load and beside slow queries …`)
  const alone = await probe()
  const anchor = { name: 'idle', value: alone.p99 }
  const busy = keepBusy(service.url, pages, { seconds: 10 })
  const beside = await probe()
  await busy
  const locked = await withDatabase(databaseUrl, async (sql) => {
    await sql`begin`
    await sql`lock table transactions in access exclusive mode`
    const waiting = keepBusy(service.url, pages, { seconds: 10 })
    const measured = await probe()
    await sql`rollback`
    await waiting
    return measured
  })
  return [
    { name: `${at} /health beside 32 connections, p99`, value: beside.p99, unit: 'ms', anchor, budget },
    { name: `${at} /health while every read waits, p99`, value: locked.p99, unit: 'ms', anchor, budget },
  ]
}

async function textOf(url: string, path: string): Promise<string> {
  const response = await fetch(url + path)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
  return text
}
