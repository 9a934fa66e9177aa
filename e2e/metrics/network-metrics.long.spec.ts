import {
  networkMetricEntry,
  networkMetricNames,
  type NetworkMetricName,
} from '../../contract/metrics/network-catalogue.ts'
import { breakdownCatalogue, getNetworkBreakdown } from '../../contract/metrics/breakdowns.ts'
import { isSampled } from '../../contract/metrics/network-samples.ts'
import { getNetworkMetric } from '../../contract/metrics/network-metrics.ts'
import type { MetricPoint } from '../../contract/metrics/series.ts'
import { expectDrawn } from '../support/drawn.ts'
import { expect, test } from '../support/fixtures.ts'
import { askNode, network, primaryIsLive, root } from '../support/primary.ts'
import { nodeAt } from '../support/node.ts'
import { ask, askAll, chains, rpcUrlOf } from '../support/stack.ts'

const path = `${root}/metrics`

/** The values by day, oldest first. */
async function daysOf(metric: NetworkMetricName): Promise<MetricPoint[]> {
  const results = await askAll(getNetworkMetric, 'results', {
    params: { network, metric },
    query: { timeInterval: 'day', pageSize: 2160 },
  })
  return results.toReversed()
}

/** The days that have ended: the series of a quiet chain may end with a day before the open one. */
async function wholeDaysOf(metric: NetworkMetricName): Promise<MetricPoint[]> {
  const today = Math.floor(Date.now() / 86_400_000) * 86_400
  return (await daysOf(metric)).filter(({ timestamp }) => timestamp < today)
}

test.beforeAll(primaryIsLive)

test('every metric of the network is drawn in its group and leads to its own page', async ({ page }) => {
  // Some sixty charts, each drawn as it is scrolled into view.
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
    const values = (await wholeDaysOf(metric)).map(({ value }) => Number(value))
    await expectDrawn(figure, values, 85)
  }
})

test('a point is counted again from its rows, except for a sample of the node', async ({ page }) => {
  await page.goto(`${path}/nakamotoLiveness`)
  const button = page.getByRole('button', { name: 'How was this counted?' })
  await button.click()
  const proof = page.getByRole('region', { name: /^How it was counted: Nakamoto coefficient, liveness/ })
  await expect(proof.getByText('Equal', { exact: true })).toBeVisible()
  await expect(proof.getByRole('term').filter({ hasText: 'Blocks' })).toBeVisible()
  await page.goto(`${path}/connectedPeers`)
  await expect(page.getByText('Sampled from the node: blocks do not contain it')).toBeVisible()
  await expect(button).toBeHidden()
})

test('the open day of the stake equals the node’s current validators', async ({ page }) => {
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
  }).toPass()
  await page.goto(`${path}/totalStake`)
  await expect(page.getByRole('heading', { level: 1, name: 'Total stake' })).toBeVisible()
})

