import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** The rules that depend on colors: all that a theme can change. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Best practices that are not held: menus open outside the landmarks, and parts of a page begin at their own level. */
const notHeld = ['region', 'heading-order']

async function found(page: Page, rules?: string[]): Promise<string[]> {
  // Hidden guards around an open menu take the focus only to hand it on at once, which axe can't see.
  const axe = new AxeBuilder({ page }).exclude('[data-base-ui-focus-guard]').disableRules(notHeld)
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

/** What axe finds on the page as it is, by WCAG 2.2 AA and its own best practices, a line each. */
export const violationsOf = (page: Page): Promise<string[]> => found(page)

/** The same in the light theme, and what the colors of the dark theme violate. The page keeps the dark theme. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violationsOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await found(page, colorRules)
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
