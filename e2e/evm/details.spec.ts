import { decodeFunctionData, parseAbi, type Hex } from 'viem'
import { getTransaction } from '../../contract/evm/transactions.ts'
import { listPrimaryBlocks } from '../../contract/primary/blocks.ts'
import { exact, integer, short, utc } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { nodeAt, type NodeCall } from '../support/node.ts'
import { fact } from '../support/parts.ts'
import { fullBlock, richTransaction } from '../support/pages.ts'
import { ask, chains, rpcUrlOf } from '../support/stack.ts'

const c = chains.c
const node = nodeAt(rpcUrlOf(c))
const of = `/chain/${c.id}`

/** Every call below the outermost one, in the order of execution. */
const innerCalls = (call: NodeCall): NodeCall[] =>
  (call.calls ?? []).flatMap((inner) => [inner, ...innerCalls(inner)])

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

test('a block has the figures of the node', async ({ page }) => {
  const { height, hash } = await fullBlock()
  const block = await node.block(Number(height))
  const receipts = await node.receipts(Number(height))
  const fees = receipts.reduce((sum, one) => sum + BigInt(one.gasUsed) * BigInt(one.effectiveGasPrice), 0n)
  const logs = receipts.reduce((sum, one) => sum + one.logs.length, 0)

  await page.goto(`${of}/block/${height}`)
  const main = page.getByRole('main')
  await expect(main.getByText(hash, { exact: true })).toBeVisible()
  const figure = (label: string) => main.getByRole('term').getByText(label, { exact: true }).locator('..')
  await expect(figure('Transactions')).toContainText(String(block.transactions.length))
  await expect(figure('Transactions')).toContainText(`${logs} logs`)
  await expect(figure('Gas used')).toContainText(integer(block.gasUsed))
  await expect(fact(page, 'Block', 'Time')).toContainText(utc(Number(block.timestamp)))
  await page.getByText('Header: gas limit').click()
  await expect(fact(page, 'Header', 'Gas limit')).toHaveText(integer(block.gasLimit))
  await expect(fact(page, 'Header', 'Fees')).toHaveText(`${exact(fees, 18)} ${c.symbol}`)
  await expect(fact(page, 'Header', 'State root')).toContainText(block.stateRoot)
  await expect(fact(page, 'Header', 'Fee recipient')).toContainText(new RegExp(block.miner, 'i'))

  const rows = page.getByRole('table', { name: 'Transactions of the block' }).locator('tbody tr')
  await expect(rows).toHaveCount(block.transactions.length)
  for (const [index, transaction] of block.transactions.entries())
    await expect(rows.nth(index)).toContainText(short(transaction.hash))

  await fact(page, 'Header', 'Parent').getByRole('link').click()
  await expect(page).toHaveTitle(`Block ${integer(Number(height) - 1)} · ${c.name} · Ridgeline`)
  await page.getByRole('link', { name: 'Next block' }).click()
  await expect(page).toHaveTitle(`Block ${integer(height)} · ${c.name} · Ridgeline`)
})

