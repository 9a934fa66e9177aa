import type { Locator, Page } from '@playwright/test'
import { intervalsOf, metricNames, type MetricName } from '../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../contract/metrics/intervals.ts'
import { getMetric } from '../../contract/metrics/metrics.ts'
import type { MetricPoint } from '../../contract/metrics/series.ts'
import { expectDrawn } from '../support/drawn.ts'
import { csvRows, exact, integer, plain } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { savedFrom } from '../support/parts.ts'
import { askAll, chains } from '../support/stack.ts'

const c = chains.c
const day = 86_400
const path = `/chain/${c.id}/metrics`

/** The whole series from the API, oldest first. */
async function seriesOf(
  metric: MetricName,
  timeInterval: TimeInterval,
  chainId: string = c.id,
): Promise<MetricPoint[]> {
  const results = await askAll(getMetric, 'results', {
    params: { chainId, metric },
    query: { timeInterval, pageSize: 2160 },
  })
  return results.toReversed()
}

/** The values of all finished days, oldest first; the newest day is incomplete. */
const closedDays = async (metric: MetricName): Promise<number[]> =>
  (await seriesOf(metric, 'day')).slice(0, -1).map(({ value }) => Number(value))

const slider = (page: Page, title: string): Locator =>
  page.getByRole('slider', { name: `C-Chain, ${title}: cross-hair over time` })

/** Drags over a chart between two shares of its width. */
async function drag(page: Page, over: Locator, from: number, to: number): Promise<void> {
  const box = await over.boundingBox()
  if (box === null) throw new Error('the chart has no box')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * from, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * ((from + to) / 2), y, { steps: 4 })
  await page.mouse.move(box.x + box.width * to, y, { steps: 4 })
  await page.mouse.up()
}

type Place = { readonly x: number; readonly y: number }

/** Fingers, as the browser feels them: Playwright's own only taps. */
async function fingerOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Place[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    /** One finger, or several together. */
    down: (...places: Place[]) => send('touchStart', places),
    move: (...places: Place[]) => send('touchMove', places),
    up: () => send('touchEnd', []),
  }
}

/** The range in the address, in Unix seconds. */
function rangeOf(page: Page): { from: number; to: number } {
  const search = new URL(page.url()).searchParams
  return { from: Number(search.get('from')), to: Number(search.get('to')) }
}

test('every metric is drawn with its points and links to its own page', async ({ page }) => {
  await page.goto(path)
  const main = page.getByRole('main')
  for (const metric of metricNames) {
    const link = main.locator(`h3 a[href="${path}/${metric}"]`)
    // A panel is rendered again when it comes near and is drawn, so the scrolled element may be replaced.
    await expect(() => link.scrollIntoViewIfNeeded()).toPass()
    const title = await link.innerText()
    const figure = main.getByRole('figure', { name: `C-Chain, ${title}`, exact: true })
    await expect(figure, metric).toBeVisible()
    await expect(figure, metric).not.toContainText('no data')
    const days = await closedDays(metric)
    // The sample sends no message to the C-Chain.
    if (days.every((value) => value === 0))
      await expect(figure).toContainText('All values in this range are 0')
    else await expectDrawn(figure, days, 85)
  }
})

test('the large chart draws each day of a sum as a bar, and of a level as a line', async ({ page }) => {
  for (const [metric, title] of [
    ['txCount', 'Transactions'],
    ['avgGasPrice', 'Average gas price'],
  ] as const) {
    await page.goto(`${path}/${metric}`)
    const figure = page.getByRole('figure', { name: `C-Chain, ${title}`, exact: true })
    await expect(figure.locator('.recharts-surface')).toBeVisible()
    await expectDrawn(figure, await closedDays(metric), 85)
  }
})

