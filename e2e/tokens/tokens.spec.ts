import * as z from 'zod/mini'
import { listDeployers, listDeployments, reindexNft } from '../../contract/evm/contracts.ts'
import { getNft } from '../../contract/tokens/nfts.ts'
import { listTokens, listTokenTransfers, tokenTransfer } from '../../contract/tokens/tokens.ts'
import { listHolders } from '../../contract/metrics/metrics.ts'
import { sampleContract } from '../../sample/testing/addresses.ts'
import { csvRows, exact, integer, plain, short } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { nodeAt } from '../support/node.ts'
import { fact, savedFrom, scrollToEnd } from '../support/parts.ts'
import { ask, askAll, chains, rpcUrlOf, sampleUrl, serviceUrl } from '../support/stack.ts'
import { balancesOf, groupsOf, holdersAbove, movesOf, read, readBatch } from '../support/tokens-recount.ts'

const c = chains.c
const node = nodeAt(rpcUrlOf(c))
const of = `/chain/${c.id}`
const contract = (name: string): Promise<`0x${string}`> => sampleContract(sampleUrl, 'c', name)
const tokenPath = async (name: string, query = ''): Promise<string> =>
  `${of}/token/${await contract(name)}${query}`
const loaded = (count: number, noun: string): RegExp =>
  new RegExp(`^${integer(count)} ${noun}${count === 1 ? '' : 's'}$`)

test('a token’s figures match the node', async ({ page }) => {
  const address = await contract('Clover')
  const [supply, decimals, moves] = await Promise.all([
    read(node, address, 'totalSupply'),
    read(node, address, 'decimals'),
    movesOf(node, address),
  ])
  const held = [...balancesOf(moves).values()].filter((balance) => balance > 0n)
  await page.goto(`${of}/token/${address}`)
  await expect(page).toHaveTitle('Token Clover · C-Chain · Ridgeline')
  await expect(page.getByRole('main').getByText(address, { exact: true })).toBeVisible()
  await expect(fact(page, 'Key figures', 'Supply')).toHaveText(exact(supply, Number(decimals)))
  await expect(fact(page, 'Key figures', 'Holders')).toHaveText(integer(held.length))
  await expect(fact(page, 'Key figures', 'Transfers')).toHaveText(integer(moves.length))
})

test('holders are listed to the end, each once and with the balance of balanceOf', async ({ page }) => {
  const address = await contract('Clover')
  await page.goto(await tokenPath('Clover', '?tab=holders'))
  const table = page.getByRole('table', { name: 'Holders of the token' })
  const balances = balancesOf(await movesOf(node, address))
  const expected = [...balances].filter(([, balance]) => balance > 0n)
  const rows = await scrollToEnd(page, table, loaded(expected.length, 'holder'))
  const seen = [...rows.values()].map(([holder, balance]) => [holder, balance])
  expect(new Set(seen.map(([holder]) => holder)).size).toBe(expected.length)
  for (const [holder, balance] of seen) {
    const asked = await read(node, address, 'balanceOf', [holder as `0x${string}`])
    // Six significant digits are shown.
    const shown = Number(balance?.replaceAll(',', ''))
    expect(Math.abs(shown / Number(plain(asked, 18)) - 1), holder).toBeLessThan(5.1e-6)
    expect(asked, holder).toBe(balances.get(holder ?? ''))
  }
})

test('a contract with tokens of two kinds shows one kind at a time', async ({ page }) => {
  const address = await contract('Twofold')
  const logsOf = (topics: readonly string[]) =>
    node.call<readonly unknown[]>('eth_getLogs', [{ fromBlock: '0x0', address, topics }])
  await page.goto(`${of}/token/${address}?tab=transfers`)
  const kinds = page.getByRole('group', { name: 'Kind of token' })
  // The token is transferred occasionally; then both sides are read again.
  await expect(async () => {
    const moves = await movesOf(node, address)
    const unique = await logsOf(['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'])
    expect(unique.length).toBeGreaterThan(0)
    expect(moves.length).toBeGreaterThan(unique.length)
    for (const [kind, count] of [
      ['ERC-721', unique.length],
      ['ERC-1155', moves.length - unique.length],
    ] as const) {
      await kinds.getByRole('button', { name: kind }).click()
      await expect(page).toHaveURL(new RegExp(`[?&]kind=${kind}`))
      await expect(fact(page, 'Key figures', 'Transfers')).toHaveText(integer(count), { timeout: 4_000 })
      await expect(page.getByText(loaded(count, 'transfer'))).toBeVisible({ timeout: 4_000 })
    }
  }).toPass()
})

