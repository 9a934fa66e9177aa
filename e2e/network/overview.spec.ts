import { NodeReader } from '../../server/verify/node.ts'
import { Recount } from '../../server/verify/recount.ts'
import { integer } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { nodeAt } from '../support/node.ts'
import { fact } from '../support/parts.ts'
import { chains, rpcUrlOf, type SampleChain } from '../support/stack.ts'

const DAY = 86_400

/** The transactions of a chain by hour or day (Unix seconds of its start), counted from its node's answers. */
async function recountOf(chain: SampleChain): Promise<Recount> {
  const recount = new Recount()
  const url = rpcUrlOf(chain)
  const reader = new NodeReader(url)
  const head = await nodeAt(url).head()
  for (let height = 0; height <= head; height += 16) {
    const heights = Array.from({ length: Math.min(16, head - height + 1) }, (_, index) => height + index)
    for (const block of await Promise.all(heights.map((one) => reader.block(one, true)))) recount.add(block)
  }
  return recount
}

const points = (recount: Recount, interval: 'hour' | 'day'): Map<number, number> =>
  new Map(
    recount
      .series('txCount', interval)
      .map(({ start, figure: { amount, per } }) => [start, per === 0n ? 0 : Number(amount / per)]),
  )

test('the figures and the chart of the overview equal a recount from the node', async ({ page }) => {
  const all = Object.values(chains)
  const counts = await Promise.all(all.map(recountOf))
  // The clock of the page, so that the hour cannot change between the recount and the page.
  const now = Math.floor(Date.now() / 1000)
  await page.clock.setFixedTime(now * 1000)
  const to = now - (now % 3600)
  const lastDay = counts.map((recount) =>
    [...points(recount, 'hour')].reduce(
      (sum, [start, count]) => (start >= to - DAY && start < to ? sum + count : sum),
      0,
    ),
  )
  const sum = lastDay.reduce((total, count) => total + count, 0)
  expect(sum).toBeGreaterThan(0)

  await page.goto('/')
  await expect(fact(page, 'Key figures', 'Transactions, 24 h')).toHaveText(integer(sum))
  // The sample's chains are quiet: fewer than one transaction a second, more than one an hour.
  const minutes = Math.floor(Math.round(DAY / sum) / 60)
  await expect(fact(page, 'Key figures', 'Rate, 24 h')).toHaveText(`every ${minutes} min`)
  const rows = page.getByRole('table', { name: 'Chains' }).locator('tbody tr')
  for (const [index, chain] of all.entries())
    await expect(rows.filter({ hasText: chain.name })).toContainText(integer(lastDay[index] ?? -1))

  // Each chain's mean of the same weekday before the 24 hours, of at most twelve weeks. Its first day may be a part of one,
  // and a chain with fewer than four such days counts on neither side.
  const middle = new Date((to - DAY / 2 - 1800) * 1000)
  const usual = counts.flatMap((recount, index) => {
    const same = [...points(recount, 'day')]
      .sort(([a], [b]) => a - b)
      .slice(1)
      .filter(([start]) => start + DAY <= to - DAY && start >= to - (to % DAY) - 91 * DAY)
      .filter(([start]) => new Date(start * 1000).getUTCDay() === middle.getUTCDay())
      .slice(-12)
      .map(([, count]) => count)
    const mean = same.reduce((total, count) => total + count, 0) / same.length
    return same.length < 4 ? [] : [{ weeks: same.length, mean, count: lastDay[index] ?? 0 }]
  })
  expect(usual.length).toBeGreaterThan(1)
  const total = (of: (one: (typeof usual)[number]) => number): number =>
    usual.reduce((all, one) => all + of(one), 0)
  const ratio = total(({ count }) => count) / total(({ mean }) => mean)
  const percent = Math.abs(ratio - 1) * 100
  const share = percent >= 10 ? integer(Math.round(percent)) : percent.toFixed(1).replace(/\.0$/, '')
  const name = middle.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' })
  await expect(page.getByRole('main')).toContainText(
    `${integer(sum)} transactions on 3 chains in the 24 hours to`,
  )
  await expect(page.getByRole('main')).toContainText(
    ratio >= 2
      ? `${Number(ratio.toPrecision(3))}× a usual ${name}`
      : `${share} % ${ratio > 1 ? 'above' : 'below'} a usual ${name}`,
  )
  await expect(page.getByRole('main')).toContainText(
    `(${Math.max(...usual.map(({ weeks }) => weeks))}-week average).`,
  )

  // The chart's table has each chain's count of a whole day.
  await page.getByRole('button', { name: 'Transactions by chain: export and view' }).click()
  await page.getByRole('menuitem', { name: 'View as table' }).click()
  await expect(page).toHaveURL('/?table=txCount')
  const table = page.getByRole('table', { name: 'Transactions by chain, by day' })
  for (const back of [1, 2, 5]) {
    const day = to - (to % DAY) - back * DAY
    const date = new Date(day * 1000)
    const month = date.toLocaleDateString('en', { month: 'short', timeZone: 'UTC' })
    const row = table.getByRole('row').filter({
      has: page.getByRole('rowheader', {
        name: new RegExp(`\\b${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`),
      }),
    })
    await expect(row.getByRole('cell')).toHaveText(
      counts.map((recount) => new RegExp(`^${integer(points(recount, 'day').get(day) ?? -1)}( tx)?$`)),
    )
  }
})

test('the overview is there after at most 45 requests', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Latest transactions' })).toBeVisible()
  await expect(page.getByRole('figure', { name: 'Transactions by chain' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(45)
})

test('the range of the overview’s chart is in the URL and survives a reload', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('group', { name: 'Range' }).getByRole('button', { name: '30 d' }).click()
  await expect(page).toHaveURL('/?range=30d')
  await page.reload()
  await expect(page.getByRole('button', { name: '30 d' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('figure', { name: 'Transactions by chain' })).toBeVisible()
})

test('the overview’s chart looks the same before and after the chart library draws it', async ({ page }) => {
  await page.goto('/')
  const figure = page.getByRole('figure', { name: 'Transactions by chain' })
  const library = figure.locator('.recharts-surface')
  const labels = () =>
    figure.locator('svg text').evaluateAll((all) =>
      all
        .map((text) => {
          const { x, y } = text.getBoundingClientRect()
          return { text: text.textContent ?? '', x, y }
        })
        .sort((a, b) => a.text.localeCompare(b.text)),
    )
  await expect(figure.locator('svg text').first()).toBeVisible()
  await expect(library).toHaveCount(0)
  const before = await labels()
  expect(before.length).toBeGreaterThan(8)
  const size = await figure.boundingBox()

  await figure.getByRole('slider').hover()
  await expect(library).toBeVisible()
  await expect(figure.locator('[data-crosshair-dot]').first()).toBeVisible()
  const after = await labels()
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
  for (const [index, { text, x, y }] of after.entries())
    expect(Math.hypot(x - (before[index]?.x ?? NaN), y - (before[index]?.y ?? NaN)), text).toBeLessThan(1)
  expect(await figure.boundingBox()).toEqual(size)
})
