import { sampleContract } from '../../sample/testing/addresses.ts'
import { expect, test } from '../support/fixtures.ts'
import { chains, sampleUrl } from '../support/stack.ts'

test('the sample’s own contracts are verified from their sources, and so is the same code on another chain', async ({
  page,
}) => {
  const open = async (chain: 'c' | 'harbor', name: string): Promise<void> =>
    void (await page.goto(
      `/chain/${chains[chain].id}/address/${await sampleContract(sampleUrl, chain, name)}?tab=contract`,
    ))
  await open('c', 'Sample Dollar')
  const panel = page.getByRole('tabpanel')
  await expect(panel.getByText('Its source is Token')).toBeVisible()
  await expect(panel.getByText('verified', { exact: true })).toBeVisible()
  await expect(panel.getByText('Token.sol').first()).toBeVisible()
  await open('harbor', 'Factory')
  await expect(panel.getByText('Its source is Factory')).toBeVisible()
  await expect(panel.getByText(/same code/i).first()).toBeVisible()
})
