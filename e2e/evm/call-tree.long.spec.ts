import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAbi, toFunctionSelector, type Hex } from 'viem'
import { expect, test } from '../support/fixtures.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'

const count = 5_000
const looper: Hex = '0x0000000000000000000000000000000000100900'
const doubler: Hex = '0x0000000000000000000000000000000000100901'
const abi = parseAbi(['function doubled(uint256 amount) returns (uint256 twice)'])
const selector = toFunctionSelector('doubled(uint256)').slice(2)

/** Returns twice the first argument. */
const doublerCode = '0x60043560020260005260206000f3'
/** Calls doubled(0), doubled(1), … of the doubler, `count` times. */
const looperCode = [
  // The selector into memory; the counter on the stack.
  `0x63${selector}60e01b6000526000`,
  // The argument behind it, and the call.
  `5b806004526020604060246000600073${doubler.slice(2)}5af150`,
  // The next, as long as there is one.
  `6001018061${count.toString(16).padStart(4, '0')}11600d5700`,
].join('')

test.describe('a transaction of five thousand calls', () => {
  let hash: string
  const dashboard = useOwnChain(async (node, folder) => {
    await node.order('anvil_setCode', [doubler, doublerCode])
    await node.order('anvil_setCode', [looper, looperCode])
    const receipt = await sendFrom(node, { to: looper, gas: '0x1000000' })
    hash = receipt.transactionHash
    writeFileSync(join(folder, 'doubler.json'), JSON.stringify(abi))
    return {
      chain: { name: 'Desk' },
      config: { abis: [{ chainId: 31337, address: doubler, name: 'Doubler', path: 'doubler.json' }] },
    }
  })

  test('has a tree that draws what is in view, with arguments and results to its end', async ({ page }) => {
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/tx/${hash}?tab=internal`)
    const calls = page.getByRole('list', { name: 'Internal calls' })
    const rows = calls.getByRole('listitem')
    await expect(rows.first()).toContainText('doubled(0) → 0')
    await expect(rows.first()).toHaveAttribute('aria-setsize', String(count))
    const last = calls.locator(`> li[aria-posinset="${count}"]`)
    // Rows that were not drawn yet have an estimated height, so the end moves while one goes there.
    await expect(async () => {
      await page.keyboard.press('End')
      await expect(last).toBeInViewport({ timeout: 500 })
    }).toPass()
    await expect(last).toContainText('doubled(4999) → 9998')
    expect(await rows.count()).toBeLessThan(120)
  })
})
