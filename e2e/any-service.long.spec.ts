import { expect, test } from './support/fixtures.ts'
import { everyPage } from './support/pages.ts'
import { primaryRoutes } from './support/primary-routes.ts'
import { openStatic, startStaticSite, type StaticSite } from './support/static-site.ts'

let site: StaticSite
test.beforeAll(async () => {
  site = await startStaticSite()
})
test.afterAll(() => site.stop())

// Every page of the static build, in front of a service of the API reference alone.
test('every page opens by its link, and calls nothing that exists not found', async ({ page }) => {
  const others = (await primaryRoutes()).map((path) => ({ name: path, path }))
  for (const { name, path } of [...(await everyPage()), ...others]) {
    const main = await openStatic(page, site, path)
    await expect(main.getByRole('heading').first(), name).toBeVisible()
    await page.waitForLoadState('networkidle')
    const text = await main.innerText()
    if (name === 'not-found') expect(text, name).toContain('Page not found')
    else expect(text, name).not.toMatch(/not found|could not be|Unknown (?!type)|No chain has|Not in any/i)
    expect(text, name).not.toMatch(/\b(undefined|NaN)\b/)
  }
})
