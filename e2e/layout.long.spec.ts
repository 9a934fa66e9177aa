import type { Page } from '@playwright/test'
import { mineC, mineP } from './support/arrivals.ts'
import { violationsInBothThemes } from './support/axe.ts'
import { expect, test } from './support/fixtures.ts'
import {
  cutTexts,
  openWhole,
  overflowOf,
  quiet,
  recordShifts,
  shiftsOf,
  wideTables,
} from './support/layout-measures.ts'
import { everyPage } from './support/pages.ts'
import type { PageOfDashboard } from './support/page-of-dashboard.ts'
import { errorsOfPictures, foreignElements } from './support/parts.ts'
import { network, primaryIsLive } from './support/primary.ts'
import { primaryRoutes } from './support/primary-routes.ts'
import { expectSorted } from './support/sorting.ts'
import { chains } from './support/stack.ts'

test.use({ expectedErrors: [errorsOfPictures], isOperator: true })
test.beforeAll(async () => {
  await primaryIsLive()
})

/** The highest allowed layout shift (https://web.dev/articles/cls), well below the limit for "good". */
const maxShift = 0.02

type Route = Pick<PageOfDashboard, 'path'> & Partial<PageOfDashboard>

type Subject = {
  readonly pages: () => Promise<readonly Route[]>
  /** How the names of some columns begin that are in tables of its pages, with the table: their rows differ. */
  readonly sorted: readonly string[]
}

/** Both in a test of its own for each width, so that two workers share the visits. */
const routes: Readonly<Record<string, Subject>> = {
  'the EVM chains and tools': {
    pages: everyPage,
    sorted: ['Chain', 'Head', 'Transactions', 'Last 24 h', 'Rate, 24 h', 'Addresses'].map(
      (name) => `Chains: ${name}`,
    ),
  },
  'the primary network': {
    pages: async () => (await primaryRoutes()).map((path) => ({ path })),
    sorted: ['Capacity left', 'Fee', 'Uptime', 'Begins', 'Ends'].map((name) => `Validators, active: ${name}`),
  },
}

test.describe('every page', () => {
  test.describe.configure({ mode: 'parallel' })

  for (const [subject, { pages, sorted }] of Object.entries(routes)) {
    test(`of ${subject} is whole at 1440 and 768 px, accessible in both themes, and sorts its rows`, async ({
      page,
    }) => {
      const differing: string[] = []
      await recordShifts(page)
      for (const { path } of await pages()) {
        await visit(page, path, 1440, 900)
        expect.soft(await wideTables(page), path).toEqual([])
        expect.soft(await violationsInBothThemes(page), path).toEqual([])
        await narrow(page, path, 768, 900)
        // Last, because it shows every column, which the browser remembers.
        await page.setViewportSize({ width: 1440, height: 900 })
        differing.push(...(await expectSorted(page)))
        await page.evaluate(() => localStorage.clear())
      }
      for (const one of sorted)
        expect(
          differing.some((name) => name.startsWith(one)),
          one,
        ).toBe(true)
    })

    test(`of ${subject} is itself, and whole at 390 and 320 px`, async ({ page }) => {
      await recordShifts(page)
      for (const route of await pages()) {
        const { path } = route
        await visit(page, path, 390, 844)
        await expectItself(page, route)
        await narrow(page, path, 320, 844)
      }
    })
  }
})

/** The page is drawn already: what is wrong on every one of them must not add up to the hang that ends a test. */
const drawn = { timeout: 5_000 }

/** The open page has its title and heading, reports nothing, and made no element of the text that it shows. */
async function expectItself(page: Page, { path, title, heading }: Route): Promise<void> {
  if (title !== undefined)
    await expect
      .soft(page, path)
      .toHaveTitle(typeof title === 'string' ? `${title} · Ridgeline` : title, drawn)
  if (heading !== undefined)
    await expect.soft(page.getByRole('heading', { level: 1 }), path).toHaveText(heading, drawn)
  // An empty alert is the place of a later one.
  await expect.soft(page.getByRole('alert').filter({ hasText: /\S/ }), path).toHaveCount(0, drawn)
  expect.soft(await foreignElements(page), path).toEqual([])
}

/** Opens a page: nothing shifts while it is drawn, and nothing is cut off. */
async function visit(page: Page, path: string, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await openWhole(page, path)
  const { sum, lines } = await shiftsOf(page)
  expect.soft(sum, `${path} at ${width} px\n${lines.join('\n')}`).toBeLessThanOrEqual(maxShift)
  await expectWhole(page, `${path} at ${width} px`)
}

/** Makes the window of an open page narrower. */
async function narrow(page: Page, path: string, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await quiet(page)
  await expectWhole(page, `${path} at ${width} px`)
}

async function expectWhole(page: Page, name: string): Promise<void> {
  expect.soft(await cutTexts(page), name).toEqual([])
  expect.soft(await overflowOf(page), name).toBe(0)
}

test('blocks that arrive while the overview is open shift nothing', async ({ page }) => {
  await recordShifts(page)
  await openWhole(page, '/')
  const links = page.getByRole('list', { name: 'Latest blocks' }).getByRole('link')
  const before = await links.allInnerTexts()
  // In quiet hours of the sample, the newest rows are runs of empty blocks, which keep their text.
  await mineC()
  await expect.poll(() => links.allInnerTexts()).not.toEqual(before)
  const { sum, lines } = await shiftsOf(page)
  expect(sum, lines.join('\n')).toBeLessThanOrEqual(maxShift)
})

for (const [name, path, arrive] of [
  ['blocks', `/chain/${chains.c.id}/blocks`, mineC],
  ['transactions', `/chain/${chains.c.id}/transactions`, mineC],
  ['blocks of the P-Chain', `/networks/${network}/p-chain/blocks`, mineP],
] as const)
  for (const width of [320, 1440])
    test(`the pill for new ${name} covers and shifts no row at ${width} px`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 })
      await recordShifts(page)
      await openWhole(page, path)
      const first = page.getByRole('table').locator('tbody tr').first()
      const before = await first.boundingBox()
      const { sum } = await shiftsOf(page)
      const pill = page.getByRole('button', { name: /^[\d,]+ new$/ })
      await arrive()
      await expect(pill).toBeVisible()
      const row = await first.boundingBox()
      const box = await pill.boundingBox()
      expect(row).toEqual(before)
      // The ages in the rows gain a digit and shift the adjacent word; moving rows would count ten times as
      // much.
      expect((await shiftsOf(page)).sum - sum).toBeLessThan(0.003)
      if (row === null || box === null) throw new Error('the pill or the first row is not drawn')
      expect(box.y + box.height, 'the lower edge of the pill').toBeLessThanOrEqual(row.y)
    })