test('the genesis block has no parent and no transactions', async ({ page }) => {
  await page.goto(`${of}/block/0`)
  await expect(page.getByRole('link', { name: 'Next block' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Previous block' })).toHaveCount(0)
  await expect(page.getByText('This block is empty')).toBeVisible()
})

test('a transaction has the figures of the node: value, fee, gas, logs, internal calls', async ({ page }) => {
  const { hash, block } = await richTransaction()
  const receipt = await node.receipt(hash)
  const { transactions } = await node.block(Number(block))
  const index = transactions.findIndex((one) => one.hash === hash)
  const transaction = transactions[index]
  const trace = (await node.traces(Number(block)))[index]
  if (transaction === undefined || trace === undefined) throw new Error('the node does not have it')
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)

  await page.goto(`${of}/tx/${hash}`)
  const value = (label: string) => fact(page, 'Transaction', label)
  await expect(page.getByText('Succeeded', { exact: true })).toBeVisible()
  await expect(value('Block')).toContainText(
    `${integer(block)}position ${index + 1} of ${transactions.length}`,
  )
  await expect(value('From')).toContainText(new RegExp(transaction.from, 'i'))
  await expect(value('To')).toContainText(new RegExp(transaction.to ?? 'none', 'i'))
  await expect(value('Value')).toHaveText(`${exact(BigInt(transaction.value), 18)} ${c.symbol}`)
  await expect(value('Fee')).toHaveText(`${exact(fee, 18)} ${c.symbol}`)
  await expect(value('Gas')).toContainText(`${integer(receipt.gasUsed)} of ${integer(transaction.gas)}`)
  await expect(value('Gas price')).toContainText(`${exact(BigInt(receipt.effectiveGasPrice), 9)} gwei`)
  await expect(value('Nonce')).toHaveText(integer(transaction.nonce))
  await expect(value('Input')).toContainText(transaction.input)

  const transfers = receipt.logs.filter(({ topics }) => topics[0] === transferTopic)
  await page.getByRole('tab', { name: `Logs ${receipt.logs.length}` }).click()
  await expect(page).toHaveURL(`${of}/tx/${hash}?tab=logs`)
  const logs = page.getByRole('list', { name: 'Logs' }).locator('> li')
  await expect(logs).toHaveCount(receipt.logs.length)
  for (const [place, log] of receipt.logs.entries())
    await expect(logs.nth(place)).toContainText(new RegExp(log.address, 'i'))

  const inner = innerCalls(trace)
  await page.getByRole('tab', { name: `Internal calls ${inner.length}` }).click()
  const calls = page.getByRole('list', { name: 'Internal calls' }).locator('> li')
  await expect(calls).toHaveCount(inner.length)
  for (const [place, call] of inner.entries()) await expect(calls.nth(place)).toContainText(call.type)

  await page.reload()
  await expect(calls).toHaveCount(inner.length)
  const tab = page.getByRole('tab', { name: /^Transfers/ })
  // A tab without anything in it is not offered.
  await expect(tab).toHaveCount(transfers.length > 0 ? 1 : 0)
  if (transfers.length > 0) {
    await tab.click()
    await expect(page.getByRole('list', { name: 'Token transfers' }).locator('> li')).toHaveCount(
      transfers.length,
    )
  }

  await page.getByRole('tab', { name: 'Raw' }).click()
  const details = await ask(getTransaction, { params: { chainId: c.id, txHash: hash } })
  expect(JSON.parse(await page.locator('pre').innerText())).toEqual(details)
})

test('the calls of a transaction have the arguments that the node traced', async ({ page }) => {
  const abi = parseAbi(['function split(address[] recipients)'])
  const blocks = await Promise.all(Array.from({ length: 100 }, (_, index) => node.block(1000 + index)))
  const split = blocks
    .flatMap(({ transactions }) => transactions)
    .find((one) => one.input.startsWith('0x94e4a822'))
  if (split === undefined) throw new Error('the stretch has no payment that is split')
  const [recipients] = decodeFunctionData({ abi, data: split.input as Hex }).args
  const each = recipients.map((recipient) => recipient.toLowerCase())

  await page.goto(`${of}/tx/${split.hash}`)
  await page.getByRole('tab', { name: /^Internal calls/ }).click()
  const more = each.length > 3 ? `, ${each.length - 3} more` : ''
  const button = page.getByRole('button', {
    name: `split([${each
      .slice(0, 3)
      .map((one) => short(one))
      .join(', ')}${more}])`,
  })
  await button.click()
  const row = button.locator('..')
  await expect(row).toContainText('split(address[])')
  for (const recipient of each) await expect(row).toContainText(recipient)
  await expect(row).toContainText('It returns nothing.')
  // A payment without input has nothing to open.
  await expect(page.getByRole('list', { name: 'Internal calls' }).getByRole('button')).toHaveCount(0)
})

test('a transaction describes in a sentence what it did', async ({ page }) => {
  const blocks = await Promise.all(Array.from({ length: 25 }, (_, index) => node.block(1100 + index)))
  const all = blocks.flatMap(({ transactions }) => transactions)
  const sent = all.find((one) => one.input === '0x' && one.to !== null)
  const ridge = all.find((one) => one.input.startsWith('0xa9059cbb') && one.to !== null)
  if (!sent?.to || !ridge?.to) throw new Error('the stretch has no transfer of both kinds')
  const summary = page.getByLabel('Summary')

  await page.goto(`${of}/tx/${sent.hash}`)
  await expect(summary).toHaveText(
    new RegExp(`^${short(sent.from)} sent ${exact(BigInt(sent.value), 18)} AVAX to ${short(sent.to)}`),
  )

  await page.goto(`${of}/tx/${ridge.hash}`)
  await expect(summary.getByRole('link').first()).toHaveAttribute('data-value', ridge.from.toLowerCase())
  await expect(summary.getByRole('link').last()).toHaveAttribute(
    'data-value',
    `0x${ridge.input.slice(34, 74)}`,
  )
})

test('a page requests its first answer once, with the document', async ({ page }) => {
  const { hash, block } = await richTransaction()
  const { blocks } = await ask(listPrimaryBlocks, { params: { network: 'fuji', blockchainId: 'p-chain' } })
  const primary = blocks.find(({ transactions }) => transactions.length > 0)
  const onPrimary = '/v1/networks/fuji/blockchains/p-chain'
  for (const [path, answer] of [
    ['/', '/v1/chains'],
    [`${of}/block/${block}`, `/v1/chains/${c.id}/blocks/${block}`],
    [`${of}/tx/${hash}`, `/v1/chains/${c.id}/transactions/${hash}`],
    [`/networks/fuji/p-chain/block/${primary?.blockHash}`, `${onPrimary}/blocks/${primary?.blockHash}`],
    [
      `/networks/fuji/p-chain/tx/${primary?.transactions[0]}`,
      `${onPrimary}/transactions/${primary?.transactions[0]}`,
    ],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('term').first()).toBeVisible()
    const initiators = () =>
      page.evaluate(
        (wanted) =>
          performance
            .getEntriesByType('resource')
            .filter(({ name }) => new URL(name).pathname === wanted)
            .map((entry) => (entry as PerformanceResourceTiming).initiatorType),
        answer,
      )
    // The browser lists a request some time after its answer is shown.
    await expect.poll(initiators, path).toEqual(['link'])
  }
})

test('search, a block and one of its transactions are reachable by keyboard', async ({ page }) => {
  const { height, hash } = await fullBlock()
  const { transactions } = await node.block(Number(height))
  await page.goto('/')
  await expect(page.locator('#main').getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('/')
  const field = page.getByRole('combobox', { name: 'Search by height, hash, address, name or ID' })
  await expect(field).toBeFocused()
  await page.keyboard.type(height)
  await expect(page.getByRole('option', { name: new RegExp(`Block ${height}.*${c.name}`) })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toContainText(c.name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${of}/block/${height}`)

  const row = page.getByRole('table', { name: 'Transactions of the block' }).locator('tbody tr').first()
  await expect(row).toBeVisible()
  // Enough tab stops for the frame, the header's links and the tools of the table.
  for (let stop = 0; stop < 80 && !(await row.evaluate((one) => one === document.activeElement)); stop += 1)
    await page.keyboard.press('Tab')
  await expect(row).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${of}/tx/${transactions[1]?.hash}`)

  await page.keyboard.press('/')
  await page.keyboard.type(hash)
  await expect(page.getByRole('option', { name: new RegExp(`Block ${height}`) })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${of}/block/${height}`)
})

test('search finds a hash, an address and a chain by name, and says when nothing is found', async ({
  page,
}) => {
  const { hash, block } = await richTransaction()
  const { transactions } = await node.block(Number(block))
  const found = transactions.find((one) => one.hash === hash)
  const results = page.getByRole('region', { name: 'Results' }).getByRole('link')
  const asked = [
    [hash, 'transaction', `${of}/tx/${hash}`],
    [found?.from ?? '', 'address', `${of}/address/${found?.from ?? ''}`],
    [found?.to ?? '', found?.to ?? '', `${of}/(address|token)/${found?.to ?? ''}`],
  ] as const
  for (const [text, kind, path] of asked) {
    await page.goto(`/search?q=${text}`)
    await expect(results.filter({ hasText: kind }).filter({ hasText: c.name }).first()).toHaveAttribute(
      'href',
      new RegExp(`^${path}$`, 'i'),
    )
  }
  await page.goto('/search?q=harb')
  await expect(results.filter({ hasText: 'chain' }).first()).toHaveAttribute(
    'href',
    `/chain/${chains.harbor.id}`,
  )
  await page.goto('/search?q=nothing-like-this')
  await expect(page.getByText('No results')).toBeVisible()
})

test('a private label is shown wherever its address is, and can be exported', async ({ page }) => {
  const { hash } = await richTransaction()
  const receipt = await node.receipt(hash)
  await page.goto(`${of}/address/${receipt.from}`)
  await page.getByRole('textbox', { name: 'Name of this address' }).fill('Ann')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ann')
  await page.goto(`${of}/tx/${hash}`)
  await expect(fact(page, 'Transaction', 'From')).toContainText('Ann')
  await page.goto('/watch-list?tab=labels')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export labels' }).click()
  const file = await (await saving).path()
  await page.getByRole('button', { name: 'Remove the label Ann' }).click()
  await expect(page.getByText('No labels yet')).toBeVisible()
  await page.getByLabel('A file of labels').setInputFiles(file)
  await expect(page.getByText('1 label imported.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Labels' })).toContainText('Ann')
})
