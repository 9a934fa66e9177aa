import { listTokens } from '../../contract/tokens/tokens.ts'
import { expect, test } from '../support/fixtures.ts'
import { ask, chains } from '../support/stack.ts'

/*
 * Code that fails to load on demand: the network fails, or a newer version has replaced its files. The rest of the
 * page
 * stays usable, and the part appears once its code can be loaded.
 */
const c = chains.c
const of = `/chain/${c.id}`
const retry = { name: 'Try again' } as const

// The browser logs every failed request, and React every error caught by a boundary.
test.use({ expectedErrors: [/Failed to load resource|Its code could not be loaded/] })

test('a tab whose code fails to load says so, and loads after “Try again”', async ({ page }) => {
  const { tokens } = await ask(listTokens, { params: { chainId: c.id }, query: { pageSize: 1 } })
  await page.route(/\/assets\/spread-tab-/, (route) => route.fulfill({ status: 503 }))
  await page.goto(`${of}/token/${tokens[0]?.address ?? ''}`)
  await page.getByRole('tab', { name: 'Distribution' }).click()
  const panel = page.getByRole('tabpanel')
  await expect(panel.getByRole('alert')).toContainText('This part of the token could not be shown.')
  await expect(panel.getByRole('alert')).toContainText('Its code could not be loaded')
  await expect(page.getByText('First block')).toBeVisible()

  // Another tab is not delayed.
  await page.getByRole('tab', { name: 'Transfers' }).click()
  await expect(page.getByRole('table', { name: /Transfers/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Distribution' }).click()
  await expect(panel.getByRole('alert')).toBeVisible()

  await page.unroute(/\/assets\/spread-tab-/)
  await panel.getByRole('button', retry).click()
  await expect(page.getByRole('heading', { name: 'By the size of a balance' })).toBeVisible()
})

test('“Try again” keeps the page while the service does not answer', async ({ page, context }) => {
  await page.goto('/signatures')
  await expect(page.getByRole('tabpanel')).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('tab', { name: 'History' }).click()
  const alert = page.getByRole('tabpanel').getByRole('alert')
  await expect(alert).toBeVisible()
  await alert.getByRole('button', retry).click()
  await expect(alert).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Signatures' })).toBeVisible()
  await context.setOffline(false)
  // The part also loads by itself when the service answers again, so the button may go before it is clicked.
  await expect(async () => {
    const button = alert.getByRole('button', retry)
    if (await button.isVisible()) await button.click({ timeout: 1_000 })
    await expect(page.getByText('No signing history')).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await expect(page).toHaveURL('/signatures?tab=history')
})

test('a menu whose code fails to load leaves the page unchanged', async ({ page }) => {
  await page.route(/\/assets\/popups-/, (route) => route.abort())
  await page.goto(`${of}/tokens`)
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('alert')).toContainText('The menu could not be shown.')
  await expect(page.getByRole('table', { name: `Tokens of ${c.name}` })).toBeVisible()
})
