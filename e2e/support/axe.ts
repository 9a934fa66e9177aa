import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that depend on colors, which a theme can change. */
const colorRules = ['color-contrast', 'link-in-text-block']

async function found(page: Page, narrow: (axe: AxeBuilder) => AxeBuilder): Promise<string[]> {
  // Hidden guards around an open menu only pass the focus on, which axe cannot detect.
  const axe = new AxeBuilder({ page }).exclude('[data-base-ui-focus-guard]')
  const { violations } = await narrow(axe).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

/** The violations of WCAG 2.2 AA that axe finds on the current page, one line each. */
export const violationsOf = (page: Page): Promise<string[]> => found(page, (axe) => axe.withTags(tags))

/** The violations of all axe rules, including best practices. */
export const violationsOfAnyRule = (page: Page): Promise<string[]> => found(page, (axe) => axe)

/** The violations in the light theme, and those of the colors of the dark theme. The page keeps the dark theme. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violationsOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await found(page, (axe) => axe.withRules(colorRules))
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