test('one metric shows each of its intervals with the API’s points', async ({ page }) => {
  for (const timeInterval of intervalsOf('gasUsed')) {
    const interval = timeInterval === 'day' ? '' : `&interval=${timeInterval}`
    await page.goto(`${path}/gasUsed?range=all&table=gasUsed${interval}`)
    const table = page.getByRole('region', { name: `C-Chain, Gas used, by ${timeInterval}` })
    const cells = table.locator('tbody td')
    // The newest period is incomplete; all others are final.
    const expected = (await seriesOf('gasUsed', timeInterval)).toReversed().slice(1)
    await expect(cells).toHaveCount(expected.length + 1)
    const texts = await cells.allInnerTexts()
    expect(texts.slice(1), timeInterval).toEqual(expected.map(({ value }) => integer(value)))
  }
})

test('wei are shown in the chain’s token with all digits', async ({ page }) => {
  await page.goto(`${path}/feesPaid?range=all&table=feesPaid`)
  const cells = page.getByRole('region', { name: 'C-Chain, Fees paid, by day' }).locator('tbody td')
  const expected = (await seriesOf('feesPaid', 'day')).toReversed().slice(1)
  await expect(cells).toHaveCount(expected.length + 1)
  const texts = await cells.allInnerTexts()
  expect(texts.slice(1)).toEqual(expected.map(({ value }) => exact(BigInt(value), 18)))
})

test('the interval can be selected, and an unsupported one says why', async ({ page }) => {
  await page.goto(`${path}/txCount`)
  const interval = page.getByRole('group', { name: 'Interval' })
  await interval.getByRole('button', { name: 'Week' }).click()
  await expect(page).toHaveURL(`${path}/txCount?interval=week`)
  await expect(interval.getByRole('button', { name: 'Week' })).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`${path}/feesPaid`)
  const hour = interval.getByRole('button', { name: 'Hour' })
  await expect(hour).toHaveAttribute('aria-disabled', 'true')
  await expect(hour).toHaveAttribute('title', 'Fees paid are counted by day only')
  await hour.click({ force: true })
  await expect(page).toHaveURL(`${path}/feesPaid`)
})

test('presets set the range and a suitable interval', async ({ page }) => {
  await page.goto(path)
  const range = page.getByRole('group', { name: 'Range' })
  await range.getByRole('button', { name: '24 h' }).click()
  await expect(page).toHaveURL(`${path}?range=24h`)
  const interval = page.getByRole('group', { name: 'Interval' })
  await expect(interval.getByRole('button', { name: 'Hour' })).toHaveAttribute('aria-pressed', 'true')
  await range.getByRole('button', { name: '90 d' }).click()
  await expect(page).toHaveURL(path)
  await expect(interval.getByRole('button', { name: 'Day' })).toHaveAttribute('aria-pressed', 'true')
})

test('a dragged range is written to the URL, restored by a reload and can be removed', async ({ page }) => {
  await page.goto(`${path}/txCount`)
  const over = slider(page, 'Transactions')
  await over.scrollIntoViewIfNeeded()
  await drag(page, over, 0.3, 0.6)
  await expect(page).toHaveURL(/\?from=\d+&to=\d+$/)
  const { from, to } = rangeOf(page)
  expect([from % day, to % day]).toEqual([0, 0])
  // Nine tenths of 90 days lie between the two ends; the axis may be a day longer than the data.
  expect(to - from).toBeGreaterThan(25 * day)
  expect(to - from).toBeLessThan(31 * day)

  await page.reload()
  const chip = page.getByRole('button', { name: /^Remove the range: / })
  await expect(chip).toBeVisible()
  expect(rangeOf(page)).toEqual({ from, to })
  const points = (await seriesOf('txCount', 'day')).filter(
    ({ timestamp }) => timestamp >= from && timestamp < to,
  )
  const sum = points.reduce((total, { value }) => total + Number(value), 0)
  await expect(page.getByText(`${integer(sum)} tx`, { exact: true })).toBeVisible()

  await over.dblclick()
  await expect(page).toHaveURL(`${path}/txCount`)
  await page.goBack()
  expect(rangeOf(page)).toEqual({ from, to })
  await chip.click()
  await expect(page).toHaveURL(`${path}/txCount`)
})

