import { encodeDeployData } from 'viem'
import { artefacts } from '../../sample/contracts/artefacts.ts'
import { expect, test } from '../support/fixtures.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'

/*
 * The states of an address page without data, and their reasons: a chain whose node has no traces, a deployment with
 * fewer operations, and a service that has stopped.
 */
test.describe('an address page', () => {
  test.describe.configure({ mode: 'serial' })
  // These tests provoke answers for missing, unreachable and absent data.
  test.use({ expectedErrors: [/^Failed to load resource/] })
  let owner: string
  const dashboard = useOwnChain(async (node) => {
    const data = encodeDeployData({ ...artefacts.Token, args: ['Pebble', 'PBL', 18, 1_000n] })
    owner = (await sendFrom(node, { data })).from
    return { chain: { name: 'Untraced', traces: 'off' } }
  })
  const pathOf = async (tab: string): Promise<string> =>
    `${await dashboard.url()}/chain/${ownChain.id}/address/${owner}?tab=${tab}`

  test('says that internal calls are unknown when the node has no traces, and shows no empty list', async ({
    page,
  }) => {
    await page.goto(await pathOf('internals'))
    const part = page.getByRole('tabpanel')
    await expect(part.getByText('Not traced')).toBeVisible()
    await expect(part).toContainText('The node of Untraced could not trace any block')
    await expect(part.getByRole('table')).toHaveCount(0)
    // Data that need no traces are shown.
    await page.getByRole('tab', { name: 'Transfers' }).click()
    await expect(part.getByRole('table').locator('tbody tr')).toHaveCount(1)
  })

  test('says once that an account is no contract, when the service answers 404', async ({ page }) => {
    await page.goto(await pathOf('contract'))
    await expect(page.getByRole('region', { name: 'What it is' })).toContainText(
      'No contract: there is no code at this address.',
    )
    await expect(page.getByRole('region', { name: 'Deployments made' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    // The sections of a contract have nothing to say.
    await expect(page.getByRole('region', { name: /^(Creation|Code)$/ })).toHaveCount(0)
  })

  test('names an operation that a deployment lacks and where it is available', async ({ page }) => {
    await page.goto(`${await dashboard.url()}/p/fuji/chain/43113/address/${owner}?tab=contract`)
    const code = page.getByRole('region', { name: 'What it is' })
    await expect(code.getByText('Not offered here')).toBeVisible()
    await expect(code).toContainText('This service does not show the code size')
    await expect(code).toContainText('A Ridgeline service of your own')
    await expect(code.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  })

  test('says what failed to load after the service has stopped, and loads it after a restart', async ({
    page,
  }) => {
    await page.goto(await pathOf('transfers'))
    const part = page.getByRole('tabpanel')
    await expect(part.getByRole('table').locator('tbody tr')).toHaveCount(1)
    await dashboard.stop()
    await part.getByRole('button', { name: 'ERC-721' }).click()
    const failed = part.getByRole('alert')
    await expect(failed).toContainText('The transfers could not be loaded.')
    // Rows loaded earlier remain.
    await page.goBack()
    await expect(part.getByRole('table').locator('tbody tr')).toHaveCount(1)
    await page.goForward()
    await expect(failed).toBeVisible()
    await dashboard.start()
    await expect(async () => {
      const again = failed.getByRole('button', { name: 'Try again' })
      if (await again.isVisible()) await again.click()
      await expect(part.getByText('No ERC-721 token was ever sent')).toBeVisible({ timeout: 2_000 })
    }).toPass()
  })
})
