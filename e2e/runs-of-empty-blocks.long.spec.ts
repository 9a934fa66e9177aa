import { sampleControl } from '../sample/testing/control.ts'
import { integer } from './support/figures.ts'
import { expect, test } from './support/fixtures.ts'
import { quiet } from './support/layout-measures.ts'
import { nodeAt, type NodeBlock } from './support/node.ts'
import { chains, rpcUrlOf, sampleUrl, statusOf } from './support/stack.ts'

const control = sampleControl(sampleUrl)
const chain = chains.harbor
const node = nodeAt(rpcUrlOf(chain))
const path = `/chain/${chain.id}/blocks`
const link = (nouns: string, heights: [number, number]): string =>
  `${integer(heights[1] - heights[0] + 1)} ${nouns}${integer(heights[0])}–${integer(heights[1])}`

/** What the node's blocks are folded to, newest first: "12", or "3 empty blocks9–11". */
function foldedTexts(blocks: readonly NodeBlock[]): string[] {
  const rows: { first: number; last: number; empty: boolean }[] = []
  for (const { number, transactions } of blocks) {
    const [height, empty] = [Number(number), transactions.length === 0]
    const before = rows.at(-1)
    if (before?.empty === true && empty) before.first = height
    else rows.push({ first: height, last: height, empty })
  }
  return rows.map(({ first, last }) => (first === last ? integer(last) : link('empty blocks', [first, last])))
}

test.describe('runs of empty blocks', () => {
  let top = 0
  test.beforeAll(async () => {
    await control.mine({ chain: 'harbor', blocks: 1, transactions: 1, seconds: 1 })
    await control.mine({ chain: 'harbor', blocks: 14, transactions: 0, seconds: 1 })
    await control.mine({ chain: 'harbor', blocks: 2, transactions: 2, seconds: 1 })
    await control.mine({ chain: 'harbor', blocks: 2, transactions: 0, seconds: 1 })
    const { head } = await control.mine({ chain: 'harbor', blocks: 1, transactions: 1, seconds: 1 })
    top = head.number
    await expect.poll(async () => Number((await statusOf(chain)).indexedBlock)).toBeGreaterThanOrEqual(top)
  })

  test('are one row with the heights of the node, and the count of loaded blocks stays true', async ({
    page,
  }) => {
    const blocks = await Promise.all(Array.from({ length: 50 }, (_, index) => node.block(top - index)))
    const expected = foldedTexts(blocks)
    expect(expected.some((text) => text.startsWith('14 empty blocks'))).toBe(true)
    // One page of the list only: the rest waits for the wheel.
    await page.setViewportSize({ width: 1440, height: 700 })
    await page.goto(`${path}?from=${top}`)
    const table = page.getByRole('table', { name: `Blocks of ${chain.name}` })
    const rows = table.locator('tbody tr[aria-rowindex]')
    // The last run may go on before the oldest loaded block.
    for (const [index, text] of expected.slice(0, -1).slice(0, 12).entries())
      await expect(rows.nth(index).getByRole('cell').first(), `row ${index}`).toContainText(text)
    const loaded = page.getByRole('status', { name: 'Rows' })
    await expect(loaded).toHaveText(/^First \d+ blocks$/)
    const count = Number.parseInt((await loaded.innerText()).replaceAll(/\D/g, ''), 10)
    expect(count % 50).toBe(0)
    expect(await rows.count()).toBeLessThan(count)
    const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
    expect(new Set(heights).size).toBe(1)
  })

  test('are opened by the keyboard, and shown one by one by a button that the address keeps', async ({
    page,
  }) => {
    await page.goto(`${path}?from=${top}`)
    const table = page.getByRole('table', { name: `Blocks of ${chain.name}` })
    const rows = table.locator('tbody tr[aria-rowindex]')
    const show = page.getByRole('button', { name: 'Show empty blocks' })
    await expect(show).toHaveAttribute('aria-pressed', 'false')
    await expect(rows.nth(1)).toContainText('2 empty blocks')
    await show.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${path}?from=${top}&empty=show`)
    for (let index = 0; index < 20; index += 1)
      await expect(rows.nth(index).getByRole('link').first()).toHaveText(integer(top - index))
    await page.reload()
    await expect(show).toHaveAttribute('aria-pressed', 'true')
    await show.click()
    await expect(page).toHaveURL(`${path}?from=${top}`)

    // The row of a run is opened like a block: the list goes on from there, block by block.
    await rows.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect(rows.nth(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`${path}?from=${top - 1}&empty=show`)
    await expect(rows.first().getByRole('link').first()).toHaveText(integer(top - 1))
    await page.goBack()
    await expect(rows.nth(1)).toContainText('2 empty blocks')
  })

  test('have two lines on a phone, with nothing cut', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 800 })
    await page.goto(`${path}?from=${top}`)
    // The newest: below it may be the run of a try that failed.
    const rows = page.getByRole('table').locator('tbody tr')
    const row = rows.filter({ hasText: '14 empty blocks' }).first()
    await expect(row).toBeVisible()
    const { height, cut } = await row.evaluate((each) => ({
      height: each.getBoundingClientRect().height,
      cut: [...each.querySelectorAll('*')].filter(
        (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
      ).length,
    }))
    expect([height, cut]).toEqual([60, 0])
  })
})

test('a long run of empty blocks is not loaded to its end', async ({ page }) => {
  const seconds = 1
  await control.mine({ chain: 'harbor', blocks: 160, transactions: 0, seconds })
  const { head } = await control.mine({ chain: 'harbor', blocks: 1, transactions: 1, seconds })
  await expect
    .poll(async () => Number((await statusOf(chain)).indexedBlock))
    .toBeGreaterThanOrEqual(head.number)
  await page.goto(`${path}?from=${head.number}`)
  const loaded = page.getByRole('status', { name: 'Rows' })
  await expect(loaded).toHaveText('First 50 blocks')
  const rows = page.getByRole('table').locator('tbody tr[aria-rowindex]')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText('49 or more empty blocks')
  for (const count of ['100', '150']) {
    await page.getByRole('button', { name: 'Load more' }).click()
    await expect(loaded).toHaveText(`First ${count} blocks`)
    await quiet(page)
    await expect(loaded).toHaveText(`First ${count} blocks`)
  }
})
