import { mineP } from '../support/arrivals.ts'
import { getVertex, getVertexGraph, listPrimaryBlocks } from '../../contract/primary/blocks.ts'
import { getNetworkOverview } from '../../contract/network/overview.ts'
import { listBlockchainSummaries, listGenesisAllocations } from '../../contract/network/registry.ts'
import { listL1Validators } from '../../contract/network/validators.ts'
import { getPrimaryTransaction } from '../../contract/primary/transactions.ts'
import { csvRows, integer } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { fact, foreignElements, savedFrom } from '../support/parts.ts'
import { askNode, everyTransaction, network, primaryIsLive, root } from '../support/primary.ts'
import { ask, askAll } from '../support/stack.ts'

test.beforeAll(async () => {
  await primaryIsLive()
})

test('the overview shows the service’s figures and follows the heads', async ({ page }) => {
  await page.goto(root)
  const overview = await ask(getNetworkOverview, { params: { network } })
  await expect(fact(page, 'Key figures', 'Validators')).toHaveText(integer(overview.validatorCount ?? 0))
  await expect(fact(page, 'Key figures', 'Subnets')).toHaveText(integer(overview.subnetCount ?? 0))
  const chains = page.getByRole('table', { name: 'Chains of the primary network' })
  await expect(chains.getByRole('row').filter({ hasText: /Live|Quiet/ })).toHaveCount(3)
  // The pointer must not be over the blocks, because that pauses them.
  await page.mouse.move(700, 5)
  const newest = page.getByRole('list', { name: 'Latest blocks of the P-Chain' }).getByRole('link').first()
  const before = await newest.innerText()
  await mineP()
  await expect(newest).not.toHaveText(before)
})

test('the feed of all chains has the blocks of the P-Chain as its node has them', async ({ page }) => {
  await page.goto('/')
  const rows = page.getByRole('list', { name: 'Latest blocks', exact: true }).getByRole('listitem')
  const row = rows
    .filter({ has: page.getByTitle('P-Chain', { exact: true }) })
    .filter({ hasText: /transactions?/ })
    .first()
  // In quiet hours of the sample, the blocks of other chains leave none of the P-Chain.
  await expect(async () => {
    await mineP()
    await expect(row).toBeVisible({ timeout: 5_000 })
  }).toPass()
  // Under the pointer the feed does not move.
  await row.hover()
  const link = row.getByRole('link')
  const height = (await link.innerText()).replaceAll(',', '')
  await expect(link).toHaveAttribute('href', `${root}/p-chain/block/${height}`)
  const { block } = (await askNode('P', 'platform.getBlockByHeight', { height, encoding: 'json' })) as {
    block: { txs?: unknown[]; tx?: unknown; transactions?: unknown[] }
  }
  const count = (block.txs ?? block.transactions)?.length ?? (block.tx === undefined ? 0 : 1)
  await expect(row).toContainText(`${count} ${count === 1 ? 'transaction' : 'transactions'}`)
})

test('a block links to its parent, its child, its proposer and its transactions', async ({ page }) => {
  const blocks = await askAll(listPrimaryBlocks, 'blocks', {
    params: { network, blockchainId: 'p-chain' },
    query: { pageSize: 100 },
  })
  const block = blocks.find(
    ({ txCount, proposerDetails, blockNumber }) =>
      txCount > 0 &&
      proposerDetails?.proposerNodeId !== undefined &&
      Number(blockNumber) < blocks.length - 20,
  )
  if (block === undefined) throw new Error('no block of the P-Chain with a proposer holds a transaction')
  const height = Number(block.blockNumber)
  const node = (await askNode('P', 'platform.getBlockByHeight', {
    height: String(height),
    encoding: 'json',
  })) as { block: { parentID: string } }
  await page.goto(`${root}/p-chain/blocks?from=${height}`)
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('link', { name: integer(height), exact: true })
    .click()
  await expect(page).toHaveTitle(`Block ${integer(height)} · P-Chain · Ridgeline`)
  await expect(fact(page, 'Block', 'Proposed by')).toContainText(block.proposerDetails?.proposerNodeId ?? '?')
  await expect(page.getByRole('table', { name: 'Transactions' }).getByRole('row')).toHaveCount(
    block.txCount + 1,
  )
  await page.getByText('Header: type, parent, proposal').click()
  await expect(fact(page, 'Header', 'Parent')).toContainText(node.block.parentID)
  await page.getByRole('link', { name: 'Parent block' }).click()
  await expect(page).toHaveURL(`${root}/p-chain/block/${height - 1}`)
  await page.getByRole('link', { name: 'Child block' }).click()
  await expect(page).toHaveURL(`${root}/p-chain/block/${height}`)
})