test('dragging over one small chart sets the range of all', async ({ page }) => {
  await page.goto(path)
  await drag(page, slider(page, 'Active senders'), 0.2, 0.5)
  await expect(page).toHaveURL(/\?from=\d+&to=\d+$/)
  const { from, to } = rangeOf(page)
  const link = page.locator(`h3 a[href^="${path}/gasUsed"]`)
  await expect(link).toHaveAttribute('href', `${path}/gasUsed?from=${from}&to=${to}`)
})

test('keys move the cross-hair and select a range', async ({ page }) => {
  await page.goto(`${path}/txCount`)
  const over = slider(page, 'Transactions')
  await over.focus()
  await page.keyboard.press('Home')
  const series = await seriesOf('txCount', 'day')
  await expect(over).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`\\b${series.at(-91)?.value ?? series[0]?.value} tx`),
  )
  await page.keyboard.press('ArrowRight')
  for (let times = 0; times < 6; times += 1) await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?from=\d+&to=\d+$/)
  const { from, to } = rangeOf(page)
  expect(to - from).toBe(7 * day)
})

test.describe('with a finger', () => {
  test.use({ hasTouch: true })

  test('a tap on a chart keeps its reading until the next touch', async ({ page }) => {
    await page.goto(`${path}/txCount`)
    const over = slider(page, 'Transactions')
    const box = await over.boundingBox()
    if (box === null) throw new Error('the chart has no box')
    await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
    const dot = page.locator('[data-crosshair-dot]')
    await expect(dot).toBeVisible()
    await page.touchscreen.tap(box.x + box.width / 4, box.y + box.height / 2)
    await expect(dot).toBeVisible()
    await page.touchscreen.tap(box.x + 8, box.y - 80)
    await expect(dot).toHaveCount(0)
  })

  test('a finger that rests and then moves sets the range; one that moves at once scrolls', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${path}/txCount`)
    const over = slider(page, 'Transactions')
    const box = await over.boundingBox()
    if (box === null) throw new Error('the chart has no box')
    const touch = await fingerOf(page)
    const at = (share: number, down = 0) => ({
      x: box.x + box.width * share,
      y: box.y + box.height * 0.5 + down,
    })
    await touch.down(at(0.3))
    for (const step of [1, 2, 3, 4, 5, 6]) await touch.move(at(0.3, -40 * step))
    await touch.up()
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(60)
    await expect(page).toHaveURL(`${path}/txCount`)
    // The page glides on after the finger was lifted.
    await expect(async () => {
      await page.evaluate(() => scrollTo(0, 0))
      expect((await over.boundingBox())?.y).toBe(box.y)
      await page.waitForTimeout(200)
      expect((await over.boundingBox())?.y).toBe(box.y)
    }).toPass()

    await touch.down(at(0.3))
    const hint = page.getByText(/^Select .* lift to apply$/)
    await expect(hint).toBeVisible()
    // A hand that slips up or down while it selects scrolls nothing.
    for (const step of [1, 2, 3, 4, 5, 6]) await touch.move(at(0.3 + 0.05 * step, -20 * step))
    await touch.up()
    await expect(page).toHaveURL(/\?from=\d+&to=\d+$/)
    expect(await page.evaluate(() => scrollY)).toBe(0)
    const { from, to } = rangeOf(page)
    expect(to - from).toBeGreaterThan(20 * day)
    expect(to - from).toBeLessThan(36 * day)
    await expect(hint).toHaveCount(0)
  })

  test('two fingers set the range between them', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${path}/txCount`)
    const box = await slider(page, 'Transactions').boundingBox()
    if (box === null) throw new Error('the chart has no box')
    const touch = await fingerOf(page)
    const at = (share: number) => ({ x: box.x + box.width * share, y: box.y + box.height * 0.5 })
    await touch.down(at(0.5))
    await touch.down(at(0.5), at(0.6))
    await expect(page.getByText(/^Select .* lift to apply$/)).toBeVisible()
    for (const step of [1, 2, 3, 4]) await touch.move(at(0.5 - 0.05 * step), at(0.6 + 0.05 * step))
    await touch.up()
    await expect(page).toHaveURL(/\?from=\d+&to=\d+$/)
    const { from, to } = rangeOf(page)
    // Half of 91 days.
    expect(to - from).toBeGreaterThan(40 * day)
    expect(to - from).toBeLessThan(51 * day)
  })
})

