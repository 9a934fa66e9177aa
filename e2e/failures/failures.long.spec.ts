import { listChains } from '../../contract/evm/chains.ts'
import { startSample, type RunningSample } from '../../sample/testing/start.ts'
import { integer } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'
import { ask, chains, statusOf } from '../support/stack.ts'
import { fileURLToPath } from 'node:url'

const { c, meridian, harbor } = chains
const of = `/chain/${c.id}`
const unknownHash = `0x${'ab'.repeat(32)}`

test.describe('something that does not exist', () => {
  test.use({ expectedErrors: [/40[04] \((Not Found|Bad Request)\)/], isOperator: true })

  const missing = [
    ['a page', '/chain/43113/nothing', 'Page not found', 'Not found'],
    ['a chain', '/chain/999999', 'This chain is not indexed here', 'Unknown chain'],
    ['a height above the head', `${of}/block/99999999`, 'Block not found', 'Block not found'],
    ['an invalid height', `${of}/block/twelve`, 'Block not found', 'Block not found'],
    ['an unknown block hash', `${of}/block/${unknownHash}`, 'Block not found', 'Block not found'],
    [
      'an unknown transaction hash',
      `${of}/tx/${unknownHash}`,
      'Transaction not found',
      'Transaction not found',
    ],
    ['a truncated hash', `${of}/tx/0x12`, 'Transaction not found', 'Transaction not found'],
    ['a truncated address', `${of}/address/0x12`, 'Invalid address', 'Address'],
    [
      'a P-Chain address whose checksum is wrong',
      `/networks/fuji/addresses/fuji1${'q'.repeat(38)}`,
      'Invalid address',
      'Address',
    ],
  ] as const
  for (const [what, path, heading, title] of missing) {
    test(`${what} shows a message that it is missing, inside the frame`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
      await expect(page).toHaveTitle(`${title} · Ridgeline`)
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Overview' }).click()
      await expect(page).toHaveTitle('Overview · Ridgeline')
    })
  }

  test('an id that no fleet and no rule can have shows that there is none', async ({ page }) => {
    for (const [path, message] of [
      ['/fleets/nothing', 'No such fleet'],
      ['/alarms/rules/nothing', 'No such rule'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('main').getByText(message)).toBeVisible()
    }
  })
})

/**
 * A short sample network and a service with other settings: a low reorg limit, no traces on Harbor.
 */
