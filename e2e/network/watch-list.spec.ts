import { readFile } from 'node:fs/promises'
import { listL1Validators, listValidators } from '../../contract/network/validators.ts'
import { listTokens } from '../../contract/tokens/tokens.ts'
import { violationsOfAnyRule } from '../support/axe.ts'
import { expect, newPageOf, test } from '../support/fixtures.ts'
import { network, primaryIsLive, root } from '../support/primary.ts'
import { ask, chains } from '../support/stack.ts'

const address = '0x00000000000000000000000000000000000000aa'

test('one list has everything that is watched, and goes to another browser', async ({ page, browser }) => {
  await primaryIsLive()
  const query = { pageSize: 1 }
  const [{ validators }, { validators: l1Validators }, { tokens }] = await Promise.all([
    ask(listValidators, { params: { network }, query: { ...query, validationStatus: 'active' } }),
    ask(listL1Validators, { params: { network }, query }),
    ask(listTokens, { params: { chainId: chains.c.id }, query }),
  ])
  const [validator] = validators
  const wallet = validator?.potentialRewards?.rewardAddresses?.[0] ?? ''
  const nodeId = validator?.nodeId ?? ''
  const validationId = l1Validators[0]?.validationId ?? ''
  const token = tokens[0]?.address ?? ''
  const entries = [
    { kind: 'token', place: chains.c.id, id: token, path: `/chain/${chains.c.id}/token/${token}` },
    { kind: 'l1Validator', place: network, id: validationId, path: `${root}/l1-validators/${validationId}` },
    { kind: 'validator', place: network, id: nodeId, path: `${root}/validators/${nodeId}` },
    { kind: 'wallet', place: network, id: wallet, path: `${root}/addresses/${wallet}` },
    { kind: 'address', place: chains.c.id, id: address, path: `/chain/${chains.c.id}/address/${address}` },
  ]
  for (const { path } of entries.toReversed()) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
  }
  await page.goto('/settings')
  await expect(page.getByText('5 watched, 0 labels')).toBeVisible()
  await page.getByRole('link', { name: 'Open, export, import' }).click()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export watch list' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('ridgeline-watch-list.json')
  const file = await readFile(await download.path())
  expect(JSON.parse(file.toString())).toEqual({
    version: 1,
    watched: entries.map(({ kind, place, id }) => ({ kind, place, id })),
  })

  const context = await browser.newContext()
  const other = await newPageOf(context)
  await other.goto('/watch-list')
  await expect(other.getByRole('button', { name: 'Import watch list' })).toBeVisible()
  await expect(other.getByRole('button', { name: 'Export watch list' })).toHaveCount(0)
  const field = other.getByLabel('A file of watch list')
  await field.setInputFiles({ name: 'list.json', mimeType: 'application/json', buffer: file })
  const words = '2 addresses, 1 validator, 1 L1 validator and 1 token'
  await expect(other.getByText(`${words} added.`)).toBeVisible()

  // An invalid file is rejected with a reason and deletes nothing.
  const broken = JSON.parse(file.toString()) as { watched: unknown[] }
  broken.watched.push({ kind: 'validator', place: network, id: 'NodeID-of-nobody' })
  const buffer = Buffer.from(JSON.stringify(broken))
  await field.setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer })
  await expect(other.getByText(/Entry 6 of "watched" .*Nothing was imported\./)).toBeVisible()
  await other.reload()
  for (const { id, path } of entries) {
    const row = other
      .getByRole('listitem')
      .filter({ has: other.locator(`[data-value="${id.toLowerCase()}"]`) })
    await expect(row.getByRole('link')).toHaveAttribute('href', path)
    await expect(row.getByRole('button', { name: `Unwatch ${id}` })).toBeVisible()
  }
  await other.getByRole('link', { name: 'Feeds and alerting' }).click()
  await expect(other.getByRole('table', { name: 'Watched nodes' }).getByRole('row')).toHaveCount(2)
  await context.close()
})

