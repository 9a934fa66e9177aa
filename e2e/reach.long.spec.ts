import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { openWhole } from './support/layout-measures.ts'
import { errorsOfPictures } from './support/parts.ts'
import { network } from './support/primary.ts'
import { routeOf, routes } from './support/routes.ts'
import { change, readLocalToken } from './support/stack.ts'

/** The paths that the links of a page lead to, once it has loaded. */
async function linksOf(page: Page, path: string): Promise<string[]> {
  await openWhole(page, path)
  // The list below a graph has the vertices that the drawn graph shows.
  if ((await page.locator('main canvas').count()) > 0)
    await expect(page.locator('main tbody tr[data-row="0"]')).toBeVisible()
  const found = await page
    .locator('a[href^="/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  return [...new Set(found)]
}

/** What is behind a tab or a switch of a page of the navigation: one click more. The search is the field on every page. */
const behindTabs = [
  '/chain/:chainId/nft/:address/:tokenId',
  '/networks/:network/metrics/:metric',
  '/networks/:network/l1-validators/:validationId',
  '/fleets/:fleetId',
]
const field = '/search'

test.describe('from the overview', () => {
  test.use({ expectedErrors: [errorsOfPictures] })

  test('every page is two clicks away, and three behind a tab', async ({ page }) => {
    // The page of a fleet is there once somebody has made one, and that of a rule for who may write.
    const { fleet } = await change<{ fleet: { fleetId: string } }>('/v1/watch/fleets', {
      network,
      name: `To be reached ${test.info().retry}`,
    })
    await page.goto(`/fleets#token=${readLocalToken()}`)
    await expect(page.getByRole('button', { name: 'Create a fleet' }).first()).toBeVisible()
    expect(routes.length).toBeGreaterThan(30)
    const reached = new Set(['/'])
    const add = (href: string): string | undefined => {
      const route = routeOf(href.split(/[?#]/)[0] ?? '')
      if (route !== undefined) reached.add(route)
      return route
    }
    // One page of each route, with and without a query, is enough.
    const next = new Map<string, string>()
    for (const href of await linksOf(page, '/')) {
      const key = `${add(href) ?? ''} ${href.includes('?')}`
      if (!next.has(key)) next.set(key, href)
    }
    const further = new Map<string, string>()
    for (const href of next.values())
      for (const link of await linksOf(page, href)) {
        const route = add(link)
        // A file, such as the document of the API.
        if (route === undefined) continue
        const key = `${route} ${link.includes('?')}`
        if (!next.has(key) && !further.has(key)) further.set(key, link)
      }
    const unreached = (): string[] => routes.filter((route) => !reached.has(route) && route !== field)
    expect(behindTabs).toEqual(expect.arrayContaining(unreached()))
    for (const href of further.values()) {
      if (unreached().length === 0) break
      for (const link of await linksOf(page, href)) add(link)
    }
    expect(unreached()).toEqual([])
    await change(`/v1/watch/fleets/${fleet.fleetId}:delete`)
  })
})
