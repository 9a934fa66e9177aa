import { NodeReader, type NodeTransaction } from '../../server/verify/node.ts'
import { integer } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { chains, rpcUrlOf } from '../support/stack.ts'

const chain = chains.harbor
const path = `/chain/${chain.id}/hot`

/** All calls of a chain up to a day before its head, read from its node. */
async function callsOf(before: number): Promise<NodeTransaction[]> {
  const reader = new NodeReader(rpcUrlOf(chain))
  const calls: NodeTransaction[] = []
  for (let from = 1; ; from += 40) {
    const numbers = Array.from({ length: 40 }, (_, index) => from + index)
    const known = await Promise.all(numbers.map(async (number) => reader.hash(number)))
    const blocks = await Promise.all(
      numbers.filter((_, index) => known[index] !== undefined).map((number) => reader.block(number, false)),
    )
    for (const { ts, transactions } of blocks)
      if (ts < before)
        calls.push(...transactions.filter(({ to, input }) => to !== null && input.length >= 10))
    if (blocks.length < numbers.length || blocks.some(({ ts }) => ts >= before)) return calls
  }
}

test('the hottest contracts and methods are those of the node', async ({ page }) => {
  const day = 86_400
  const before = Math.floor(Date.now() / 1000 / day) * day - day
  const calls = await callsOf(before)
  const gasBy = (key: (call: NodeTransaction) => string): [string, bigint][] => {
    const sums = new Map<string, bigint>()
    for (const call of calls) sums.set(key(call), (sums.get(key(call)) ?? 0n) + call.gasUsed)
    return [...sums].sort(([, left], [, right]) => (left < right ? 1 : -1))
  }
  const contracts = gasBy(({ to }) => to ?? '')
  const methods = gasBy(({ input }) => input.slice(0, 10))
  const [top = ['', 0n]] = contracts
  expect(top[1]).toBeGreaterThan(0n)

  await page.goto(`${path}?from=0&to=${before}`)
  const table = page.getByRole('table', { name: `Most used contracts of ${chain.name}` })
  const first = table.getByRole('row').nth(1)
  await expect(first.locator(`[data-value="${top[0]}"]`)).toBeVisible()
  await expect(first.getByTitle(`${integer(top[1])} gas`)).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(Math.min(50, contracts.length) + 1)

  await page.getByRole('button', { name: 'Methods' }).click()
  await expect(page).toHaveURL(/tab=methods/)
  const named = page
    .getByRole('table', { name: `Most used methods of ${chain.name}` })
    .getByRole('row')
    .nth(1)
  await expect(named).toContainText(methods[0]?.[0] ?? '')
  await expect(named.getByTitle(`${integer(methods[0]?.[1] ?? 0n)} gas`)).toBeVisible()
})

test('range, order and ranking are in the URL', async ({ page }) => {
  await page.goto(`/chain/${chains.c.id}/contracts`)
  await page
    .getByRole('navigation', { name: 'Contracts of the chain' })
    .getByRole('link', { name: 'Most used' })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Most used' })).toBeVisible()
  await page.getByRole('button', { name: '30 d' }).click()
  await page.getByRole('button', { name: 'Tokens', exact: true }).click()
  await page.getByRole('button', { name: 'Active holders' }).click()
  await expect(page).toHaveURL(/range=30d/)
  await expect(page).toHaveURL(/tab=tokens/)
  await expect(page).toHaveURL(/sort=holderCount/)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Active holders' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('table', { name: 'Most used tokens of C-Chain' })).toBeVisible()
})
