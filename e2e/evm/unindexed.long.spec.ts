import { startAnvil, type RunningAnvil } from '../support/anvil.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'
import { nodeAt } from '../support/node.ts'
import { ownChain, sendFrom } from '../support/own-chain.ts'
import { statusOf } from '../support/stack.ts'

/** A chain that is indexed from its second block on: the pages of the first one are the node's answers. */
test.describe('a block below the first indexed one', () => {
  const folder = temporaryFolder()
  let anvil: RunningAnvil
  let stack: Launched
  let early: Awaited<ReturnType<typeof sendFrom>>

  test.beforeAll(async () => {
    anvil = await startAnvil()
    const node = nodeAt(anvil.url)
    early = await sendFrom(node, { data: '0x600060006000f000' })
    await sendFrom(node, { data: '0x600060006000f000' })
    const chain = {
      name: 'Late',
      evmChainId: Number(ownChain.id),
      rpcUrl: anvil.url,
      pollSeconds: 0.5,
      startBlock: 2,
    }
    stack = launch({ home: folder.path, args: ['--config', writeConfig(folder.path, { chains: [chain] })] })
    const url = await stack.url
    await expect
      .poll(async () => (await statusOf(ownChain, url).catch(() => undefined))?.indexedBlock)
      .toBe('2')
  })

  test.afterAll(async () => {
    await stack.stop()
    anvil.stop()
    folder.remove()
  })

  const open = async (path: string): Promise<string> => `${await stack.url}${path}`
  const note = 'Not indexed: this is what the node of Late says now, without internal calls.'

  test('is found by its height, and has its transaction', async ({ page }) => {
    await page.goto(await open('/search?q=1'))
    await page.getByRole('link', { name: /^Block 1\b/ }).click()
    await expect(page).toHaveURL(/\/block\/1$/)
    await expect(page.getByText(note)).toBeVisible()
    await expect(page.getByText('The index reaches to block 2.')).toBeVisible()
    await page.getByRole('table').locator('tbody').getByRole('link').first().click()
    await expect(page).toHaveURL(new RegExp(`/tx/${early.transactionHash}`))
    await expect(page.getByText(note)).toBeVisible()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.getByRole('tab', { name: 'Internal calls' }).click()
    await expect(page.getByText('Internal calls are known once the block is indexed.')).toBeVisible()
  })
})
