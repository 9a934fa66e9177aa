import { expect, test } from './support/fixtures.ts'
import { fact } from './support/parts.ts'
import { serviceUrl } from './support/stack.ts'

/*
 * The same build with the hosted services as its backend. The tests pass with and without internet access: they
 * check
 * what the dashboard requests and shows, not what the hosted services answer. The documented differences of the
 * answers
 * are replayed in the tests of src/api.
 */
test.use({ expectedErrors: [/^Failed to load resource/] })

test('a profile can be selected, stays in every link, and shows what it lacks', async ({ page }) => {
  await page.goto('/settings')
  await page.getByRole('radio', { name: 'Hosted, Fuji testnet' }).click()
  await expect(page).toHaveURL('/p/fuji/settings')
  await expect(fact(page, 'Profile', 'Network')).toHaveText('Avalanche Fuji testnet')
  await expect(fact(page, 'Profile', 'API key')).toContainText('x-glacier-api-key')
  // Without a remedy, only the connection state is shown.
  await expect(fact(page, 'Profile', 'Live updates')).toContainText('No: the page polls the chain heads')
  const offered = fact(page, 'Profile', 'Offered')
  for (const operation of ['listBlocks', 'listValidators', 'getMetric'])
    await expect(offered).toContainText(operation)
  for (const operation of ['listChainStatus', 'listChainTraffic', 'listWatchFleets', 'search'])
    await expect(offered).not.toContainText(operation)

  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  for (const link of await links.all()) expect(await link.getAttribute('href')).toMatch(/^\/p\/fuji(\/|$)/)
  await links.filter({ hasText: 'Overview' }).click()
  await expect(page.getByRole('main').getByText('Avalanche Fuji testnet', { exact: true })).toBeVisible()
  await expect(page.getByText('Hosted, Fuji testnet has no overview of all chains:')).toBeVisible()
})

test('a profile lists only what its service offers', async ({ page }) => {
  await page.goto('/p/fuji/settings')
  const main = page.getByRole('navigation', { name: 'Main' })
  // Its data API lists no tokens and no contracts of a chain, and has neither SQL nor a watch.
  for (const name of ['Tokens', 'Contracts', 'SQL', 'Alarms'])
    await expect(main.getByRole('link', { name, exact: true })).toHaveCount(0)
  for (const name of ['Blocks', 'Metrics', 'Validators', 'Signatures'])
    await expect(main.getByRole('link', { name, exact: true })).toHaveCount(1)
})

test('a hosted profile calls the hosted services with their key header, and never this service', async ({
  page,
}) => {
  await page.goto('/p/mainnet/settings')
  await page.getByLabel('API key').fill('a-key-of-mainnet')
  await page.getByRole('button', { name: 'Save' }).click()
  const asked: { url: string; key: string | undefined }[] = []
  page.on('request', (request) => {
    const headers = request.headers()
    if (request.method() === 'GET') asked.push({ url: request.url(), key: headers['x-glacier-api-key'] })
  })
  await page.goto('/p/mainnet/chain/43114/blocks')
  await expect
    .poll(() => asked.filter(({ url }) => url.startsWith('https://data-api.avax.network/v1/')).length)
    .toBeGreaterThan(0)
  await expect(
    page
      .getByRole('main')
      .getByText(/could not be loaded|[Ff]irst \d+ blocks/)
      .first(),
  ).toBeVisible()
  for (const { url, key } of asked) {
    expect(url).not.toMatch(new RegExp(`^${serviceUrl}/(v1|v2|events)`))
    if (url.startsWith('https://')) expect([undefined, 'a-key-of-mainnet']).toContain(key)
    else expect(key, url).toBeUndefined()
  }
})

test('the pages of the watch say what a hosted service lacks, and ask no service for it', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const fleet = '/fleets/00000000-0000-0000-0000-000000000000'
  for (const path of [
    '/fleets',
    fleet,
    '/alarms',
    '/alarms/rules',
    '/alarms/rules/new',
    '/alarms/channels',
  ]) {
    await page.goto(`/p/fuji${path}`)
    const main = page.getByRole('main')
    await expect(main.getByText('Hosted, Fuji testnet has no alarms'), path).toBeVisible()
    await expect(main.getByRole('link', { name: 'watch list' })).toHaveAttribute('href', '/p/fuji/watch-list')
  }
  expect(asked.filter((url) => url.includes('/v1/watch/'))).toEqual([])
})

test('an unknown profile shows a message', async ({ page }) => {
  await page.goto('/p/nowhere/chains')
  await expect(page.getByRole('main')).toContainText('This service knows no profile named “nowhere”.')
})

test('a key of this service is stored in the browser and sent to this service only', async ({ page }) => {
  await page.goto('/settings')
  await page.getByLabel('API key').fill('not-a-known-key-at-all')
  // Answers to requests from before the key was entered may still arrive.
  const refused = page.waitForResponse(
    (response) =>
      response.url().startsWith(`${serviceUrl}/v1/`) &&
      response.request().headers()['x-service-api-key'] === 'not-a-known-key-at-all',
  )
  await page.getByRole('button', { name: 'Save' }).click()
  expect((await refused).status()).toBe(401)
  await page.goto('/chains')
  await expect(page.getByRole('alert')).toContainText('401 Unauthorized')
  await page.goto('/settings')
  await page.getByLabel('API key').fill('')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.goto('/chains')
  await expect(page.getByRole('table', { name: 'Chains' }).locator('tbody tr')).toHaveCount(3)
})
