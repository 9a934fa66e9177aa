import { expect, test } from './support/fixtures.ts'
import { everyPage } from './support/pages.ts'
import { errorsOfPictures } from './support/parts.ts'
import { chains } from './support/stack.ts'

const rail = [
  ['Overview', 'Overview', '/'],
  ['Primary network', /^Primary Network · /, '/networks/fuji'],
  ['Chains', 'Chains', '/chains'],
  ['Metrics', 'Metrics · C-Chain', '/chain/43113/metrics'],
  ['Blocks', 'Blocks · C-Chain', '/chain/43113/blocks'],
  ['Transactions', 'Transactions · C-Chain', '/chain/43113/transactions'],
  ['Validators', /^Validators · /, '/networks/fuji/validators'],
  ['Vertices', 'Vertices', '/networks/fuji/vertices'],
  ['Addresses', 'Addresses', '/addresses'],
  ['Signatures', 'Signatures', '/signatures'],
  ['Node', 'Node', '/node'],
  ['API', 'API', '/api'],
  ['Settings', 'Settings', '/settings'],
] as const

test('the navigation links to every section and marks the open one', async ({ page }) => {
  await page.goto('/')
  const main = page.getByRole('navigation', { name: 'Main' })
  for (const [name, title, path] of rail) {
    await main.getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(page).toHaveTitle(typeof title === 'string' ? `${title} · Ridgeline` : title)
    await expect(main.getByRole('link', { name, exact: true })).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  }
})

test.describe('every page', () => {
  test.use({ expectedErrors: [errorsOfPictures] })

  test('opens at its own URL with its title and heading', async ({ page }) => {
    for (const { path, title, heading } of await everyPage()) {
      await page.goto(path)
      await expect(page, path).toHaveTitle(typeof title === 'string' ? `${title} · Ridgeline` : title)
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveText(heading)
      await expect(page.getByRole('alert'), path).toHaveCount(0)
    }
  })
})

test('the API page links to the service’s documentation', async ({ page }) => {
  await page.goto('/api')
  await page.getByRole('link', { name: 'Documentation' }).click()
  await expect(page).toHaveURL(/\/docs/)
  await expect(page.getByText('List the blocks of a chain, latest first')).toBeVisible()
})

test('the chain switcher opens the same page of another chain', async ({ page }) => {
  await page.goto('/chain/43113/blocks')
  await page.getByRole('button', { name: 'Network and chain: Sample network C-Chain' }).click()
  await page.getByRole('menuitem', { name: chains.harbor.name }).click()
  await expect(page).toHaveURL(`/chain/${chains.harbor.id}/blocks`)
  await expect(page).toHaveTitle('Blocks · Harbor · Ridgeline')
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'Transactions', exact: true }).click()
  await expect(page).toHaveURL(`/chain/${chains.harbor.id}/transactions`)
})

test('the command palette opens pages and chains and changes settings', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const field = palette.getByRole('combobox', { name: 'Search, or type a command' })
  await expect(field).toBeFocused()
  await field.fill('meridian')
  await expect(palette.getByRole('option', { name: /Meridian/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(palette).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`/chain/${chains.meridian.id}`))

  await page.keyboard.press('Control+k')
  await field.fill('dark theme')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(palette).toHaveCount(0)
})

test('theme, time zone, time format and columns are stored', async ({ page }) => {
  await page.goto('/chain/43113/blocks')
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await page.getByRole('button', { name: 'Time zone and times' }).click()
  await page.getByRole('menuitem', { name: 'Date and time' }).click()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Gas limit' }).click()
  await page.keyboard.press('Escape')

  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('columnheader', { name: 'Gas limit' })).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC/)

  await page.getByRole('button', { name: 'Time zone and times' }).click()
  await page.getByRole('menuitem', { name: 'Local time' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText(/[+-]\d{2}:\d{2}/)
})
