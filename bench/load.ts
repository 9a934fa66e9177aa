import { existsSync } from 'node:fs'
import { type Browser, chromium } from '@playwright/test'
import { type Figure, median, type Report } from './support/report.ts'
import { startReferenceService } from './support/reference-service.ts'
import { say } from './support/paths.ts'
import { buildShell, serveShell } from './support/shell-server.ts'

const servicePort = 18_830
const shellPort = 18_831
const rounds = 5
/** Observation time of a page in milliseconds: several times what a slow one needs. */
const watched = 6_000

/** The throttle of docs/performance.md. */
const throttle = { cpu: 4, bytesPerSecond: 9_000_000 / 8, latency: 165 } as const

type Visit = {
  /** Milliseconds from the start of the navigation. */
  readonly lcp: number
  /** Milliseconds of all tasks longer than 50 ms. */
  readonly longTasks: number
  /** Bytes of scripts and styles as they came over the wire. */
  readonly bytes: number
  /** Every request but the live updates. */
  readonly requests: number
  /** Failed requests and page errors, because a broken page is fast. */
  readonly problems: readonly string[]
}

/**
 * Measures largest contentful paint and long tasks of four routes with a cold cache, compared with an empty
 * shell.
 */
export async function runLoadBench(): Promise<Report> {
  const shell = await serveShell(await buildShell(), shellPort)
  const reference = await startReferenceService({ name: 'load', port: servicePort, traces: 'auto' })
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  try {
    const { url } = reference
    const chain = `/chain/${reference.chainId}`
    const routes = [
      ['overview', `${url}/`],
      ['blocks', `${url}${chain}/blocks`],
      ['transaction', `${url}${chain}/tx/${await latestTransaction(url, reference.chainId)}`],
      ['metrics', `${url}${chain}/metrics`],
    ] as const
    const [anchor, ...visits] = await visitAll(browser, [shell.url, ...routes.map(([, route]) => route)])
    const figures: Figure[] = []
    const notes: string[] = []
    for (const [index, [name]] of routes.entries()) {
      const visit = visits[index]
      if (!anchor || !visit) continue
      figures.push(...describe(name, visit, anchor))
      notes.push(...[...new Set(visit.problems)].map((problem) => `${name}: ${problem}`))
    }
    return { title: `First load under the throttle, cold cache, median of ${rounds}`, figures, notes }
  } finally {
    await browser.close()
    await reference.stop()
    await shell.close()
  }
}

function describe(name: string, visit: Visit, shell: Visit): Figure[] {
  const anchor = (value: number): NonNullable<Figure['anchor']> => ({ name: 'empty shell', value })
  const atMost = (limit: number): NonNullable<Figure['budget']> => ({ of: 'value', bound: 'at most', limit })
  return [
    { name: `${name}, LCP`, value: visit.lcp, unit: 'ms', anchor: anchor(shell.lcp), budget: atMost(1_500) },
    {
      name: `${name}, long tasks`,
      value: visit.longTasks,
      unit: 'ms',
      anchor: anchor(shell.longTasks),
      budget: atMost(250),
    },
    {
      name: `${name}, JS+CSS on the wire`,
      value: visit.bytes / 1_000,
      unit: 'kB',
      anchor: anchor(shell.bytes / 1_000),
    },
    { name: `${name}, requests`, value: visit.requests, unit: '', anchor: anchor(shell.requests) },
  ]
}

function chromiumPath(): string {
  const given = process.env['RIDGELINE_CHROMIUM'] ?? '/usr/bin/chromium'
  return existsSync(given) ? given : chromium.executablePath()
}

async function latestTransaction(url: string, chainId: number): Promise<string> {
  const response = await fetch(`${url}/v1/chains/${chainId}/transactions?pageSize=1`)
  const { transactions } = (await response.json()) as { transactions: { txHash: string }[] }
  const hash = transactions[0]?.txHash
  if (hash === undefined) throw new Error('the service shows no transaction')
  return hash
}

/**
 * The medians of several alternating visits to each page, so that other load affects all alike. The first
 * round warms up the server and is not counted.
 */
async function visitAll(browser: Browser, urls: readonly string[]): Promise<Visit[]> {
  const visits = urls.map((): Visit[] => [])
  for (let round = 0; round <= rounds; round += 1) {
    say(
      round === 0
        ? 'loading each page once …'
        : `loading each page under the throttle, ${round} of ${rounds} …`,
    )
    for (const [index, url] of urls.entries()) {
      const one = await visit(browser, url)
      if (round > 0) visits[index]?.push(one)
    }
  }
  return visits.map((all) => {
    const middle = (pick: (visit: Visit) => number): number => median(all.map(pick))
    return {
      lcp: middle((one) => one.lcp),
      longTasks: middle((one) => one.longTasks),
      bytes: middle((one) => one.bytes),
      requests: middle((one) => one.requests),
      problems: all.flatMap((one) => one.problems),
    }
  })
}

async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${new URL(response.url()).pathname}`)
    })
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: throttle.latency,
      downloadThroughput: throttle.bytesPerSecond,
      uploadThroughput: throttle.bytesPerSecond,
    })
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttle.cpu })
    await page.addInitScript(observe)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForTimeout(watched)
    return { ...(await page.evaluate(collect)), problems }
  } finally {
    await context.close()
  }
}

/** Runs in the page before its own scripts. */
function observe(): void {
  const seen = { lcp: 0, longTasks: 0 }
  Object.assign(window, { benchSeen: seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lcp = entry.startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.longTasks += entry.duration
  }).observe({ type: 'longtask', buffered: true })
}

/** Runs in the page at the end. */
function collect(): Omit<Visit, 'problems'> {
  const seen = (window as unknown as { benchSeen: { lcp: number; longTasks: number } }).benchSeen
  const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const code = resources.filter((entry) => /\.(js|css)$/.test(new URL(entry.name).pathname))
  return {
    ...seen,
    bytes: code.reduce((sum, entry) => sum + entry.encodedBodySize, 0),
    requests: resources.filter((entry) => !entry.name.endsWith('/events')).length + 1,
  }
}
