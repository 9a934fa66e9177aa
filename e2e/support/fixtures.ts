import { test as base, type BrowserContext, type Page } from '@playwright/test'
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
 * Playwright fills a field of Firefox by a script of its own that sets the value, which React takes for its own change:
 * the text is entered as the keyboard does instead. An editor notices either.
 */
async function fillByTyping(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let own: ((text: string) => void) | undefined
    const enter = (text: string): void => {
      if (document.activeElement?.matches('input, textarea')) document.execCommand('insertText', false, text)
      else own?.(text)
    }
    const descriptor = { get: () => enter, set: (given: typeof own) => void (own = given) }
    Object.defineProperty(window, '__pw_bidiInsertText', descriptor)
  })
}

/** Opens pages once their code is there: what the service has drawn until then takes no key and no click. */
function waitForCode(page: Page): void {
  const drawn = page.locator('#root > [inert]')
  const whole =
    <Given extends readonly unknown[], Answer>(open: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const answer = await open(...given)
      await drawn.waitFor({ state: 'detached' })
      return answer
    }
  page.goto = whole(page.goto.bind(page))
  page.reload = whole(page.reload.bind(page))
}

/** A further page of a context, which opens as the test's own page does. */
export async function newPageOf(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  waitForCode(page)
  return page
}

/** Playwright shows an error in Firefox's console without its message: writes it as text. */
async function writeErrorsAsText(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // oxlint-disable no-console -- it is the page's console
    const write = console.error.bind(console)
    console.error = (...all: unknown[]) =>
      write(...all.map((one) => (one instanceof Error ? `${String(one)}\n${one.stack}` : one)))
    // oxlint-enable no-console
  })
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
          // Firefox runs this in its first blank page too, which has no storage.
          if (origin !== 'null') localStorage.setItem('ridgeline.localToken', JSON.stringify(token))
        }, readLocalToken())
      await use()
    },
    { auto: true },
  ],
  watched: [
    async ({ page, browserName, expectedErrors }, use) => {
      const problems: string[] = []
      const note = (text: string): void => {
        if (!expectedErrors.some((expected) => expected.test(text))) problems.push(text)
      }
      const isFirefox = browserName === 'firefox'
      waitForCode(page)
      page.on('console', (message) => {
        // Chromium's own hints are warnings. Of Firefox, only what scripts write arrives here.
        const counts = message.type() === 'error' || (isFirefox && message.type() === 'warning')
        if (counts) note(`${message.text()} (${message.location().url})`)
      })
      page.on('pageerror', (error) => note(error.stack ?? error.message))
      page.on('dialog', (dialog) => {
        note(`a dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      if (isFirefox) {
        await fillByTyping(page)
        await writeErrorsAsText(page)
        // Chromium writes this to the console by itself.
        page.on('response', (response) => {
          const status = `${response.status()} (${response.statusText()})`
          if (!/^[123]/.test(status))
            note(
              `Failed to load resource: the server responded with a status of ${status} (${response.url()})`,
            )
        })
      }
      await use()
      base.expect(problems, 'what the browser complained of').toEqual([])
    },
    { auto: true },
  ],
})

export const { expect } = base
