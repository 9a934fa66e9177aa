import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { fullBlock, richTransaction } from './support/pages.ts'
import { chains } from './support/stack.ts'
import { openStatic, startStaticSite, type StaticSite } from './support/static-site.ts'
import { serveFolder } from './support/web-server.ts'

/*
 * The static build in front of services that have the operations of the API reference alone (support/stand-in.ts): at
 * other origins, with CORS, another key header, latency and a rate limit, in hosted form.
 */

let site: StaticSite
test.beforeAll(async () => {
  site = await startStaticSite()
})
test.afterAll(() => site.stop())

const open = (page: Page, path: string) => openStatic(page, site, path)
const main = (page: Page) => page.getByRole('main')
const lacks = (page: Page, words: string) => expect(main(page)).toContainText(words)

test('the overview, a block and a transaction come from a service without these operations', async ({
  page,
}) => {
  const [block, transaction] = await Promise.all([fullBlock(), richTransaction()])
  await open(page, '/')
  await expect(main(page).getByText('Fuji of the stand-in', { exact: true })).toBeVisible()
  // The registry of blockchains names the chains, the metrics count their transactions.
  await expect(main(page).getByRole('row', { name: /Meridian/ })).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blocks' }).click()
  await lacks(page, 'This service does not list the blocks of a chain. Open a block by its number.')
  await page.getByLabel('Block number or hash').fill(block.height)
  await page.getByRole('button', { name: 'Open' }).click()
  await expect(page).toHaveURL(`${site.url}#/chain/${chains.c.id}/block/${block.height}`)
  await expect(main(page).getByText(block.hash)).toBeVisible()
  await expect(main(page).getByRole('table').locator('tbody tr').nth(4)).toBeVisible()

  await open(page, `/chain/${chains.c.id}/tx/${transaction.hash}`)
  await expect(main(page).getByText('Succeeded')).toBeVisible()
  await lacks(page, 'This service does not show one transaction: this is what its node says')
  await expect(main(page).getByRole('tab', { name: /Logs/ })).toBeVisible()
  await expect(main(page).getByRole('tab', { name: /Internal calls/ })).toHaveCount(0)
})

test('the navigation lists what the service has', async ({ page }) => {
  await open(page, '/')
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect(links).toHaveText([
    'Overview',
    'Chains',
    'Blocks',
    'Transactions',
    'Metrics',
    'Primary network',
    'Validators',
    'Subnets and L1s',
    'Vertices',
    'Watch list',
    'Signatures',
    'Node',
    'API',
  ])
  for (const link of await links.all()) expect(await link.getAttribute('href')).toMatch(/^#\//)
})

test('profiles are chosen in the switcher and stay in every link', async ({ page }) => {
  await open(page, '/')
  await page.getByRole('button', { name: /^Network and chain/ }).click()
  await page.getByRole('menuitem', { name: /^Fuji, documented/ }).click()
  await expect(page).toHaveURL(`${site.url}#/p/documented`)
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Settings' })
    .or(page.getByRole('link', { name: 'Settings' }))
    .first()
    .click()
  await expect(page).toHaveURL(`${site.url}#/p/documented/settings`)
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(`${site.url}#/`)
  await expect(page.getByRole('button', { name: /^Network and chain: Fuji of the stand-in/ })).toBeVisible()
})

test('a document says what a service lacks, without a request for it', async ({ page }) => {
  await open(page, `/p/documented/chain/${chains.c.id}/blocks`)
  await lacks(page, 'This service does not list the blocks of a chain. Open a block by its number.')
  await expect(page.getByRole('link', { name: 'Contracts', exact: true })).toHaveCount(0)
  expect(site.documented.asked.some(({ path }) => path.endsWith('/blocks'))).toBe(false)
})

test.describe('without a document', () => {
  test.use({ expectedErrors: [/^Failed to load resource: the server responded with a status of 404/] })

  test('the 404 of a route says what a service lacks, once', async ({ page }) => {
    await open(page, `/p/silent/chain/${chains.c.id}/blocks`)
    await lacks(page, 'This service does not list the blocks of a chain. Open a block by its number.')
    const times = () => site.silent.asked.filter(({ path }) => path.endsWith('/blocks')).length
    expect(times()).toBe(1)
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await expect(main(page).getByRole('row', { name: /Meridian/ })).toBeVisible()
    await page.getByRole('link', { name: 'Blocks', exact: true }).click()
    await lacks(page, 'This service does not list the blocks of a chain.')
    expect(times()).toBe(1)
  })

  test('what does not exist is not found all the same', async ({ page }) => {
    const nobody = `0x${'0'.repeat(63)}1`
    await open(page, `/p/silent/chain/${chains.c.id}/tx/${nobody}`)
    await lacks(page, 'Not in any indexed block of C-Chain')
  })
})

test('a key is sent to the data and metrics API of its profile alone, and to no other place', async ({
  page,
}) => {
  await open(page, '/settings')
  await page.getByLabel('API key').fill(site.key)
  await page.getByRole('button', { name: 'Save' }).click()
  const from = site.listed.asked.length
  const sent: string[] = []
  page.on('request', (request) => {
    if (Object.values(request.headers()).includes(site.key)) sent.push(request.url())
  })
  await open(page, `/networks/fuji/p-chain/transactions`)
  await expect(main(page).getByRole('table').locator('tbody tr').first()).toBeVisible()
  expect(
    site.listed.asked
      .slice(from)
      .filter(({ path }) => path.startsWith('/data/'))
      .map((one) => one.key),
  ).toContain(site.key)
  await open(page, `/p/documented/networks/fuji/p-chain/transactions`)
  await expect(main(page).getByRole('table').locator('tbody tr').first()).toBeVisible()
  await open(page, `/chain/${chains.c.id}/block/1`)
  await expect(main(page).getByText('Header', { exact: false }).first()).toBeVisible()
  expect(sent.length).toBeGreaterThan(0)
  for (const url of sent) expect(url).toMatch(new RegExp(`^${site.listed.url}/(data|metrics)/`))
  expect([...site.documented.asked, ...site.silent.asked].filter((one) => one.key !== undefined)).toEqual([])
})

test.describe('the policy of the document', () => {
  test.use({ expectedErrors: [/Content Security Policy|violates the following|^Failed to load resource/] })

  test('lets the page reach the URLs of its profiles alone', async ({ page }) => {
    const elsewhere = await serveFolder(site.folder)
    // A name that is not a profile’s, for the same machine.
    const other = elsewhere.url.replace('127.0.0.1', '127.0.0.2')
    await open(page, '/')
    await expect(main(page).getByRole('row', { name: /Meridian/ })).toBeVisible()
    const reach = (url: string) =>
      page.evaluate(
        (to) =>
          fetch(to, { mode: 'no-cors' }).then(
            () => 'reached',
            () => 'refused',
          ),
        url,
      )
    expect(await reach(`${site.listed.url}/data/v1/networks/fuji/blockchains`)).toBe('reached')
    expect(await reach(`${other}config.json`)).toBe('refused')
    await elsewhere.stop()
  })
})

test.describe('at the rate limit', () => {
  test.use({ expectedErrors: [/^Failed to load resource: the server responded with a status of 429/] })

  test('the page says so, waits as long as the service asks, and then shows everything', async ({ page }) => {
    site.listed.refuseNext(4)
    await open(page, '/networks/fuji/blockchains')
    await expect(page.getByText(/rate limit/i).first()).toBeVisible()
    await expect(main(page).getByRole('row', { name: /Meridian/ })).toBeVisible()
  })
})
