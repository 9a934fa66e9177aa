import { expect, test } from '../support/fixtures.ts'
import { nodeAt } from '../support/node.ts'
import { chains, rpcUrlOf } from '../support/stack.ts'

const node = nodeAt(rpcUrlOf(chains.c))
const of = `/chain/${chains.c.id}`

test('every kind of transaction opens without an error', async ({ page }) => {
  const blocks = await Promise.all(Array.from({ length: 25 }, (_, index) => node.block(1100 + index)))
  const kinds = new Map<string, string>()
  for (const { transactions } of blocks)
    for (const one of transactions)
      kinds.set(`${one.to === null ? 'create' : one.input.slice(0, 10)} ${one.type}`, one.hash)
  expect(kinds.size).toBeGreaterThan(5)
  for (const [kind, hash] of kinds) {
    await page.goto(`${of}/tx/${hash}`)
    const { status } = await node.receipt(hash)
    await expect(page.getByText(status === '0x1' ? /^Succeeded$/ : /^Failed: ./), kind).toBeVisible()
    await expect(page.getByLabel('Summary'), kind).toHaveText(
      status === '0x1'
        ? /and paid a fee of [\d.]+ AVAX\.$/
        : /^Failed: \S.* tried to .* and paid a fee of [\d.]+ AVAX\.$/,
    )
    // A tab without anything in it is not offered, but a link opens it.
    await page.goto(`${of}/tx/${hash}?tab=logs`)
    await expect(page.getByRole('tabpanel'), kind).not.toBeEmpty()
    await page.goto(`${of}/tx/${hash}?tab=internal`)
    await expect(page.getByRole('tabpanel'), kind).not.toBeEmpty()
    await expect(page.getByRole('tabpanel'), kind).not.toContainText('Not traced')
  }
})
