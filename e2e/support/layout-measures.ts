import { readFileSync } from 'node:fs'
import type { Page, Request } from '@playwright/test'
import { misspoken, readWords } from '../../scripts/words.mjs'
import { expect } from './fixtures.ts'

type Shift = {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRectReadOnly
    readonly currentRect: DOMRectReadOnly
  }[]
} & PerformanceEntry

/** Records every layout shift of the documents that the page opens from now on. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: string[] = []
    Object.assign(window, { shifts })
    const place = ({ x, y, width, height }: DOMRectReadOnly): string =>
      [x, y, width, height].map(Math.round).join()
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[])
        if (!entry.hadRecentInput)
          shifts.push(
            `${entry.value} ${entry.sources
              .map(({ node, previousRect, currentRect }) => {
                const name = node instanceof Element ? node.outerHTML.slice(0, 160) : node?.nodeName
                return `${name} from ${place(previousRect)} to ${place(currentRect)}`
              })
              .join(' | ')}`,
          )
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** The layout shifts of the document so far: their sum, and one line each. */
export async function shiftsOf(page: Page): Promise<{ sum: number; lines: readonly string[] }> {
  const lines = await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)
  return { sum: lines.reduce((total, line) => total + Number.parseFloat(line), 0), lines }
}

/** How many pixels the document is wider than the window: 0 if it does not scroll sideways. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - window.innerWidth))
}

/**
 * The visible controls of which a part is beyond the left or right edge of the window, unless something scrolls to it or
 * shortens their text.
 */
export function controlsBeyond(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex="0"]')]
      .filter((control) => {
        const { left, right, width } = control.getBoundingClientRect()
        // What is a pixel wide is for screen readers.
        if (width <= 1 || (left >= -1 && right <= window.innerWidth + 1)) return false
        for (let outer = control.parentElement; outer !== null; outer = outer.parentElement) {
          const { overflowX, textOverflow } = getComputedStyle(outer)
          if (textOverflow === 'ellipsis') return false
          if (/auto|scroll/.test(overflowX) && outer.scrollWidth > outer.clientWidth) return false
        }
        return control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      })
      .map((control) => control.outerHTML.slice(0, 160)),
  )
}

const underway = new WeakMap<Page, Set<Request>>()

/** The page's pending requests, from the first call on; the event stream never ends. */
function requestsOf(page: Page): Set<Request> {
  const known = underway.get(page)
  if (known) return known
  const waiting = new Set<Request>()
  underway.set(page, waiting)
  page.on('request', (request) => {
    // Requests of the previous document have ended with it, which not every browser reports.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) waiting.clear()
    if (request.resourceType() !== 'eventsource' && !request.url().endsWith('/events')) waiting.add(request)
  })
  page.on('requestfinished', (request) => waiting.delete(request))
  page.on('requestfailed', (request) => waiting.delete(request))
  return waiting
}

/** Waits until the page is fully drawn: no pending request, no visible skeleton. */
export async function quiet(page: Page): Promise<void> {
  const waiting = requestsOf(page)
  await expect(async () => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(
      [...waiting].map((request) => request.url()),
      page.url(),
    ).toEqual([])
    const skeletons = await page
      .locator('.skeleton')
      .evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().top < window.innerHeight)
          .map((one) => one.closest('section, table, main')?.outerHTML.slice(0, 160)),
      )
    expect(skeletons, page.url()).toEqual([])
  }).toPass({ intervals: [20, 50, 100] })
}

/** Opens a page and waits until it is fully drawn, including fonts. */
export async function openWhole(page: Page, path: string): Promise<void> {
  requestsOf(page)
  await page.goto(path)
  // The document may have a heading already: the page's own is in its frame.
  await expect(page.locator('#main').getByRole('heading', { level: 1 }), path).toBeVisible()
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await quiet(page)
}

/** The tables of which a part is beyond the edge of the page and found by scrolling only: name and hidden pixels. */
export function wideTables(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main table')].flatMap((table) => {
      const place = table.closest('.overflow-x-auto')
      const beyond = place ? place.scrollWidth - place.clientWidth : 0
      return beyond > 1 ? [`${table.getAttribute('aria-label') ?? ''}: ${beyond} px`] : []
    }),
  )
}

/**
 * The figures, and the names and notes of figures and fields, whose boxes hide a part of them. Hashes, addresses, ids and the
 * names of tokens may be shortened, and so may whole numbers of more than fifteen digits whose title has the exact
 * value: amounts of tokens without decimals.
 */
