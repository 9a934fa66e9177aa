import type { Page } from '@playwright/test'
import { test } from '../support/address.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect } from '../support/fixtures.ts'
import { nodeAt } from '../support/node.ts'
import { askNode, primaryIsLive, root } from '../support/primary.ts'
import { chains, rpcUrlOf } from '../support/stack.ts'

const c = chains.c
const node = nodeAt(rpcUrlOf(c))
const of = `/chain/${c.id}`

const field = (page: Page) =>
  page.getByRole('combobox', { name: 'Search by height, hash, address, name or ID' })

/** Opens a page, and types into the search field: `/` and the text, without a click. */
async function type(page: Page, text: string): Promise<void> {
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type(text)
}

/** The options of a group below the field. */
const options = (page: Page, group: string) => page.getByRole('group', { name: group }).getByRole('option')

test('names find tokens, chains, pages and metrics, beginnings and typing mistakes included', async ({
  page,
  subjects,
}) => {
  const token = subjects.contract('Ridge')
  const asked: [text: string, group: string, title: RegExp][] = [
    ['Ridge', 'Tokens', /^Ridge.*RDG/],
    ['SUSD', 'Tokens', /^Sample Dollar.*SUSD/],
    ['sample dol', 'Tokens', /^Sample Dollar.*SUSD/],
    [token.slice(0, 14), 'Tokens', /^Ridge.*RDG/],
    ['Meridain', 'Chains', /^Meridian/],
    ['validators', 'Pages', /^Validators/],
    ['fees', 'Metrics', /^Fees paid/],
    ['block 2143', 'Blocks', /^Block 2143.*C-Chain/],
  ]
  for (const [text, group, title] of asked) {
    await type(page, text)
    await expect(options(page, group).filter({ hasText: title }).first(), text).toBeVisible()
  }
})

test('the beginning of a hash finds its transaction and opens it with two more keys', async ({ page }) => {
  const transaction = (await node.block(2_143)).transactions[0]
  const hash = transaction?.hash ?? (await node.block(2_143)).hash
  const target = transaction ? `${of}/tx/${hash}` : `${of}/block/2143`
  await type(page, hash.slice(0, 10))
  await expect(options(page, transaction ? 'Transactions' : 'Blocks').first()).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(target)
})

test('a height is offered once for each chain that has the block, by the name of the chain', async ({
  page,
}) => {
  await type(page, '300')
  const found = options(page, 'Blocks')
  for (const { name } of [chains.c, chains.meridian, chains.harbor])
    await expect(found.filter({ hasText: name })).not.toHaveCount(0)
  const texts = await found.allInnerTexts()
  expect(new Set(texts).size).toBe(texts.length)
})

test('a chain and its blockchain are one result', async ({ page }) => {
  await primaryIsLive()
  await type(page, 'Meridian')
  await expect(options(page, 'Chains')).toHaveCount(1)
  await expect(options(page, 'Subnets and L1s').filter({ hasText: 'Meridian' })).not.toHaveText([/^Meridian/])
})

test('Enter opens the only exact result: a node ID, a token address, a height, a name, a page', async ({
  page,
  subjects,
}) => {
  await primaryIsLive()
  const { validators } = (await askNode('P', 'platform.getCurrentValidators', {})) as {
    validators: { nodeID: string }[]
  }
  const nodeId = validators[0]?.nodeID ?? ''
  const token = subjects.contract('Ridge')
  const asked = [
    [nodeId, `${root}/validators/${nodeId}`],
    [token, `${of}/token/${token}`],
    ['P-block 12', `${root}/p-chain/block/12`],
    ['Sample Dollar', `${of}/token/${subjects.contract('Sample Dollar')}`],
    ['Validators', `${root}/validators`],
    ['Meridian', `/chain/${chains.meridian.id}`],
  ] as const
  for (const [text, path] of asked) {
    await type(page, text)
    await page.keyboard.press('Enter')
    await expect(page, text).toHaveURL(new RegExp(`${path}$`, 'i'))
    // The page of results is not left in between.
    await page.goBack()
    await expect(page, text).toHaveURL('/settings')
  }
})

test('several meanings stay on the page of results, by kind, malicious tokens last and marked', async ({
  page,
  subjects,
}) => {
  await type(page, 'sample dollar')
  const results = page.getByRole('region', { name: 'Results' })
  await page.goto('/search?q=sample')
  const links = results.getByRole('link')
  await expect(links.filter({ hasText: 'Sample Dollar' }).first()).toBeVisible()
  await expect(links.last()).toContainText('Malicious')
  await expect(links.last()).toHaveAttribute(
    'href',
    new RegExp(`${of}/token/${subjects.contract('False SUSD')}`, 'i'),
  )
  await expect(links.first()).not.toContainText('Malicious')
  expect(await violationsInBothThemes(page)).toEqual([])
})

test('a private label is found in the box and on the page of results', async ({ page, subjects }) => {
  await page.goto(`${of}/address/${subjects.maker}`)
  await page.getByRole('textbox', { name: 'Name of this address' }).fill('Treasury of Ann')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Treasury of Ann')
  await type(page, 'treasury')
  await expect(options(page, 'Your labels')).toHaveText([/^Treasury of Ann/])
  await page.goto('/search?q=treasury')
  await expect(page.getByRole('region', { name: 'Results' }).getByRole('link')).toHaveAttribute(
    'href',
    new RegExp(subjects.maker, 'i'),
  )
})

for (const [window, width, least] of [
  ['phone', 390, 320],
  ['tablet', 768, 600],
] as const) {
  test(`on a ${window} the list is as wide as the page, and its entries are legible`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await type(page, '12')
    const blocks = options(page, 'Blocks')
    await expect(blocks.first()).toContainText('Block 12')
    const list = await page.getByRole('listbox').boundingBox()
    expect(list?.width).toBeGreaterThan(least)
    const titles = blocks.getByText('Block 12', { exact: true })
    await expect(titles).toHaveCount(await blocks.count())
    const cut = await titles.evaluateAll((all) =>
      all.filter((title) => title.scrollWidth > title.clientWidth),
    )
    expect(cut).toEqual([])
  })
}
