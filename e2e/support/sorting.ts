import { expect, type Locator, type Page } from '@playwright/test'
import { quiet } from './layout-measures.ts'

/**
 * A cell as the page shows it: the moment of a time, the rate in words as a number per second, the number that the text
 * begins with, or the text.
 */
type Shown = number | string | null

const secondsOf: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600, d: 86_400 }

/** What "every 3 min" is a second: a shorter interval is a higher rate, as "2 per second" is than "1 per second". */
function perSecondOf(text: string): number | undefined {
  const [, count, unit = ''] = /^every (\d+) (\w+)$/.exec(text) ?? []
  const seconds = secondsOf[unit]
  return count === undefined || seconds === undefined ? undefined : 1 / (Number(count) * seconds)
}

const shownOf = ({ text, time }: { text: string; time: string | undefined }): Shown => {
  if (time !== undefined) return Date.parse(time)
  if (/^[–-]?$/.test(text)) return null
  const rate = perSecondOf(text)
  if (rate !== undefined) return rate
  const figure = /^-?[\d,]+(\.\d+)?/.exec(text)?.[0]
  return figure === undefined ? text : Number(figure.replaceAll(',', ''))
}

/** Negative if the first value comes first in ascending order; an absent value comes before all others. */
function compare(left: Shown, right: Shown): number {
  if (left === null || right === null) return Number(left !== null) - Number(right !== null)
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return String(left).localeCompare(String(right), 'en')
}

/** The values of a column, from the first row to the last. */
async function columnOf(table: Locator, header: string): Promise<Shown[]> {
  const cells = await table.evaluate((element, name) => {
    const heads = [...element.querySelectorAll('thead th')].map((head) => head.textContent)
    const at = heads.findIndex((text) => text.replace(/ [↑↓]$/, '') === name)
    return [...element.querySelectorAll('tbody tr[aria-rowindex]')].map((row) => {
      const cell = row.querySelectorAll('td')[at]
      return {
        text: cell?.innerText.trim() ?? '',
        time: cell?.querySelector('time')?.dateTime,
      }
    })
  }, header)
  return cells.map(shownOf)
}

/** Shows every column that a table can show. */
async function showAllColumns(page: Page): Promise<void> {
  // The label is there from the first paint; the menu's code loads later.
  if ((await page.getByText('Columns', { exact: true }).count()) === 0) return
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  const unchecked = page.getByRole('menuitemcheckbox', { checked: false })
  for (let left = await unchecked.count(); left > 0; left -= 1) {
    await unchecked.first().click()
    await expect(unchecked).toHaveCount(left - 1)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
}

/** How the names of tables begin whose columns sort one way: the highest first. */
const oneWay = /^Contracts of /

/**
 * Sorts the open page's table by each of its columns, both ways, and expects the rows in the order of the shown values.
 * Returns the columns in which rows differ, so that their order means something, as "table: column".
 */
export async function expectSorted(page: Page): Promise<string[]> {
  const table = page.locator('table:has(th[aria-sort])')
  if ((await table.count()) === 0) return []
  const label = (await table.getAttribute('aria-label')) ?? ''
  await showAllColumns(page)
  const differing: string[] = []
  const names = await table.locator('th[aria-sort]').allInnerTexts()
  for (const name of names.map((text) => text.replace(/ [↑↓]$/, ''))) {
    const head = table.locator('th[aria-sort]').filter({ hasText: name })
    const orders = new Set<string>()
    for (let clicks = 0; clicks < 2; clicks += 1) {
      await head.getByRole('button').click()
      await quiet(page)
      const order = (await head.getAttribute('aria-sort')) ?? 'none'
      expect(['ascending', 'descending'], `${label}, ${name}`).toContain(order)
      orders.add(order)
      const shown = await columnOf(table, name)
      const sign = order === 'ascending' ? 1 : -1
      expect
        .soft(shown, `${label}, ${name}, ${order}`)
        .toEqual(shown.toSorted((left, right) => sign * compare(left, right)))
      if (new Set(shown).size > 1) differing.push(`${label}: ${name}`)
    }
    expect.soft(orders.size, `ways of ${label}, ${name}`).toBe(oneWay.test(label) ? 1 : 2)
  }
  return differing
}