export function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const identifier = /0x[0-9a-f]{6}|NodeID-|…[0-9A-Za-z]{4}|[a-z]{1,16}1[02-9ac-hj-np-z]{8}/
    const figure = /^[−+-]?[$€£]?\d[\d,]*(\.\d+)?(%|(\s\S{1,12}){0,3})$/
    const endless = /^[−+-]?\d[\d,]{19,}/
    const stranger = /[<>"]/
    const found: string[] = []
    for (const box of document.querySelectorAll<HTMLElement>('body *')) {
      if (box.closest('svg, .sr-only') !== null || !box.checkVisibility()) continue
      const size = `(${box.clientWidth} of ${box.scrollWidth} px)`
      if (box instanceof HTMLInputElement) {
        const hint = box.placeholder
        const style = getComputedStyle(box)
        const pen = document.createElement('canvas').getContext('2d')
        if (box.value !== '' || hint === '' || !pen) continue
        // The shorthand is empty where figures are tabular.
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
        // Firefox leaves the padding of a field out of its `clientWidth`.
        const beside = [style.borderLeftWidth, style.paddingLeft, style.paddingRight, style.borderRightWidth]
        const room = beside.reduce((left, one) => left - Number.parseFloat(one), box.offsetWidth)
        if (pen.measureText(hint).width > room) found.push(`the hint "${hint}" in ${room} px`)
        continue
      }
      const { overflowX } = getComputedStyle(box)
      if (overflowX !== 'hidden' && overflowX !== 'clip') continue
      if (box.clientWidth <= 1 || box.scrollWidth <= box.clientWidth) continue
      const text = box.innerText.trim()
      // The last line of a figure says what it is of.
      const isName = box.matches('dt, th, label, h1, h2, h3, dl > div > dd:last-child')
      if (!isName && !figure.test(text)) continue
      if (identifier.test(text) || stranger.test(text) || endless.test(text)) continue
      found.push(`${text.slice(0, 80)} ${size}`)
    }
    return found
  })
}

/**
 * The names in tables of which fewer than about eight letters are left: they tell nothing apart. Their columns have room
 * for more, or what stands beside them has to give way.
 */
export function squeezedNames(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main td :is([data-value], .truncate)')]
      .filter((name) => name.checkVisibility() && !/^0x|…|NodeID-/.test(name.innerText))
      .filter(
        ({ clientWidth, scrollWidth }) => clientWidth > 1 && clientWidth < 64 && scrollWidth > clientWidth,
      )
      .map((name) => `${name.innerText.trim().slice(0, 40)} (${name.clientWidth} of ${name.scrollWidth} px)`),
  )
}

/**
 * What lacks characters in tables because its column is too narrow: hashes and IDs of their shortened form, and states of their
 * one word.
 */
export function recutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const heads = [...document.querySelectorAll<HTMLElement>('main td [data-value] > .break-all')].filter(
      (head) => head.scrollHeight > head.clientHeight + 2,
    )
    const short = [...document.querySelectorAll<HTMLElement>('main td .truncate')].filter(
      (text) =>
        text.scrollWidth > text.clientWidth &&
        (/^(0x|NodeID-)?\w+…\w+$/.test(text.innerText.trim()) || text.closest('.rounded-full') !== null),
    )
    return [...heads, ...short]
      .filter((text) => text.checkVisibility())
      .map((text) => {
        const cell = text.closest('td')
        const table = cell?.closest('table')
        const heading = table?.querySelectorAll('th')[cell?.cellIndex ?? 0]?.innerText ?? ''
        return `${table?.getAttribute('aria-label') ?? ''}, ${heading}: ${text.innerText || (text.parentElement?.title ?? '')}`
      })
  })
}

/** The texts in cells of tables that are drawn over a text of another cell of their row. */
export function overlaidCells(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const rectsOf = (cell: HTMLElement): DOMRect[] => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      const rects: DOMRect[] = []
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const holder = node.parentElement
        if (!holder?.checkVisibility() || holder.closest('.sr-only, svg')) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        let [right, bottom] = [Infinity, Infinity]
        // What is cut off is not drawn.
        for (let box: Element = holder; ; box = box.parentElement ?? cell) {
          if (box.matches('.truncate, .overflow-hidden')) {
            const edges = box.getBoundingClientRect()
            right = Math.min(right, edges.right)
            bottom = Math.min(bottom, edges.bottom)
          }
          if (box === cell) break
        }
        for (const edges of range.getClientRects()) {
          const width = Math.min(edges.right, right) - edges.x
          const height = Math.min(edges.bottom, bottom) - edges.y
          if (width > 0 && height > 0) rects.push(new DOMRect(edges.x, edges.y, width, height))
        }
      }
      return rects
    }
    const meet = (one: DOMRect, other: DOMRect): boolean =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4
    const textOf = (cell: HTMLElement): string => cell.innerText.trim().slice(0, 30)
    return [...document.querySelectorAll<HTMLTableRowElement>('main tr')].flatMap((row) => {
      const cells = [...row.cells].map((cell) => ({ cell, rects: rectsOf(cell) }))
      return cells.flatMap(({ cell, rects }, index) =>
        cells
          .slice(index + 1)
          .filter((other) => rects.some((one) => other.rects.some((next) => meet(one, next))))
          .map((other) => `${textOf(cell)} over ${textOf(other.cell)}`),
      )
    })
  })
}

