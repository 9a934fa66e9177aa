import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeDeployData } from 'viem'
import { artefacts } from '../../sample/contracts/artefacts.ts'
import { expect, test } from '../support/fixtures.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'

/*
 * Reads the view functions of a contract whose ABI the operator has configured. The tests use a chain of their own,
 * because the sample network's configuration has no ABI.
 */
test.describe('reading functions', () => {
  // A reverted call and one with an invalid argument are answered with 400.
  test.use({ expectedErrors: [/400 \(Bad Request\)/] })
  let token: string
  let owner: string
  const dashboard = useOwnChain(async (node, folder) => {
    const data = encodeDeployData({ ...artefacts.Token, args: ['<b>Reader</b>', 'RD', 6, 5_000_000n] })
    const { contractAddress, from } = await sendFrom(node, { data })
    token = contractAddress ?? ''
    owner = from
    writeFileSync(join(folder, 'token.json'), JSON.stringify(artefacts.Token.abi))
    return {
      chain: { name: 'Desk', token: { name: 'Ether', symbol: 'ETH' } },
      config: { abis: [{ chainId: 31337, address: token, name: 'The token', path: 'token.json' }] },
    }
  })

  test('show the contract’s results and explain an invalid argument', async ({ page }) => {
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/address/${token}?tab=contract`)
    const functions = page.getByRole('region', { name: /^Read functions/ })
    // Only functions marked view: `transfer` changes state.
    await expect(functions.getByText('transfer(address,uint256)')).toHaveCount(0)

    await functions.getByText('name()', { exact: true }).click()
    const name = functions.getByRole('form', { name: 'name', exact: true })
    await name.getByRole('button', { name: 'Read' }).click()
    await expect(name.getByRole('status')).toContainText('<b>Reader</b>')

    await functions.getByText('balanceOf(address)').click()
    const balance = functions.getByRole('form', { name: 'balanceOf' })
    await balance.getByRole('textbox').fill('0x12')
    await page.keyboard.press('Enter')
    await expect(balance.getByRole('alert')).toHaveText('An address is 0x and 40 hex digits.')
    await balance.getByRole('textbox').fill(owner)
    await page.keyboard.press('Enter')
    // The constructor mints a million claims to the deployer.
    await expect(balance.getByRole('status')).toContainText('5,000,000,000,000')
    await expect(balance.getByRole('status')).toContainText('after block 1')

    // The call is in the address of the page, and a link to it makes it again.
    await page.reload()
    await expect(balance.getByRole('textbox')).toHaveValue(owner)
    await expect(balance.getByRole('status')).toContainText('5,000,000,000,000')
  })

  test('show what needs no argument at once, also after a block of the past', async ({ page }) => {
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/address/${token}?tab=contract`)
    const functions = page.getByRole('region', { name: /^Read functions/ })
    const supply = functions.getByRole('group').filter({ hasText: 'totalSupply()' })
    await expect(supply).toContainText('5,000,000,000,000')
    await functions.getByLabel('After block').fill('0')
    await page.keyboard.press('Enter')
    await expect(functions.getByText('results after block 0')).toBeVisible()
    // There was no code yet.
    await expect(supply).toContainText('the call answered nothing')
    await expect(page).toHaveURL(/[?&]block=0/)
  })
})
