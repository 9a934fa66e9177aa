import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeDeployData, encodeFunctionData, parseEther, type Hex } from 'viem'
import { artefacts } from '../../sample/contracts/artefacts.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'
import { createTestWallet } from '../support/wallet.ts'

/*
 * A person calls functions that change something, with a wallet of the browser that signs with a key of its own: each call is
 * tried first, and a transaction is followed to its page.
 */
test.describe('writing functions', () => {
  // The page asks for the transaction until its block is indexed.
  test.use({ expectedErrors: [/404 \(Not Found\).*\/transactions\//] })
  let nodeUrl = ''
  let token = ''
  let wrapper = ''
  const wallet = createTestWallet(() => nodeUrl)
  const other = '0x00000000000000000000000000000000000b0b01'
  const dashboard = useOwnChain(async (node, folder, url) => {
    nodeUrl = url
    const { abi } = artefacts.Token
    const deployed = await sendFrom(node, {
      data: encodeDeployData({ ...artefacts.Token, args: ['Reader', 'RD', 6, 5_000_000n] }),
    })
    token = deployed.contractAddress ?? ''
    const wrap = encodeDeployData({ ...artefacts.Wrapper, args: ['Wrapped', 'WETH'] })
    wrapper = (await sendFrom(node, { data: wrap })).contractAddress ?? ''
    // 25 RD, and what fees cost.
    const args = [wallet.address, 25_000_000n] as const
    await sendFrom(node, { to: token, data: encodeFunctionData({ abi, functionName: 'transfer', args }) })
    await sendFrom(node, { to: wallet.address, value: `0x${parseEther('3').toString(16)}` })
    const approval = [other, 2n ** 256n - 1n] as const
    const approve = encodeFunctionData({ abi, functionName: 'approve', args: approval })
    const approved = await wallet.send({ to: token as Hex, data: approve })
    // The node answers a sent transaction before it has made the block.
    await expect(() => node.receipt(approved)).toPass()
    writeFileSync(join(folder, 'token.json'), JSON.stringify(abi))
    writeFileSync(join(folder, 'wrapper.json'), JSON.stringify(artefacts.Wrapper.abi))
    return {
      chain: { name: 'Desk', token: { name: 'Ether', symbol: 'ETH' } },
      config: {
        abis: [
          { chainId: 31337, address: token, name: 'The token', path: 'token.json' },
          { chainId: 31337, address: wrapper, name: 'The wrapper', path: 'wrapper.json' },
        ],
      },
    }
  })

  test('say what would happen, and why something would fail, before anything is signed', async ({ page }) => {
    await wallet.install(page)
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/address/${token}?tab=contract`)
    const functions = page.getByRole('region', { name: /^Write functions/ })
    await functions.getByText('transfer(address,uint256)').click()
    const form = functions.getByRole('form', { name: 'transfer', exact: true })
    await form.getByLabel('to address').fill(other)
    await form.getByLabel('value uint256').fill('25,000,001')
    await form.getByRole('button', { name: 'Try it' }).click()
    await expect(form.getByRole('alert')).toContainText('Connect a wallet first')
    await form.getByRole('button', { name: 'Connect Test wallet' }).click()
    await expect(form.getByText('with Test wallet')).toBeVisible()

    await form.getByRole('button', { name: 'Try it' }).click()
    await expect(form.getByRole('alert')).toHaveText('It would fail: Token: balance too low')
    await expect(form.getByRole('button', { name: /^Send/ })).toHaveCount(0)

    await form.getByLabel('value uint256').fill('4,000,000')
    await form.getByRole('button', { name: 'Try it' }).click()
    const outcome = form.getByRole('status')
    await expect(outcome).toContainText('It would succeed')
    const changes = outcome.getByRole('list', { name: /^Balance changes/ }).getByRole('listitem')
    await expect(changes).toHaveText([/−4\sRD$/, /\+4\sRD$/])
    expect(await violationsInBothThemes(page)).toEqual([])
    expect(wallet.asked.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
  })

  test('are signed by the wallet, which learns of the chain, and lead to the transaction', async ({
    page,
  }) => {
    await wallet.install(page)
    const url = await dashboard.url()
    await page.goto(`${url}/chain/${ownChain.id}/address/${wrapper}?tab=contract`)
    const functions = page.getByRole('region', { name: /^Write functions/ })
    await functions.getByText('deposit()').click()
    const form = functions.getByRole('form', { name: 'deposit' })
    await form.getByLabel('Amount to pay, ETH').fill('0.75')
    await form.getByRole('button', { name: 'Connect Test wallet' }).click()
    await form.getByRole('button', { name: 'Try it' }).click()
    const changes = form.getByRole('list', { name: /^Balance changes/ }).getByRole('listitem')
    await expect(changes.first()).toHaveText(/−0\.75\sETH$/)

    wallet.declines = true
    await form.getByRole('button', { name: 'Send with Test wallet' }).click()
    await expect(form.getByRole('alert')).toHaveText('You declined in Test wallet.')
    wallet.declines = false
    await form.getByRole('button', { name: 'Send with Test wallet' }).click()

    await expect(page).toHaveURL(/\/tx\/0x[0-9a-f]{64}$/)
    await expect(page.getByText('0.75 ETH').first()).toBeVisible()
    const added = wallet.asked.find(({ method }) => method === 'wallet_addEthereumChain')?.params[0]
    expect(added).toMatchObject({
      chainId: '0x7a69',
      chainName: 'Desk',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      blockExplorerUrls: [`${url}/chain/${ownChain.id}`],
    })
    const balance = encodeFunctionData({
      abi: artefacts.Wrapper.abi,
      functionName: 'balanceOf',
      args: [wallet.address],
    })
    const answer = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'eth_call',
        params: [{ to: wrapper, data: balance }, 'latest'],
      }),
    })
    const { result } = (await answer.json()) as { result: string }
    expect(BigInt(result)).toBe(parseEther('0.75'))
  })

  test('take an approval back, by the wallet of who gave it', async ({ page }) => {
    await wallet.install(page)
    const approvals = `${await dashboard.url()}/chain/${ownChain.id}/address/${wallet.address}?tab=approvals`
    await page.goto(approvals)
    await expect(page.getByText('1 account may take tokens of this address')).toContainText(
      '1 approval without a limit.',
    )
    const row = page.getByRole('row', { name: /Reader/ })
    await expect(row).toContainText('without limit')
    await expect(row).toContainText('25 RD')
    await row.getByRole('button', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke the approval' })
    await dialog.getByRole('button', { name: 'Connect Test wallet' }).click()
    await dialog.getByRole('button', { name: 'Try it' }).click()
    await expect(dialog.getByRole('status')).toContainText('It would succeed, and move nothing')
    expect(await violationsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send with Test wallet' }).click()
    await expect(page).toHaveURL(/\/tx\/0x[0-9a-f]{64}$/)
    await page.goto(approvals)
    await expect(page.getByText('Nobody may take tokens')).toBeVisible()
  })

  test('are events afterwards, which can be narrowed to their arguments', async ({ page }) => {
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/address/${token}?tab=contract`)
    await page.getByRole('tab', { name: 'Events' }).click()
    const table = page.getByRole('table', { name: /^Events of/ })
    const rows = table.getByRole('row').filter({ has: page.getByText(/^(Transfer|Approval)$/) })
    // The mint, what the wallet was given, its approval and the revocation: the node's own list agrees.
    await expect(rows).toHaveText([/^Approval/, /^Approval/, /^Transfer/, /^Transfer/])
    await page.getByRole('combobox', { name: 'Event' }).selectOption('Transfer')
    await expect(rows).toHaveCount(2)
    const filter = page.getByRole('form', { name: 'Arguments' })
    await filter.getByLabel('to', { exact: true }).fill('0x12')
    await filter.getByRole('button', { name: 'Filter' }).click()
    await expect(filter.getByRole('alert')).toHaveText('An address is 0x and 40 hex digits.')
    await filter.getByLabel('to', { exact: true }).fill(wallet.address)
    await filter.getByRole('button', { name: 'Filter' }).click()
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('25,000,000')
    expect(await violationsInBothThemes(page)).toEqual([])
    // The filter is in the address.
    await page.reload()
    await expect(rows).toHaveCount(1)
  })
})
