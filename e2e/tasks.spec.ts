import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { listDelegators, listValidators } from '../contract/network/validators.ts'
import { getMetric } from '../contract/metrics/metrics.ts'
import { listRewards } from '../contract/network/rewards.ts'
import { addressPath, test } from './support/address.ts'
import { expect, newPageOf } from './support/fixtures.ts'
import { nodeAt, quantity } from './support/node.ts'
import { integer } from './support/figures.ts'
import { ownChain, sendFrom, useOwnChain } from './support/own-chain.ts'
import { fact, savedFrom } from './support/parts.ts'
import { network, primaryIsLive, root } from './support/primary.ts'
import { ask, chains, rpcUrlOf } from './support/stack.ts'

// Common tasks, each from the overview, with their number of mouse clicks.

const c = chains.c
const node = nodeAt(rpcUrlOf(c))

test.beforeAll(async () => {
  await primaryIsLive()
})

test.beforeEach(async ({ page }) => {
  // A key that opens a link is a click too for the browser, but has no button behind it.
  await page.addInitScript(() =>
    addEventListener(
      'click',
      ({ detail }) => {
        if (detail > 0) sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
      },
      true,
    ),
  )
  await page.goto('/')
  await expect(page.locator('#main').getByRole('heading', { level: 1 })).toBeVisible()
})

const clicks = (page: Page) => page.evaluate(() => Number(sessionStorage.getItem('clicks')))

const goTo = (page: Page, place: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place, exact: true }).click()

/** Searches by keyboard, and opens the only exact result. */
async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/')
  await expect(
    page.getByRole('combobox', { name: 'Search by height, hash, address, name or ID' }),
  ).toBeFocused()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test('chains are compared, saved as CSV and PNG, and the link shows the same elsewhere: 5 clicks', async ({
  page,
  browser,
}) => {
  await page.getByRole('link', { name: 'Compare chains' }).click()
  const name = 'C-Chain, Transactions: export and view'
  const csv = await savedFrom(page, name, /^Download CSV/)
  const [header = ''] = csv.bytes.toString('utf8').split('\n')
  for (const chain of Object.values(chains)) expect(header).toContain(chain.name)
  const png = await savedFrom(page, name, /^Download PNG/)
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG')
  expect(await clicks(page)).toBe(5)

  const context = await browser.newContext()
  const other = await newPageOf(context)
  await other.goto(page.url())
  for (const chain of [chains.meridian, chains.harbor])
    await expect(other.getByRole('button', { name: `Stop comparing with ${chain.name}` })).toBeVisible()
  await context.close()
})

/** An active validator to which rewards were paid. */
async function rewardedNode(): Promise<string> {
  const { validators } = await ask(listValidators, {
    params: { network },
    query: { pageSize: 100, validationStatus: 'active' },
  })
  for (const { nodeId } of validators) {
    const { historicalRewards } = await ask(listRewards, {
      params: { network },
      query: { pageSize: 1, nodeIds: nodeId },
    })
    if (historicalRewards.length > 0) return nodeId
  }
  throw new Error('no active validator was rewarded')
}

test('the transactions of Meridian last week against the week before: 2 clicks', async ({ page }) => {
  await page
    .getByRole('table', { name: 'Chains' })
    .getByRole('link', { name: 'Transactions a day on Meridian' })
    .click()
  // The overview has intervals, too, and stays until the code of the next page is there.
  await expect(heading(page)).toHaveText('Transactions')
  await page.getByRole('group', { name: 'Interval' }).getByRole('button', { name: 'Week' }).click()
  const week = 7 * 86_400
  const now = Math.floor(Date.now() / 1000)
  const { results } = await ask(getMetric, {
    params: { chainId: chains.meridian.id, metric: 'txCount' },
    query: { timeInterval: 'week', pageSize: 4 },
  })
  const [last, before] = results.filter(({ timestamp }) => timestamp + week <= now)
  const figures = 'Transactions in this range'
  await expect(fact(page, figures, 'Last whole week')).toContainText(integer(last?.value ?? 0))
  const percent = 100 * (Number(last?.value) / Number(before?.value) - 1)
  const size = Math.abs(percent)
  const shown = size >= 100 ? integer(Math.round(size)) : size.toFixed(size >= 1 ? 1 : 2)
  await expect(fact(page, figures, 'Change')).toContainText(`${percent < 0 ? '−' : '+'}${shown} %`)
  expect(await clicks(page)).toBe(2)
})

