import { test as base } from '@playwright/test'
import { readLocalToken } from './stack.ts'

type Options = {
  /** Whether the browser has the local token from the start, as after the operator's link. */
  readonly isOperator: boolean
  /** Console errors that a test provokes on purpose; any other error fails it. */
  expectedErrors: readonly RegExp[]
}

type Fixtures = {
  token: void
  watched: void
}

/**
 * A test that fails on a console error, an uncaught exception, a dialog or a report of the content security policy,
 * which browsers write to the console.
 */
export const test = base.extend<Options & Fixtures>({
  expectedErrors: [[], { option: true }],
  isOperator: [false, { option: true }],
  token: [
    async ({ page, isOperator }, use) => {
      if (isOperator)
        await page.addInitScript((token) => {
          localStorage.setItem('ridgeline.localToken', JSON.stringify(token))
        }, readLocalToken())
      await use()
    },
    { auto: true },
  ],
  watched: [
    async ({ page, expectedErrors }, use) => {
      const problems: string[] = []
      const note = (text: string): void => {
        if (!expectedErrors.some((expected) => expected.test(text))) problems.push(text)
      }
      page.on('console', (message) => {
        if (message.type() === 'error') note(`${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', (error) => note(error.stack ?? error.message))
      page.on('dialog', (dialog) => {
        note(`a dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      await use()
      base.expect(problems, 'what the browser complained of').toEqual([])
    },
    { auto: true },
  ],
})

export const { expect } = base
