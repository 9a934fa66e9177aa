import { EventEmitter, once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, test } from './support/fixtures.ts'
import { openWhole, wideTables } from './support/layout-measures.ts'
import { nodeAt } from './support/node.ts'
import { errorsOfPictures } from './support/parts.ts'
import { network, primaryIsLive } from './support/primary.ts'
import { routeOf, routes, titlePatternOf } from './support/routes.ts'
import { chains, change, rpcUrlOf, serviceUrl } from './support/stack.ts'
import { expectItself, expectWhole, stops, subjects, type Stop } from './support/tour.ts'

// Runs in Firefox, in the project of that name (playwright.config.ts), as some other files do.

test.skip(
  process.env['RIDGELINE_FIREFOX'] === undefined,
  'there is no Firefox: see scripts/support/bootstrap.mjs',
)
test.use({ expectedErrors: [errorsOfPictures], isOperator: true })
test.beforeAll(async () => {
  await primaryIsLive()
})

/** The pages of a fleet and of a rule, which exist once somebody has made one. */
const made = ['/fleets/:fleetId', '/alarms/rules/:ruleId']

/** Makes a fleet and a rule; `remove` deletes both. */
async function makeWatch(name: string): Promise<{ stops: readonly Stop[]; remove: () => Promise<void> }> {
  const { fleet } = await change<{ fleet: { fleetId: string } }>('/v1/watch/fleets', { network, name })
  const rule = await change<{ ruleId: string }>('/v1/watch/rules', {
    name,
    kind: 'chainQuiet',
    chainId: chains.c.id,
    isEnabled: false,
  })
  const paths = [`/fleets/${fleet.fleetId}`, `/alarms/rules/${rule.ruleId}`]
  return {
    stops: paths.map((path) => ({ path, title: titlePatternOf(path), heading: name })),
    remove: async () => {
      await change(`/v1/watch/fleets/${fleet.fleetId}:delete`)
      await change(`/v1/watch/rules/${rule.ruleId}:delete`)
    },
  }
}

test('the tour has a stop at every route', async () => {
  const all = await Promise.all(subjects.map((subject) => stops[subject]()))
  const visited = new Set([...made, ...all.flat().map(({ path }) => routeOf(path.replace(/\?.*/, '')))])
  expect(routes.filter((route) => !visited.has(route))).toEqual([])
})

// Each page is seen in both themes and at both widths, but not in all four combinations.
for (const { width, height, theme } of [
  { width: 1440, height: 900, theme: 'light' },
  { width: 390, height: 844, theme: 'dark' },
])
  test.describe(`at ${width} px in the ${theme} theme, every page`, () => {
    test.describe.configure({ mode: 'parallel' })
    test.use({ viewport: { width, height } })

    /** Each page is drawn in the theme, is itself, and nothing of it is cut off. */
    async function tour(page: Page, all: readonly Stop[]): Promise<void> {
      await page.addInitScript((chosen) => {
        if (origin !== 'null') localStorage.setItem('ridgeline.settings', JSON.stringify({ theme: chosen }))
      }, theme)
      for (const stop of all) {
        const { path } = stop
        await openWhole(page, path)
        await expectItself(page, stop)
        await expectWhole(page, path)
        if (width === 1440) expect.soft(await wideTables(page), path).toEqual([])
        expect.soft(await page.locator('html').getAttribute('data-theme'), path).toBe(theme)
      }
    }

    for (const subject of subjects)
      test(`of ${subject} is itself and whole`, async ({ page }) => {
        await tour(page, await stops[subject]())
      })

    test('of a fleet and of a rule is itself and whole', async ({ page }) => {
      const watch = await makeWatch(`Seen at ${width} px ${test.info().retry}`)
      try {
        await tour(page, watch.stops)
      } finally {
        await watch.remove()
      }
    })
  })

// What frame.spec.ts and tasks.spec.ts, which run in Firefox too, do not do.

test('a chart shows the reading under the pointer, and a drag over it selects a range', async ({ page }) => {
  await openWhole(page, `/chain/${chains.c.id}/metrics/txCount`)
  const figure = page.getByRole('figure', { name: 'C-Chain, Transactions' })
  const over = figure.getByRole('slider')
  await over.hover()
  await expect(figure.locator('[data-crosshair-dot]')).toBeVisible()
  await expect(figure.getByText(/^[\d,]+ tx$/).last()).toBeInViewport({ ratio: 1 })
  const box = await over.boundingBox()
  if (box === null) throw new Error('the chart is not drawn')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.3, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/\?from=\d+&to=\d+$/)
})

test('the editor of SQL completes what is typed, and runs it by keys', async ({ page }) => {
  const block = await nodeAt(rpcUrlOf(chains.c)).block(7)
  await openWhole(page, '/sql')
  const field = page.getByRole('textbox', { name: 'SQL' })
  await field.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('select hash from bloc')
  await expect(page.getByRole('option', { name: /^blocks/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Tab')
  await page.keyboard.type(` where chain = ${chains.c.id} and number = 7`)
  await expect(field).toHaveText(`select hash from blocks where chain = ${chains.c.id} and number = 7`)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Result' })).toContainText(block.hash)
})

test('what is still loading when a page is left does not count as failed', async ({ page }) => {
  // A service that never sends the code of one tab, and the next page only when it is told to.
  const told = new EventEmitter()
  const held = once(told, 'held')
  const slow = createServer((asked, answer) => {
    const { url = '/', method, headers } = asked
    const pass = (): void => {
      const passed = request(serviceUrl + url, { method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      })
      passed.on('error', () => answer.destroy())
      asked.pipe(passed)
    }
    if (/history-tab-.*\.js/.test(url)) told.emit('held')
    else if (url === '/settings') told.once('next', pass)
    else pass()
  })
  slow.listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const { port } = slow.address() as AddressInfo
  // oxlint-disable-next-line no-console -- tells the test
  await page.addInitScript(() => addEventListener('vite:preloadError', () => console.log('ended')))
  await page.goto(`http://127.0.0.1:${port}/signatures`)
  await page.getByRole('tab', { name: 'History' }).click()
  await held
  const ended = page.waitForEvent('console', (message) => message.text() === 'ended')
  await page.evaluate(() => {
    location.href = '/settings'
  })
  await ended
  // React draws a failure within a third of a second. Locators would wait for the next page.
  const alerts = await page.evaluate(async () => {
    for (let frame = 0; frame < 60; frame += 1) await new Promise((done) => requestAnimationFrame(done))
    return document.querySelectorAll('[role="tabpanel"] [role="alert"]').length
  })
  expect(alerts).toBe(0)
  told.emit('next')
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  slow.closeAllConnections()
  slow.close()
})
