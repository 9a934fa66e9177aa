import type { Page } from '@playwright/test'
import { listTokens } from '../../contract/tokens/tokens.ts'
import {
  addressPath,
  balanceOf,
  c,
  decimalsOf,
  figureOf,
  logsOf,
  node,
  test,
  topics,
  word,
  type Log,
} from '../support/address.ts'
import { exact, integer, utc } from '../support/figures.ts'
import { expect } from '../support/fixtures.ts'
import { fact } from '../support/parts.ts'
import { askAll } from '../support/stack.ts'

/** The rows of the table of balances: token address (or “native”) and exact figures of a column. */
async function balancesOn(page: Page, column: string): Promise<Map<string, string>> {
  const table = page.getByRole('table', { name: /^Balances of/ })
  await expect(table).toBeVisible()
  const heads = await table.getByRole('columnheader').allInnerTexts()
  const rows = await table.locator('tbody tr').all()
  return new Map(
    await Promise.all(
      rows.map(async (row) => {
        const token = row.getByRole('cell').first().getByRole('link')
        const href = (await token.count()) === 0 ? 'native' : await token.getAttribute('href')
        const key = href?.split('/').at(-1) ?? ''
        return [key, await figureOf(row.getByRole('cell').nth(heads.indexOf(column)))] as const
      }),
    ),
  )
}

test('the header shows the node’s balance and the kind of address, and links to the token', async ({
  page,
  subjects: { maker, contract },
}) => {
  const figure = page.locator('dl[aria-label="Key figures"] dd [title]').first()
  await expect(async () => {
    const before = BigInt(await node.call<string>('eth_getBalance', [maker, 'latest']))
    await page.goto(addressPath(maker))
    await expect(figure).toHaveAttribute('title', `${exact(before, 18)} ${c.symbol}`, { timeout: 4_000 })
  }).toPass()
  await expect(page.getByText('Account', { exact: true })).toBeVisible()

  await page.goto(addressPath(contract('Ridge')))
  await expect(page.getByText('Contract', { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'ERC-20 token' }).click()
  await expect(page).toHaveURL(`/chain/${c.id}/token/${contract('Ridge')}`)
})

test('balances equal balanceOf at the head, for every token of the chain', async ({
  page,
  subjects: { maker },
}) => {
  const tokens = await askAll(listTokens, 'tokens', {
    params: { chainId: c.id },
    query: { pageSize: 100, ercType: 'ERC-20', filterSpamTokens: false },
  })
  const readNode = async (): Promise<Map<string, string>> => {
    const held = await Promise.all(
      tokens.map(async ({ address }) => {
        const balance = await balanceOf(address, maker)
        const decimals = await decimalsOf(address)
        return [address, balance === 0n ? '' : exact(balance, decimals ?? 0)] as const
      }),
    )
    return new Map(held.filter(([, figure]) => figure !== ''))
  }
  await expect(async () => {
    await page.goto(addressPath(maker, 'tab=balances&spam=shown'))
    const shown = await balancesOn(page, 'Balance')
    shown.delete('native')
    expect(shown).toEqual(await readNode())
  }).toPass()
})

test('balances after a past block equal the sum of the logs up to it, and two moments can be compared', async ({
  page,
  subjects: { maker, contract, end },
}) => {
  const token = contract('Ivy')
  const filter = { address: token, fromBlock: '0x0' }
  const received = await logsOf({ ...filter, topics: [topics.transfer, null, word(maker)] })
  const sent = await logsOf({ ...filter, topics: [topics.transfer, word(maker)] })
  const sumAt = (height: number): bigint => {
    const upTo = (logs: readonly Log[]) =>
      logs
        .filter(({ blockNumber }) => Number(blockNumber) <= height)
        .reduce((sum, { data }) => sum + BigInt(data), 0n)
    return upTo(received) - upTo(sent)
  }
  const [first, last] = [Number(sent[0]?.blockNumber), end]
  const decimals = await decimalsOf(token)
  if (decimals === undefined || !(first > 0)) throw new Error('Ivy tells no decimals, or was never sent')
  expect(sumAt(first - 1)).not.toBe(sumAt(last))

  await page.goto(addressPath(maker, 'tab=balances'))
  await page.getByRole('textbox', { name: 'Balances at' }).fill(integer(last))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`at=${last}`))
  await page.getByRole('textbox', { name: 'Compare with' }).fill(String(first - 1))
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`compare=${first - 1}`))
  const time = Number((await node.block(first - 1)).timestamp)
  await expect(
    page.getByRole('button', { name: `Compared with block ${integer(first - 1)}, ${utc(time)}` }),
  ).toBeVisible()
  const then = await balancesOn(page, `Block ${integer(first - 1)}`)
  const now = await balancesOn(page, `Block ${integer(last)}`)
  const difference = await balancesOn(page, 'Difference')
  expect(then.get(token)).toBe(exact(sumAt(first - 1), decimals))
  expect(now.get(token)).toBe(exact(sumAt(last), decimals))
  expect(difference.get(token)).toBe(`−${exact(sumAt(first - 1) - sumAt(last), decimals)}`)

  await page.getByRole('button', { name: /^Remove the filter: Compared with/ }).click()
  await page.getByRole('button', { name: /^Remove the filter: At block/ }).click()
  await expect(page).toHaveURL(addressPath(maker, 'tab=balances'))
})

