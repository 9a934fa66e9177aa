import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that depend on colors, which a theme can change. */
const colorRules = ['color-contrast', 'link-in-text-block']

type Rules = NonNullable<Parameters<AxeBuilder['options']>[0]['runOnly']>

/**
 * Runs the given rules, or all. The pages have no frames and only violations are reported, so axe needs neither a page
 * of its own nor the elements that pass: a third of the time.
 */
async function found(page: Page, runOnly?: Rules): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    // Hidden guards around an open menu only pass the focus on, which axe cannot detect.
    .exclude('[data-base-ui-focus-guard]')
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    .analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
  )
}

/** The violations of WCAG 2.2 AA that axe finds on the current page, one line each. */
export const violationsOf = (page: Page): Promise<string[]> => found(page, { type: 'tag', values: tags })

/** The violations of all axe rules, including best practices. */
export const violationsOfAnyRule = (page: Page): Promise<string[]> => found(page)

/** The violations of all rules in the light theme, and of colors in the dark theme. The page keeps the dark theme. */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await violationsOfAnyRule(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await found(page, { type: 'rule', values: colorRules })
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