test('messages are drawn by pair of chains, and are those of the chains’ own logs', async ({ page }) => {
  const askParts = (breakdown: 'messagesSent' | 'messagesDelivered') =>
    ask(getNetworkBreakdown, {
      params: { network, breakdown },
      query: { timeInterval: 'day', pageSize: 2160, parts: 20 },
    })
  /** All messages of the range by the name of their pair. */
  const sums = async (breakdown: 'messagesSent' | 'messagesDelivered') => {
    const { parts, results } = await askParts(breakdown)
    return new Map(
      parts.map(({ name }, index) => [
        name,
        results.reduce((sum, { values }) => sum + Number(values[index]), 0),
      ]),
    )
  }
  const from = (pairs: ReadonlyMap<string, number>, name: string): number =>
    [...pairs].reduce((sum, [pair, count]) => sum + (pair.startsWith(`${name} → `) ? count : 0), 0)
  await expect(async () => {
    const sent = await sums('messagesSent')
    const delivered = await sums('messagesDelivered')
    for (const chain of [chains.c, chains.meridian, chains.harbor]) {
      const logs = await nodeAt(rpcUrlOf(chain)).call<{ data: string }[]>('eth_getLogs', [
        { address: '0x0200000000000000000000000000000000000005', fromBlock: '0x0', toBlock: 'latest' },
      ])
      expect(from(sent, chain.name)).toBe(logs.length)
      // A manager's message to the P-Chain: ACP-77's types 1 and 3, after 34 bytes of an addressed call.
      const toP = logs.filter(({ data }) => /^0000000000(01|03)$/.test(data.slice(2 + 280, 2 + 292)))
      expect(sent.get(`${chain.name} → P-Chain`) ?? 0).toBe(toP.length)
    }
    const taken = (await daysOf('l1Messages')).reduce((sum, { value }) => sum + Number(value), 0)
    expect([...delivered.values()].reduce((sum, count) => sum + count, 0)).toBe(taken)
    expect(taken).toBeGreaterThan(0)
    expect(sent.get('Meridian → P-Chain')).toBeGreaterThan(0)
  }).toPass()

  await page.goto(`${path}?range=90d`)
  for (const title of Object.values(breakdownCatalogue).map((entry) => entry.title)) {
    const section = page.getByRole('region', { name: title, exact: true })
    await expect(() => section.scrollIntoViewIfNeeded()).toPass()
    await expect(section.getByRole('figure', { name: `Sample network, ${title}`, exact: true })).toBeVisible()
  }
  const sent = page.getByRole('region', { name: 'Messages sent by pair of chains', exact: true })
  await expect(sent).toContainText('C-Chain → unknown')
  // Long names are cut at the ends of the lines.
  await expect(
    page.getByRole('region', { name: 'Messages delivered by pair of chains', exact: true }),
  ).toContainText('Meridian → P-Cha')
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
  await expect(choice.getByRole('link', { name: 'Chain', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await choice.getByRole('link', { name: 'Network' }).click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
  await expect(page.getByRole('heading', { level: 1, name: 'Network metrics' })).toBeVisible()
  await choice.getByRole('link', { name: 'Chain', exact: true }).click()
  await expect(page).toHaveURL(/\/chain\/\d+\/metrics$/)
})

test('a second series, and a range, stay in the address of one metric', async ({ page }) => {
  await page.goto(`${path}/validators?second=totalStake&range=30d`)
  const figure = page.getByRole('figure', { name: 'Sample network, Validators', exact: true })
  await expect(figure).toContainText('AVAX on the right')
  await page.getByRole('link', { name: 'All metrics' }).click()
  await expect(page).toHaveURL(/range=30d/)
})

test('an unknown metric shows a message', async ({ page }) => {
  await page.goto(`${path}/noMetric`)
  await expect(page.getByRole('heading', { level: 1, name: 'Unknown metric' })).toBeVisible()
  await page.getByRole('link', { name: 'All metrics of this network' }).click()
  await expect(page).toHaveURL(new RegExp(`${path}$`))
})

test('a network series can be compared with a chain’s, and vice versa', async ({ page }) => {
  await page.goto(`/chain/${chains.c.id}/metrics/txCount`)
  await page.getByRole('button', { name: 'Chart options' }).click()
  await page.getByRole('menuitem', { name: 'Delegated stake' }).click()
  await expect(page).toHaveURL(/second=fuji(\/|%2F)delegatedStake/)
  const figure = page.getByRole('figure', { name: 'C-Chain, Transactions', exact: true })
  await expect(figure).toContainText('tx on the left · AVAX on the right')
  const figures = page.getByRole('region', { name: 'Transactions in this range' })
  await expect(figures.getByRole('rowheader')).toHaveText([
    'C-Chain, Transactions',
    'Sample network, Delegated stake',
  ])
  const yesterday = (await wholeDaysOf('delegatedStake')).at(-1)
  const whole = Math.round(Number(yesterday?.value) / 1e9).toLocaleString('en-US')
  await expect(figures.getByRole('row').nth(2).getByRole('cell').first()).toHaveText(`${whole} AVAX`)

  await page.goto(`${path}/delegatedStake?second=${chains.harbor.id}/gasUsed`)
  const other = page.getByRole('figure', { name: 'Sample network, Delegated stake', exact: true })
  await expect(other).toContainText('AVAX on the left · gas on the right')
  await expect(page.getByRole('rowheader', { name: 'Harbor, Gas used' })).toBeVisible()
})