test.describe('when a node is in trouble', () => {
  test.describe.configure({ mode: 'serial' })
  test.use({ expectedErrors: [/503 \(Service Unavailable\)/] })
  const folder = temporaryFolder()
  let sample: RunningSample
  let stack: Launched
  let url: string
  let entries: readonly object[]

  test.beforeAll(async () => {
    const program = fileURLToPath(new URL('../../dist/node/sample.js', import.meta.url))
    sample = await startSample({ program, hours: 12, now: Math.floor(Date.now() / 1000) })
    entries = [c, meridian, harbor].map(({ name }) => ({
      ...sample.chain(name),
      pollSeconds: 0.2,
      requestSeconds: 2,
      reorgLimit: 3,
      ...(name === harbor.name && { traces: 'off' }),
    }))
    stack = launch({ home: folder.path, args: ['--config', writeConfig(folder.path, { chains: entries })] })
    url = await stack.ready()
  })

  test.afterAll(async () => {
    await stack.stop()
    await sample.stop()
    folder.remove()
  })

  test('a node that answers 503 delays its chain, which shows the reason until the node is back', async ({
    page,
  }) => {
    const { number } = (await sample.control.heads()).c
    await page.goto(`${url}${of}`)
    await sample.control.addFault({ chain: 'c', kind: '503' })
    const main = page.getByRole('main')
    await expect(main.getByText(/^Late · no answer from the node for/)).toBeVisible()
    await expect(main.getByText(`What is shown ends at block ${integer(number)}`)).toBeVisible()
    // As a word: the ticks of an axis, read in one, may hold these digits.
    await expect(main.getByText(/\b503\b/)).toBeVisible()
    await expect(
      page.getByRole('banner').getByRole('link', { name: /^Late · no answer from the node for/ }),
    ).toBeVisible()
    // Data indexed earlier are still readable.
    await page.getByRole('list', { name: 'Latest blocks' }).getByRole('link').first().click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Block ${integer(number)}`)

    await sample.control.clearFaults()
    const { head } = await sample.control.mine({ chain: 'c', blocks: 1 })
    await page.goto(`${url}${of}`)
    await expect(main.getByText(/^Live/)).toBeVisible()
    await expect(page.getByRole('list', { name: 'Latest blocks' }).getByRole('link').first()).toHaveText(
      integer(head.number),
    )
  })

  test('a chain without traces says so instead of showing 0', async ({ page }) => {
    await page.goto(`${url}/chain/${harbor.id}/metrics/contracts`)
    await expect(page.getByText('Not traced')).toBeVisible()
    await page.goto(`${url}/chain/${harbor.id}`)
    await expect(page.getByText('blocks are not traced')).toBeVisible()
    await page.getByRole('link', { name: 'All transactions' }).click()
    await page.getByRole('table').locator('tbody tr').first().getByRole('link').first().click()
    await page.getByRole('tab', { name: 'Internal calls –' }).click()
    await expect(page.getByText('Not traced')).toBeVisible()
  })

  test.describe('without a primary network', () => {
    test.use({ expectedErrors: [/40[04] \((Not Found|Bad Request)\)/] })

    test('its pages say that the service has none, and how it gets one', async ({ page }) => {
      for (const path of ['', '/validators', '/p-chain/blocks']) {
        await page.goto(`${url}/networks/fuji${path}`)
        await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('Network not served here')
        await expect(page.getByRole('main')).toContainText('This service does not follow the network “fuji”')
        await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
      }
    })
  })

  test('a reorganization beyond the limit stops the chain, and its pages say so', async ({ page }) => {
    const { head } = await sample.control.mine({ chain: 'meridian', blocks: 8 })
    await expect.poll(async () => (await statusOf(meridian, url)).indexedBlock).toBe(String(head.number))
    await page.goto(`${url}/chain/${meridian.id}`)
    await sample.control.reorg({ chain: 'meridian', depth: 6 })
    const alert = page.getByRole('alert')
    await expect(alert).toContainText(`Indexing has stopped at block ${integer(head.number)}`)
    await expect(page.getByRole('main').getByText(/^Stopped · /)).toBeVisible()
    // Every page of the chain says how far it is.
    for (const part of ['blocks', 'tokens', 'contracts', 'metrics']) {
      await page.goto(`${url}/chain/${meridian.id}/${part}`)
      await expect(alert, part).toContainText(`Indexing has stopped at block ${integer(head.number)}`)
    }
    await page.goto(`${url}/chain/${meridian.id}`)
    await expect(page.getByRole('banner').getByRole('link', { name: /^Stopped · / })).toBeVisible()
    await page.goto(`${url}/chains`)
    const row = page
      .getByRole('table', { name: 'Chains' })
      .getByRole('row')
      .filter({ hasText: meridian.name })
    await expect(row).toContainText('Stopped')

    const listed = await ask(listChains, { base: url })
    expect(listed.chains.find(({ chainId }) => chainId === meridian.id)?.status).toBe('UNAVAILABLE')
    const ready = await fetch(`${url}/ready`)
    expect(ready.status).toBe(503)
    expect(await ready.text()).toContain(meridian.name)
    // The other chains continue.
    const { head: other } = await sample.control.mine({ chain: 'c', blocks: 1 })
    await expect.poll(async () => (await statusOf(c, url)).indexedBlock).toBe(String(other.number))
  })

  test('another chain at the same URL is refused, and the indexed data stay', async () => {
    await sample.control.identity({ chain: 'harbor', evmChainId: 424242 })
    await stack.stop()
    stack = launch({ home: folder.path, args: ['--config', writeConfig(folder.path, { chains: entries })] })
    url = await stack.url
    await expect
      .poll(async () => (await statusOf(harbor, url).catch(() => undefined))?.reason)
      .toContain('424242')
    expect((await statusOf(harbor, url)).state).toBe('stopped')
    await sample.control.identity({ chain: 'harbor' })
  })

  test.describe('and the rate limit is low', () => {
    // The page is open before the service's database is, so the first answers are 503.
    test.use({ expectedErrors: [/(429|503) \((Too Many Requests|Service Unavailable)\)/] })

    test('the page counts down to the next attempt', async ({ page }) => {
      const limited = temporaryFolder()
      const config = writeConfig(limited.path, {
        chains: entries.slice(0, 1),
        limits: { requestsPerMinute: 90 },
      })
      const tight = launch({ home: limited.path, args: ['--config', config] })
      const base = await tight.url
      await page.goto(`${base}/`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // The user's own scripts use up the rest.
      await expect(async () => expect((await fetch(`${base}/v1/chains`)).status).toBe(429)).toPass({
        intervals: [5],
      })
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Blocks', exact: true })
        .click()
      const notice = page.getByRole('alert').filter({ hasText: 'The rate limit is reached.' })
      await expect(notice).toHaveText(/Asking again in \d+ s\./)
      const seconds = Number(/\d+/.exec(await notice.innerText())?.[0])
      expect(seconds).toBeLessThanOrEqual(60)
      await expect(notice).toHaveText(new RegExp(`in ${seconds - 2} s`))
      // An open page would poll a service that is gone.
      await page.goto('about:blank')
      await tight.stop()
      limited.remove()
    })
  })
})
