import { listSubnets } from '../contract/network/blockchains.ts'
import { listL1Validators } from '../contract/network/validators.ts'
import { sampleContract } from '../sample/testing/addresses.ts'
import { expect, test } from './support/fixtures.ts'
import { openWhole, overflowOf, recordShifts, shiftsOf } from './support/layout-measures.ts'
import { nodeAt, type NodeTransaction } from './support/node.ts'
import { everyPage } from './support/pages.ts'
import { errorsOfPictures, fact } from './support/parts.ts'
import { network, primaryIsLive, root } from './support/primary.ts'
import { primaryRoutes } from './support/primary-routes.ts'
import { askAll, chains, rpcUrlOf, sampleUrl } from './support/stack.ts'
import { smallTargets } from './support/touch-targets.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

const { c } = chains
const node = nodeAt(rpcUrlOf(c))
const widths = [390, 320]

type Log = { readonly transactionHash: string; readonly data: string }

/** The logs of a contract of the sample, by the node. */
async function logsOf(contract: string): Promise<readonly Log[]> {
  const address = await sampleContract(sampleUrl, 'c', contract)
  return node.call<readonly Log[]>('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', address }])
}

test('an amount longer than the line breaks, and the transaction does not scroll sideways', async ({
  page,
}) => {
  // A token without decimals: its amounts are in smallest units.
  const largest = (await logsOf('Faceless')).toSorted((a, b) => Number(BigInt(b.data) - BigInt(a.data)))[0]
  if (!largest) throw new Error('the token was never moved')
  const amount = BigInt(largest.data).toLocaleString('en')
  expect(amount.length).toBeGreaterThan(24)
  for (const tab of ['overview', 'changes', 'transfers', 'logs'])
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      await openWhole(page, `/chain/${c.id}/tx/${largest.transactionHash}?tab=${tab}`)
      await expect(page.getByRole('main')).toContainText(amount)
      expect(await overflowOf(page), `${tab} at ${width} px`).toBe(0)
    }
})

test('a row of a contract’s transactions has its method, sender, value and status', async ({ page }) => {
  const logs = await logsOf('Sample Dollar')
  const log = logs[Math.floor(logs.length / 2)]
  if (!log) throw new Error('the token was never moved')
  const { from, to, blockNumber } = await node.call<NodeTransaction>('eth_getTransactionByHash', [
    log.transactionHash,
  ])
  const own = await sampleContract(sampleUrl, 'c', 'Sample Dollar')
  const height = Number(blockNumber)
  for (const [address, way, other] of [
    [own, 'from', from],
    [from, 'to', to],
  ])
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 })
      await openWhole(page, `/chain/${c.id}/address/${address}?from=${height}&to=${height}`)
      const row = page.getByRole('row').filter({ has: page.locator(`[data-value="${log.transactionHash}"]`) })
      await expect(row.getByTitle('Succeeded').filter({ visible: true })).toHaveCount(1)
      await expect(row.getByRole('cell').filter({ hasText: new RegExp(`${way}\\S`) })).toBeVisible()
      await expect(row.locator(`[data-value="${other}"]`).filter({ visible: true })).toHaveCount(1)
      const value = row.getByRole('cell').filter({ hasText: address === own ? /^0 AVAX/ : /SUSD|AVAX/ })
      await expect(value).toBeVisible()
      expect(await overflowOf(page), `${width} px`).toBe(0)
    }
})

test('a row of an L1’s validator names its L1', async ({ page }) => {
  await primaryIsLive()
  const params = { network } as const
  const [subnets, validators] = await Promise.all([
    askAll(listSubnets, 'subnets', { params, query: { pageSize: 100 } }),
    askAll(listL1Validators, 'validators', { params, query: { pageSize: 100 } }),
  ])
  const names = new Map(
    subnets.map(({ subnetId, blockchains }) => [subnetId, blockchains[0]?.blockchainName]),
  )
  await openWhole(page, `${root}/l1-validators`)
  const rows = page.getByRole('table', { name: 'L1 validators' }).locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  for (const { nodeId, subnetId } of validators.slice(0, 3)) {
    const row = rows.filter({ has: page.locator(`[data-value="${nodeId.toLowerCase()}"]`) })
    const link = row.locator(`[data-value="${subnetId.toLowerCase()}"]`).filter({ visible: true })
    await expect(link.first()).toContainText(names.get(subnetId) ?? subnetId.slice(0, 6))
  }
  expect(await overflowOf(page)).toBe(0)
})

test('what people come for is on the first screen', async ({ page }) => {
  await primaryIsLive()
  const prints = await sampleContract(sampleUrl, 'c', 'Skyline Prints')
  const nft = `/chain/${c.id}/nft/${prints}/1`
  const rowOf = (table: string) => page.getByRole('table', { name: table }).locator('tbody tr')
  for (const [path, answer] of [
    [nft, fact(page, 'NFT', 'Owner')],
    [nft, page.getByRole('term').filter({ hasText: /^Tone$/ })],
    ['/chains', rowOf('Chains').nth(2)],
    ['/settings', page.getByRole('radio', { name: 'Dark' })],
    ['/settings', page.getByRole('radio', { name: 'Hosted, mainnet' })],
    // The pictures above the list are folded.
    [`${root}/validators`, rowOf('Validators, active').nth(2)],
  ] as const) {
    await openWhole(page, path)
    await expect(answer, path).toBeInViewport({ ratio: 1 })
  }
  await page.getByText('Spread of stake and uptime').click()
  await expect(page.getByRole('toolbar').getByRole('button').first()).toBeVisible()
})

test.describe('what stands alone is large enough for a finger', () => {
  test.use({ expectedErrors: [errorsOfPictures], isOperator: true })

  for (const [subject, paths] of [
    ['the EVM chains and tools', async () => (await everyPage()).map(({ path }) => path)],
    ['the primary network', primaryRoutes],
  ] as const)
    test(`on every page of ${subject}`, async ({ page }) => {
      await primaryIsLive()
      await recordShifts(page)
      for (const path of await paths()) {
        await openWhole(page, path)
        // Places are kept at the size that things have under a finger.
        const { sum, lines } = await shiftsOf(page)
        expect.soft(sum, `${path}\n${lines.join('\n')}`).toBeLessThanOrEqual(0.02)
        expect.soft(await smallTargets(page), path).toEqual([])
        expect.soft(await overflowOf(page), path).toBe(0)
      }
    })
})
