import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, chromium } from '@playwright/test'
import { pathOf } from '../contract/pages.ts'
import { startAnvil } from '../e2e/support/anvil.ts'
import { launch, writeConfig } from '../e2e/support/launcher.ts'
import { compileManySources, verifyManySources } from '../e2e/support/many-sources.ts'
import { nodeAt } from '../e2e/support/node.ts'
import { installCompiler } from '../e2e/support/verification-tools.ts'
import { type Figure, median, type Report } from './support/report.ts'
import { say } from './support/paths.ts'
import { buildShell, serveShell } from './support/shell-server.ts'

const shellPort = 18_831
const rounds = 3
/** Observation time of a page in milliseconds: several times what a slow one needs. */
const watched = 6_000
/** Largest paint of the shell in milliseconds, for which the CPU is throttled: that of a slow phone. */
const shellPaint = 1_800
const network = 'fuji'

/** The throttle of docs/performance.md; the CPU's is found for each machine. */
const throttle = { bytesPerSecond: 9_000_000 / 8, latency: 165 } as const

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
 * Measures largest contentful paint and long tasks of twelve pages of the sample network, and of the sources of a contract
 * of a hundred files, with a cold cache, compared with an empty shell in the same run.
 */
export async function runLoadBench(): Promise<Report> {
  const home = mkdtempSync(join(tmpdir(), 'ridgeline-bench-load-'))
  const shell = await serveShell(await buildShell(), shellPort)
  const stack = launch({ home, env: { RIDGELINE_SAMPLE_ARGS: '--live off' } })
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] })
  const contract = await serveManySources(join(home, 'contract'))
  try {
    const url = await stack.url
    say('waiting for the sample network to be indexed …')
    while (!/every chain is live/.test(stack.output()))
      await Promise.race([delay(500), stack.ended.then(() => Promise.reject(new Error(stack.output())))])
    const cpu = await cpuFor(browser, shell.url)
    const routes = [
      ...(await pagesOf(url)).map(([name, path]) => [name, url + path] as const),
      ['100 source files', contract.url] as const,
    ]
    const [anchor, ...visits] = await visitAll(browser, [shell.url, ...routes.map(([, page]) => page)], cpu)
    const figures: Figure[] = []
    const notes = [`The CPU is throttled ${cpu.toFixed(1)} times.`]
    for (const [index, [name]] of routes.entries()) {
      const visit = visits[index]
      if (!anchor || !visit) continue
      figures.push(...describe(name, visit, anchor))
      notes.push(...[...new Set(visit.problems)].map((problem) => `${name}: ${problem}`))
    }
    return { title: `First load under the throttle, cold cache, median of ${rounds}`, figures, notes }
  } finally {
    await browser.close()
    await stack.stop()
    await contract.stop()
    await shell.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** The factor of the CPU throttle with which the shell paints after `shellPaint`. */
async function cpuFor(browser: Browser, url: string): Promise<number> {
  let factor = 4
  for (let round = 0; round < 4; round += 1) {
    const { lcp } = await visit(browser, url, factor)
    factor = Math.min(40, Math.max(1, (factor * shellPaint) / lcp))
  }
  return factor
}

/** The page with the sources of a contract of a hundred files, which a service of its own has verified. */
async function serveManySources(home: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const evmChainId = 31_337
  mkdirSync(home)
  installCompiler(home)
  const anvil = await startAnvil()
  const node = nodeAt(anvil.url)
  const [from] = await node.call<readonly string[]>('eth_accounts', [])
  const hash = await node.call<string>('eth_sendTransaction', [{ from, data: compileManySources() }])
  const { contractAddress } = await node.receipt(hash)
  if (contractAddress === null) throw new Error('the contract was not created')
  const config = writeConfig(home, { chains: [{ evmChainId, name: 'Desk', rpcUrl: anvil.url }] })
  const stack = launch({ home, args: ['--config', config] })
  const url = await stack.ready()
  await verifyManySources(url, String(evmChainId), contractAddress)
  return {
    url: `${url}${pathOf('address', String(evmChainId), contractAddress)}?tab=contract`,
    async stop() {
      await stack.stop()
      anvil.stop()
    },
  }
}

/** The visited pages, each with its path. */
async function pagesOf(url: string): Promise<readonly (readonly [string, string])[]> {
  const ask = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(url + path)).json()) as Answer
  const { chains } = await ask<{ chains: { chainId: string }[] }>('/v1/chains')
  const chain = chains[0]?.chainId ?? ''
  const { transactions } = await ask<{ transactions: { txHash: string; from: { address: string } }[] }>(
    `/v1/chains/${chain}/transactions?pageSize=1`,
  )
  const { validators } = await ask<{ validators: { nodeId: string }[] }>(
    `/v1/networks/${network}/validators?pageSize=1`,
  )
  const [transaction] = transactions
  const [validator] = validators
  if (!transaction || !validator) throw new Error('the sample network has no transaction or no validator')
  return [
    ['overview', pathOf('overview')],
    ['blocks', pathOf('blocks', chain)],
    ['transaction', pathOf('transaction', chain, transaction.txHash)],
    ['address', pathOf('address', chain, transaction.from.address)],
    ['tokens', pathOf('tokens', chain)],
    ['metrics', pathOf('metrics', chain)],
    ['metric', pathOf('metric', chain, 'txCount')],
    ['validators', pathOf('validators', network)],
    ['validator', pathOf('validator', network, validator.nodeId)],
    ['signatures', pathOf('signatures')],
    ['SQL', pathOf('sql')],
    ['node', pathOf('node')],
  ]
}

function describe(name: string, visit: Visit, shell: Visit): Figure[] {
  const anchor = (value: number): NonNullable<Figure['anchor']> => ({ name: 'empty shell', value })
  const atMost = (limit: number): NonNullable<Figure['budget']> => ({ of: 'ratio', bound: 'at most', limit })
  return [
    { name: `${name}, LCP`, value: visit.lcp, unit: 'ms', anchor: anchor(shell.lcp), budget: atMost(1.15) },
    {
      name: `${name}, long tasks`,
      value: visit.longTasks,
      unit: 'ms',
      anchor: anchor(shell.longTasks),
      budget: atMost(1.3),
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

/**
 * The medians of several alternating visits to each page, so that other load affects all alike. The first
 * round warms up the server and is not counted.
 */
async function visitAll(browser: Browser, urls: readonly string[], cpu: number): Promise<Visit[]> {
  const visits = urls.map((): Visit[] => [])
  for (let round = 0; round <= rounds; round += 1) {
    say(
      round === 0
        ? 'loading each page once …'
        : `loading each page under the throttle, ${round} of ${rounds} …`,
    )
    for (const [index, url] of urls.entries()) {
      const one = await visit(browser, url, cpu)
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

async function visit(browser: Browser, url: string, cpu: number): Promise<Visit> {
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
    await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
    await page.addInitScript(observe)
    await page.goto(url, { waitUntil: 'commit' })
    await page.waitForTimeout(watched)
    const seen = await page.evaluate(collect)
    // A page that has painted nothing by then is not a fast one.
    if (seen.lcp > 0) return { ...seen, problems }
    return { ...seen, lcp: watched, problems: [...problems, `nothing was painted in ${watched} ms`] }
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
