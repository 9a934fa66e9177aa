import { launchBrowser, onPage, servePage, slowShare, watchMainThread } from '../browser-page.ts'
import { say } from '../paths.ts'
import { median, quantile, type Report } from '../report.ts'

const moves = 240
/** Pixels a frame: ten rows, a fast flick. */
const step = 360
const rounds = 3
const sizes = [1_000, 100_000] as const

type Scrolled = { readonly p95: number; readonly slow: number; readonly work: number }

/**
 * Measures scrolling through the middle of a list of 100,000 blocks in pages of 100, with the columns of
 * the page of blocks; the anchor is the same list with 1,000 rows.
 */
export async function runTableBench(): Promise<Report> {
  say('table: building the page')
  const site = await servePage('table', 18760)
  const browser = await launchBrowser('unlimited')
  try {
    const runs = new Map<number, Scrolled[]>(sizes.map((size) => [size, []]))
    for (let round = 0; round < rounds; round += 1) {
      say(`table: round ${round + 1} of ${rounds}`)
      for (const size of sizes) {
        const run = await onPage(browser, site.url, async (page): Promise<Scrolled> => {
          await page.evaluate((rows) => window.table.fill(rows), size)
          const worked = await watchMainThread(page)
          const before = await worked()
          const frames = await page.evaluate(([from, by, many]) => window.table.scroll(from, by, many), [
            size === 1_000 ? 0 : 0.5,
            size === 1_000 ? step / 4 : step,
            moves,
          ] as const)
          const work = ((await worked()) - before) / moves
          const drawn = await page.evaluate(() => window.table.rowsSeen())
          if (drawn < 10) throw new Error(`${size} rows: only ${drawn} rows are on the screen`)
          return { p95: quantile(frames, 0.95), slow: slowShare(frames), work }
        })
        runs.get(size)?.push(run)
      }
    }
    const of = (size: number, part: keyof Scrolled): number =>
      median((runs.get(size) ?? []).map((run) => run[part]))
    const [small, large] = sizes
    const anchor = (part: keyof Scrolled) => ({ name: '1,000 rows', value: of(small, part) })
    return {
      title: 'Scrolling through 100,000 rows, ten rows a frame',
      figures: [
        {
          name: 'frame p95',
          value: of(large, 'p95'),
          unit: 'ms',
          anchor: anchor('p95'),
          budget: { of: 'value', bound: 'at most', limit: 16.7 },
        },
        { name: 'main thread a frame', value: of(large, 'work'), unit: 'ms', anchor: anchor('work') },
        { name: 'slow frames', value: of(large, 'slow'), unit: '%', anchor: anchor('slow') },
      ],
      notes: [`Medians of ${rounds} rounds of ${moves} frames, headless Chromium ${browser.version()}.`],
    }
  } finally {
    await browser.close()
    await site.close()
  }
}
