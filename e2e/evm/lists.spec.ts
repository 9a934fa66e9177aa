import * as z from 'zod/mini'
import { evmBlock, listBlocks } from '../../contract/evm/blocks.ts'
import { listTransactions } from '../../contract/evm/transactions.ts'
import { csvRows, integer, plain, utc } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { nodeAt, type NodeBlock } from '../support/node.ts'
import { savedFrom, scrollToEnd } from '../support/parts.ts'
import { ask, askAll, chains, rpcUrlOf } from '../support/stack.ts'

const c = chains.c
const node = nodeAt(rpcUrlOf(c))
const blocksPath = `/chain/${c.id}/blocks`
const transactionsPath = `/chain/${c.id}/transactions`

/** The blocks of the node from a height down to genesis. */
async function blocksDownFrom(height: number): Promise<NodeBlock[]> {
  const heights = Array.from({ length: height + 1 }, (_, index) => height - index)
  return Promise.all(heights.map((one) => node.block(one)))
}

test('blocks scroll to genesis and match the node, each row once', async ({ page }) => {
  const expected = await blocksDownFrom(260)
  await page.goto(`${blocksPath}?from=260&empty=show`)
  const table = page.getByRole('table', { name: 'Blocks of C-Chain' })
  const rows = await scrollToEnd(page, table, /^261 blocks$/)
  expect([...rows.keys()].toSorted((a, b) => a - b)).toEqual(expected.map((_, index) => index))
  for (const [index, block] of expected.entries()) {
    const [height, , hash, transactions] = rows.get(index) ?? []
    expect([height, hash, transactions?.split(' ')[0]], `row ${index}`).toEqual([
      integer(block.number),
      block.hash,
      integer(block.transactions.length),
    ])
  }
})

test('transactions scroll to the first one and match the node, each row once', async ({ page }) => {
  const blocks = await blocksDownFrom(90)
  const expected = blocks.flatMap((block) => block.transactions.toReversed())
  await page.goto(`${transactionsPath}?from=90`)
  const table = page.getByRole('table', { name: 'Transactions of C-Chain' })
  const rows = await scrollToEnd(page, table, new RegExp(`^${expected.length} transactions$`))
  const hashes = expected.map((_, index) => rows.get(index)?.[0])
  expect(hashes).toEqual(expected.map(({ hash }) => hash))
})