test('types and dates filter the whole chain, and the list of an address', async ({ page }) => {
  const all = await everyTransaction('p-chain')
  const staked = all.find((tx) => tx.txType === 'AddPermissionlessDelegatorTx')
  const address = staked?.consumedUtxos?.[0]?.addresses[0]
  if (address === undefined) throw new Error('nobody delegated')
  await page.goto(`${root}/p-chain/transactions`)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Give a day or an address.')
  await expect(page.getByLabel('First day')).toBeFocused()
  await page.getByRole('button', { name: 'Types' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Add permissionless delegator' }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/transactions\?types=AddPermissionlessDelegatorTx$/)
  // A recount of the whole chain: the newest of the type are shown first.
  const newest = all.filter(({ txType }) => txType === 'AddPermissionlessDelegatorTx').slice(0, 3)
  const listed = page.getByRole('table', { name: 'Transactions of the P-Chain' }).locator('tbody tr')
  for (const [row, tx] of newest.entries())
    await expect(listed.nth(row).locator(`[data-value="${tx.txHash.toLowerCase()}"]`)).toBeVisible()
  await page.getByRole('button', { name: /^Remove the filter: Add permissionless/ }).click()
  const field = page.getByRole('textbox', { name: 'Address or L1 validation ID' })
  await field.fill('somebody')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('“somebody” is not an address')
  await field.fill(address)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Types' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Add permissionless delegator' }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(new RegExp(`of=${address}&types=AddPermissionlessDelegatorTx$`))
  const own = all.filter(
    (tx) =>
      tx.txType === 'AddPermissionlessDelegatorTx' &&
      [...(tx.consumedUtxos ?? []), ...(tx.emittedUtxos ?? [])].some((utxo) =>
        utxo.addresses.includes(address),
      ),
  )
  await expect(page.getByRole('status', { name: 'Rows' })).toHaveText(
    `${own.length} transaction${own.length === 1 ? '' : 's'}`,
  )
  // A day as people write it: all of its seconds.
  const at = Math.min(...own.map((tx) => tx.blockTimestamp ?? Number.POSITIVE_INFINITY))
  const start = at - (at % 86_400)
  const day = new Date(start * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const first = page.getByLabel('First day')
  await first.fill('soon')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Give days such as')
  await first.fill(day)
  await page.getByLabel('Last day').fill(day)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`after=${start - 1}&before=${start + 86_400}$`))
  const ofDay = own.filter(
    ({ blockTimestamp = 0 }) => blockTimestamp >= start && blockTimestamp < start + 86_400,
  )
  await expect(page.getByRole('status', { name: 'Rows' })).toHaveText(
    `${ofDay.length} transaction${ofDay.length === 1 ? '' : 's'}`,
  )
  await page.goBack()
  await expect(first).toHaveValue('')
  // The X-Chain has no such type: the address remains, and the type does not filter.
  await page.goBack()
  await expect(page.getByRole('button', { name: /^Remove the filter: Of / })).toBeVisible()
})