test('a chart is saved as CSV with the exact figures of the API', async ({ page }) => {
  await page.goto(`${path}/avgGasPrice?range=all`)
  const menu = 'C-Chain, Average gas price: export and view'
  const file = await savedFrom(page, menu, /^Download CSV/)
  expect(file.name).toMatch(/\.csv$/)
  const rows = csvRows(file.bytes.toString('utf8'))
  const expected = await seriesOf('avgGasPrice', 'day')
  expect(rows.map(([timestamp]) => Number(timestamp))).toEqual(expected.map(({ timestamp }) => timestamp))
  const settled = expected.slice(0, -1)
  for (const [index, { value }] of settled.entries()) {
    const whole = Number.isInteger(Number(value))
    const text = rows[index]?.[2] ?? ''
    if (whole) expect(text).toBe(plain(BigInt(value), 9))
    else expect(Number(text)).toBeCloseTo(Number(value) / 1e9, 9)
  }
})

test('a chart is saved as a picture that is not blank', async ({ page }) => {
  await page.goto(`${path}/txCount`)
  await expect(slider(page, 'Transactions')).toBeVisible()
  const file = await savedFrom(page, 'C-Chain, Transactions: export and view', /^Download PNG/)
  expect(file.name).toMatch(/\.png$/)
  const drawn = await page.evaluate(
    async (bytes) => {
      const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: 'image/png' }))
      const canvas = new OffscreenCanvas(picture.width, picture.height)
      const context = canvas.getContext('2d')
      context?.drawImage(picture, 0, 0)
      const pixels = new Uint32Array(
        context?.getImageData(0, 0, picture.width, picture.height).data.buffer ?? new ArrayBuffer(0),
      )
      return { width: picture.width, height: picture.height, colours: new Set(pixels).size }
    },
    [...file.bytes],
  )
  expect(drawn.width).toBeGreaterThan(900)
  expect(drawn.height).toBeGreaterThan(300)
  expect(drawn.colours).toBeGreaterThan(10)
})