test('transfers with batches scroll to the first one and match the logs, each once', async ({ page }) => {
  const address = await contract('Relics')
  // The token may be transferred during the comparison, so both sides end at the same block.
  const head = await node.head()
  const moves = (await movesOf(node, address)).filter(({ block }) => block <= head)
  await page.goto(`${of}/token/${address}?tab=transfers&toBlock=${head}`)
  const table = page.getByRole('table', { name: 'Transfers of the token' })
  const rows = await scrollToEnd(page, table, loaded(moves.length, 'transfer'))
  const seen = [...rows.values()].map(([hash, block, , , , item, amount]) =>
    [hash, block, item, amount].join(' '),
  )
  const expected = moves.map((move) =>
    [move.hash, integer(move.block), `#${move.tokenId}`, integer(move.value)].join(' '),
  )
  expect(seen.toSorted()).toEqual(expected.toSorted())
  const heights = [...rows.keys()].toSorted((a, b) => a - b).map((row) => rows.get(row)?.[1] ?? '')
  const falling = heights.map((height) => Number(height.replaceAll(',', '')))
  expect(falling).toEqual(falling.toSorted((a, b) => b - a))
})

test('transfers are filtered by blocks in the URL, and unfiltered when the chip is removed', async ({
  page,
}) => {
  const address = await contract('Sample Dollar')
  const moves = (await movesOf(node, address)).filter(({ block }) => block >= 300 && block <= 420)
  await page.goto(`${of}/token/${address}`)
  await page.getByRole('textbox', { name: 'From block' }).fill('300')
  await page.getByRole('textbox', { name: 'To block' }).fill('420')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${of}/token/${address}?fromBlock=300&toBlock=420`)
  const table = page.getByRole('table', { name: 'Transfers of the token' })
  // The previous rows remain until those of the filter have arrived.
  await expect(table.locator('tbody td:nth-child(2)').first()).toHaveText(/^[34]\d\d$/)
  const rows = await scrollToEnd(page, table, loaded(moves.length, 'transfer'))
  expect([...rows.values()].map(([hash]) => hash).toSorted()).toEqual(
    moves.map(({ hash }) => hash).toSorted(),
  )
  await page.getByRole('button', { name: 'Remove the filter: Blocks 300 to 420' }).click()
  await expect(page).toHaveURL(`${of}/token/${address}`)
})

test('an export has every transfer and matches the logs and the API row by row', async ({ page }) => {
  const address = await contract('Skyline Prints')
  const range = { startBlock: 0, endBlock: 2001 }
  const moves = (await movesOf(node, address)).filter(({ block }) => block <= 2000)
  const expected = await askAll(listTokenTransfers, 'transactions', {
    params: { chainId: c.id, address },
    query: { pageSize: 100, ...range },
  })
  await page.goto(`${of}/token/${address}?tab=transfers&toBlock=2000`)
  const csv = await savedFrom(page, 'Export', /^CSV/)
  const rows = csvRows(csv.bytes.toString('utf8'))
  expect(rows.map(([hash, block, log, , from, to, item]) => [hash, block, log, from, to, item])).toEqual(
    moves
      .toReversed()
      .map((move) => [move.hash, `${move.block}`, `${move.log}`, move.from, move.to, `${move.tokenId}`]),
  )
  const json = await savedFrom(page, 'Export', /^JSON/)
  expect(z.array(tokenTransfer).parse(JSON.parse(json.bytes.toString('utf8')))).toEqual(expected)
})

test('holders within a window match a recount from the logs', async ({ page }) => {
  const address = await contract('Ridge')
  const moves = await movesOf(node, address)
  const end = moves.at(-1)?.time ?? 0
  const span = { since: end - 40 * 86_400, until: end - 30 * 86_400 }
  const threshold = 100n * 10n ** 18n
  const expected = [...holdersAbove(moves, threshold, span)].toSorted()
  await page.goto(`${of}/token/${address}?tab=window&over=100&since=${span.since}&until=${span.until}`)
  const table = page.getByRole('table', { name: 'Holders in the period' })
  const rows = await scrollToEnd(page, table, loaded(expected.length, 'holder'))
  expect([...rows.values()].map(([holder]) => holder).toSorted()).toEqual(expected)
  const api = await askAll(listHolders, 'addresses', {
    params: { chainId: c.id, address },
    query: { threshold: `${threshold}`, startTimestamp: span.since - 1, endTimestamp: span.until },
  })
  expect(api.map((row) => row.address).toSorted()).toEqual(expected)
})

test('two windows show who joined, left and stayed, like a recount', async ({ page }) => {
  const address = await contract('Ridge')
  const moves = await movesOf(node, address)
  const { over, first, second, groups } = groupsOf(moves, 18)
  const query = `over=${over}&since=${first.since}&until=${first.until}&since2=${second.since}&until2=${second.until}`
  await page.goto(`${of}/token/${address}?tab=window&${query}`)
  for (const [name, expected] of Object.entries(groups)) {
    const label = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
    const choice = page.getByRole('button', { name: new RegExp(`^${label} ${integer(expected.length)} `) })
    await choice.click()
    await expect(choice).toHaveAttribute('aria-pressed', 'true')
    const table = page.getByRole('table', { name: `Holders who ${name}` })
    const rows = await scrollToEnd(page, table, loaded(expected.length, 'holder'))
    expect([...rows.values()].map(([holder]) => holder).toSorted(), name).toEqual(expected)
    const csv = await savedFrom(page, 'Export', /^CSV/)
    const exported = csvRows(csv.bytes.toString('utf8'))
    expect(exported.map(([holder]) => holder).toSorted(), name).toEqual(expected)
  }
})

test('an invalid threshold or window is refused with an explanation', async ({ page }) => {
  const path = await tokenPath('Sample Dollar', '?tab=window')
  await page.goto(path)
  const form = page.getByRole('form', { name: 'Window' })
  await form.getByRole('textbox', { name: 'Held more than, SUSD' }).fill('0.0000001')
  await form.getByRole('button', { name: 'Apply' }).click()
  await expect(form.getByRole('alert')).toHaveText(
    'The threshold is a decimal number with at most 6 decimals.',
  )
  await form.getByRole('textbox', { name: 'Held more than, SUSD' }).fill('1')
  await form.getByRole('textbox', { name: 'At any time from' }).fill('2026-11-20')
  await form.getByRole('textbox', { name: 'To', exact: true }).fill('2026-11-01')
  await form.getByRole('button', { name: 'Apply' }).click()
  await expect(form.getByRole('alert')).toHaveText('A period must end after it begins.')
  await expect(page).toHaveURL(path)
})

test('tokens are listed to the end; spam is hidden until it is shown, with a reason', async ({ page }) => {
  const all = await askAll(listTokens, 'tokens', {
    params: { chainId: c.id },
    query: { pageSize: 100, filterSpamTokens: false, sortBy: 'holderCount' },
  })
  const fake = await contract('False SUSD')
  await page.goto(`${of}/tokens`)
  const table = page.getByRole('table', { name: 'Tokens of C-Chain' })
  const good = all.filter((token) => token.tokenReputation !== 'Malicious')
  const shown = await scrollToEnd(page, table, loaded(good.length, 'token'))
  expect([...shown.values()].map(([, address]) => address)).not.toContain(fake)
  const spam = page.getByRole('button', { name: 'Show spam' })
  await spam.click()
  await expect(page).toHaveURL(`${of}/tokens?spam=shown`)
  await expect(spam).toBeFocused()
  // The shorter list is shown until the longer one has arrived.
  const count = page.getByRole('status', { name: 'Rows' })
  await expect(count).not.toHaveText(loaded(good.length, 'token'))
  const rows = await scrollToEnd(page, table, loaded(all.length, 'token'))
  expect([...rows.values()].map(([, address]) => address)).toEqual(all.map(({ address }) => address))
  await page.getByRole('button', { name: 'ERC-1155', exact: true }).click()
  await expect(page).toHaveURL(`${of}/tokens?spam=shown&kind=ERC-1155`)
  const batches = all.filter(({ ercType }) => ercType === 'ERC-1155')
  await expect(count).toHaveText(loaded(batches.length, 'token'))
  await page.goto(`${of}/token/${fake}`)
  const warning = page.getByRole('note', { name: 'Warning' })
  await expect(warning).toContainText(`the listed token SUSD at ${await contract('Sample Dollar')}`)
})

test('an NFT shows its picture, the node’s owner and its transfers', async ({ page }) => {
  const address = await contract('Skyline Prints')
  const moves = (await movesOf(node, address)).filter(({ tokenId }) => tokenId === 1n)
  const owner = await read(node, address, 'ownerOf', [1n])
  await page.goto(`${of}/nft/${address}/1`)
  await expect(page).toHaveTitle('NFT Skyline 1 of Skyline Prints · C-Chain · Ridgeline')
  await expect(fact(page, 'NFT', 'Owner').getByRole('link')).toHaveText(
    `0x${owner.toString(16).padStart(40, '0')}`,
  )
  const picture = page.getByRole('img', { name: 'Skyline 1' })
  await expect(picture).toHaveJSProperty('complete', true)
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(page.getByRole('term').filter({ hasText: /^Tone$/ })).toBeVisible()
  // Where the metadata comes from is folded away.
  await expect(fact(page, 'Metadata and contract', 'Token URI')).toBeHidden()
  await page.getByText('Metadata and contract').click()
  await expect(fact(page, 'Metadata and contract', 'Token URI')).toContainText('skyline/1.json')
  await expect(fact(page, 'Metadata and contract', 'Contract')).toContainText(address.toLowerCase())
  const table = page.getByRole('table', { name: 'History of the NFT' })
  const rows = await scrollToEnd(page, table, loaded(moves.length, 'transfer'))
  expect([...rows.values()].map(([hash]) => hash)).toEqual(moves.toReversed().map(({ hash }) => hash))
})

test('the holders of an ERC-1155 id match the node', async ({ page }) => {
  const address = await contract('Relics')
  const moves = (await movesOf(node, address)).filter(({ tokenId }) => tokenId === 1n)
  const expected = [...balancesOf(moves)].filter(([, balance]) => balance > 0n)
  await page.goto(`${of}/nft/${address}/1?tab=holders`)
  const table = page.getByRole('table', { name: 'Holders of the NFT' })
  const rows = await scrollToEnd(page, table, loaded(expected.length, 'holder'))
  expect(rows.size).toBe(expected.length)
  const seen = [...rows.values()]
  const asked = await readBatch(
    node,
    address,
    1n,
    seen.map(([holder]) => holder as `0x${string}`),
  )
  expect(seen.map(([, balance]) => balance)).toEqual(asked.map(integer))
})

test('items are shown as a grid or a table, depending on the URL', async ({ page }) => {
  const path = await tokenPath('Glyphs', '?tab=items')
  await page.goto(path)
  const grid = page.getByRole('list', { name: 'Items of the collection' })
  await expect(grid.getByRole('listitem').first()).toBeVisible()
  await page.getByRole('button', { name: 'Table', exact: true }).click()
  await expect(page).toHaveURL(`${path}&view=table`)
  const table = page.getByRole('table', { name: 'Items of the collection' })
  const ids = new Set((await movesOf(node, await contract('Glyphs'))).map(({ tokenId }) => tokenId))
  const rows = await scrollToEnd(page, table, loaded(ids.size, 'item'))
  expect([...rows.values()].map(([id]) => id)).toEqual(
    [...ids].map((id) => `#${id}`).toSorted((a, b) => Number(a.slice(1)) - Number(b.slice(1))),
  )
})

