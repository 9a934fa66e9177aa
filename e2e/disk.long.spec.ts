import { expect, test } from './support/fixtures.ts'

test('the settings show the disk of the service, by chain and table', async ({ page }) => {
  await page.goto('/settings')
  const disk = page.getByRole('region', { name: /^Disk/ })
  const bytes = /^\d[\d.]* [kMG]B/
  await expect(disk.locator('dt', { hasText: 'Used' }).locator('+ dd')).toHaveText(bytes)
  await expect(disk.locator('dt', { hasText: 'Free' }).locator('+ dd')).toHaveText(/^\d[\d.]* [GT]B$/)
  const chain = disk.getByText(/^C-Chain: \d/)
  await expect(disk.getByText('transactions', { exact: true }).first()).toBeHidden()
  await chain.click()
  const tables = disk.getByLabel('Tables of C-Chain')
  await expect(tables.locator('dt', { hasText: /^transactions$/ }).locator('+ dd')).toHaveText(bytes)
  await expect(disk.getByText(/^P, X and atomic C: \d/)).toBeVisible()
})