test('the validators that an L1 removed come after those that it has', async ({ page }) => {
  const { validators } = await ask(listL1Validators, {
    params: { network },
    query: { pageSize: 100, includeInactiveL1Validators: true },
  })
  const gone = validators.filter(({ weight }) => BigInt(weight) === 0n)
  // The service lists the latest first.
  const first = gone.find(
    ({ subnetId, validationId }) =>
      validators.find((one) => one.subnetId === subnetId)?.validationId === validationId,
  )
  if (!first) throw new Error('no L1 of the sample has removed its latest validator')
  await page.goto(`${root}/subnets/${first.subnetId}`)
  const rows = page.getByRole('table', { name: 'L1 validators' }).locator('tbody tr')
  const all = validators.filter(({ subnetId }) => subnetId === first.subnetId).length
  await expect(rows).toHaveCount(all)
  const states = await rows.allInnerTexts()
  const removed = gone.filter(({ subnetId }) => subnetId === first.subnetId).length
  expect(states.slice(0, all - removed).join(' ')).not.toContain('removed')
  for (const row of states.slice(all - removed)) expect(row).toContain('removed')
})

test('a place pressed in the minimap comes into the picture, drawn to scale or as bars', async ({ page }) => {
  const graph = await ask(getVertexGraph, {
    params: { network, blockchainId: 'x-chain' },
    query: { count: 300 },
  })
  const levels = [...new Set(graph.vertices.map((vertex) => vertex.vertexHeight))].toSorted((a, b) => a - b)
  const list = page.getByRole('table', { name: 'Vertices of the graph' })
  const heightAt = (height: number | undefined) =>
    list
      .getByRole('row')
      .filter({ has: page.getByRole('cell', { name: integer(height ?? -1), exact: true }) })
  const map = page.getByTitle('The whole graph')
  // In a wide box a short graph may stand in the middle. In a narrow one its levels fill the box.
  for (const [width, parts] of [
    [1_440, [0.5]],
    [390, [0.25, 0.75, 0.1]],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${root}/vertices?view=graph`)
    await expect(heightAt(levels.at(-1))).toHaveCount(1)
    const inner = ((await map.boundingBox())?.width ?? 0) - 24
    if (width === 390) expect(inner / levels.length).toBeLessThan(6)
    for (const part of parts) {
      await map.click({ position: { x: 12 + part * inner, y: 25 } })
      await expect(heightAt(levels[Math.floor(part * levels.length)]), `${width} ${part}`).not.toHaveCount(0)
      await expect(heightAt(levels.at(-1))).toHaveCount(0)
    }
  }
})

test('the graph has its colours with reduced motion, too', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${root}/vertices`)
  await expect(
    page.getByRole('table', { name: 'Vertices of the graph' }).getByRole('row').nth(1),
  ).toBeVisible()
  const map = page.getByTitle('The whole graph').locator('canvas')
  // The axis at the lower edge has the colour of the page, not that of the vertices.
  const edge = () =>
    map.evaluate((canvas: HTMLCanvasElement) => {
      const pixel = canvas.getContext('2d')?.getImageData(1, canvas.height - 2, 1, 1).data ?? []
      return `rgb(${[...pixel].slice(0, 3).join(', ')})`
    })
  const surface = await page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor)
  await expect.poll(edge).toBe(surface)
})

