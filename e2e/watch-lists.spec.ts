import { readFile } from 'node:fs/promises'
import { listValidators } from '../contract/network/validators.ts'
import { expect, test } from './support/fixtures.ts'
import { network, primaryIsLive, root } from './support/primary.ts'
import { ask, chains } from './support/stack.ts'

const address = '0x00000000000000000000000000000000000000aa'

test('watch lists are exported, and imported in another browser', async ({ page, browser }) => {
  test.setTimeout(300_000)
  await primaryIsLive()
  const { validators } = await ask(listValidators, {
    params: { network },
    query: { pageSize: 1, validationStatus: 'active' },
  })
  const [validator] = validators
  const wallet = validator?.potentialRewards?.rewardAddresses?.[0] ?? ''
  const nodeId = validator?.nodeId ?? ''
  for (const path of [
    `/chain/${chains.c.id}/address/${address}`,
    `${root}/addresses/${wallet}`,
    `${root}/validators/${nodeId}`,
  ]) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
  }
  await page.goto('/settings')
  await expect(page.getByText('You watch 2 addresses and 1 validator.')).toBeVisible()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export watch lists' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('ridgeline-watch-lists.json')
  const file = await readFile(await download.path())
  expect(JSON.parse(file.toString())).toEqual({
    version: 1,
    addresses: [
      { network, address: wallet },
      { chainId: chains.c.id, address },
    ],
    validators: [{ network, nodeId }],
  })

  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto('/settings')
  await expect(other.getByRole('button', { name: 'Export watch lists' })).toBeDisabled()
  const field = other.getByLabel('A file of watch lists')
  await field.setInputFiles({ name: 'lists.json', mimeType: 'application/json', buffer: file })
  await expect(other.getByText('2 addresses and 1 validator added.')).toBeVisible()

  // An invalid file is rejected with a reason and deletes nothing.
  const broken = JSON.parse(file.toString()) as { validators: unknown[] }
  broken.validators.push({ network, nodeId: 'NodeID-of-nobody' })
  const buffer = Buffer.from(JSON.stringify(broken))
  await field.setInputFiles({ name: 'broken.json', mimeType: 'application/json', buffer })
  await expect(other.getByText(/Entry 2 of "validators" .*Nothing was imported\./)).toBeVisible()
  await other.reload()
  await expect(other.getByText('You watch 2 addresses and 1 validator.')).toBeVisible()

  await other.getByRole('link', { name: 'Open the watch lists' }).click()
  const addresses = other.getByRole('list', { name: 'Watched addresses' })
  await expect(addresses.getByRole('listitem')).toHaveCount(2)
  await expect(addresses.locator(`[data-value="${wallet}"]`)).toBeVisible()
  const nodes = other.getByRole('list', { name: 'Watched validators' })
  await expect(nodes.getByRole('link', { name: /^NodeID-/ })).toHaveAttribute('title', nodeId)
  await nodes.getByRole('link', { name: 'Figures' }).click()
  await expect(other.getByRole('table', { name: 'Watched nodes' }).getByRole('row')).toHaveCount(2)
  await context.close()
})