test('a list jumps to a height, and back when its chip is removed', async ({ page }) => {
  await page.goto(blocksPath)
  await page.getByRole('textbox', { name: 'Jump to' }).fill('1,200')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${blocksPath}?from=1200`)
  await expect(page.getByRole('row').nth(1)).toContainText('1,200')
  await page.getByRole('button', { name: 'Remove the filter: From block 1,200 down' }).click()
  await expect(page).toHaveURL(blocksPath)
  await expect(page.getByRole('row').nth(1)).not.toContainText('1,200')
  await page.goBack()
  await expect(page.getByRole('row').nth(1)).toContainText('1,200')
})

test('a list jumps to the end of a day', async ({ page }) => {
  const middle = Number((await node.block(1000)).timestamp)
  const dayEnd = Math.floor(middle / 86_400) * 86_400 + 86_400
  const near = await Promise.all(Array.from({ length: 60 }, (_, index) => node.block(1000 + index)))
  const last = near.findLast((block) => Number(block.timestamp) < dayEnd)
  if (last === undefined) throw new Error('the day of block 1000 has no block')

  await page.goto(transactionsPath)
  const written = new Date(middle * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  await page.getByRole('textbox', { name: 'Jump to' }).fill(written)
  await page.getByRole('button', { name: 'Jump', exact: true }).click()
  await expect(page).toHaveURL(`${transactionsPath}?before=${dayEnd}`)
  await page.goto(`${blocksPath}?before=${dayEnd}`)
  await expect(page.getByRole('row').nth(1)).toContainText(integer(last.number))
  await expect(page.getByRole('button', { name: `Remove the filter: Before ${utc(dayEnd)}` })).toBeVisible()
})

test('text that is neither a height nor a date is refused with an explanation', async ({ page }) => {
  await page.goto(blocksPath)
  await page.getByRole('textbox', { name: 'Jump to' }).fill('some day')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Give a height or a date like 2025-11-03.')
  await expect(page).toHaveURL(blocksPath)
})

test('going back restores the loaded pages and the scroll position', async ({ page }) => {
  await page.goto(`${blocksPath}?from=1500`)
  const table = page.getByRole('table', { name: 'Blocks of C-Chain' })
  const count = page.getByRole('status', { name: 'Rows' })
  const row = table.getByRole('link', { name: '1,340', exact: true })
  // A wheel that begins to turn before the page is long enough to scroll is without effect until it rests.
  await expect(count).toHaveText(/\d/)
  await page.mouse.move(700, 600)
  await expect(async () => {
    // A slow machine may draw the rows only after the wheel has passed them.
    const [first = ''] = await table.locator('tbody a').allInnerTexts()
    const isPast = first !== '' && Number(first.replaceAll(',', '')) < 1_340
    await page.mouse.wheel(0, isPast ? -300 : 600)
    await expect(row).toBeInViewport({ timeout: 50 })
  }).toPass({ intervals: [50] })
  await row.click()
  await expect(page).toHaveTitle('Block 1,340 · C-Chain · Ridgeline')
  await page.goBack()
  await expect(row).toBeInViewport()
  expect(Number((await count.innerText()).replaceAll(/\D/g, ''))).toBeGreaterThan(160)
})

test('an export of blocks contains every page: CSV and JSON equal the API', async ({ page }) => {
  const expected = await askAll(listBlocks, 'blocks', {
    params: { chainId: c.id },
    query: { pageSize: 100, endBlock: 261 },
  })
  expect(expected).toHaveLength(261)
  await page.goto(`${blocksPath}?from=260`)
  const csv = await savedFrom(page, 'Export', /^CSV/)
  expect(csv.name).toBe(`blocks-${c.id}.csv`)
  const rows = csvRows(csv.bytes.toString('utf8'))
  expect(rows.map(([height, time, hash]) => [height, time, hash])).toEqual(
    expected.map((block) => [
      block.blockNumber,
      new Date(block.blockTimestamp * 1000).toISOString().replace('.000Z', 'Z'),
      block.blockHash,
    ]),
  )
  const json = await savedFrom(page, 'Export', /^JSON/)
  expect(z.array(evmBlock).parse(JSON.parse(json.bytes.toString('utf8')))).toEqual(expected)
  const whole = await savedFrom(page, 'Export', /^All rows as CSV/)
  expect(whole.name).toBe(`blocks-${c.id}.csv`)
  expect(csvRows(whole.bytes.toString('utf8')).map((row) => row.slice(1, 5))).toEqual(
    expected
      .map(({ blockNumber, blockTimestamp, blockHash }) => [
        blockNumber,
        new Date(blockTimestamp * 1000).toISOString().replace('.000Z', 'Z'),
        String(blockTimestamp),
        blockHash,
      ])
      .toReversed(),
  )
})

test('an export of transactions has the figures of the node', async ({ page }) => {
  const expected = await askAll(listTransactions, 'transactions', {
    params: { chainId: c.id },
    query: { pageSize: 100, endBlock: 91 },
  })
  await page.goto(`${transactionsPath}?from=90`)
  const csv = await savedFrom(page, 'Export', /^CSV/)
  const text = csv.bytes.toString('utf8')
  const heading = csvRows(`\n${text}`)[0] ?? []
  const column = (name: string): number => heading.indexOf(name)
  const rows = csvRows(text)
  expect(rows).toHaveLength(expected.length)
  const receipts = await Promise.all(expected.map(({ txHash }) => node.receipt(txHash)))
  for (const [index, transaction] of expected.entries()) {
    const row = rows[index] ?? []
    const receipt = receipts[index]
    if (receipt === undefined) throw new Error('a receipt is missing')
    expect(row[column('Transaction')]).toBe(transaction.txHash)
    expect(row[column('Status')]).toBe(receipt.status === '0x1' ? 'ok' : 'failed')
    const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
    expect(row[column(`Fee, ${c.symbol}`)]).toBe(plain(fee, 18))
    expect(row[column('Gas price, gwei')]).toBe(plain(BigInt(receipt.effectiveGasPrice), 9))
  }
})

test('arrow keys move through a list and Enter opens a row', async ({ page }) => {
  await page.goto(`${blocksPath}?from=400`)
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('row').nth(3)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveTitle('Block 398 · C-Chain · Ridgeline')
})

test('filters and sort order of chains are part of the URL', async ({ page }) => {
  await page.goto('/chains')
  const table = page.getByRole('table', { name: 'Chains' })
  await expect(table.getByRole('row')).toHaveCount(4)
  await table.getByRole('button', { name: 'Chain', exact: true }).click()
  await expect(page).toHaveURL('/chains?sort=name')
  await table.getByRole('button', { name: /^Chain/ }).click()
  await expect(page).toHaveURL('/chains?sort=name&order=asc')
  await expect(table.locator('tbody').getByRole('row').first()).toContainText('C-Chain')
  await page.getByRole('searchbox', { name: 'Filter by name, ID or token' }).fill('hbr')
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table.locator('tbody').getByRole('row')).toContainText('Harbor')
  await page.reload()
  await expect(table.getByRole('row')).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Filter by name, ID or token' }).fill('nothing like it')
  await page.getByRole('button', { name: 'Show all chains' }).click()
  await expect(table.getByRole('row')).toHaveCount(4)
  await expect(page.getByLabel('Verdict')).toContainText('All 3 chains are at the head.')
  // On a phone a row has its day against the usual, and a few chains need no filter.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('searchbox', { name: 'Filter by name, ID or token' })).toBeHidden()
  await expect(page.getByText(/^[\d,]+ in 24 h, .*usual$/).first()).toBeVisible()
})

test('transactions are narrowed over the whole chain: failed ones, a method, both parties', async ({
  page,
}) => {
  const { transactions } = await ask(listTransactions, {
    params: { chainId: c.id },
    query: { pageSize: 100, txStatus: '0' },
  })
  const [failed] = transactions
  if (failed === undefined) throw new Error('no transaction of the sample failed')
  await page.goto(transactionsPath)
  const table = page.getByRole('table', { name: 'Transactions of C-Chain' })
  const rows = table.locator('tbody tr')
  await page.getByRole('button', { name: 'Failed only' }).click()
  await expect(page).toHaveURL(`${transactionsPath}?status=failed`)
  // The newest failed one may be in the list before it is narrowed.
  await expect(rows.getByTitle(/^Succeeded/)).toHaveCount(0)
  await expect(table.locator(`[data-value="${failed.txHash}"]`)).toBeVisible()
  expect(await rows.getByTitle(/^Failed/).count()).toBeGreaterThan(0)

  const from = page.getByRole('textbox', { name: 'From address' })
  await from.fill('0x12')
  await from.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('An address is 0x and 40 hex digits.')
  await from.fill(failed.from.address)
  await from.press('Enter')
  await expect(page).toHaveURL(new RegExp(`sender=${failed.from.address}`))
  await expect(table.locator(`[data-value="${failed.txHash}"]`)).toBeVisible()
  const sender = page.locator(`[data-value="${failed.from.address}"]`)
  await expect(rows.filter({ hasNot: sender })).toHaveCount(0)
  await page.getByRole('button', { name: /^Remove the filter: From / }).click()
  await expect(page).toHaveURL(`${transactionsPath}?status=failed`)
})