/** The selections and what folds that have the arrow or the triangle of the system instead of the page's own. */
export function systemLooks(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('select, summary')]
      .filter((one) => {
        const { appearance, display } = getComputedStyle(one)
        // A triangle is the marker of a list item.
        return one.matches('select') ? !/^(none|base-select)$/.test(appearance) : display === 'list-item'
      })
      .map((one) => one.outerHTML.slice(0, 160)),
  )
}

/** The words of the glossary that replace others. */
const words = readWords(readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8'))

/** The texts, tooltips and names on the page with words that the glossary replaces. */
export async function misspokenTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found = new Set<string>()
    const isCode = (element: Element): boolean => element.closest('code, pre, textarea, .font-mono') !== null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement?.checkVisibility() && !isCode(node.parentElement))
        found.add(node.textContent ?? '')
    for (const name of ['title', 'placeholder', 'aria-label'])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (!isCode(element)) found.add(element.getAttribute(name) ?? '')
    return [...found]
  })
  // Each text is a document of its own.
  return misspoken(words, new Map(texts.map((text) => [`${text.slice(0, 80)}.md`, text])))
}

/** The buttons that cannot be pressed and do not say why. */
export function greyButtons(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLButtonElement>('main button:disabled')]
      .filter((button) => button.checkVisibility() && button.title === '')
      .map((button) => button.innerText || button.outerHTML.slice(0, 160)),
  )
}

/**
 * The figures in tables that cannot be compared at a glance: in a monospaced font beside the page's own, with more than six
 * significant digits and a fraction, or with a decimal point that is not below those of its column although there is room.
 * A result of SQL has the digits that were asked for.
 */
export function raggedFigures(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const figure = /^[−+-]?[$€£#]?[\d,]+(\.\d+)?$/
    for (const table of document.querySelectorAll<HTMLTableElement>('main table')) {
      const name = table.getAttribute('aria-label') ?? table.caption?.innerText ?? ''
      const columns = new Map<
        string,
        { x: number; whole: number; behind: number; room: number; text: string }[]
      >()
      const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const holder = node.parentElement
        const cell = holder?.closest('td')
        const text = node.textContent ?? ''
        if (!holder?.checkVisibility() || !cell || !figure.test(text)) continue
        if (getComputedStyle(holder).fontFamily.includes('mono')) found.push(`${name}: ${text} in mono`)
        if (!holder.matches('.decimal')) continue
        const digits = text
          .replace(/^\D*0\./, '')
          .replaceAll(/\D/g, '')
          .replace(/^0+/, '')
        if (text.includes('.') && digits.length > 6 && name !== 'Result') found.push(`${name}: ${text}`)
        // No column keeps room for the decimals of dust.
        if ((text.split('.')[1]?.length ?? 0) > 9) continue
        // Sums are in bold, whose digits are wider.
        if (
          !cell.matches('.text-right') ||
          cell.closest('tfoot') ||
          cell.querySelectorAll('.decimal').length > 1
        )
          continue
        const at = text.includes('.') ? text.indexOf('.') : text.length
        const range = document.createRange()
        range.setStart(node, 0)
        range.setEnd(node, at)
        const before = range.getBoundingClientRect()
        range.selectNodeContents(node)
        const all = range.getBoundingClientRect()
        const { paddingLeft, paddingRight } = getComputedStyle(cell)
        const unit = holder.nextSibling
        if (unit) range.selectNodeContents(unit)
        const beside = unit ? range.getBoundingClientRect().width : 0
        const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
        const room = cell.clientWidth - padding - beside
        // Behind a unit of another length, it is the units that are below each other.
        const key = `${cell.cellIndex} ${holder.nextSibling?.textContent ?? ''}`
        const whole = before.width
        const one = { x: before.right, whole, behind: all.right - before.right, room, text }
        columns.set(key, [...(columns.get(key) ?? []), one])
      }
      const indices = [...columns.keys()].map((key) => key.split(' ', 1)[0])
      for (const [key, figures] of columns) {
        const [index] = key.split(' ', 1)
        if (indices.filter((one) => one === index).length > 1) continue
        const most = (of: 'whole' | 'behind'): number => Math.max(...figures.map((one) => one[of]))
        const [first] = figures
        if (!first || most('whole') + most('behind') > first.room - 8) continue
        const off = figures.find(({ x }) => Math.abs(x - first.x) > 1.5)
        if (off) found.push(`${name}: ${off.text} is not below ${first.text}`)
      }
    }
    return found
  })
}