test('the watch list shows the figures of now and what changed since the last visit', async ({ page }) => {
  await primaryIsLive()
  const { validators } = await ask(listValidators, {
    params: { network },
    query: { pageSize: 1, validationStatus: 'active' },
  })
  const nodeId = validators[0]?.nodeId ?? ''
  await page.clock.install()
  await page.goto('/watch-list?tab=watched')
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await expect(page.getByText('Paste an address, a validator or a link first.')).toBeVisible()
  await page
    .getByLabel('Addresses, validators and links to watch')
    .fill(`${nodeId} ${root}/validators/${nodeId}`)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await expect(page.getByText('Added 1 validator.')).toBeVisible()
  // One letter of it mistyped: the form is right, the checksum is not.
  const mistyped = nodeId.slice(0, -1) + (nodeId.endsWith('2') ? '3' : '2')
  const box = page.getByLabel('Addresses, validators and links to watch')
  await box.fill(mistyped)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await expect(page.getByText(`the checksum does not match: ${mistyped}`)).toBeVisible()
  await expect(box).toHaveValue(mistyped)
  const row = page.getByRole('list', { name: 'Watched Validators' }).getByRole('listitem')
  await expect(row).toHaveCount(1)
  await expect(row.getByRole('definition').first()).toHaveText('active')
  await expect(page.getByText('When you come back, this page shows what has changed.')).toBeVisible()

  // An hour later the service reports another figure.
  await page.route(`**/validators/${nodeId}/feed`, async (route) => {
    const answer = await route.fetch()
    const feed = (await answer.json()) as { amountDelegated: string }
    const amountDelegated = String(BigInt(feed.amountDelegated) + 2_500_000_000n)
    await route.fulfill({ response: answer, json: { ...feed, validationStatus: 'removed', amountDelegated } })
  })
  await page.clock.fastForward('01:00:00')
  await page.reload()
  await expect(page.getByText(/^1 of 1 has changed since your last visit, 1 h ago\.$/)).toBeVisible()
  const changed = row.getByRole('definition').filter({ hasText: 'since your last visit' })
  await expect(changed).toHaveText([
    /^removed\s*since your last visit was active$/,
    /since your last visit \+2\.5$/,
  ])
  expect(await violationsOfAnyRule(page)).toEqual([])
  // What has not changed can be left out; a second entry is new and has nothing to be compared with.
  await box.fill(address)
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  const addresses = page.getByRole('list', { name: 'Watched Addresses' })
  await expect(addresses).toBeVisible()
  await page.getByRole('button', { name: 'Only what changed' }).click()
  await expect(page).toHaveURL(/[?&]show=changed$/)
  await expect(addresses).toHaveCount(0)
  await expect(row).toHaveCount(1)
  await page.reload()
  await expect(row).toHaveCount(1)
  await expect(addresses).toHaveCount(0)
  await page.getByRole('button', { name: 'Mark all as seen' }).click()
  await expect(addresses).toBeVisible()
  await expect(changed).toHaveCount(0)
  await expect(page.getByText(/Nothing has changed since your last visit/)).toBeVisible()
})

test.describe('while the service is away', () => {
  test.use({ expectedErrors: [/^Failed to load resource/] })

  test('the watch list says once what failed, and loads it again', async ({ page }) => {
    await primaryIsLive()
    const { validators } = await ask(listValidators, {
      params: { network },
      query: { pageSize: 2, validationStatus: 'active' },
    })
    await page.goto('/watch-list')
    const box = page.getByLabel('Addresses, validators and links to watch')
    await box.fill(validators.map(({ nodeId }) => nodeId).join('\n'))
    await page.route('**/validators/*/feed', (route) =>
      route.fulfill({ status: 503, json: { message: 'The database is not reachable.', statusCode: 503 } }),
    )
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    const failed = page.getByRole('alert')
    await expect(failed).toContainText('2 of 2 could not be loaded.')
    await expect(failed).toHaveCount(1)
    const list = page.getByRole('list', { name: 'Watched Validators' })
    await expect(list.getByText('not loaded')).toHaveCount(2)
    await page.unroute('**/validators/*/feed')
    await failed.getByRole('button', { name: 'Try again' }).click()
    await expect(list.getByText('active')).toHaveCount(2)
    await expect(failed).toHaveCount(0)
  })
})
