import { NodeReader, type NodeTransaction } from '../../server/verify/node.ts'
import { integer } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { nodeAt } from '../support/node.ts'
import { chains, rpcUrlOf } from '../support/stack.ts'

const chain = chains.harbor
const path = `/chain/${chain.id}/hot`

/** All transactions of a chain that a time precedes, from the time `since` on, read from its node. */
async function transactionsOf(before: number, since = 0): Promise<NodeTransaction[]> {
  const reader = new NodeReader(rpcUrlOf(chain))
  const found: NodeTransaction[] = []
  for (let from = 1; ; from += 40) {
    const numbers = Array.from({ length: 40 }, (_, index) => from + index)
    const known = await Promise.all(numbers.map(async (number) => reader.hash(number)))
    const blocks = await Promise.all(
      numbers.filter((_, index) => known[index] !== undefined).map((number) => reader.block(number, false)),
    )
    for (const { ts, transactions } of blocks) if (ts >= since && ts < before) found.push(...transactions)
    if (blocks.length < numbers.length || blocks.some(({ ts }) => ts >= before)) return found
  }
}

test('Contracts opens on those with the most transactions of 30 days, as the node has them', async ({
  page,
}) => {
  const node = nodeAt(rpcUrlOf(chain))
  const head = await node.block(await node.head())
  const headTime = Number(head.timestamp)
  const received = new Map<string, NodeTransaction[]>()
  for (const sent of await transactionsOf(headTime + 1, headTime - 30 * 86_400 + 1))
    if (sent.to !== null) received.set(sent.to, [...(received.get(sent.to) ?? []), sent])
  const contracts: [string, NodeTransaction[]][] = []
  for (const entry of [...received].sort(([, left], [, right]) => right.length - left.length)) {
    if (contracts.length === 5) break
    if ((await node.call('eth_getCode', [entry[0], 'latest'])) !== '0x') contracts.push(entry)
  }
  const [[address, sent], [, second]] = contracts as [
    [string, NodeTransaction[]],
    [string, NodeTransaction[]],
  ]
  expect(sent.length).toBeGreaterThan(second.length)

  await page.goto(`/chain/${chain.id}/contracts`)
  const table = page.getByRole('table', { name: `Contracts of ${chain.name}` })
  const first = table.getByRole('row').nth(1)
  await expect(first.locator(`[data-value="${address}"]`)).toBeVisible()
  await expect(table.getByRole('columnheader', { name: 'Transactions, 30 d' })).toHaveAttribute(
    'aria-sort',
    'descending',
  )
  const shown = async (): Promise<number[]> => {
    const cells = await table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.textContent))
    return cells.map((text) => Number(/([\d,]+)\+? transactions, 30 d/.exec(text)?.[1]?.replaceAll(',', '')))
  }
  const counts = await shown()
  // The chain makes blocks meanwhile.
  expect(counts[0]).toBeGreaterThanOrEqual(sent.length)
  expect(counts[0]).toBeLessThan(sent.length + 20)
  expect(counts).toEqual(counts.toSorted((left, right) => right - left))
  await page.getByRole('button', { name: 'Most users' }).click()
  await expect(page).toHaveURL(/sort=callerCount/)
  const byUsers = [...contracts].sort(
    ([, left], [, right]) =>
      new Set(right.map(({ from }) => from)).size - new Set(left.map(({ from }) => from)).size,
  )
  await expect(first.locator(`[data-value="${byUsers[0]?.[0]}"]`)).toBeVisible()
})

test('the hottest contracts and methods are those of the node', async ({ page }) => {
  const day = 86_400
  const before = Math.floor(Date.now() / 1000 / day) * day - day
  const calls = (await transactionsOf(before)).filter(({ to, input }) => to !== null && input.length >= 10)
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
