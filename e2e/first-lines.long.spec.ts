import { expect, test } from './support/fixtures.ts'
import { chains, serviceUrl } from './support/stack.ts'

const widths = [390, 800, 1440] as const

/** The first sentence of a page and the place of it: the text, then left, top and width in pixels. */
type Sentence = { readonly text: string; readonly at: readonly number[] }

/** Runs in the page. */
function sentenceOf(element: Element): Sentence {
  const { left, top, width } = element.getBoundingClientRect()
  return { text: element.textContent, at: [left, top, width] }
}

test.describe('the heading and first sentence of a page', () => {
  let pages: readonly (readonly [path: string, sentence: string])[]
  test.beforeAll(async ({ request }) => {
    const answer = await request.get(`${serviceUrl}/v1/chains/${chains.c.id}/transactions?pageSize=1`)
    const { transactions } = (await answer.json()) as { transactions: [{ txHash: string }] }
    pages = [
      ['/', 'main header + p'],
      [`/chain/${chains.c.id}/blocks`, 'main header + p'],
      [`/chain/${chains.c.id}/transactions`, 'main header + p'],
      [`/chain/${chains.c.id}/tx/${transactions[0].txHash}`, 'main section[aria-label="Summary"]'],
    ]
  })

  for (const width of widths)
    test(`are in the document, and where the page then has them, at ${width} px`, async ({ browser }) => {
      const viewport = { width, height: 900 }
      const without = await browser.newContext({ javaScriptEnabled: false, viewport })
      const withCode = await browser.newContext({ viewport })
      for (const [path, place] of pages) {
        const plain = await without.newPage()
        // A document does not wait for answers that are late, as on a loaded machine.
        await expect(async () => {
          await plain.goto(`${serviceUrl}${path}`)
          expect(await plain.locator(place).allTextContents()).toEqual([expect.stringMatching(/\S/)])
        }).toPass()
        const first = await plain.locator(place).evaluate(sentenceOf)
        const page = await withCode.newPage()
        const refusals: string[] = []
        page.on('console', (message) => message.type() === 'error' && refusals.push(message.text()))
        await page.goto(`${serviceUrl}${path}`)
        await expect(page.getByRole('navigation', { name: 'Main' })).toHaveCount(width < 768 ? 0 : 1)
        await expect(page.locator('#main h1')).toBeVisible()
        await expect(page.locator(place)).not.toHaveText('')
        const then = await page.locator(place).evaluate(sentenceOf)
        expect(then.at).toEqual(first.at)
        expect(first.text).toMatch(
          / transactions? on \d+ chains in the 24 hours | and paid a fee of | blocks up to block | of them in the last 24 h/,
        )
        // The hour may end between both, and the chain grows.
        if (path.includes('/tx/')) expect(then.text).toBe(first.text)
        expect(refusals).toEqual([])
        await plain.close()
        await page.close()
      }
      await without.close()
      await withCode.close()
    })

  test('are left out where there is no answer', async ({ request }) => {
    const answer = await request.get(`${serviceUrl}/chain/${chains.c.id}/tx/0x${'0'.repeat(64)}`)
    expect(answer.status()).toBe(200)
    expect(await answer.text()).toContain('<div id="root"></div>')
  })
})
