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

/**
 * Measures scrolling through the middle of a list of 100,000 blocks in pages of 100, with the columns of the
 * block page; the anchor is the same list with 1,000 rows. Also the folding of its empty blocks when one page more has
 * come, with the folding of all as its anchor.
 */
export async function runTableBench(): Promise<Report> {
  say('table: building the page')
  const site = await servePage('table', 18760)
  const browser = await launchBrowser('unlimited')
  try {
    const folds: { readonly all: number; readonly more: number }[] = []
    const runs = new Map<number, FrameCost[]>(sizes.map((size) => [size, []]))
    for (let round = 0; round < rounds; round += 1) {
      say(`table: round ${round + 1} of ${rounds}`)
      for (const size of sizes) {
        const run = await onPage(browser, site.url, async (page) => {
          await page.evaluate((rows) => window.table.fill(rows), size)
          const cost = await watchFrames(page, () =>
            page.evaluate(([from, by, many]) => window.table.scroll(from, by, many), [
              size === 1_000 ? 0 : 0.5,
              size === 1_000 ? step / 4 : step,
              moves,
            ] as const),
          )
          const drawn = await page.evaluate(() => window.table.rowsSeen())
          if (drawn < 10) throw new Error(`${size} rows: only ${drawn} rows are on the screen`)
          return cost
        })
        runs.get(size)?.push(run)
      }
      folds.push(await onPage(browser, site.url, (page) => page.evaluate(() => window.table.fold(100_000))))
    }
    const of = (size: number): FrameCost => medianCost(runs.get(size) ?? [])
    const [small, large] = sizes
    return {
      title: 'Scrolling through 100,000 rows, ten rows a frame',
      figures: [
        ...frameFigures('', of(large), { name: '1,000 rows', cost: of(small) }),
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
