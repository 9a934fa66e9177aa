import { sampleControl } from '../sample/testing/control.ts'
import { mineC } from './support/arrivals.ts'
import { integer } from './support/figures.ts'
import { expect, test } from './support/fixtures.ts'
import { chains, sampleUrl, statusOf } from './support/stack.ts'

const control = sampleControl(sampleUrl)
const { c, meridian } = chains

const heightIn = (text: string): number => Number(text.replaceAll(',', ''))

test('the feed follows the head', async ({ page }) => {
  await page.goto(`/chain/${c.id}`)
  const blocks = page.getByRole('list', { name: 'Latest blocks' })
  const first = blocks.getByRole('link').first()
  await expect(first).toBeVisible()
  const before = heightIn(await first.innerText())
  await expect(async () => expect(heightIn(await first.innerText())).toBeGreaterThan(before + 1)).toPass()
  const shown = await blocks.getByRole('link').allInnerTexts()
  const top = heightIn(shown[0] ?? '')
  expect(shown.map(heightIn)).toEqual(shown.map((_, index) => top - index))
  expect((await control.heads()).c.number).toBeGreaterThanOrEqual(top)
  await expect(page.getByRole('link', { name: /^Live · block [\d,]+ · \d+ s ago/ })).toBeVisible()
  // The README's picture is the overview: RIDGELINE_PICTURE is the file name.
  const picture = process.env['RIDGELINE_PICTURE']
  if (picture !== undefined) {
    await page.goto('/')
    await expect(page.getByRole('figure', { name: 'Transactions by chain' })).toBeVisible()
    await page.screenshot({ path: picture })
  }
})

test('a paused feed does not move, counts new blocks, and shows them on request', async ({ page }) => {
  await page.goto(`/chain/${c.id}`)
  const first = page.getByRole('list', { name: 'Latest blocks' }).getByRole('link').first()
  await expect(first).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  const held = await first.innerText()
  const waiting = page.getByRole('button', { name: /^\d+ new$/ })
  await control.mine({ chain: 'c', blocks: 2 })
  await expect(waiting).toBeVisible()
  await expect(first).toHaveText(held)
  await waiting.click()
  await expect(first).not.toHaveText(held)
  await expect(page.getByRole('button', { name: 'Paused' })).toHaveAttribute('aria-pressed', 'true')

  await page.getByRole('button', { name: 'Paused' }).click()
  const before = await first.innerText()
  await expect(first).not.toHaveText(before)
})

test('the feed does not move under the pointer', async ({ page }) => {
  await page.goto(`/chain/${c.id}`)
  const first = page.getByRole('list', { name: 'Latest blocks' }).getByRole('link').first()
  await first.hover()
  const held = await first.innerText()
  await control.mine({ chain: 'c', blocks: 1 })
  await expect(page.getByRole('button', { name: /^\d+ new$/ })).toBeVisible()
  await expect(first).toHaveText(held)
})

test('the feed does not move while it has the focus', async ({ page }) => {
  await page.goto(`/chain/${c.id}`)
  const blocks = page.getByRole('list', { name: 'Latest blocks' }).getByRole('link')
  await blocks.first().focus()
  const held = await blocks.allInnerTexts()
  await control.mine({ chain: 'c', blocks: 1 })
  await expect(page.getByRole('button', { name: /^\d+ new$/ })).toBeVisible()
  for (let step = 1; step < held.length; step += 1) {
    await page.keyboard.press('Tab')
    await expect(blocks.nth(step)).toBeFocused()
  }
  expect(await blocks.allInnerTexts()).toEqual(held)
})

test('a scrolled list does not move: new blocks wait behind a pill', async ({ page }) => {
  await page.goto(`/chain/${c.id}/blocks?empty=show`)
  const top = page
    .getByRole('table', { name: 'Blocks of C-Chain' })
    .locator('tbody tr')
    .first()
    .getByRole('link')
    .first()
  const held = await top.innerText()
  const place = await top.boundingBox()
  const { head } = await control.mine({ chain: 'c', blocks: 3 })
  const pill = page.getByRole('button', { name: /^\d+ new$/ })
  await expect(pill).toBeVisible()
  expect(await top.boundingBox(), 'the rows stay in their place').toEqual(place)
  await expect(top).toHaveText(held)
  await expect.poll(async () => Number((await statusOf(c)).indexedBlock)).toBeGreaterThanOrEqual(head.number)
  await pill.click()
  await expect(async () =>
    expect(heightIn(await top.innerText())).toBeGreaterThanOrEqual(head.number),
  ).toPass()
})

