import type { Hex } from 'viem'
import {
  listAddressTransactions,
  listErc1155Transfers,
  listInternalTransactions,
} from '../../contract/evm/addresses.ts'
import { addressPath, c, logsOf, node, test, topics, word, type Log } from '../support/address.ts'
import { csvRows, plain } from '../support/figures.ts'
import { expect } from '../support/fixtures.ts'
import { quantity } from '../support/node.ts'
import { savedFrom, scrollToEnd } from '../support/parts.ts'
import { askAll } from '../support/stack.ts'

/**
 * The number of items of a transfer: a batch is (offset, offset, length, ids …), so its third word is the
 * count.
 */
const itemsOf = ({ topics: [kind], data }: Log): number =>
  kind === topics.batch ? Number(BigInt(`0x${data.slice(130, 194)}`)) : 1

/** The transactions of some blocks that involve an account, according to the node alone. */
async function concerning(maker: Hex, from: number, to: number): Promise<Set<string>> {
  const heights = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  const found = new Set<string>()
  for (let at = 0; at < heights.length; at += 40) {
    const blocks = await Promise.all(heights.slice(at, at + 40).map((height) => node.block(height)))
    for (const { hash, from: sender, to: recipient } of blocks.flatMap(({ transactions }) => transactions))
      if ([sender, recipient].includes(maker)) found.add(hash)
  }
  const kinds = Object.values(topics)
  const [fromBlock, toBlock] = [quantity(from), quantity(to)]
  // The parties are topics 1 and 2 of ERC-20 and ERC-721 transfers, and 2 and 3 of ERC-1155 ones.
  for (const place of [[word(maker)], [null, word(maker)], [null, null, word(maker)]])
    for (const log of await logsOf({ fromBlock, toBlock, topics: [kinds, ...place] }))
      // An empty batch moves nothing.
      if (itemsOf(log) > 0) found.add(log.transactionHash)
  return found
}

test('transactions are those of the node’s blocks and logs that involve the address', async ({
  page,
  subjects: { maker, end },
}) => {
  // Live blocks have few transactions, and their share grows while the network runs.
  const from = end - 1_200
  const expected = await concerning(maker, from, end)
  expect(expected.size).toBeGreaterThan(10)
  await page.goto(addressPath(maker, `from=${from}&to=${end}`))
  const table = page.getByRole('table', { name: `Transactions of ${maker}` })
  const loaded = new RegExp(`^${expected.size} transactions$`)
  const rows = await scrollToEnd(page, table, loaded)
  expect(new Set([...rows.values()].map(([hash]) => hash))).toEqual(expected)
})

test('the list scrolls to its first transaction and shows each row of the service once', async ({
  page,
  subjects: { maker, end },
}) => {
  const listed = await askAll(listAddressTransactions, 'transactions', {
    params: { chainId: c.id, address: maker },
    query: { pageSize: 100, endBlock: end + 1 },
  })
  expect(listed.length).toBeGreaterThan(100)
  await page.goto(addressPath(maker, `to=${end}`))
  const table = page.getByRole('table', { name: `Transactions of ${maker}` })
  const rows = await scrollToEnd(page, table, new RegExp(`^${listed.length} transactions$`))
  const hashes = listed.map((_, index) => rows.get(index)?.[0])
  expect(hashes).toEqual(listed.map(({ nativeTransaction: { txHash } }) => txHash))
})

test('ERC-1155 transfers are listed and exported with every item of every log', async ({
  page,
  subjects: { maker, end },
}) => {
  const own = word(maker)
  const kinds = [topics.single, topics.batch]
  const toBlock = quantity(end)
  const [out, into] = await Promise.all([
    logsOf({ toBlock, topics: [kinds, null, own] }),
    logsOf({ toBlock, topics: [kinds, null, null, own] }),
  ])
  const logs = new Map([...out, ...into].map((log) => [`${log.blockNumber}/${log.logIndex}`, log]))
  const items = [...logs.values()].reduce((sum, log) => sum + itemsOf(log), 0)
  expect(items).toBeGreaterThan(logs.size)

  await page.goto(addressPath(maker, `tab=transfers&kind=erc-1155&to=${end}`))
  const table = page.getByRole('table', { name: `Transfers of ${maker}` })
  await scrollToEnd(page, table, new RegExp(`^${items} transfers$`))

  const expected = await askAll(listErc1155Transfers, 'transactions', {
    params: { chainId: c.id, address: maker },
    query: { pageSize: 100, endBlock: end + 1 },
  })
  expect(expected).toHaveLength(items)
  const csv = (await savedFrom(page, 'Export', /^CSV/)).bytes.toString('utf8')
  const heads = csvRows(`\n${csv}`)[0] ?? []
  const cells = (row: readonly string[], names: readonly string[]) =>
    names.map((name) => row[heads.indexOf(name)])
  expect(
    csvRows(csv).map((row) =>
      cells(row, ['Transaction', 'Block', 'From', 'To', 'Collection', 'Token ID', 'Count']),
    ),
  ).toEqual(
    expected.map((row) => [
      row.txHash,
      row.blockNumber,
      row.from.address,
      row.to.address,
      row.erc1155Token.address,
      row.erc1155Token.tokenId,
      row.value,
    ]),
  )
  const json = await savedFrom(page, 'Export', /^JSON/)
  expect(JSON.parse(json.bytes.toString('utf8'))).toEqual(expected)
})

