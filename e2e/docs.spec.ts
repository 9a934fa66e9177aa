import { listBlocks } from '../contract/evm/blocks.ts'
import { violationsInBothThemes } from './support/axe.ts'
import { expect, test } from './support/fixtures.ts'
import { ask, chains, serviceUrl } from './support/stack.ts'

const c = chains.c

test('every operation is listed, and found by words', async ({ page }) => {
  const all = await documented()
  await page.goto('/docs')
  await expect(page).toHaveTitle('API · Ridgeline')
  const tags = page.locator('.opblock-tag')
  await expect(tags).toHaveCount(new Set(all.map(({ tag }) => tag)).size)
  await page.getByLabel('Filter operations').fill('blocks chain latest')
  const words = ['blocks', 'chain', 'latest']
  const expected = all.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)))
  await expect(tags).toHaveCount(new Set(expected.map(({ tag }) => tag)).size)
  for (const tag of await tags.all()) await tag.getByRole('button').click()
  const found = page.locator('.opblock-summary-operation-id')
  await expect(found).toHaveText(expected.map(({ id }) => id))
})

test('a link opens an operation, whose request sends what is given', async ({ page }) => {
  await page.goto('/docs#/EVM%20blocks/listBlocks')
  const form = page.locator('#operations-EVM_blocks-listBlocks')
  await form
    .getByRole('row', { name: /^chainId/ })
    .getByRole('textbox')
    .fill(c.id)
  await form
    .getByRole('row', { name: /^pageSize/ })
    .getByRole('textbox')
    .fill('2')
  await form
    .getByRole('row', { name: /^sortOrder/ })
    .getByRole('combobox')
    .selectOption('asc')
  await form
    .getByRole('row', { name: /^startBlock/ })
    .getByRole('textbox')
    .fill('1000')
  const sent = page.waitForRequest((request) => request.url().includes(`/v1/chains/${c.id}/blocks?`))
  await form.getByRole('button', { name: 'Execute' }).click()
  const query = new URL((await sent).url()).searchParams
  expect(Object.fromEntries(query)).toEqual({ pageSize: '2', sortOrder: 'asc', startBlock: '1000' })
  const { blocks } = await ask(listBlocks, {
    params: { chainId: c.id },
    query: { pageSize: 2, sortOrder: 'asc', startBlock: 1000 },
  })
  await expect(form.locator('.live-responses-table')).toContainText(blocks[1]?.blockHash ?? '-')
  expect(await violationsInBothThemes(page)).toEqual([])
})

test.describe('a key', () => {
  test.use({ expectedErrors: [/401 \(/] })

  test('is stored for the profile, sent with every request, and left out of the commands', async ({
    page,
  }) => {
    await page.goto('/docs')
    await page.getByRole('link', { name: 'API key' }).click()
    await page.getByRole('textbox', { name: 'API key' }).fill('no-key-of-this-service')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('ridgeline.keys'))).toContain('no-key')
    await page.goto('/docs#/EVM%20chains/listChains')
    const form = page.locator('#operations-EVM_chains-listChains')
    const sent = page.waitForRequest(`${serviceUrl}/v1/chains`)
    await form.getByRole('button', { name: 'Execute' }).click()
    expect((await sent).headers()['x-service-api-key']).toBe('no-key-of-this-service')
    await expect(form.locator('.live-responses-table .response-col_status').last()).toHaveText(/^401/)
    await expect(form.locator('.curl-command')).not.toContainText('no-key-of-this-service')
  })
})

/** The operations of the document, by its own words. */
async function documented(): Promise<{ id: string; tag: string; text: string }[]> {
  const { paths } = (await (await fetch(`${serviceUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; summary: string; tags: [string] }>>
  }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([
        method,
        {
          operationId,
          summary,
          tags: [tag],
        },
      ]) => ({
        id: operationId,
        tag,
        text: [tag, method, path, summary, operationId].join(' '),
      }),
    ),
  )
}
