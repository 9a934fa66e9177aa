import {
  networkMetricEntry,
  networkMetricNames,
  type NetworkMetricName,
} from '../../contract/metrics/network-catalogue.ts'
import { isSampled } from '../../contract/metrics/network-samples.ts'
import { getNetworkMetric } from '../../contract/metrics/network-metrics.ts'
import type { MetricPoint } from '../../contract/metrics/series.ts'
import { expectDrawn } from '../support/drawn.ts'
import { expect, test } from '../support/fixtures.ts'
import { askNode, network, primaryIsLive, root } from '../support/primary.ts'
import { askAll, chains } from '../support/stack.ts'

const path = `${root}/metrics`

/** The values by day, oldest first. */
async function daysOf(metric: NetworkMetricName): Promise<MetricPoint[]> {
  const results = await askAll(getNetworkMetric, 'results', {
    params: { network, metric },
    query: { timeInterval: 'day', pageSize: 2160 },
  })
  return results.toReversed()
}

test.beforeAll(primaryIsLive)

test('every metric of the network is drawn in its group and leads to its own page', async ({ page }) => {
  await page.goto(path)
  const main = page.getByRole('main')
  for (const metric of networkMetricNames) {
    const { title, isPlanned } = networkMetricEntry(metric)
    const link = main.locator(`h3 a[href="${path}/${metric}"]`)
    await expect(() => link.scrollIntoViewIfNeeded()).toPass()
    await expect(link).toHaveText(title)
    const figure = main.getByRole('figure', { name: `Sample network, ${title}`, exact: true })
    await expect(figure, metric).toBeVisible()
    // The samples of the node begin with the service.
    if (isPlanned || isSampled(metric)) continue
    const values = (await daysOf(metric)).slice(0, -1).map(({ value }) => Number(value))
    await expectDrawn(figure, values, 85)
  }
})

test('the open day of the stake is what the node says of its validators now', async ({ page }) => {
  type Weighted = { weight: string; delegators?: Weighted[]; delegatorWeight?: string }
  await expect(async () => {
    const { validators } = (await askNode('P', 'platform.getCurrentValidators', {})) as {
      validators: Weighted[]
    }
    const own = validators.reduce((sum, { weight }) => sum + BigInt(weight), 0n)
    const delegated = validators.reduce((sum, each) => sum + BigInt(each.delegatorWeight ?? 0), 0n)
    const newest = async (metric: NetworkMetricName) => BigInt((await daysOf(metric)).at(-1)?.value ?? -1)
    expect(await newest('ownStake')).toBe(own)
    expect(await newest('delegatedStake')).toBe(delegated)
    expect(await newest('totalStake')).toBe(own + delegated)
    expect(await newest('validators')).toBe(BigInt(validators.length))
  }).toPass({ timeout: 30_000 })
  await page.goto(`${path}/totalStake`)
  await expect(page.getByRole('heading', { level: 1, name: 'Total stake' })).toBeVisible()
})

test('expiring stake reaches into the future', async ({ page }) => {
  await page.goto(`${path}/expiringStake?range=30d&interval=week`)
  const figure = page.getByRole('figure', { name: 'Sample network, Expiring stake', exact: true })
  await expect(figure).toBeVisible()
  const now = Date.now() / 1000
  const later = (await daysOf('expiringStake')).filter(({ timestamp }) => timestamp > now)
  expect(later.some(({ value }) => value > 0)).toBe(true)
})

test('the metrics of chains and of the network lead to each other', async ({ page }) => {
  await page.goto(`/chain/${chains.c.id}/metrics`)
  const choice = page.getByRole('navigation', { name: 'Metrics of' })
  await expect(choice.getByRole('link', { name: 'Chains' })).toHaveAttribute('aria-current', 'page')
  await choice.getByRole('link', { name: 'Network' }).click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
  await expect(page.getByRole('heading', { level: 1, name: 'Network metrics' })).toBeVisible()
  await choice.getByRole('link', { name: 'Chains' }).click()
  await expect(page).toHaveURL(/\/chain\/\d+\/metrics$/)
})

test('a second series, and a range, stay in the address of one metric', async ({ page }) => {
  await page.goto(`${path}/validators?second=totalStake&range=30d`)
  const figure = page.getByRole('figure', { name: 'Sample network, Validators', exact: true })
  await expect(figure).toContainText('AVAX on the right')
  await page.getByRole('link', { name: 'All metrics' }).click()
  await expect(page).toHaveURL(/range=30d/)
})

test('an unknown metric is said to be none', async ({ page }) => {
  await page.goto(`${path}/noMetric`)
  await expect(page.getByRole('heading', { level: 1, name: 'Unknown metric' })).toBeVisible()
  await page.getByRole('link', { name: 'All metrics of this network' }).click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
})

test('a series of the network stands beside one of a chain, and the other way round', async ({ page }) => {
  await page.goto(`/chain/${chains.c.id}/metrics/txCount`)
  await page.getByRole('button', { name: 'Second axis' }).click()
  await page.getByRole('menuitem', { name: 'Delegated stake' }).click()
  await expect(page).toHaveURL(/second=fuji(\/|%2F)delegatedStake/)
  const figure = page.getByRole('figure', { name: 'C-Chain, Transactions', exact: true })
  await expect(figure).toContainText('tx on the left · AVAX on the right')
  const figures = page.getByRole('region', { name: 'Transactions in this range' })
  await expect(figures.getByRole('columnheader')).toHaveText([
    'Figure',
    'C-Chain, Transactions',
    'Sample network, Delegated stake',
  ])
  const yesterday = (await daysOf('delegatedStake')).at(-2)
  const whole = Math.round(Number(yesterday?.value) / 1e9).toLocaleString('en-US')
  const last = figures.getByRole('row', { name: 'Last whole day' }).getByRole('cell')
  await expect(last.nth(1)).toHaveText(`${whole} AVAX`)

  await page.goto(`${path}/delegatedStake?second=${chains.harbor.id}/gasUsed`)
  const other = page.getByRole('figure', { name: 'Sample network, Delegated stake', exact: true })
  await expect(other).toContainText('AVAX on the left · gas on the right')
  await expect(page.getByRole('columnheader', { name: 'Harbor, Gas used' })).toBeVisible()
})