test('a block range sets two chips and the URL, and an impossible one is refused', async ({
  page,
  subjects: { maker },
}) => {
  await page.goto(addressPath(maker, 'tab=transfers'))
  await page.getByRole('textbox', { name: 'First block or date' }).fill('1,500')
  await page.getByRole('textbox', { name: 'Last block or date' }).fill('1400')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page.getByRole('alert')).toHaveText('Block 1,500 comes after block 1,400.')
  await page.getByRole('textbox', { name: 'Last block or date' }).fill('1900')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(addressPath(maker, 'tab=transfers&from=1500&to=1900'))
  const table = page.getByRole('table', { name: `Transfers of ${maker}` })
  await expect(table.locator('tbody tr').first()).toBeVisible()
  const blocks = await table.locator('tbody tr td:nth-child(2)').allInnerTexts()
  const heights = blocks.map((text) => Number(text.replaceAll(',', '')))
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(1500)
  expect(Math.max(...heights)).toBeLessThanOrEqual(1900)
  await page.getByRole('button', { name: 'ERC-721' }).click()
  await expect(page).toHaveURL(addressPath(maker, 'tab=transfers&from=1500&to=1900&kind=erc-721'))
  await page.getByRole('button', { name: 'Remove the filter: From block 1,500' }).click()
  await expect(page).toHaveURL(addressPath(maker, 'tab=transfers&to=1900&kind=erc-721'))
})

test('internal calls match the node’s traces', async ({ page, subjects: { contract } }) => {
  const splitter = contract('Splitter')
  const shown = await askAll(listInternalTransactions, 'transactions', {
    params: { chainId: c.id, address: splitter },
    query: { pageSize: 100, startBlock: 1800, endBlock: 1900 },
  })
  type Trace = {
    action: { from: string; to?: string; value?: string }
    traceAddress: number[]
    transactionHash: string
  }
  const heights = [...new Set(shown.map(({ blockNumber }) => Number(blockNumber)))]
  const traces = (
    await Promise.all(heights.map((one) => node.call<readonly Trace[]>('trace_block', [quantity(one)])))
  ).flat()
  const values = traces
    .filter(({ traceAddress, action }) => traceAddress.length > 0 && BigInt(action.value ?? 0) > 0n)
    .filter(({ action }) => [action.from, action.to].includes(splitter))
    .map(({ transactionHash, action }) => `${transactionHash} ${plain(BigInt(action.value ?? 0), 18)}`)
  expect(values.length).toBeGreaterThan(3)
  await page.goto(addressPath(splitter, 'tab=internals&from=1800&to=1899'))
  const csv = (await savedFrom(page, 'Export', /^CSV/)).bytes.toString('utf8')
  const heads = csvRows(`\n${csv}`)[0] ?? []
  const rows = csvRows(csv).map(
    (row) => `${row[heads.indexOf('Transaction')]} ${row[heads.indexOf(`Value, ${c.symbol}`)]}`,
  )
  expect(rows.toSorted()).toEqual(values.toSorted())
})

test('the keyboard moves through the tabs and opens a row', async ({ page, subjects: { maker, end } }) => {
  await page.goto(addressPath(maker, `to=${end}`))
  await page.getByRole('tab', { name: 'Transactions' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Transfers' })).toBeFocused()
  await expect(page).toHaveURL(addressPath(maker, `to=${end}&tab=transfers`))
  // The URL changes before the table does.
  const rows = page.getByRole('table', { name: /^Transfers of / }).locator('tbody tr')
  const row = rows.nth(1)
  const hash = await row.getByRole('link').first().getAttribute('title')
  await rows.first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(row).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/chain/${c.id}/tx/${hash}`)
})