test('a date selects the last block of its day; other text is refused with an explanation', async ({
  page,
  subjects: { maker },
}) => {
  const middle = Number((await node.block(1500)).timestamp)
  const dayEnd = Math.floor(middle / 86_400) * 86_400 + 86_400
  const near = await Promise.all(Array.from({ length: 60 }, (_, index) => node.block(1500 + index)))
  const last = near.findLast((block) => Number(block.timestamp) < dayEnd)
  await page.goto(addressPath(maker, 'tab=balances'))
  const field = page.getByRole('textbox', { name: 'Balances at' })
  await field.fill('soon')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('Give a height or a date like 2025-11-03.')
  await field.fill(utc(middle).slice(0, 10))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(addressPath(maker, `tab=balances&at=${Number(last?.number)}`))
})

test('spam is hidden behind its count until it is shown', async ({ page, subjects: { maker } }) => {
  await page.goto(addressPath(maker, 'tab=balances'))
  const table = page.getByRole('table', { name: /^Balances of/ })
  const show = page.getByRole('button', { name: /^Show \d+ hidden spam tokens?$/ })
  const hidden = Number(/\d+/.exec(await show.innerText())?.[0])
  const before = await table.locator('tbody tr').count()
  await expect(table.getByText('Malicious')).toHaveCount(0)
  await show.click()
  await expect(table.getByText('Malicious')).toHaveCount(hidden)
  await expect(table.locator('tbody tr')).toHaveCount(before + hidden)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Spam is shown' })).toBeVisible()
})

