import type { Page } from '@playwright/test'

// What a visitor's system asks of every page: colours of its own, no motion.

/** What runs longer than a blink. */
export const movingOn = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => Number(one.effect?.getComputedTiming().activeDuration ?? 0) > 50)
      .map((one) => (one.effect instanceof KeyframeEffect ? (one.effect.target?.className ?? '') : '')),
  )

/** Notes which boxes without text are seen by their colour only: bars, swatches, dots. */
export const noteMarks = (page: Page) =>
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
export const lostInForcedColours = (page: Page) =>
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