test('a transaction shows its flow, its UTXOs and the node’s bytes', async ({ page }) => {
  const all = await everyTransaction('p-chain')
  const size = (tx: (typeof all)[number]): number =>
    (tx.consumedUtxos?.length ?? 0) + (tx.emittedUtxos?.length ?? 0)
  const [largest] = all.toSorted((a, b) => size(b) - size(a))
  if (largest === undefined) throw new Error('the P-Chain has no transaction')
  const tx = await ask(getPrimaryTransaction, {
    params: { network, blockchainId: 'p-chain', txHash: largest.txHash },
  })
  await page.goto(`${root}/p-chain/tx/${tx.txHash}`)
  await expect(page.getByRole('figure', { name: /^Flow of/ })).toBeVisible()
  const owners = new Set((tx.consumedUtxos ?? []).flatMap((utxo) => utxo.addresses.slice(0, 1)))
  const from = page.getByRole('list', { name: 'From' }).getByRole('link')
  const shown = await from.evaluateAll((links) => links.map((link) => link.getAttribute('title')))
  for (const address of shown) expect([...owners]).toContain(address)
  await page.getByRole('tab', { name: /^UTXOs/ }).click()
  await expect(page).toHaveURL(/\?tab=utxos$/)
  for (const [name, utxos] of [
    ['Inputs', tx.consumedUtxos],
    ['Outputs', tx.emittedUtxos],
  ] as const)
    if ((utxos?.length ?? 0) > 0)
      await expect(page.getByRole('region', { name }).getByRole('status')).toHaveText(
        new RegExp(`^${integer(utxos?.length ?? 0)} UTXOs?$`),
      )
  await page.getByRole('tab', { name: 'Raw' }).click()
  const node = (await askNode('P', 'platform.getTx', { txID: tx.txHash, encoding: 'hex' })) as { tx: string }
  // The node's text ends with a checksum of four bytes.
  await expect(page.getByRole('region', { name: 'Bytes' }).locator('pre')).toHaveText(node.tx.slice(0, -8))
})

test('the service saves all transactions of the P-Chain and the UTXOs of an address', async ({ page }) => {
  const all = await everyTransaction('p-chain')
  await page.goto(`${root}/p-chain/transactions`)
  const saved = await savedFrom(page, 'Export', /^All rows as CSV/)
  // The network has gone on meanwhile.
  const ids = csvRows(saved.bytes.toString('utf8')).map((row) => row[5])
  expect(ids.slice(0, all.length)).toEqual(all.map(({ txHash }) => txHash).toReversed())
  const owner = all.flatMap((tx) => tx.emittedUtxos ?? [])[0]?.addresses[0] ?? ''
  await page.goto(`${root}/addresses/${owner}?tab=utxos`)
  const utxos = await savedFrom(page, 'Export', /^All rows as JSON lines/)
  const owners = utxos.bytes
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { owners: string[] }).owners)
  expect(owners.length).toBeGreaterThan(0)
  expect(owners.filter((list) => !list.includes(owner.replace('P-', '')))).toEqual([])
})

test('untrusted memos are shown as text or as bytes and create no element', async ({ page }) => {
  const all = await everyTransaction('p-chain')
  const hex = (text: string): string => `0x${Buffer.from(text).toString('hex')}`
  // The beginning of a memo and what the page shows: text if it is readable, otherwise bytes.
  for (const [begin, shown] of [
    [hex('<img src=x'), '<img src=x'],
    [hex('rent, thank you'), 'rent, thank you'],
    [hex('\u202E'), hex('\u202E')],
    [hex('nul\0'), hex('nul\0')],
    ['0xfffe', '0xfffe'],
  ] as const) {
    const tx = all.find(({ memo }) => memo?.startsWith(begin))
    if (tx === undefined) throw new Error(`the sample has no memo that begins with ${begin}`)
    await page.goto(`${root}/p-chain/tx/${tx.txHash}`)
    await expect(fact(page, 'Transaction', 'Memo')).toContainText(shown)
    expect(await foreignElements(page)).toEqual([])
  }
})