test('the balance of an address at a block: 1 click', async ({ page, subjects }) => {
  await find(page, subjects.maker)
  await page.getByRole('tab', { name: /^Balances/ }).click()
  const height = 2_100
  await page.getByRole('textbox', { name: 'Balances at' }).fill(String(height))
  await page.keyboard.press('Enter')
  const to = subjects.contract('Ivy')
  const asked = (data: string) => node.call<string>('eth_call', [{ to, data }, quantity(height)])
  const held = BigInt(await asked(`0x70a08231${subjects.maker.slice(2).padStart(64, '0')}`))
  const decimals = BigInt(await asked('0x313ce567'))
  expect(held).toBeGreaterThan(0n)
  await expect(page.getByRole('row').filter({ hasText: 'IVY' })).toContainText(
    integer(held / 10n ** decimals),
  )
  expect(await clicks(page)).toBe(1)
})

test('a question in SQL as a chart: 2 clicks', async ({ page }) => {
  await goTo(page, 'SQL')
  const result = page.getByRole('region', { name: 'Result' })
  await page
    .getByRole('list', { name: 'Examples' })
    .getByRole('button', { name: /^How does the median gas price/ })
    .click()
  await expect(result.getByRole('figure')).toBeVisible()
  await expect(result.getByRole('table', { name: 'Result' })).toBeVisible()
  expect(await clicks(page)).toBe(2)
})

test('a link of another explorer opens the page here: no click', async ({ page, subjects }) => {
  const hash = await failedCallTo(subjects.contract('Trouble').toLowerCase())
  await find(page, `https://snowtrace.io/tx/${hash}?chainid=43113`)
  await expect(page).toHaveURL(`/chain/${c.id}/tx/${hash}`)
  expect(await clicks(page)).toBe(0)
})

