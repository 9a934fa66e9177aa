import { sampleContract } from '../../sample/testing/addresses.ts'
import { exact, integer } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { nodeAt } from '../support/node.ts'
import { fact } from '../support/parts.ts'
import { chains, rpcUrlOf, sampleUrl } from '../support/stack.ts'
import { balancesOf, movesOf } from '../support/tokens-recount.ts'

const c = chains.c
const node = nodeAt(rpcUrlOf(c))
const of = `/chain/${c.id}`
const contract = (name: string): Promise<`0x${string}`> => sampleContract(sampleUrl, 'c', name)

test('the distribution of a token equals a recount: bands and largest holders', async ({ page }) => {
  const address = await contract('Cairn')
  // If the token moves between the recount and the page, both are read again.
  await expect(async () => {
    const balances = [...balancesOf(await movesOf(node, address)).values()].filter((balance) => balance > 0n)
    await page.goto(`${of}/token/${address}?tab=distribution&table=bands`)
    const table = page.getByRole('table', { name: 'Holders and holdings by the size of a balance' })
    await expect(table).toBeVisible()
    const rows = await table
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? '')),
      )
    const shortest = Math.min(...balances.map((balance) => balance.toString().length))
    const expected = rows.map((_, index) => {
      const band = balances.filter((balance) => balance.toString().length === shortest + index)
      const held = band.reduce((sum, balance) => sum + balance, 0n)
      return [integer(band.length), exact(held, 18)]
    })
    expect(rows.map(([, holders, , held]) => [holders, held])).toEqual(expected)
    expect(expected.reduce((sum, [holders]) => sum + Number(holders?.replaceAll(',', '')), 0)).toBe(
      balances.length,
    )
    const sorted = balances.toSorted((a, b) => (a < b ? 1 : -1))
    const total = sorted.reduce((sum, balance) => sum + balance, 0n)
    for (const count of [10, 50, 100]) {
      const largest = sorted.slice(0, count).reduce((sum, balance) => sum + balance, 0n)
      const text = await fact(page, 'Shares of the largest holders', `Largest ${count} holders`).innerText()
      expect(Number.parseFloat(text)).toBeCloseTo(Number((largest * 1_000_000n) / total) / 10_000, 2)
    }
  }).toPass()
})

test('the history of a token counts the transfers of each day', async ({ page }) => {
  const address = await contract('Skyline Prints')
  const moves = await movesOf(node, address)
  await page.goto(`${of}/token/${address}?tab=history&range=all&table=transfers`)
  const table = page.getByRole('table', { name: 'Skyline Prints, Transfers, by day' })
  await expect(table).toBeVisible()
  const rows = await table
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? '')),
    )
  const days = new Map<string, number>()
  for (const { time } of moves) {
    const name = new Date(time * 1000).toUTCString().slice(5, 16).replace(/^0/, '')
    days.set(name, (days.get(name) ?? 0) + 1)
  }
  // The last day is still incomplete during the comparison.
  const whole = rows.slice(1)
  expect(whole.length).toBeGreaterThan(60)
  for (const [period = '', count] of whole) {
    const name = /\d{1,2} \w{3} \d{4}/.exec(period)?.[0] ?? ''
    expect(count, period).toBe(integer(days.get(name) ?? 0))
  }
})