test('fiat values are shown in the chosen currency, which is stored, with their source', async ({
  page,
  subjects: { maker },
}) => {
  await page.goto(addressPath(maker, 'tab=balances'))
  await expect(page.getByText('at sample prices.')).toBeVisible()
  await page.getByRole('button', { name: 'Currency' }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(14)
  await page.getByRole('menuitem', { name: /^CHF/ }).click()
  await expect(page.getByRole('columnheader', { name: 'Value, CHF' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Price, CHF' })).toBeVisible()
  await expect(page.getByRole('row', { name: /native/ })).toContainText('CHF')
})

test('NFTs are shown as pictures and as a table, and can be filtered by collection', async ({
  page,
  subjects: { maker, contract },
}) => {
  const glyphs = contract('Glyphs')
  const held = await balanceOf(glyphs, maker)
  await page.goto(addressPath(maker, `tab=nfts&collection=${glyphs}`))
  const cards = page.getByRole('list', { name: `NFTs of ${maker}` }).getByRole('listitem')
  await expect(async () => {
    await page.reload()
    await expect(cards).toHaveCount(Number(await balanceOf(glyphs, maker)), { timeout: 4_000 })
  }).toPass()
  expect(held).toBeGreaterThan(3n)
  const picture = cards.first().getByRole('img')
  await expect
    .poll(() => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)))
    .toBeGreaterThan(0)
  await expect(picture).toHaveAttribute('src', /^\/v1\/chains\/43113\/nfts\/collections\/0x/)
  const box = await picture.boundingBox()
  expect(box?.width).toBe(box?.height)
  await page.getByRole('button', { name: 'Table' }).click()
  const table = page.getByRole('table', { name: `NFTs of ${maker}` })
  await table.locator('tbody tr').first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/chain/${c.id}/nft/${glyphs}/\\d+$`))
})

test('a contract shows its creator, its size and its proxy’s implementation', async ({
  page,
  subjects: { contract },
}) => {
  const ridge = contract('Ridge')
  await page.goto(addressPath(ridge, 'tab=contract'))
  const made = page
    .getByRole('definition')
    .filter({ has: page.getByRole('button', { name: /transaction hash/ }) })
  const hash = (await made.getByRole('link').getAttribute('title')) ?? ''
  const receipt = await node.receipt(hash)
  expect(receipt.contractAddress).toBe(ridge)
  await expect(fact(page, 'Creation', 'Deployed by').getByRole('link')).toHaveText(receipt.from)
  const code = await node.call<string>('eth_getCode', [ridge, 'latest'])
  await expect(page.getByText(`${integer((code.length - 2) / 2)} bytes`)).toBeVisible()

  const foundry = contract('Foundry')
  await page.goto(addressPath(foundry, 'tab=contract'))
  const table = page.getByRole('table', { name: `Contracts deployed by ${foundry}` })
  await expect(table.getByRole('link', { name: contract('Workshop').slice(0, 10) }).first()).toBeVisible()
})

test('a proxy links to its implementation, found in the slot of its standard', async ({
  page,
  subjects: { contract },
}) => {
  const slots = {
    Moss: ['EIP-1967', '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'],
    Fern: ['EIP-1822', '0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'],
  } as const
  for (const [name, [kind, slot]] of Object.entries(slots)) {
    const stored = await node.call<string>('eth_getStorageAt', [contract(name), slot, 'latest'])
    const behind = `0x${stored.slice(-40)}`
    await page.goto(addressPath(contract(name), 'tab=contract'))
    const target = page.getByRole('definition').filter({ hasText: kind })
    await expect(target.getByRole('link', { name: behind })).toHaveAttribute('href', addressPath(behind))
  }
})

test('a proxy says in a sentence how often its code was changed, and lists when', async ({
  page,
  subjects: { contract },
}) => {
  const address = contract('Moss')
  // Upgraded(address)
  const topics = ['0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b']
  const logs = await node.call<{ transactionHash: string }[]>('eth_getLogs', [
    { address, topics, fromBlock: '0x0', toBlock: 'latest' },
  ])
  await page.goto(addressPath(address, 'tab=contract'))
  await expect(page.getByRole('region', { name: 'What it is' })).toContainText('was changed once')
  const upgrades = page.getByRole('list', { name: 'Upgrades' }).getByRole('listitem')
  await expect(upgrades).toHaveCount(logs.length)
  expect(logs).toHaveLength(2)
})

test('the watch list is stored and linked from the addresses page', async ({ page, subjects: { maker } }) => {
  await page.goto(addressPath(maker))
  const watch = page.getByRole('button', { name: 'Watch', exact: true })
  await watch.click()
  await expect(watch).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('link', { name: 'Watch list', exact: true }).click()
  const list = page.getByRole('list', { name: 'Watched addresses' })
  await expect(list.getByRole('link')).toHaveAttribute('href', addressPath(maker))
  await page.reload()
  await list.getByRole('button', { name: `Unwatch ${maker}` }).click()
  await expect(page.getByText('Nothing watched')).toBeVisible()
})
