import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The rules that depend on colors, which a theme can change. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Rows of a list after its first ones: they have the same colors, and contrast takes most of the time of axe. */
const laterRows = ['tbody tr:nth-child(n + 9)', 'li:nth-child(n + 9)']

/**
 * Runs the given rules, or all. The pages have no frames, so axe needs no page of its own; its code, which takes as long
 * to evaluate as many a page, is given to a document once; and only violations are reported, which spares axe the elements
 * that pass.
 */
async function found(
  page: Page,
  runOnly?: RunOptions['runOnly'],
  excluded: readonly string[] = [],
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const options: RunOptions = {
    resultTypes: ['violations'],
    ...(runOnly && { runOnly }),
    rules: { 'label-content-name-mismatch': { enabled: true } },
  }
  // Hidden guards around an open menu only pass the focus on, which axe cannot detect.
  const exclude = ['[data-base-ui-focus-guard]', ...excluded]
  return page.evaluate(
    async (given) => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(
        { exclude: given.exclude },
        given.options,
      )
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
      )
    },
    { exclude, options },
  )
}

/** The violations of WCAG 2.2 AA that axe finds on the current page, one line each. */
export const violationsOf = (page: Page): Promise<string[]> => found(page, { type: 'tag', values: tags })

/** The violations of all axe rules, including best practices. */
export const violationsOfAnyRule = (page: Page): Promise<string[]> => found(page)

/** Shows the page in a theme and waits until its colors have changed. */
async function inTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    const ending = document
      .getAnimations()
      .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map((one) => one.finished))
  })
}

/**
 * The violations of all rules in the light theme, and of colors in the dark theme, there without later rows of lists. The
 * page keeps the dark theme.
 */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await inTheme(page, 'light')
  const light = await violationsOfAnyRule(page)
  await inTheme(page, 'dark')
  const dark = await found(page, { type: 'rule', values: colorRules }, laterRows)
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}
