import { expect, test } from '../support/fixtures.ts'
import { quiet } from '../support/layout-measures.ts'
import { primaryIsLive } from '../support/primary.ts'
import { routeOf } from '../support/routes.ts'
import { stops, subjects } from '../support/tour.ts'

test.use({ expectedErrors: [/503 \(Service Unavailable\)/], isOperator: true })
test.beforeAll(primaryIsLive)

/** Tabs that show the answers of more than one request. */
const tabs = /[?&]tab=(history|rewards|chart|contract)/

for (const subject of subjects)
  test(`what a service that refuses every request fails to show is named once on the pages of ${subject}`, async ({
    page,
  }) => {
    const main = page.locator('#main')
    const heading = main.getByRole('heading', { level: 1 })
    const missing = 'Page not found'
    /** Within the dashboard: the service draws a document with the answers in it. */
    const goTo = (path: string): Promise<void> =>
      page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate', { state: null }))
      }, path)
    await page.goto('/nowhere')
    await expect(heading).toHaveText(missing)
    await page.route(/\/(v\d|ext)\//, (route) =>
      route.fulfill({ status: 503, json: { statusCode: 503, error: 'Service Unavailable', message: 'no' } }),
    )
    const seen = new Set<string>()
    for (const { path } of await stops[subject]()) {
      const kind = (routeOf(path.replace(/\?.*/, '')) ?? '') + (tabs.exec(path)?.[0] ?? '')
      if (kind === '' || seen.has(kind)) continue
      seen.add(kind)
      await goTo(path)
      await expect(heading, path).not.toHaveText(missing)
      await quiet(page)
      const alerts = await main
        .getByRole('alert')
        .evaluateAll((all) => all.map((one) => one.querySelector('p')?.innerText ?? ''))
      expect.soft(alerts.toSorted(), path).toEqual([...new Set(alerts)].toSorted())
      await goTo('/nowhere')
      await expect(heading).toHaveText(missing)
    }
  })
