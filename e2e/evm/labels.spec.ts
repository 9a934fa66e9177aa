import { listDeployments } from '../../contract/evm/contracts.ts'
import { sampleContract } from '../../sample/testing/addresses.ts'
import { expect, test } from '../support/fixtures.ts'
import { ask, chains, sampleUrl } from '../support/stack.ts'

const { c } = chains

test('what a verified factory created is named in lists, with its address and where the name comes from', async ({
  page,
}) => {
  const { contracts } = await ask(listDeployments, {
    params: { chainId: c.id },
    query: { isVerified: 'true', kind: 'OTHER' },
  })
  const vault = contracts.find(({ sourceName }) => sourceName === 'Vault')
  await page.goto(`/chain/${c.id}/contracts?sort=createdAt&kind=OTHER&isVerified=true`)
  const row = page.getByRole('row').filter({ has: page.locator(`[data-value="${vault?.address}"]`) })
  await expect(row).toContainText('Vault')
  for (const said of ['source', 'verified', vault?.address.slice(0, 4) ?? ''])
    await expect(row).toContainText(said)
  await row.getByRole('link', { name: 'Vault' }).click()
  await page.getByRole('tab', { name: 'Contract' }).click()
  // For its creator, or for another vault of the same owner.
  await expect(page.getByText('Its source is Vault, verified for')).toBeVisible()
})

test.describe('who may give labels', () => {
  test.use({ isOperator: true })

  test('a contract gets a name and an ABI from who may give it, and loses them again', async ({ page }) => {
    const address = (await sampleContract(sampleUrl, 'c', 'Tide')).toLowerCase()
    const path = `/chain/${c.id}/address/${address}`
    await page.goto(`${path}?tab=contract`)
    const heading = page.getByRole('heading', { level: 1 })
    const dialog = page.getByRole('dialog', { name: 'Label for everybody here' })
    await page.getByRole('textbox', { name: 'Name of this address' }).fill('Reserve')
    await page.getByRole('button', { name: 'Save for all' }).click()
    await expect(dialog.getByRole('textbox', { name: /^Name/ })).toHaveValue('Reserve')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(heading).toHaveText('Reserve label')

    await page.getByRole('button', { name: 'Give an ABI' }).click()
    await expect(dialog.getByRole('textbox', { name: /^Name/ })).toHaveValue('Reserve')
    await dialog.getByRole('textbox', { name: /^ABI/ }).fill('{"abi": []}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(
      'The ABI is not a list, and has no key “abi” with one.',
    )
    const view = { type: 'function', name: 'totalSupply', inputs: [], stateMutability: 'view' }
    await dialog
      .getByRole('textbox', { name: /^ABI/ })
      .fill(JSON.stringify([{ ...view, outputs: [{ type: 'uint256' }] }]))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('By an ABI that a label gives, which nothing proves')).toBeVisible()
    await expect(page.getByText('totalSupply').first()).toBeVisible()

    await page.getByRole('button', { name: 'Label', exact: true }).click()
    await dialog.getByRole('textbox', { name: /^Name/ }).fill('')
    await dialog.getByRole('textbox', { name: /^ABI/ }).fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    await expect(heading).not.toContainText('label')
  })
})
