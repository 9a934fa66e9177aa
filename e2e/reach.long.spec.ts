import type { Page } from '@playwright/test'
import { pages as pageTable } from '../contract/pages.ts'
import { expect, test } from './support/fixtures.ts'
import { openWhole } from './support/layout-measures.ts'
import { errorsOfPictures } from './support/parts.ts'
import { network } from './support/primary.ts'
import { change, readLocalToken } from './support/stack.ts'

/** The route of every page. */
const pages = Object.values(pageTable).map(({ path }): string => path)

/** The route of a path: the one with the fewest parameters that matches. */
function routeOf(pathname: string): string | undefined {
  const parameters = (route: string): number => route.split(':').length
  return pages
    .filter((route) => new RegExp(`^${route.replaceAll(/:[^/]+/g, '[^/]+')}$`).test(pathname))
    .toSorted((a, b) => parameters(a) - parameters(b))[0]
}

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

test.describe('from the overview', () => {
  test.use({ expectedErrors: [errorsOfPictures] })

  test('every page is two clicks away', async ({ page }) => {
    test.setTimeout(240_000)
    // The page of a fleet is there once somebody has made one, and that of a rule for who may write.
    const { fleet } = await change<{ fleet: { fleetId: string } }>('/v1/watch/fleets', {
      network,
      name: `To be reached ${test.info().retry}`,
    })
    await page.goto(`/fleets#token=${readLocalToken()}`)
    await expect(page.getByRole('button', { name: 'Create a fleet' }).first()).toBeVisible()
    expect(pages.length).toBeGreaterThan(30)
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
    for (const href of next.values()) for (const link of await linksOf(page, href)) add(link)
    expect(pages.filter((route) => !reached.has(route))).toEqual([])
    await change(`/v1/watch/fleets/${fleet.fleetId}:delete`)
  })
})
