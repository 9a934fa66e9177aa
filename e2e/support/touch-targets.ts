import type { Page } from '@playwright/test'

/** The least height and width of what stands alone, in pixels (the `reach` of src/styles/index.css). */
const least = 40

/**
 * What stands alone on the page and a finger reaches less than 40 px of, by name, with the reach: buttons, tabs, fields,
 * menus and links. Links in running text, what is in rows of tables, lists and facts, and the bars of charts are left out: these are
 * dense.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((wanted) => {
    const candidates = [
      'a[href]',
      'button',
      'select',
      'summary',
      'input:not([type="hidden"])',
      'textarea',
      '[role="tab"]',
      '[role="menuitem"]',
    ]
    const dense = 'td, th, dd, main li, svg, figure [role="toolbar"]'
    /** Whether an element is in a line of text, which lays it out. */
    const isInText = (target: HTMLElement): boolean => {
      const isInline = (element: HTMLElement | null): boolean =>
        element !== null && getComputedStyle(element).display.startsWith('inline')
      let block = target.parentElement
      // What is within a box of a line counts as a block itself.
      while (block !== null && (isInline(block) || isInline(block.parentElement))) block = block.parentElement
      return (
        block !== null &&
        /^(block|list-item)$/.test(getComputedStyle(block).display) &&
        block.innerText.trim() !== target.innerText.trim()
      )
    }
    const found: string[] = []
    for (const target of document.querySelectorAll<HTMLElement>(candidates.join())) {
      if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
        // The slider of a chart is transparent.
        if (!(target instanceof HTMLInputElement && target.type === 'range')) continue
      }
      const isIcon = target instanceof HTMLButtonElement && target.innerText.trim() === ''
      if (target.closest(dense) !== null && !isIcon) continue
      const text = target.innerText.trim()
      if (target.matches('a, .link') && isInText(target)) continue
      const label = target instanceof HTMLInputElement ? (target.labels?.[0] ?? null) : null
      const isTick = target instanceof HTMLInputElement && /checkbox|radio/.test(target.type)
      const reached = isTick && label !== null ? label : target
      if (reached.getBoundingClientRect().width <= 1) continue
      reached.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
      const box = reached.getBoundingClientRect()
      const hits = (x: number, y: number): boolean => {
        const inside = Math.min(window.innerWidth - 1, Math.max(0, x))
        const hit = document.elementFromPoint(inside, y)
        return hit !== null && reached.contains(hit)
      }
      const x = box.left + box.width / 2
      const y = box.top + box.height / 2
      // Something lies over it, such as an open menu: it is not touched at all.
      if (!hits(x, y)) continue
      const half = wanted / 2 - 1
      const tall = box.height >= wanted || (hits(x, y - half) && hits(x, y + half))
      const wide = box.width >= wanted || (hits(x - half, y) && hits(x + half, y))
      if (tall && wide) continue
      const name = target.getAttribute('aria-label') ?? (text || target.outerHTML.slice(0, 80))
      found.push(
        `${target.tagName.toLowerCase()} ${name.replaceAll(/\s+/g, ' ').slice(0, 60)} (${Math.round(box.width)} × ${Math.round(box.height)})`,
      )
    }
    return [...new Set(found)]
  }, least)
}
