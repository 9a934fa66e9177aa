import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { openWhole, overflowOf, cutTexts, quiet } from './support/layout-measures.ts'
import { errorsOfPictures } from './support/parts.ts'
import { primaryIsLive } from './support/primary.ts'
import { stops, subjects } from './support/tour.ts'

// What a visitor's system asks of every page: colours of its own, no motion, text of twice the size.

test.use({ expectedErrors: [errorsOfPictures], isOperator: true })
test.beforeAll(async () => {
  await primaryIsLive()
})

/** What runs longer than a blink. */
const movingOn = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => Number(one.effect?.getComputedTiming().activeDuration ?? 0) > 50)
      .map((one) => (one.effect instanceof KeyframeEffect ? (one.effect.target?.className ?? '') : '')),
  )

/** Notes which boxes without text are seen by their colour only: bars, swatches, dots. */
const noteMarks = (page: Page) =>
  page.evaluate(() => {
    for (const box of document.querySelectorAll<HTMLElement>('main *')) {
      const { backgroundColor, borderTopWidth } = getComputedStyle(box)
      const { width, height } = box.getBoundingClientRect()
      const isColoured = !/^rgba\(.*, 0(\.0+)?\)$|transparent/.test(backgroundColor)
      const isBox = width > 2 && height > 2 && borderTopWidth === '0px' && box.childElementCount === 0
      // What is still to come, and the place of a picture that there is not, say nothing by their colour.
      const isMark = box.matches('span, div, i') && !box.matches('.skeleton, .bg-sunken')
      if (isColoured && isBox && box.textContent === '' && isMark) box.dataset['seenByColour'] = ''
    }
  })

/** The noted boxes that have taken the colour of the page, and chosen controls that look like the others. */
const lostInForcedColours = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('div')
    canvas.style.background = 'Canvas'
    document.body.append(canvas)
    const blank = getComputedStyle(canvas).backgroundColor
    canvas.remove()
    const marks = [...document.querySelectorAll<HTMLElement>('[data-seen-by-colour]')].filter(
      (box) => box.checkVisibility() && getComputedStyle(box).backgroundColor === blank,
    )
    const chosen = [
      ...document.querySelectorAll<HTMLElement>(
        '[role="tab"][aria-selected="true"], [aria-checked="true"], [aria-pressed="true"], [aria-current="page"]',
      ),
    ].filter((one) => one.checkVisibility() && getComputedStyle(one).outlineStyle === 'none')
    return [...marks, ...chosen].map((one) => one.outerHTML.slice(0, 160))
  })

test.describe('every page', () => {
  test.describe.configure({ mode: 'parallel' })

  for (const subject of subjects)
    test(`of ${subject} stands forced colours, reduced motion and twice the text size`, async ({ page }) => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      for (const { path } of await stops[subject]()) {
        await page.emulateMedia({ forcedColors: 'none' })
        await page.setViewportSize({ width: 1280, height: 900 })
        await openWhole(page, path)
        expect.soft(await movingOn(page), path).toEqual([])
        await noteMarks(page)
        await page.emulateMedia({ forcedColors: 'active' })
        expect.soft(await lostInForcedColours(page), path).toEqual([])
        // A window of 1280 px at 200 % has 640 px and text of the same size.
        await page.setViewportSize({ width: 640, height: 450 })
        await quiet(page)
        expect.soft(await overflowOf(page), path).toBe(0)
        expect.soft(await cutTexts(page), path).toEqual([])
      }
    })
})