test('the pages show the new branch after a reorganization', async ({ page }) => {
  const blocksPath = `/chain/${meridian.id}/blocks`
  const { head } = await control.mine({ chain: 'meridian', blocks: 4, transactions: 3 })
  await expect
    .poll(async () => Number((await statusOf(meridian)).indexedBlock))
    .toBeGreaterThanOrEqual(head.number)
  await page.goto(`/chain/${meridian.id}/block/${head.number}`)
  await expect(page.getByText(head.hash, { exact: true })).toBeVisible()

  const { undone, made, ancestor } = await control.reorg({
    chain: 'meridian',
    depth: 6,
    sameTransactions: 'some',
  })
  expect(undone.length).toBe(6)
  const replaced = made.find(({ number }) => number === head.number)
  if (replaced === undefined) throw new Error('the reorganization did not replace the block')
  expect(replaced.hash).not.toBe(head.hash)
  // The open page updates itself.
  await expect(page.getByText(replaced.hash, { exact: true })).toBeVisible()

  await page.goto(`${blocksPath}?empty=show`)
  const table = page.getByRole('table', { name: 'Blocks of Meridian' })
  for (const { number, hash } of made) {
    const row = table
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: integer(number), exact: true }) })
    await expect(row.getByTitle(hash)).toBeVisible()
  }
  const shared = table
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: integer(ancestor), exact: true }) })
  await expect(shared).toHaveCount(1)
})

test.describe('without an event stream', () => {
  test.use({ expectedErrors: [/Failed to load resource/] })

  test('new transactions wait behind a pill', async ({ page }) => {
    await page.route('**/events', (route) => route.abort())
    await page.goto(`/chain/${c.id}/transactions`)
    await expect(page.getByRole('table').locator('tbody tr').first()).toBeVisible()
    await expect(page.getByRole('link', { name: /block [\d,]+/ }).first()).toBeVisible()
    await mineC()
    await expect(page.getByRole('button', { name: /^[\d,]+ new$/ })).toBeVisible()
  })

  test('a page finds a reorganization by the status, of a final block too', async ({ page }) => {
    await page.route('**/events', (route) => route.abort())
    const { head } = await control.mine({ chain: 'meridian', blocks: 2 })
    await expect
      .poll(async () => Number((await statusOf(meridian)).indexedBlock))
      .toBeGreaterThanOrEqual(head.number)
    await page.goto(`/chain/${meridian.id}/block/${head.number}`)
    await expect(page.getByText(head.hash, { exact: true })).toBeVisible()
    await expect(page.getByText('Final', { exact: true })).toBeVisible()
    // The first status, with which later ones are compared.
    await expect(page.getByRole('link', { name: /block [\d,]+/ }).first()).toBeVisible()
    const { made } = await control.reorg({ chain: 'meridian', depth: 4, sameTransactions: 'some' })
    const replaced = made.find(({ number }) => number === head.number)
    if (replaced === undefined) throw new Error('the reorganization did not replace the block')
    await expect(page.getByText(replaced.hash, { exact: true })).toBeVisible()
  })
})

test.describe('a transaction that a reorganization removed', () => {
  test.use({ expectedErrors: [/404 \(Not Found\)/] })

  test('shows a message that it is unknown', async ({ page }) => {
    const { undone } = await control.reorg({ chain: 'meridian', depth: 2 })
    const [gone] = undone
    if (gone === undefined) throw new Error('no transaction was removed')
    await expect(async () => {
      await page.goto(`/chain/${meridian.id}/block/${gone.hash}`)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Block not found', {
        timeout: 2000,
      })
    }).toPass()
    await expect(page.getByRole('main')).toContainText(
      'A hash that was reverted by a reorganisation is not kept.',
    )
  })
})
