import type { Browser } from '@playwright/test'
import { launchBrowser, onPage, servePage } from '../support/browser-page.ts'
import { type FrameCost, frameFigures, pace, watchFrames } from '../support/frame-figures.ts'
import { say } from '../support/paths.ts'
import { atMost, formatReport, median, type Figure, type Report } from '../support/report.ts'
import type { Variant } from './page.tsx'

type Options = {
  /** Fresh pages per figure; the median counts. */
  readonly rounds?: number
  /** The port the bench's page is served on; the next free one is taken when it is in use. */
  readonly port?: number
}

type Cold = { variant: Variant; count: number; expected?: number }

async function cold(
  browser: Browser,
  url: string,
  { variant, count, expected = count }: Cold,
): Promise<number> {
  return onPage(browser, url, (page) =>
    page.evaluate(([name, many, least]) => window.bench.cold(name, many, least), [
      variant,
      count,
      expected,
    ] as const),
  )
}

async function hover(browser: Browser, url: string, variant: Variant): Promise<FrameCost> {
  return onPage(browser, url, async (page) => {
    await page.evaluate((name) => window.bench.cold(name, 17, 17), variant)
    // The anchor's animations must have ended, or their frames would count as hover.
    await page.waitForTimeout(2500)
    const cost = await watchFrames(page, () =>
      page.evaluate((moves) => window.bench.hover(moves), pace.moves),
    )
    const answers = await page.evaluate(() => window.bench.answers())
    if (answers === 0) throw new Error(`${variant}: no chart answered the pointer`)
    return cost
  })
}

/**
 * Compares the dashboard's charts with recharts' defaults, in the same run and browser: 1, 4 and 17 charts of
 * 2,160 points from available data to paint, and hover with 17 linked charts. The variants are interleaved,
 * so that other load affects all of them.
 */
export async function runChartBench(options: Options = {}): Promise<Report> {
  const { rounds = 5, port = 18750 } = options
  say('charts: building the page')
  const site = await servePage('charts', port)
  const browser = await launchBrowser('limited')
  const unlimited = await launchBrowser('unlimited')
  try {
    const wanted: Cold[] = [1, 4, 17].flatMap((count) =>
      (['paths', 'recharts, ours', 'recharts, defaults'] as const).map((variant) => ({ variant, count })),
    )
    // Six rows of three; the screen and a third of one more hold the first five rows.
    wanted.push({ variant: 'paths near the viewport', count: 17, expected: 12 })
    const times = wanted.map((): number[] => [])
    for (let round = 0; round < rounds; round += 1) {
      say(`charts: cold, round ${round + 1} of ${rounds}`)
      for (const [index, one] of wanted.entries()) times[index]?.push(await cold(browser, site.url, one))
    }
    const coldOf = (variant: Variant, count: number): number =>
      median(times[wanted.findIndex((one) => one.variant === variant && one.count === count)] ?? [])

    say('charts: hover')
    const linked = await hover(unlimited, site.url, 'paths')
    const heavy = await hover(unlimited, site.url, 'recharts, ours')
    const alone = await hover(unlimited, site.url, 'recharts, defaults')
    const synced = await hover(unlimited, site.url, 'recharts, syncId')

    const figures: Figure[] = []
    for (const count of [1, 4, 17]) {
      const anchor = { name: "recharts' defaults", value: coldOf('recharts, defaults', count) }
      const name = `${count} ${count === 1 ? 'chart' : 'charts'} of 2,160 points, cold`
      figures.push(
        {
          name: `${name}, recharts with our settings`,
          value: coldOf('recharts, ours', count),
          unit: 'ms',
          anchor,
          ...(count === 1 && { budget: atMost(150) }),
        },
        {
          name: `${name}, paths`,
          value: coldOf('paths', count),
          unit: 'ms',
          anchor,
          ...(count === 17 && { budget: atMost(350) }),
        },
      )
    }
    figures.push(
      {
        name: '17 charts, cold, paths near the viewport only',
        value: coldOf('paths near the viewport', 17),
        unit: 'ms',
        anchor: { name: "recharts' defaults", value: coldOf('recharts, defaults', 17) },
      },
      ...frameFigures('hover, 17 linked charts, ', linked, { name: "recharts' syncId", cost: synced }),
      {
        name: 'hover, 17 linked charts of recharts with our settings, frame p95',
        value: heavy.p95,
        unit: 'ms',
        anchor: { name: "recharts' defaults, not linked", value: alone.p95 },
      },
    )
    return {
      title: 'Charts',
      figures,
      notes: [
        `Median of ${rounds} fresh pages a figure, headless Chromium ${browser.version()}, 1440 × 900, charts of 440 × 200 pixels. Cold is from data in hand to the paint that shows the last chart.`,
        'Recharts with our settings draws every large chart; the small multiples are paths.',
        'Frames are measured with the frame limit off: a frame lasts as long as the work in it. Slow is over 16.7 ms. On a busy machine frames wait for a processor; the main thread’s own time does not.',
      ],
    }
  } finally {
    await Promise.all([browser.close(), unlimited.close()])
    await site.close()
  }
}

if (
  process.argv[1] !== undefined &&
  import.meta.url.endsWith(process.argv[1].replaceAll('\\', '/').split('/').slice(-3).join('/'))
) {
  console.log(formatReport(await runChartBench()))
}
