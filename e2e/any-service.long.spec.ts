import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { everyPage } from './support/pages.ts'
import { primaryRoutes } from './support/primary-routes.ts'
import { openStatic, startStaticSite, type StaticSite } from './support/static-site.ts'

let site: StaticSite
test.beforeAll(async () => {
  site = await startStaticSite()
})
test.afterAll(() => site.stop())

/** Opens every page of the static build, in front of a service of the API reference alone, by its link. */
async function tour(page: Page, before: () => void): Promise<void> {
  const others = (await primaryRoutes()).map((path) => ({ name: path, path }))
  for (const { name, path } of [...(await everyPage()), ...others]) {
    before()
    const main = await openStatic(page, site, path)
    await expect(main.getByRole('heading').first(), name).toBeVisible()
    // A refused request is asked again once the service allows it.
    await expect(page.getByText('The rate limit is reached'), name).toHaveCount(0)
    await page.waitForLoadState('networkidle')
    const text = await main.innerText()
    if (name === 'not-found') expect(text, name).toContain('Page not found')
    else expect(text, name).not.toMatch(/not found|could not be|Unknown (?!type)|No chain has|Not in any/i)
    expect(text, name).not.toMatch(/\b(undefined|NaN)\b|429 Too Many/)
  }
}

test('every page opens with a key, and calls nothing that exists not found', async ({ page }) => {
  await openStatic(page, site, '/settings')
  await page.getByLabel('API key').fill(site.key)
  await page.getByRole('button', { name: 'Save' }).click()
  const from = site.listed.asked.length
  await tour(page, () => undefined)
  const asked = site.listed.asked.slice(from)
  const ofData = asked.filter(({ path }) => path.startsWith('/data/'))
  expect(ofData.length).toBeGreaterThan(50)
  expect(ofData.filter(({ key }) => key !== site.key)).toEqual([])
  // Neither the metrics API nor the node is given a key.
  expect(asked.filter(({ path, key }) => path.startsWith('/node/') && key !== undefined)).toEqual([])
})

test.describe('at the rate limit', () => {
  test.use({ expectedErrors: [/^Failed to load resource: the server responded with a status of 429/] })

  test('every page waits as long as the service asks, and then shows what it has', async ({ page }) => {
    await tour(page, () => site.listed.refuseNext(2))
  })
})
