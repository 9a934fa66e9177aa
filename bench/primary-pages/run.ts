import type { Browser } from '@playwright/test'
import { launchBrowser, onPage, servePage } from '../support/browser-page.ts'
import {
  type FrameCost,
  frameFigures,
  medianCost,
  pace,
  paceNote,
  watchFrames,
} from '../support/frame-figures.ts'
import { say } from '../support/paths.ts'
import type { Figure, Report } from '../support/report.ts'

const { rounds, moves, step } = pace
const lists = { large: 3_000, small: 300 } as const
const graphs = { large: 2_000, small: 100 } as const

/**
 * Measures scrolling through 3,000 validators and moving a fully visible graph of 2,000 vertices, with the
 * page's own columns and canvas; the anchors are a list of 300 and a graph of 100.
 */
export async function runPrimaryPagesBench(): Promise<Report> {
  say('primary-pages: building the page')
  const site = await servePage('primary-pages', 18761)
  const browser = await launchBrowser('unlimited')
  try {
    const measure = async (count: number, move: typeof scrolled): Promise<FrameCost> => {
      const runs: FrameCost[] = []
      for (let round = 0; round < rounds; round += 1) runs.push(await move(browser, site.url, count))
      return medianCost(runs)
    }
    const figures: Figure[] = []
    for (const [name, sizes, move] of [
      ['validators', lists, scrolled],
      ['graph', graphs, panned],
    ] as const) {
      say(`primary-pages: ${name}`)
      const small = await measure(sizes.small, move)
      const large = await measure(sizes.large, move)
      figures.push(...frameFigures(`${name}, `, large, { name: `${sizes.small}`, cost: small }))
    }
    return {
      title: 'Scrolling through 3,000 validators, ten rows a frame; moving a graph of 2,000 vertices',
      figures,
      notes: [paceNote(browser.version())],
    }
  } finally {
    await browser.close()
    await site.close()
  }
}

function scrolled(browser: Browser, url: string, rows: number): Promise<FrameCost> {
  return onPage(browser, url, async (page) => {
    await page.evaluate((count) => window.primaryPages.fillList(count), rows)
    const by = rows === lists.small ? step / 10 : step
    const moved = await watchFrames(page, () =>
      page.evaluate(([pixels, many]) => window.primaryPages.scroll(0, pixels, many), [by, moves] as const),
    )
    const drawn = await page.evaluate(() => window.primaryPages.rowsSeen())
    if (drawn < 10) throw new Error(`${rows} validators: only ${drawn} rows are on the screen`)
    return moved
  })
}

function panned(browser: Browser, url: string, vertices: number): Promise<FrameCost> {
  return onPage(browser, url, async (page) => {
    await page.evaluate((count) => window.primaryPages.fillGraph(count), vertices)
    const before = await page.evaluate(() => window.primaryPages.picture())
    await page.evaluate(() => window.primaryPages.pan(5))
    const after = await page.evaluate(() => window.primaryPages.picture())
    if (before === after) throw new Error('the graph did not move')
    return watchFrames(page, () => page.evaluate((many) => window.primaryPages.pan(many), moves))
  })
}
