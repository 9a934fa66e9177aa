import { startSample, type RunningSample } from '../../sample/testing/start.ts'
import { expect, test } from '../support/fixtures.ts'
import { descendantsOf, launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'
import { chains } from '../support/stack.ts'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

/*
 * Whether the pages report their own age correctly when a service really hangs, dies, returns or has to catch up.
 */
const { c } = chains
const of = `/chain/${c.id}`

/**
 * Seconds within which the top bar must report the lost connection: the heartbeat timeout and one check a second.
 */
const lostWithin = 12

const live = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Live · block [\d,]+ · / })
const lost = (page: Page) => page.getByRole('banner').getByTitle(/^The service has not answered since/)
const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'Can’t reach the service since' })

/** The duration of an action in seconds. */
async function seconds(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return (performance.now() - began) / 1000
}

test.describe('a service that hangs or dies', () => {
  test.describe.configure({ mode: 'serial' })
  // Console messages of the browser about requests to an unavailable service, and of React about parts that
  // failed to load.
  test.use({
    expectedErrors: [/Failed to load resource|ERR_CONNECTION|Its code could not be loaded|EventSource/],
  })
  const folder = temporaryFolder()
  let sample: RunningSample
  let stack: Launched
  let url = ''
  let hung: number | undefined

  const start = async (): Promise<void> => {
    const config = writeConfig(folder.path, { chains: [{ ...sample.chain(c.name), pollSeconds: 0.2 }] })
    const port = url === '' ? '0' : new URL(url).port
    stack = launch({ home: folder.path, args: ['--config', config], env: { PORT: port } })
    url = await stack.ready()
  }
  const hang = (): void => {
    hung = descendantsOf(stack.child.pid ?? 0).find(({ command }) => command.includes('server.js'))?.pid
    if (hung === undefined) throw new Error('the service has no process')
    process.kill(hung, 'SIGSTOP')
  }
  const goOn = (): void => {
    if (hung !== undefined) process.kill(hung, 'SIGCONT')
    hung = undefined
  }

  test.beforeAll(async () => {
    const program = fileURLToPath(new URL('../../dist/node/sample.js', import.meta.url))
    sample = await startSample({ program, hours: 6, now: Math.floor(Date.now() / 1000) })
    await start()
  })
  test.afterEach(goOn)
  test.afterAll(async () => {
    await stack.stop()
    await sample.stop()
    folder.remove()
  })

  test('a hang shows in the top bar until the service continues', async ({ page }) => {
    await page.goto(`${url}${of}`)
    await sample.control.mine({ chain: 'c', blocks: 1 })
    await expect(live(page)).toBeVisible()
    hang()
    expect(await seconds(() => expect(lost(page)).toBeVisible())).toBeLessThan(lostWithin)
    await expect(lost(page)).toContainText(/Connection lost · since \d\d:\d\d:\d\d UTC/)
    await expect(page.getByRole('main').getByText('Connection lost')).toBeVisible()
    await expect(notice(page)).toBeVisible()
    await expect(live(page)).toHaveCount(0)

    goOn()
    await sample.control.mine({ chain: 'c', blocks: 1 })
    await expect(live(page)).toBeVisible()
    await expect(notice(page)).toHaveCount(0)
    await expect(page.getByRole('main').getByText('Live', { exact: true })).toBeVisible()
  })

  test('a click during a hang shows within two seconds that the service does not answer, and its page opens later', async ({
    page,
  }) => {
    await page.goto(`${url}${of}`)
    await expect(page.getByRole('list', { name: 'Latest blocks' }).getByRole('link').first()).toBeVisible()
    hang()
    const waiting = page.getByRole('status').filter({ hasText: 'The service has not answered for' })
    await page.getByRole('link', { name: 'All transactions' }).click()
    expect(await seconds(() => expect(waiting.or(notice(page))).toBeVisible())).toBeLessThan(2.5)
    await expect(notice(page)).toBeVisible()
    goOn()
    await expect(page.getByRole('table', { name: /^Transactions/ })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(waiting).toHaveCount(0)
  })

  test('a list that waits for an answer keeps its filters, which lead back to what has loaded', async ({
    page,
  }) => {
    await page.goto(`${url}${of}/blocks`)
    const table = page.getByRole('table', { name: /^Blocks/ })
    await expect(table).toBeVisible()
    hang()
    const field = page.getByRole('textbox', { name: 'Jump to' })
    await field.fill('3')
    await field.press('Enter')
    const chip = page.getByRole('button', { name: 'Remove the filter: From block 3 down' })
    await expect(chip).toBeVisible()
    await expect(table).toHaveCount(0)
    // It is the same field: what is typed meanwhile goes nowhere else.
    await expect(field).toBeFocused()
    await chip.click()
    await expect(table).toBeVisible()
  })

  test('pages that failed while the service was down load by themselves, without a burst of requests', async ({
    page,
    context,
  }) => {
    // One page has its code and fails to load its data; the code of the other one fails to load.
    const other = await context.newPage()
    await page.goto(`${url}${of}/blocks`)
    await page.goto(`${url}${of}`)
    await other.goto(`${url}${of}`)
    await expect(page.getByRole('list', { name: 'Latest blocks' }).getByRole('link').first()).toBeVisible()
    await expect(live(other)).toBeVisible()
    await stack.stop()
    expect(await seconds(() => expect(lost(page)).toBeVisible())).toBeLessThan(lostWithin)

    let code = 0
    other.on('request', (request) => {
      if (request.url().includes('/assets/')) code += 1
    })
    await other.getByRole('main').getByRole('link', { name: 'Contracts' }).click()
    const failed = other.getByRole('main').getByRole('alert')
    await expect(failed).toContainText('This page could not be shown.')
    // The icon of a failure is shown although it was never requested before.
    const icon = failed.locator('svg').first()
    await expect.poll(() => icon.evaluate((svg: SVGSVGElement) => svg.getBBox().width)).toBeGreaterThan(10)
    // A few attempts, by hovering over the link, the click and the part of the page, but no endless retries.
    expect(code).toBeLessThan(10)
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Transactions', exact: true })
      .click()
    await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible()

    let asked = 0
    page.on('response', (response) => {
      if (response.url().includes('/v1/')) asked += 1
    })
    await start()
    await expect(page.getByRole('table', { name: /^Transactions/ })).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    await expect(other.getByRole('heading', { level: 1, name: 'Contracts' })).toBeVisible()
    await expect(live(page)).toBeVisible()
    expect(asked).toBeLessThan(20)
    await other.close()
  })

  test('a page that becomes visible again reports no state until the service has answered', async ({
    page,
  }) => {
    await page.goto(`${url}${of}`)
    await expect(live(page)).toBeVisible()
    hang()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    expect(await seconds(() => expect(live(page)).toHaveCount(0))).toBeLessThan(3)
    await expect(lost(page)).toBeVisible()
    goOn()
    await expect(live(page)).toBeVisible()
  })
})

test.describe('a first sync', () => {
  test.use({ expectedErrors: [/503 \(Service Unavailable\)/] })
  const folder = temporaryFolder()
  let sample: RunningSample | undefined
  let stack: Launched | undefined

  test.afterAll(async () => {
    await stack?.stop()
    await sample?.stop()
    folder.remove()
  })

  test('shows that the chain is catching up and how far it is behind, until the head is current', async ({
    page,
  }) => {
    const program = fileURLToPath(new URL('../../dist/node/sample.js', import.meta.url))
    // The node builds its history while it is indexed: the index is at its head, which is weeks old.
    sample = await startSample({
      program,
      hours: 500,
      now: Math.floor(Date.now() / 1000),
      live: true,
      early: true,
    })
    const config = writeConfig(folder.path, { chains: [{ ...sample.chain(c.name), pollSeconds: 0.2 }] })
    stack = launch({ home: folder.path, args: ['--config', config] })
    const url = await stack.url
    await page.goto(`${url}${of}`)
    const bar = page.getByRole('banner').getByRole('link')
    await expect(
      bar.filter({ hasText: /^Catching up · \d+ (d|h) behind · \d+ (s|min|h) left/ }),
    ).toBeVisible()
    await expect(
      page
        .getByRole('main')
        .getByText(/^The node itself is catching up|^Catching up\./)
        .first(),
    ).toBeVisible()
    await expect(page.getByRole('main').getByText(/^Live/)).toHaveCount(0)
    await sample.ready
    await expect(live(page)).toBeVisible()
  })
})