test.describe('a validator', () => {
  test.use({ isOperator: true })

  test('its verdict is read at once, and a warning takes 2 clicks', async ({ page }) => {
    await find(page, await rewardedNode())
    await expect(
      page.getByRole('paragraph').filter({ hasText: /\d % up: (above|below) the \d/ }),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Warn me' }).click()
    // The second click saves it, which e2e/watch tries: other rules would disturb the tests there.
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Warn me' })).toBeEnabled()
    expect(await clicks(page)).toBe(1)
  })
})

test('an own node: its uptime, its rewards by year in euro as CSV, and watched: 6 clicks', async ({
  page,
}) => {
  const nodeId = await rewardedNode()
  await find(page, nodeId)
  await expect(heading(page)).toHaveText('Validator')
  await expect(page.getByRole('paragraph').filter({ hasText: /\d % up: (above|below) the \d/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Rewards' }).click()
  await page.getByRole('button', { name: 'Currency' }).click()
  await page.getByRole('menuitem', { name: /^EUR/ }).click()
  const years = await savedFrom(page, 'Export', /^CSV/, page.getByRole('region', { name: /^By year/ }))
  expect(years.name).toBe(`rewards-by-year-eur-${nodeId}.csv`)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  expect(await clicks(page)).toBe(6)
})

test('a wallet’s balances on a day against now, and its unlocks in a calendar: 2 clicks', async ({
  page,
}) => {
  const { delegators } = await ask(listDelegators, {
    params: { network },
    query: { pageSize: 1, delegationStatus: 'active' },
  })
  const owner = delegators[0]?.rewardAddresses[0] ?? ''
  await find(page, `P-${owner}`)
  await expect(page).toHaveURL(new RegExp(`^[^?]*${root}/addresses/(P-)?${owner}$`))
  await expect(page.getByRole('table', { name: 'What of the AVAX can be spent, and when' })).toBeVisible()
  const date = page.getByLabel('Compare with', { exact: true })
  await date.fill('15 Oct 2026')
  await date.press('Enter')
  await expect(page.getByRole('button', { name: /^Remove the filter: Compared/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Unlock calendar' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Calendar file (.ics)' }).click()
  const file = await readFile(await (await saving).path(), 'utf8')
  expect(file).toContain('BEGIN:VCALENDAR')
  expect(await clicks(page)).toBe(2)
})

test('a token and its holders, and the collections of NFTs: 3 clicks', async ({ page }) => {
  await find(page, 'Ridge')
  await expect(heading(page)).toContainText('Ridge')
  await page.getByRole('tab', { name: 'Holders now' }).click()
  await expect(
    page
      .getByRole('table', { name: /^Holders/ })
      .locator('tbody tr')
      .first(),
  ).toBeVisible()
  await goTo(page, 'Tokens')
  await page.getByRole('link', { name: 'NFTs', exact: true }).click()
  await expect(
    page
      .getByRole('list', { name: /^NFT collections/ })
      .getByRole('img')
      .first(),
  ).toBeVisible()
  expect(await clicks(page)).toBe(3)
})

/** A failed transaction to a contract among the blocks of the history, as the node knows it. */
async function failedCallTo(contract: string): Promise<string> {
  for (let height = 2_143; height > 2_043; height -= 1)
    for (const { to, hash } of (await node.block(height)).transactions)
      if (to === contract && (await node.receipt(hash)).status === '0x0') return hash
  throw new Error('no failed call in the last 100 blocks of the history')
}

test('why a transaction failed is on its page at once: no click', async ({ page, subjects }) => {
  const hash = await failedCallTo(subjects.contract('Trouble').toLowerCase())
  await find(page, hash)
  await expect(page).toHaveURL(`/chain/${c.id}/tx/${hash}`)
  await expect(page.getByLabel('Summary')).toContainText(/^.*Failed: \S/)
  await expect(page.getByRole('region', { name: 'Why it failed' })).toBeVisible()
  expect(await clicks(page)).toBe(0)
})

test('what a contract is, who can change it, and a call of it: 2 clicks from its address', async ({
  page,
  subjects,
}) => {
  const contract = subjects.contract('Sample Dollar')
  const read = async (data: Hex, block = 'latest'): Promise<bigint> =>
    BigInt(await node.call<Hex>('eth_call', [{ to: contract, data }, block]))
  const owner = `0x${(await read('0x8da5cb5b')).toString(16).padStart(40, '0')}`
  await page.goto(addressPath(contract))
  await page.getByRole('tab', { name: 'Contract', exact: true }).click()
  const panel = page.getByRole('tabpanel')
  await expect(panel.getByText('Its source is Token')).toBeVisible()
  await expect(panel.getByText('verified', { exact: true })).toBeVisible()
  await expect(fact(page, 'Powers', 'owner')).toContainText(owner)
  await panel.getByText('balanceOf(address)').click()
  const form = panel.getByRole('form', { name: 'balanceOf' })
  await form.getByRole('textbox').fill(subjects.maker)
  await page.keyboard.press('Enter')
  const answer = form.getByRole('status')
  await expect(answer).toContainText(/after block [\d,]+$/)
  const block = /after block ([\d,]+)$/.exec(await answer.innerText())?.[1] ?? ''
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [subjects.maker] })
  const balance = await read(balanceOf, `0x${Number(block.replaceAll(',', '')).toString(16)}`)
  await expect(answer).toContainText(integer(balance))
  expect(await clicks(page)).toBe(2)
})

test('a message is signed in 2 clicks, new heads are followed in 3', async ({ page }) => {
  await goTo(page, 'Signatures')
  await page
    .getByRole('button', { name: /^Collect signatures of/ })
    .first()
    .click()
  await expect(page.getByRole('region', { name: /^Round/ })).toContainText(/\d %/)
  expect(await clicks(page)).toBe(2)

  await goTo(page, 'Node')
  await page.getByRole('tab', { name: 'Sockets' }).click()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Notifications' }).getByRole('row').nth(1)).toContainText(
    'newHeads',
  )
  expect(await clicks(page)).toBe(5)
})

test('the graph of vertices is moved, zoomed and walked through: 1 click', async ({ page }) => {
  await goTo(page, 'Vertices')
  const graph = page.getByRole('application', { name: /^Graph of [\d,]+ vertices$/ })
  const first = page.getByRole('table', { name: 'Vertices of the graph' }).locator('tbody tr').first()
  const before = await first.innerText()
  const box = (await graph.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 5, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await expect(first).not.toHaveText(before)
  await page.keyboard.press('End')
  await expect(page.getByRole('status').filter({ hasText: 'the stop vertex' })).toBeVisible()
  expect(await clicks(page)).toBeLessThanOrEqual(2)
})

test('names, beginnings and typing mistakes find their page without a click', async ({ page }) => {
  for (const [text, path] of [
    ['Sample Dollar', /\/token\/0x/],
    ['Meridian', new RegExp(`/chain/${chains.meridian.id}$`)],
    ['block 2143', /\/search\?q=block\+2143$/],
  ] as const) {
    await find(page, text)
    await expect(page, text).toHaveURL(path)
  }
  await page.keyboard.press('/')
  await page.keyboard.type('Meridain')
  await expect(page.getByRole('group', { name: 'Chains' }).getByRole('option').first()).toContainText(
    'Meridian',
  )
  expect(await clicks(page)).toBe(0)
})

test('500 blocks by the wheel, one opened, and Back to the same row; a day by its name: 3 clicks', async ({
  page,
}) => {
  await goTo(page, 'Blocks')
  const table = page.getByRole('table', { name: `Blocks of ${c.name}` })
  const loaded = page.getByRole('status', { name: 'Rows' })
  // In quiet hours most blocks are empty, and a run of them is one row.
  await page.getByRole('button', { name: 'Show empty blocks' }).click()
  // A wheel that begins to turn before the page is long enough to scroll is without effect until it rests.
  await expect(loaded).toHaveText(/\d/)
  await page.mouse.move(700, 600)
  await expect(async () => {
    await page.mouse.wheel(0, 2_000)
    expect(Number.parseInt((await loaded.innerText()).replaceAll(/\D/g, ''), 10)).toBeGreaterThanOrEqual(500)
  }).toPass({ intervals: [100] })
  expect(await table.locator('tbody tr').count()).toBeLessThan(80)
  let height = ''
  await expect(async () => {
    // The wheel still turns: a row that was read may be out of the list before it is clicked.
    height = await table
      .getByRole('link', { name: /^[\d,]+$/ })
      .nth(20)
      .innerText({ timeout: 2_000 })
    await table.getByRole('link', { name: height, exact: true }).click({ timeout: 2_000 })
  }).toPass()
  await expect(page).toHaveTitle(new RegExp(`^Block ${height} `))
  await page.goBack()
  await expect(table.getByRole('link', { name: height, exact: true })).toBeInViewport()
  expect(await clicks(page)).toBe(3)
  const jump = page.getByRole('textbox', { name: 'Jump to' })
  await jump.fill('15 Oct 2026')
  await jump.press('Enter')
  await expect(page).toHaveURL(/before=\d+/)
  expect(await clicks(page)).toBe(3)
})

test.describe('a service that fails', () => {
  test.use({ expectedErrors: [/^Failed to load resource/] })

  test('is reported on the page, which recovers by itself: no click', async ({ page }) => {
    await page.route('**/v1/chains/*/blocks?*', (route) => route.abort())
    await find(page, 'Blocks')
    await expect(page.getByRole('alert').first()).toBeVisible()
    await page.unroute('**/v1/chains/*/blocks?*')
    await expect(page.getByRole('table', { name: `Blocks of ${c.name}` })).toBeVisible()
    expect(await clicks(page)).toBe(0)
  })
})

test.describe('an own chain, of which only its node was given', () => {
  let hash = ''
  const dashboard = useOwnChain(async (node) => {
    const { transactionHash } = await sendFrom(node, { to: `0x${'12'.repeat(20)}`, value: '0x64' })
    hash = transactionHash
    return { chain: { name: 'Desk', token: { name: 'Ether', symbol: 'ETH' } } }
  })

  test('is on the overview with its state, and its transaction on a page: 1 click', async ({ page }) => {
    await page.goto(await dashboard.url())
    await expect(page.getByRole('table', { name: 'Chains' }).getByRole('row').nth(1)).toContainText(
      /Desk.*Live|Desk.*Quiet/,
    )
    await page
      .getByRole('list', { name: 'Latest transactions' })
      .getByRole('link', { name: new RegExp(`^${hash.slice(0, 8)}`) })
      .click()
    await expect(page).toHaveURL(new RegExp(`/chain/${ownChain.id}/tx/${hash}$`))
    await expect(page.getByLabel('Summary')).toContainText('ETH')
    expect(await clicks(page)).toBe(1)
  })
})
