import type { Page, Request } from '@playwright/test'
import { expect } from './fixtures.ts'

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node: Node | null }[]
}

/** Records every layout shift of the documents that the page opens from now on. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        if (!entry.hadRecentInput)
          shifts.push(
            `${entry.value} ${entry.sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 160) : node?.nodeName)).join(' | ')}`,
          )
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** The layout shifts of the document so far: their sum, and a line for each. */
export async function shiftsOf(page: Page): Promise<{ sum: number; lines: readonly string[] }> {
  const lines = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
  return { sum: lines.reduce((total, line) => total + Number.parseFloat(line), 0), lines }
}

const underway = new WeakMap<Page, Set<Request>>()

/** The requests of the page that are under way, from the first call on; the stream of events never ends. */
function requestsOf(page: Page): Set<Request> {
  const known = underway.get(page)
  if (known) return known
  const waiting = new Set<Request>()
  underway.set(page, waiting)
  page.on('request', (request) => {
    // What the document before this one waited for has ended with it, and not every browser says so.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear()
    if (request.resourceType() !== 'eventsource' && !request.url().endsWith('/events')) waiting.add(request)
  })
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  return waiting
}

/** Waits until the page has drawn everything that it has asked for: no request under way, no skeleton in view. */
export async function quiet(page: Page): Promise<void> {
  const waiting = requestsOf(page)
  await expect(async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect([...waiting].map((request) => request.url())).toEqual([])
    const skeletons = await page
      .locator('.skeleton')
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().top < window.innerHeight).length)
    expect(skeletons).toBe(0)
  }).toPass({ intervals: [20, 50, 100], timeout: 60_000 })
}

/** Opens a page and waits until it has drawn everything, fonts included. */
export async function openWhole(page: Page, path: string): Promise<void> {
  requestsOf(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await quiet(page)
}

/**
 * The texts that the page cuts: their boxes hide a part of what they hold. Hashes, addresses and ids may be
 * shortened, and so may the texts of strangers, which have their whole text as a title.
 */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    for (const box of document.querySelectorAll<HTMLElement>('body *')) {
      if (box.closest('svg, .sr-only') || !box.checkVisibility()) continue
      const { overflowX } = getComputedStyle(box)
      if (box instanceof HTMLInputElement || box instanceof HTMLSelectElement) {
        if (box.value === '' && box instanceof HTMLInputElement && box.placeholder !== '') {
          if (box.scrollWidth > box.clientWidth || box.clientWidth < 60)
            found.push(`field "${box.placeholder}" ${box.clientWidth} px`)
        }
        continue
      }
      if (overflowX !== 'hidden' && overflowX !== 'clip') continue
      if (box.scrollWidth <= box.clientWidth || box.clientWidth <= 1) continue
      found.push(
        `<${box.tagName.toLowerCase()}> ${box.innerText.slice(0, 80).replaceAll('\n', ' / ')} (${box.clientWidth} of ${box.scrollWidth}) [${box.className.slice(0, 60)}]`,
      )
    }
    return found
  })
}
