import type { Locator, Page } from '@playwright/test'
import { startAnvil, type RunningAnvil } from '../support/anvil.ts'
import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'
import { nodeAt } from '../support/node.ts'
import { sendFrom } from '../support/own-chain.ts'
import { statusOf } from '../support/stack.ts'

/*
 * Ten chains, more than a chart has colours: the one at index n of the list has n transactions, one a day. The last one
 * begins twenty days ago, the others sixty.
 */
test.describe('more chains than colours', () => {
  test.describe.configure({ mode: 'serial' })
  const day = 86_400
  const now = Math.floor(Date.now() / 1000)
  const folder = temporaryFolder()
  const anvils: RunningAnvil[] = []
  let stack: Launched

  test.beforeAll(async () => {
    const configured = []
    for (let index = 0; index < 10; index += 1) {
      const evmChainId = 90_000 + index
      const genesis = now - (index === 9 ? 20 : 60) * day
      const anvil = await startAnvil(['--chain-id', String(evmChainId), '--timestamp', String(genesis)])
      anvils.push(anvil)
      const node = nodeAt(anvil.url)
      for (let times = 0; times < index; times += 1) {
        await node.call('evm_increaseTime', [day])
        await sendFrom(node, { to: `0x${'aa'.repeat(20)}`, value: '0x1' })
      }
      configured.push({ evmChainId, name: `Chain ${evmChainId}`, rpcUrl: anvil.url })
    }
    stack = launch({
      home: folder.path,
      args: ['--config', writeConfig(folder.path, { chains: configured })],
    })
    const url = await stack.url
    for (const [index, { evmChainId }] of configured.entries())
      await expect
        .poll(
          async () => (await statusOf({ id: String(evmChainId) }, url).catch(() => undefined))?.indexedBlock,
        )
        .toBe(String(index))
  })

  test.afterAll(async () => {
    await stack.stop()
    for (const anvil of anvils) anvil.stop()
    folder.remove()
  })

  const figureOf = (page: Page): Locator => page.getByRole('figure', { name: 'Transactions by chain' })

  test('the chart has the eight with the most transactions in the range, and the others as one', async ({
    page,
  }) => {
    await page.goto(`${await stack.url}/?table=txCount`)
    const table = page.getByRole('table', { name: 'Transactions by chain, by day' })
    await expect(table.getByRole('columnheader').first()).toBeVisible()
    const names = await table.getByRole('columnheader').allInnerTexts()
    const largest = Array.from({ length: 8 }, (_, index) => `Chain ${90_002 + index}`)
    expect(names.slice(1).map((name) => name.replace(/\s+tx$/, ''))).toEqual([...largest, 'Other (2)'])
    await expect(figureOf(page)).toContainText('the 8 largest of 10 chains')
    await expect(page.getByRole('main')).toContainText('on 10 chains in the 24 hours')
  })

  test('over another range they come in one answer, whatever the number of chains', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const at = now - (now % day)
    // Before the last chain began.
    await page.goto(`${await stack.url}/?table=txCount&from=${at - 61 * day}&to=${at - 21 * day}`)
    const table = page.getByRole('table', { name: 'Transactions by chain, by day' })
    await expect(table.getByRole('columnheader').first()).toBeVisible()
    const names = await table.getByRole('columnheader').allInnerTexts()
    expect(names.slice(1).map((name) => name.replace(/\s+tx$/, ''))).toEqual(
      Array.from({ length: 8 }, (_, index) => `Chain ${90_001 + index}`),
    )
    expect(asked.filter((path) => path === '/v1/traffic:listLargest')).toHaveLength(1)
    expect(asked.filter((path) => path.includes('/metrics/txCount'))).toEqual([])
  })

  test('a chain without transactions in the range paints nothing over one that has some', async ({
    page,
  }) => {
    const at = now - (now % day)
    await page.goto(`${await stack.url}/?from=${at - 25 * day}&to=${at}`)
    const painted = (): Promise<readonly string[]> =>
      figureOf(page)
        .locator('svg path')
        .evaluateAll((all) =>
          all
            .filter((path) => (path.getAttribute('d') ?? '').includes('L'))
            .map((path) => path.getAttribute('stroke') ?? 'none')
            .filter((stroke) => stroke.includes('--color-series')),
        )
    await expect.poll(painted).toHaveLength(1)
    // The chart library draws the same.
    await figureOf(page).getByRole('slider').hover()
    await expect(figureOf(page).locator('.recharts-surface')).toBeVisible()
    await expect.poll(painted).toHaveLength(1)
  })
})
