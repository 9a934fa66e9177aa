import type { Page } from '@playwright/test'
import { mineC, mineP } from './support/arrivals.ts'
import { violationsInBothThemes } from './support/axe.ts'
import { expect, test } from './support/fixtures.ts'
import {
  greyButtons,
  misspokenTexts,
  openWhole,
  quiet,
  raggedFigures,
  recutTexts,
  recordShifts,
  shiftsOf,
  squeezedNames,
  systemLooks,
  wideTables,
} from './support/layout-measures.ts'
import { errorsOfPictures } from './support/parts.ts'
import { network, primaryIsLive } from './support/primary.ts'
import { expectSorted } from './support/sorting.ts'
import { chains } from './support/stack.ts'
import { expectItself, expectWhole, stops, subjects, type Subject } from './support/tour.ts'

test.use({ expectedErrors: [errorsOfPictures], isOperator: true })
test.beforeAll(async () => {
  await primaryIsLive()
})

/** The highest allowed layout shift (https://web.dev/articles/cls), well below the limit for "good". */
const maxShift = 0.02

/** How the names of some columns begin that are in tables of the pages, with the table: their rows differ. */
const sorted: Readonly<Record<Subject, readonly string[]>> = {
  'the EVM chains and tools': ['Chain', 'Head', 'Transactions', 'Last 24 h', 'Rate, 24 h', 'Addresses'].map(
    (name) => `Chains: ${name}`,
  ),
  'the primary network': ['Capacity left', 'Fee', 'Uptime', 'Begins', 'Ends'].map(
    (name) => `Validators, active: ${name}`,
  ),
}

test.describe('every page', () => {
  test.describe.configure({ mode: 'parallel' })

  // Both in a test of its own for each width.
  for (const subject of subjects) {
    test(`of ${subject} is whole at 1440 and 768 px, accessible in both themes, and sorts its rows`, async ({
      page,
    }) => {
      const differing: string[] = []
      await recordShifts(page)
      for (const { path } of await stops[subject]()) {
        await visit(page, path, 1440, 900)
        expect.soft(await wideTables(page), path).toEqual([])
        expect.soft(await squeezedNames(page), path).toEqual([])
        expect.soft(await recutTexts(page), path).toEqual([])
        expect.soft(await raggedFigures(page), path).toEqual([])
        expect.soft(await greyButtons(page), path).toEqual([])
        expect.soft(await systemLooks(page), path).toEqual([])
        expect.soft(await misspokenTexts(page), path).toEqual([])
        expect.soft(await violationsInBothThemes(page), path).toEqual([])
        await narrow(page, path, 768, 900)
        // Last, because it shows every column, which the browser remembers.
        await page.setViewportSize({ width: 1440, height: 900 })
        differing.push(...(await expectSorted(page)))
        await page.evaluate(() => localStorage.clear())
      }
      for (const one of sorted[subject])
        expect(
          differing.some((name) => name.startsWith(one)),
          one,
        ).toBe(true)
    })

    test(`of ${subject} is itself, and whole at 390 and 320 px`, async ({ page }) => {
      await recordShifts(page)
      for (const route of await stops[subject]()) {
        const { path } = route
        await visit(page, path, 390, 844)
        await expectItself(page, route)
        await narrow(page, path, 320, 844)
      }
    })
  }
})

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
