import { startAnvil, type RunningAnvil } from '../support/anvil.ts'
import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'
import { nodeAt, type Node } from '../support/node.ts'
import { ownChain, sendFrom } from '../support/own-chain.ts'
import { statusOf } from '../support/stack.ts'

/*
 * A chain whose node traces its first blocks, not the later ones, and finally all of them: the pages show what is
 * known,
 * say what is not, and show everything after the gap was filled. Each transaction creates a contract that creates
 * another.
 */
test.describe('a chain with blocks that are not traced', () => {
  test.describe.configure({ mode: 'serial' })
  test.use({ expectedErrors: [/503 \(Service Unavailable\)/] })
  const folder = temporaryFolder()
  const creation = { data: '0x600060006000f000' }
  let anvil: RunningAnvil
  let node: Node
  let stack: Launched
  let traced: Awaited<ReturnType<typeof sendFrom>>
  let lost: Awaited<ReturnType<typeof sendFrom>>

  const startService = async (traces: 'auto' | 'off'): Promise<void> => {
    const chain = {
      name: 'Gapped',
      evmChainId: Number(ownChain.id),
      rpcUrl: anvil.url,
      pollSeconds: 0.5,
      traces,
    }
    stack = launch({ home: folder.path, args: ['--config', writeConfig(folder.path, { chains: [chain] })] })
    const url = await stack.url
    await expect
      .poll(async () => (await statusOf(ownChain, url).catch(() => undefined))?.indexedBlock)
      .toBe(String(await node.head()))
  }

  test.beforeAll(async () => {
    anvil = await startAnvil()
    node = nodeAt(anvil.url)
    traced = await sendFrom(node, creation)
    await startService('auto')
    await stack.stop()
    lost = await sendFrom(node, creation)
    await startService('off')
  })

  test.afterAll(async () => {
    await stack.stop()
    anvil.stop()
    folder.remove()
  })

  const open = async (path: string): Promise<string> => `${await stack.url}/chain/${ownChain.id}${path}`

  test('shows the internal calls of traced blocks, and says that others are unknown', async ({ page }) => {
    await page.goto(await open(`/tx/${traced.transactionHash}?tab=internal`))
    await expect(page.getByRole('list', { name: 'Internal calls' }).getByRole('listitem')).toHaveCount(1)
    await page.goto(await open(`/tx/${lost.transactionHash}?tab=internal`))
    await expect(page.getByRole('tabpanel').getByText('Not traced')).toBeVisible()

    await page.goto(await open(`/address/${traced.contractAddress}?tab=internals`))
    const panel = page.getByRole('tabpanel')
    await expect(panel.getByText('The node of Gapped could not trace block 2')).toBeVisible()
    await expect(panel.getByRole('table').locator('tbody tr')).toHaveCount(1)

    await page.goto(await open('/contracts'))
    await expect(
      page.getByText('could not trace block 2: contracts that other contracts created'),
    ).toBeVisible()
    await page.goto(await open('/metrics/cumulativeContracts'))
    await expect(page.getByText('Not traced')).toBeVisible()
    await page.goto(await open('?tab=configuration'))
    await expect(page.getByText('1: block 2')).toBeVisible()
    await expect(page.getByText('blocks are not traced')).toBeVisible()
  })

  test('shows everything once the node traces all blocks', async ({ page }) => {
    await stack.stop()
    await startService('auto')
    const url = await stack.url
    await expect.poll(async () => (await statusOf(ownChain, url)).contractCount).toBe('4')
    await page.goto(await open(`/tx/${lost.transactionHash}?tab=internal`))
    await expect(page.getByRole('list', { name: 'Internal calls' }).getByRole('listitem')).toHaveCount(1)
    await page.goto(await open('/contracts?sort=createdAt'))
    await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(4)
    await expect(page.getByText('could not trace')).toHaveCount(0)
  })
})
