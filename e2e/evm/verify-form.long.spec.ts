import { readFileSync } from 'node:fs'
import { encodeDeployData, type Abi, type Hex } from 'viem'
import compiled from '../../sample/contracts/contracts.json' with { type: 'json' }
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'
import { installCompiler } from '../support/verification-tools.ts'

/* A person verifies a contract on its page: first with settings that made another code, then with those that made it. */

const content = readFileSync(new URL('../../sample/contracts/Token.sol', import.meta.url), 'utf8')
const { abi, bytecode } = compiled.contracts.Token
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

test.describe('the form of a contract’s source', () => {
  let token = ''
  const dashboard = useOwnChain(async (node, home) => {
    installCompiler(home)
    const data = encodeDeployData({
      abi: abi as Abi,
      bytecode: bytecode as Hex,
      args: ['Coin', 'COIN', 18, 10n ** 24n],
    })
    token = (await sendFrom(node, { data })).contractAddress ?? ''
    return { chain: { name: 'Desk', token: { name: 'Ether', symbol: 'ETH' } } }
  })

  test('takes sources, says why they do not fit, and shows them once they do', async ({ page }) => {
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/address/${token}?tab=contract`)
    await page.getByRole('button', { name: 'Verify the source' }).click()
    const form = page.getByRole('form', { name: 'Verify the source' })
    await form.getByRole('button', { name: 'Verify' }).click()
    await expect(form.getByRole('alert')).toHaveText('Choose the files of the source first.')
    await form.getByLabel(/^Files/).setInputFiles(file('Token.sol', content))
    await expect(form.getByLabel(/^Contract/)).toHaveValue('Token.sol:Token')
    await form.getByLabel(/^Compiler version/).fill('0.8.30')
    await form.getByLabel('Optimizer', { exact: true }).uncheck()
    expect(await violationsInBothThemes(page)).toEqual([])
    await form.getByRole('button', { name: 'Verify' }).click()
    await expect(form.getByRole('alert')).toHaveText('The compiled code is not the one on the chain.')

    const { settings } = compiled
    const input = { language: 'Solidity', sources: { 'Token.sol': { content } }, settings }
    await form.getByLabel(/^Files/).setInputFiles(file('input.json', JSON.stringify(input)))
    await form.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByRole('button', { name: 'Token.sol' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Read functions' })).toBeVisible()
    await page.getByRole('button', { name: 'Token.sol' }).click()
    await expect(page.getByText('contract Token').first()).toBeVisible()
  })
})
