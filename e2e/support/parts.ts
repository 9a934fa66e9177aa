import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** The value of a named fact or figure; `list` is the name of its list. */
export function fact(page: Page, list: string, label: string): Locator {
  const term = page.getByRole('term').getByText(label, { exact: true })
  return page.locator(`dl[aria-label="${list}"] > div`).filter({ has: term }).getByRole('definition').first()
}

/** Chooses a menu entry and reads the file that the browser then saves. */
export async function savedFrom(
  page: Page,
  menu: string,
  entry: string | RegExp,
  within: Pick<Page, 'getByRole'> = page,
): Promise<SavedFile> {
  await within.getByRole('button', { name: menu, exact: true }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: entry }).click()
  const download = await saving
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

type SavedFile = {
  readonly name: string
  readonly bytes: Buffer
}

/** A visible row of a list: its index from 0, and the texts of its cells. */
type SeenRows = ReadonlyMap<number, readonly string[]>

/**
 * Scrolls a list with the wheel until all its rows are loaded and each has been seen. Returns every row that was
 * rendered, by index. Throws when two different rows have the same index.
 */
export async function scrollToEnd(page: Page, table: Locator, loaded: RegExp): Promise<SeenRows> {
  const seen = new Map<number, readonly string[]>()
  const box = page.viewportSize()
  await page.mouse.move((box?.width ?? 800) / 2, (box?.height ?? 600) / 2)
  await expect(async () => {
    const rows = await table.locator('tbody tr[aria-rowindex]').evaluateAll((drawn) =>
      drawn.map((row) => ({
        index: Number(row.getAttribute('aria-rowindex')) - 2,
        cells: [...row.querySelectorAll('td')].map(
          (cell) => cell.querySelector('a')?.title || cell.innerText,
        ),
      })),
    )
    for (const { index, cells } of rows) {
      const before = seen.get(index)
      if (before !== undefined && before[0] !== cells[0])
        throw new Error(`row ${index} was ${before[0]} and is now ${cells[0]}`)
      seen.set(index, cells)
    }
    const text = await page.getByRole('status', { name: 'Rows' }).innerText()
    // Two turns of the wheel may be drawn as one: the rows between them are seen in another round.
    const isAtEnd = await page.evaluate(
      () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1,
    )
    if (isAtEnd && loaded.test(text)) await page.evaluate(() => scrollTo(0, 0))
    else await page.mouse.wheel(0, 700)
    expect(text).toMatch(loaded)
    expect(seen.size).toBe(Number(/^[\d,]+/.exec(text)?.[0].replaceAll(',', '')))
  }).toPass({ intervals: [20] })
  return new Map([...seen].sort(([left], [right]) => left - right))
}

/** Elements that untrusted text must not create: scripts, handlers, pictures and links of its own. */
export function foreignElements(page: Page): Promise<string[]> {
  return page
    .locator('main')
    .evaluate((main) =>
      [...main.querySelectorAll('*')].flatMap((element) => [
        ...(element.tagName === 'SCRIPT' ? ['a script'] : []),
        ...element.getAttributeNames().filter((name) => name.startsWith('on')),
        ...(element instanceof HTMLImageElement && new URL(element.src).origin !== location.origin
          ? [element.src]
          : []),
        ...(element instanceof HTMLAnchorElement && !/^(https?|ipfs):$/.test(element.protocol)
          ? [element.href]
          : []),
      ]),
    )
}

/**
 * Broken picture links of the sample are requested once and then replaced by a pattern; Chromium logs when it blocks
 * a
 * script in a sandboxed picture.
 */
export const errorsOfPictures = /404 \(Not Found\).*\/media|Blocked script execution .* sandboxed/

/** Opens a page and waits until no skeleton is visible in the window. */
export async function settle(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('#main').getByRole('heading', { level: 1 }), path).toBeVisible()
  await expect(async () => {
    const waiting = await page
      .locator('.skeleton')
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().top < window.innerHeight).length)
    expect(waiting, path).toBe(0)
  }).toPass()
}