test('the graph of vertices can be navigated by keyboard, and its list follows what it shows', async ({
  page,
}) => {
  const graph = await ask(getVertexGraph, {
    params: { network, blockchainId: 'x-chain' },
    query: { count: 300 },
  })
  await page.goto(`${root}/vertices`)
  const drawing = page.getByRole('application', { name: `Graph of ${graph.vertices.length} vertices` })
  await drawing.focus()
  await page.keyboard.press('End')
  const chosen = page.getByRole('status').filter({ hasText: /height/ })
  const stop = graph.vertices.find((vertex) => vertex.isStop)
  await expect(chosen).toContainText('the stop vertex')
  await page.keyboard.press('ArrowLeft')
  const parent = await chosen.getByRole('link').getAttribute('title')
  expect(stop?.parentHashes).toContain(parent)
  const heights = graph.vertices.map((vertex) => vertex.vertexHeight)
  const list = page.getByRole('table', { name: 'Vertices of the graph' })
  const heightAt = (height: number) =>
    list.getByRole('row').filter({ has: page.getByRole('cell', { name: integer(height), exact: true }) })
  await expect(heightAt(Math.max(...heights))).toHaveCount(1)
  await page.keyboard.press('Home')
  await expect(list.getByRole('row').nth(1)).toContainText(integer(Math.min(...heights)))
  await expect(heightAt(Math.max(...heights))).toHaveCount(0)
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowLeft')
  await expect(chosen.getByRole('link')).toHaveAttribute('title', parent ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${root}/vertices/${parent}`)
  const vertex = await ask(getVertex, {
    params: { network, blockchainId: 'x-chain', vertexHash: parent ?? '' },
  })
  await expect(fact(page, 'Vertex', 'Children')).toContainText(stop?.vertexHash ?? '?')
  await expect(page.getByRole('table', { name: 'Transactions' }).getByRole('row')).toHaveCount(
    vertex.txCount + 1,
  )
})

test('a genesis is shown as tables, its allocations are exported, and two chains are compared', async ({
  page,
}) => {
  const { blockchains } = await ask(listBlockchainSummaries, {
    params: { network },
    query: { pageSize: 100 },
  })
  const [one, other] = blockchains.filter((chain) => chain.evmChainId !== undefined)
  if (one === undefined || other === undefined) throw new Error('the sample has not two EVM chains')
  const allocations = await askAll(listGenesisAllocations, 'allocations', {
    params: { network, blockchainId: one.blockchainId },
    query: { pageSize: 500 },
  })
  await page.goto(`${root}/blockchains`)
  await page.getByRole('link', { name: one.blockchainName, exact: true }).click()
  await page.getByRole('tab', { name: 'Genesis' }).click()
  const setting = page.getByRole('table', { name: 'Chain' }).getByRole('row').filter({ hasText: 'Chain ID' })
  await expect(setting).toContainText(String(one.evmChainId))
  await page.getByRole('tab', { name: /^Allocations/ }).click()
  const saved = await savedFrom(page, 'Export', /^JSON/)
  expect((JSON.parse(saved.bytes.toString('utf8')) as unknown[]).length).toBe(allocations.length)
  await page.getByRole('tab', { name: 'Compare' }).click()
  await page.getByLabel('Compare with').selectOption(other.blockchainId)
  await expect(page).toHaveURL(new RegExp(`tab=compare&with=${other.blockchainId}$`))
  const row = page.getByRole('row').filter({ hasText: /^Chain ID/ })
  await expect(row).toContainText(String(one.evmChainId))
  await expect(row).toContainText(String(other.evmChainId))
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: /same$/ })).toHaveCount(0)
})

test.describe('something that does not exist', () => {
  test.use({ expectedErrors: [/status of 40[04]/] })

  test('shows a message that it is unknown', async ({ page }) => {
    const id = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrn'
    for (const [path, heading] of [
      ['/p-chain/block/999999999', 'Block not found'],
      [`/x-chain/tx/${id}`, 'Transaction not found'],
      [`/vertices/${id}`, 'Vertex not found'],
      [`/subnets/${id}`, 'Subnet not found'],
      [`/blockchains/${id}`, 'Blockchain not found'],
      ['/q-chain/blocks', 'Page not found'],
    ] as const) {
      await page.goto(`${root}${path}`)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading)
    }
  })

  test('a node that has never validated has no figures, which is not a failure', async ({ page }) => {
    await page.goto(`${root}/validators/NodeID-111111111111111111116DBWJs`)
    const figures = page.getByLabel('Key figures').locator('> div')
    await expect(figures.filter({ hasText: 'none' })).toHaveCount(5)
    await expect(page.getByRole('button', { name: 'More', exact: true })).toHaveCount(0)
    await expect(page.getByText('No validations yet')).toBeVisible()
  })
})