test('chains are compared on one chart: side by side, stacked, indexed', async ({ page }) => {
  await page.goto(`${path}/txCount`)
  await page.getByRole('button', { name: 'Compare with other chains' }).click()
  await page.getByRole('menuitemcheckbox', { name: chains.harbor.name }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(`${path}/txCount?compare=${chains.harbor.id}`)
  const options = page.getByRole('button', { name: 'Chart options' })
  const choose = async (name: RegExp): Promise<void> => {
    await options.click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose(/^Stacked/)
  await expect(page).toHaveURL(/mode=stacked/)
  await choose(/^Indexed/)
  await expect(page.getByText('mean of each chain = 100', { exact: false })).toBeVisible()

  const file = await savedFrom(page, 'C-Chain, Transactions: export and view', /^Download CSV/)
  const rows = csvRows(file.bytes.toString('utf8'))
  for (const column of [2, 3]) {
    const values = rows.flatMap((row) => (row[column] ? [Number(row[column])] : []))
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(100, 3)
  }
  await page.getByRole('button', { name: `Stop comparing with ${chains.harbor.name}` }).click()
  await options.click()
  await expect(page.getByRole('menuitem', { name: /^Stacked/ })).toHaveCount(0)
})

test('the sum of all chains and an unknown metric have their pages', async ({ page }) => {
  await page.goto('/chain/total/metrics/txCount?range=all&table=txCount')
  const cells = page.getByRole('region', { name: /Transactions, by day$/ }).locator('tbody td')
  await expect(cells.first()).toBeVisible()
  const own = await Promise.all(Object.values(chains).map(({ id }) => seriesOf('txCount', 'day', id)))
  const yesterday = Math.floor(Date.now() / 1000 / day) * day - day
  const sum = own.flat().filter(({ timestamp }) => timestamp === yesterday)
  await expect(cells.nth(1)).toHaveText(integer(sum.reduce((total, { value }) => total + Number(value), 0)))

  await page.goto(`${path}/nothing`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unknown metric')
})

test('compared chains each have their figures, and distinct addresses are not added up', async ({ page }) => {
  await page.goto(`${path}/txCount?range=all&compare=${chains.harbor.id}`)
  const figures = page.getByRole('region', { name: 'Transactions in this range' })
  await expect(figures.getByRole('rowheader')).toHaveText([c.name, chains.harbor.name])
  const yesterday = Math.floor(Date.now() / 1000 / day) * day - day
  await expect(figures.getByRole('columnheader').nth(1)).toHaveText('Last whole day')
  for (const [place, { id }] of [c, chains.harbor].entries()) {
    const point = (await seriesOf('txCount', 'day', id)).find(({ timestamp }) => timestamp === yesterday)
    await expect(
      figures
        .getByRole('row')
        .nth(place + 1)
        .getByRole('cell')
        .first(),
    ).toHaveText(`${integer(point?.value ?? -1)} tx`)
  }
  await expect(figures.getByRole('columnheader', { name: 'Sum' })).toBeVisible()

  await page.goto(`${path}/activeAddresses?compare=${chains.harbor.id}`)
  const distinct = page.getByRole('region', { name: 'Active addresses in this range' })
  await expect(distinct.getByRole('columnheader', { name: 'Daily average' })).toBeVisible()
  await expect(distinct.getByRole('columnheader', { name: 'Sum' })).toHaveCount(0)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the chart of one metric begins on the first screen, and its options are a tap away', async ({
    page,
  }) => {
    await page.goto(`${path}/txCount`)
    const figure = page.getByRole('figure', { name: 'C-Chain, Transactions', exact: true })
    await expect(figure.locator('.recharts-surface')).toBeVisible()
    expect((await figure.boundingBox())?.y).toBeLessThanOrEqual(300)
    await expect(page.getByRole('group', { name: 'Interval' })).toBeHidden()
    await page.getByRole('button', { name: 'Options' }).click()
    await page.getByRole('group', { name: 'Interval' }).getByRole('button', { name: 'Week' }).click()
    await expect(page).toHaveURL(`${path}/txCount?interval=week`)
  })

  test('the groups of metrics are folded but the first', async ({ page }) => {
    await page.goto(path)
    await expect(page.locator(`h3 a[href="${path}/activeAddresses"]`)).toBeVisible()
    await expect(page.locator(`h3 a[href="${path}/gasUsed"]`)).toBeHidden()
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(2400)
    await page.getByRole('button', { name: /^Show \d+ of Gas and fees$/ }).click()
    await expect(page.locator(`h3 a[href^="${path}/gasUsed"]`)).toBeVisible()
    await page.reload()
    await expect(page.locator(`h3 a[href^="${path}/gasUsed"]`)).toBeVisible()
  })
})

test.describe('the proof of a point', () => {
  // The hosted service is asked, with or without internet access.
  test.use({ expectedErrors: [/^Failed to load resource/] })

  test('counts it again from its rows, and compares the chart with the hosted service', async ({ page }) => {
    const days = await closedDays('gasUsed')
    await page.goto(`${path}/gasUsed`)
    const button = page.getByRole('button', { name: 'How was this counted?' })
    await expect(button).toBeEnabled()
    await slider(page, 'Gas used').focus()
    // The newest day, then the one before, which is over.
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await button.click()
    const proof = page.getByRole('region', { name: /^How it was counted: Gas used, .* whole day UTC$/ })
    await expect(proof.getByText('Equal', { exact: true })).toBeVisible()
    const gas = integer(days.at(-1) ?? 0)
    await expect(proof.getByRole('definition').nth(0)).toHaveText(`${gas} gas`)
    await expect(proof.getByRole('definition').nth(1)).toHaveText(`${gas} gas`)
    await page.getByRole('button', { name: 'Compare with Hosted, Fuji testnet' }).click()
    // The sample has the id of Fuji's C-Chain and another first block; without internet access, nothing answers.
    await expect(page.getByText(/has another chain with the ID 43113|could not be reached/)).toBeVisible()
  })
})