test('a reindex is requested once and counts down its hour across a reload', async ({ page }) => {
  const address = await contract('Glyphs')
  const params = { chainId: c.id, address, tokenId: '3' }
  const before = await ask(getNft, { params })
  expect(before.reindexing).toBe(true)
  await page.goto(`${of}/nft/${address}/3`)
  const main = page.getByRole('main')
  const folded = main.getByText('Metadata and contract')
  await folded.click()
  await main.getByRole('button', { name: 'Refresh metadata', exact: true }).click()
  const counting = main.getByRole('button', { name: /^Refresh metadata in (60:00|59:\d\d)$/ })
  await expect(counting).toBeDisabled()
  await expect(main.getByText('The metadata was read again.')).toBeVisible()
  const text = await counting.innerText()
  await expect(counting).not.toHaveText(text)
  const after = await ask(getNft, { params })
  expect(after.metadata?.metadataLastUpdatedTimestamp).toBeGreaterThan(
    before.metadata?.metadataLastUpdatedTimestamp ?? 0,
  )
  await page.reload()
  await folded.click()
  await expect(main.getByRole('button', { name: /^Refresh metadata in 5\d:\d\d$/ })).toBeDisabled()
})

test.describe('something refused or missing', () => {
  test.use({ expectedErrors: [/\b(404|429) \(/] })

  test('a second reindex within the hour is refused with the remaining time', async ({ page }) => {
    const address = await contract('Glyphs')
    await page.goto(`${of}/nft/${address}/4`)
    await page.getByText('Metadata and contract').click()
    const button = page.getByRole('main').getByRole('button', { name: 'Refresh metadata', exact: true })
    await expect(button).toBeEnabled()
    const path = reindexNft.path
      .replace('{chainId}', c.id)
      .replace('{address}', address)
      .replace('{tokenId}', '4')
    const taken = await fetch(`${serviceUrl}${path}`, { method: 'POST' })
    expect(taken.status).toBe(reindexNft.success)
    await button.click()
    await expect(page.getByRole('button', { name: /^Refresh metadata in 59:\d\d$/ })).toBeDisabled()
  })

  test('a contract without transfers is shown as no token and no NFT', async ({ page }) => {
    await page.goto(`${of}/token/0x00000000000000000000000000000000000000aa`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unknown token')
    await page.goto(`${of}/nft/${await contract('Marmots')}/99999`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unknown NFT')
  })
})

test('contracts are listed with their deployers, and deployers are filtered by days', async ({ page }) => {
  const latest = await ask(listDeployments, { params: { chainId: c.id }, query: { pageSize: 20 } })
  const { deployers } = await ask(listDeployers, { params: { chainId: c.id }, query: { days: 90 } })
  await page.goto(`${of}/contracts`)
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(page).toHaveURL(`${of}/contracts?sort=createdAt`)
  const table = page.getByRole('table', { name: 'Contracts of C-Chain' })
  for (const [index, created] of latest.contracts.slice(0, 5).entries()) {
    const row = table.getByRole('row').nth(index + 1)
    await expect(row.locator(`[data-value="${created.address}"]`)).toBeVisible()
    await expect(row).toContainText(created.name ?? created.sourceName ?? short(created.address))
    await expect(row).toContainText(short(created.deployerAddress))
    const receipt = await node.receipt(created.txHash)
    expect(receipt.from).toBe(created.deployerAddress)
    expect(await node.call<string>('eth_getCode', [created.address, 'latest'])).not.toBe('0x')
  }
  await page.getByRole('link', { name: 'Deployers' }).click()
  await page.getByRole('button', { name: 'Last 90 days' }).click()
  await expect(page).toHaveURL(`${of}/contracts?tab=deployers&days=90`)
  const list = page.getByRole('table', { name: 'Deployers of C-Chain' })
  await expect(list.getByRole('row')).toHaveCount(deployers.length + 1)
  const [max] = deployers
  await expect(list.getByRole('row').nth(1)).toContainText(short(max?.address ?? ''))
  await expect(list.getByRole('row').nth(1)).toContainText(integer(max?.contractCount ?? '0'))
})

test('a transaction names its tokens and links to them', async ({ page }) => {
  const address = await contract('Sample Dollar')
  const move = (await movesOf(node, address)).find(({ block, value }) => block > 500 && value > 0n)
  if (move === undefined) throw new Error('no Sample Dollar moved after block 500')
  await page.goto(`${of}/tx/${move.hash}?tab=transfers`)
  const line = page
    .getByRole('list', { name: 'Token transfers' })
    .getByRole('listitem')
    .filter({
      has: page.getByRole('link', { name: 'Sample Dollar' }),
    })
  await expect(line.filter({ hasText: /[\d,.]+ SUSD/ }).first()).toBeVisible()
  await line.getByRole('link', { name: 'Sample Dollar' }).first().click()
  await expect(page).toHaveURL(`${of}/token/${address}`)
})

test('the pages of tokens and contracts are reachable by keyboard', async ({ page }) => {
  await page.goto(of)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search, or type a command' }).fill('tokens')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${of}/tokens`)
  const table = page.getByRole('table', { name: 'Tokens of C-Chain' })
  await table.getByRole('row').nth(1).focus()
  await page.keyboard.press('ArrowDown')
  await expect(table.getByRole('row').nth(2)).toBeFocused()
  const address = await table.getByRole('row').nth(2).locator('a').first().getAttribute('data-value')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${of}/token/${address}`)
  await page.getByRole('tab', { name: 'Transfers' }).focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('tab', { name: 'Holders over a period' })).toBeFocused()
  await expect(page).toHaveURL(`${of}/token/${address}?tab=window`)
})

test('NFT collections are cards with pictures, of both standards, that open on their items', async ({
  page,
}) => {
  const { tokens } = await ask(listTokens, {
    params: { chainId: c.id },
    query: { pageSize: 100, ercType: 'NFT', sortBy: 'holderCount' },
  })
  expect(new Set(tokens.map(({ ercType }) => ercType))).toEqual(new Set(['ERC-721', 'ERC-1155']))
  await page.goto(`${of}/nfts`)
  const cards = page.getByRole('list', { name: 'NFT collections of C-Chain' }).getByRole('listitem')
  await expect(cards).toHaveCount(tokens.length)
  const prints = cards.filter({ hasText: 'Skyline Prints' })
  const token = tokens.find(({ name }) => name === 'Skyline Prints')
  await expect(prints.getByRole('img')).toHaveCount(4)
  await expect(prints).toContainText(`${integer(token?.holderCount ?? '')} owners`)
  await expect(prints).toContainText(/\d+ transfers?, 24 h/)
  await prints.getByRole('link').click()
  await expect(page).toHaveURL(`${of}/token/${await contract('Skyline Prints')}`)
  await expect(page.getByRole('tab', { name: 'Items' })).toHaveAttribute('aria-selected', 'true')
  await expect(
    page.getByRole('list', { name: 'Items of the collection' }).getByRole('img').first(),
  ).toBeVisible()
})

test('contracts are narrowed to a kind and a creator, with their use of 30 days', async ({ page }) => {
  const { contracts } = await ask(listDeployments, {
    params: { chainId: c.id },
    query: { pageSize: 100, kind: 'ERC-1155' },
  })
  const [first] = contracts
  if (first === undefined) throw new Error('the sample has no ERC-1155')
  await page.goto(`${of}/contracts`)
  await page.getByRole('button', { name: 'ERC-1155', exact: true }).click()
  await expect(page).toHaveURL(`${of}/contracts?kind=ERC-1155`)
  await expect(page.getByRole('status', { name: 'Rows' })).toHaveText(loaded(contracts.length, 'contract'))
  const row = page.getByRole('row').filter({ has: page.locator(`[data-value="${first.address}"]`) })
  await expect(row.first()).toContainText(integer(first.recentUse?.transactionCount ?? ''))
  const creator = page.getByRole('textbox', { name: 'Creator address' })
  await creator.fill(first.deployerAddress)
  await creator.press('Enter')
  await expect(page).toHaveURL(new RegExp(`creator=${first.deployerAddress}`))
  await expect(row.first()).toBeVisible()
})
