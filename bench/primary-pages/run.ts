import type { Browser, Page } from '@playwright/test'
import { launchBrowser, onPage, servePage, slowShare, watchMainThread } from '../browser-page.ts'
import { say } from '../paths.ts'
import { type Figure, median, quantile, type Report } from '../report.ts'

const moves = 240
/** Pixels a frame: ten rows, a fast flick. */
const step = 360
const rounds = 3
const lists = { large: 3_000, small: 300 } as const
const graphs = { large: 2_000, small: 100 } as const

type Moved = { readonly p95: number; readonly slow: number; readonly work: number }

/**
 * Measures scrolling through 3,000 validators and moving a graph of 2,000 vertices, all of them in the picture,
 * with the page's own columns and canvas; the anchors are a list of 300 and a graph of 100.
 */
export async function runPrimaryPagesBench(): Promise<Report> {
  say('primary-pages: building the page')
  const site = await servePage('primary-pages', 18761)
  const browser = await launchBrowser('unlimited')
  try {
    const measure = async (count: number, move: typeof scrolled): Promise<Moved> => {
      const runs: Moved[] = []
      for (let round = 0; round < rounds; round += 1) runs.push(await move(browser, site.url, count))
      const of = (part: keyof Moved): number => median(runs.map((run) => run[part]))
      return { p95: of('p95'), slow: of('slow'), work: of('work') }
    }
    const figures: Figure[] = []
    for (const [name, sizes, move] of [
      ['validators', lists, scrolled],
      ['graph', graphs, panned],
    ] as const) {
      say(`primary-pages: ${name}`)
      const small = await measure(sizes.small, move)
      figures.push(...figuresOf(name, sizes.small, await measure(sizes.large, move), small))
    }
    return {
      title: 'Scrolling through 3,000 validators, ten rows a frame; moving a graph of 2,000 vertices',
      figures,
      notes: [`Medians of ${rounds} rounds of ${moves} frames, headless Chromium ${browser.version()}.`],
    }
  } finally {
    await browser.close()
    await site.close()
  }
}

function figuresOf(name: string, anchorSize: number, large: Moved, small: Moved): Figure[] {
  const anchor = (part: keyof Moved) => ({ name: `${anchorSize}`, value: small[part] })
  return [
    {
      name: `${name}, frame p95`,
      value: large.p95,
      unit: 'ms',
      anchor: anchor('p95'),
      budget: { of: 'value', bound: 'at most', limit: 16.7 },
    },
    { name: `${name}, main thread a frame`, value: large.work, unit: 'ms', anchor: anchor('work') },
    { name: `${name}, slow frames`, value: large.slow, unit: '%', anchor: anchor('slow') },
  ]
}

async function watched(page: Page, move: () => Promise<number[]>): Promise<Moved> {
  const worked = await watchMainThread(page)
  const before = await worked()
  const frames = await move()
  return { p95: quantile(frames, 0.95), slow: slowShare(frames), work: ((await worked()) - before) / moves }
}

function scrolled(browser: Browser, url: string, rows: number): Promise<Moved> {
  return onPage(browser, url, async (page) => {
    await page.evaluate((count) => window.primaryPages.fillList(count), rows)
    const by = rows === lists.small ? step / 10 : step
    const moved = await watched(page, () =>
      page.evaluate(([pixels, many]) => window.primaryPages.scroll(0, pixels, many), [by, moves] as const),
    )
    const drawn = await page.evaluate(() => window.primaryPages.rowsSeen())
    if (drawn < 10) throw new Error(`${rows} validators: only ${drawn} rows are on the screen`)
    return moved
  })
}

function panned(browser: Browser, url: string, vertices: number): Promise<Moved> {
  return onPage(browser, url, async (page) => {
    await page.evaluate((count) => window.primaryPages.fillGraph(count), vertices)
    const before = await page.evaluate(() => window.primaryPages.picture())
    await page.evaluate(() => window.primaryPages.pan(5))
    const after = await page.evaluate(() => window.primaryPages.picture())
    if (before === after) throw new Error('the graph did not move')
    return watched(page, () => page.evaluate((many) => window.primaryPages.pan(many), moves))
  })
}
