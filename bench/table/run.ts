import type { Browser, Page } from '@playwright/test'
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
import { median, type Report } from '../support/report.ts'

const { rounds, moves, step } = pace
const sizes = [1_000, 100_000] as const

const fleets = [50, 500] as const

/** Scrolls a list that `fill` has drawn. */
function scrolled(
  browser: Browser,
  url: string,
  fill: (page: Page) => Promise<void>,
  from: number,
  by: number,
): Promise<FrameCost> {
  return onPage(browser, url, async (page) => {
    await fill(page)
    const cost = await watchFrames(page, () =>
      page.evaluate(([start, pixels, many]) => window.table.scroll(start, pixels, many), [
        from,
        by,
        moves,
      ] as const),
    )
    const drawn = await page.evaluate(() => window.table.rowsSeen())
    if (drawn < 10) throw new Error(`only ${drawn} rows are on the screen`)
    return cost
  })
}

/** Measures every size in turn, several times, and returns the medians. */
async function medians(
  what: string,
  list: readonly number[],
  run: (size: number) => Promise<FrameCost>,
): Promise<(size: number) => FrameCost> {
  const runs = new Map<number, FrameCost[]>(list.map((size) => [size, []]))
  for (let round = 0; round < rounds; round += 1) {
    say(`table: ${what}, round ${round + 1} of ${rounds}`)
    for (const size of list) runs.get(size)?.push(await run(size))
  }
  return (size) => medianCost(runs.get(size) ?? [])
}

/**
 * Measures scrolling through the middle of a list of 100,000 blocks in pages of 100, with the columns of the
 * block page, and through the page of a fleet of 500 nodes, from its top to its end; the anchors are the same lists with
 * 1,000 rows and with 50. Also the folding of the list's empty blocks when one page more has come, with the folding of
 * all as its anchor.
 */
export async function runTableBench(): Promise<Report> {
  say('table: building the page')
  const site = await servePage('table', 18760)
  const browser = await launchBrowser('unlimited')
  try {
    const [small, large] = sizes
    const [few, many] = fleets
    const ofList = await medians('blocks', sizes, (size) =>
      scrolled(
        browser,
        site.url,
        (page) => page.evaluate((rows) => window.table.fill(rows), size),
        size === small ? 0 : 0.5,
        size === small ? step / 4 : step,
      ),
    )
    const ofFleet = await medians('fleets', fleets, (size) =>
      scrolled(
        browser,
        site.url,
        (page) => page.evaluate((rows) => window.table.fillFleet(rows), size),
        0,
        size === few ? step / 50 : step / 5,
      ),
    )
    const folds: { readonly all: number; readonly more: number }[] = []
    for (let round = 0; round < rounds; round += 1)
      folds.push(await onPage(browser, site.url, (page) => page.evaluate(() => window.table.fold(100_000))))
    return {
      title: 'Scrolling through 100,000 rows, ten rows a frame; through a fleet of 500, two rows a frame',
      figures: [
        ...frameFigures('', ofList(large), { name: '1,000 rows', cost: ofList(small) }),
        ...frameFigures('fleet, ', ofFleet(many), { name: `${few} nodes`, cost: ofFleet(few) }),
        {
          name: 'folding one page more',
          value: median(folds.map(({ more }) => more)),
          unit: 'ms',
          anchor: { name: 'all pages', value: median(folds.map(({ all }) => all)) },
        },
      ],
      notes: [paceNote(browser.version())],
    }
  } finally {
    await browser.close()
    await site.close()
  }
}
