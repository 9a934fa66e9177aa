import { listBlocks } from '../contract/evm/blocks.ts'
import { operations } from '../contract/operations.ts'
import { violationsInBothThemes } from './support/axe.ts'
import { expect, test } from './support/fixtures.ts'
import { ask, chains, serviceUrl } from './support/stack.ts'

const c = chains.c

test('every operation is listed, found by search, and opened by keyboard', async ({ page }) => {
  await page.goto('/api')
  // A wide window opens the first operation.
  await expect(page.getByRole('form', { name: 'List the supported EVM chains' })).toBeVisible()
  const list = page.getByRole('navigation', { name: 'Operations' })
  // And what the service serves besides: a stream, configuration, events, health, readiness, seven paths of the gateway.
  await expect(list.getByRole('link')).toHaveCount(operations.length + 12)
  await page.getByRole('searchbox', { name: 'Find an operation' }).fill('blocks chain latest')
  await expect(list.getByText(/^\d+ of \d+ operations$/)).toBeVisible()
  const link = list.getByRole('link', { name: /^List the blocks of a chain, latest first/ })
  await link.press('Enter')
  await expect(page).toHaveURL('/api?op=listBlocks&find=blocks+chain+latest')
  await expect(page).toHaveTitle('listBlocks · API · Ridgeline')
  await expect(page.getByRole('form', { name: 'List the blocks of a chain, latest first' })).toBeVisible()
})

test('a form sends its values and shows the unchanged answer', async ({ page }) => {
  await page.goto('/api?op=listBlocks')
  await page.getByLabel('chainId').fill(c.id)
  await page.getByLabel('pageSize').fill('2')
  await page.getByLabel('sortOrder').selectOption('asc')
  await page.getByLabel('startBlock').fill('1000')
  await page.getByLabel('endBlock').fill('1010')
  await expect(page).toHaveURL(/chainId=\d+&pageSize=2&sortOrder=asc&startBlock=1000&endBlock=1010$/)
  const sent = page.waitForRequest((request) => request.url().includes(`/v1/chains/${c.id}/blocks?`))
  await page.getByRole('button', { name: 'Send' }).click()
  const { blocks } = await ask(listBlocks, {
    params: { chainId: c.id },
    query: { pageSize: 2, sortOrder: 'asc', startBlock: 1000, endBlock: 1010 },
  })
  const answer = page.getByRole('region', { name: 'Answer' })
  await expect(answer.getByText('Status 200')).toBeVisible()
  await expect(answer.getByText(/^ratelimit-remaining/)).toBeVisible()
  const tree = answer.getByRole('list', { name: 'Answer' })
  await tree.getByRole('button', { name: /^0 \{/ }).click()
  await expect(tree).toContainText(blocks[0]?.blockHash ?? '-')
  await answer.getByRole('tab', { name: 'Text' }).click()
  const text = await answer.getByLabel('Text of the answer').innerText()
  expect((JSON.parse(text) as { blocks: unknown }).blocks).toEqual(blocks)

  // The commands make the request that was sent.
  const url = (await sent).url()
  await expect(page.getByLabel('The request in curl')).toHaveText(`curl '${url}'`)
  await page.getByRole('tab', { name: 'TypeScript' }).click()
  await expect(page.getByLabel('The request in TypeScript')).toContainText(`await fetch('${url}')`)

  await page.reload()
  await expect(page.getByLabel('startBlock')).toHaveValue('1000')
  await expect(page.getByRole('region', { name: 'Answer' })).toHaveCount(0)
})

test.describe('invalid input', () => {
  test.use({ expectedErrors: [/40[14] \(/] })

  test('is reported at its field before sending, and by the answer after', async ({ page }) => {
    await page.goto('/api?op=getBlock')
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByLabel('blockId')).toHaveAccessibleDescription(/is required/)
    await expect(page.getByText('Not sent: 1 field missing or invalid.')).toBeVisible()
    await page.getByLabel('blockId').fill('999999999')
    await page.getByRole('button', { name: 'Send' }).click()
    const answer = page.getByRole('region', { name: 'Answer' })
    await expect(answer.getByText('Status 404')).toBeVisible()
    await expect(answer.getByRole('list', { name: 'Answer' })).toContainText('"Not Found"')

    await page.goto('/api?op=listBlocks&pageSize=101')
    await expect(page.getByLabel('pageSize')).toHaveAccessibleDescription(/must be at most 100/)
  })

  test('a key is stored for the profile, sent with every request, and left out of the commands', async ({
    page,
  }) => {
    await page.goto('/api?op=listChains')
    await page.getByText('API key', { exact: true }).first().click()
    await page.getByRole('textbox', { name: 'API key' }).fill('no-key-of-this-service')
    await page.getByRole('button', { name: 'Save' }).click()
    const sent = page.waitForRequest(`${serviceUrl}/v1/chains`)
    await page.getByRole('button', { name: 'Send' }).click()
    expect((await sent).headers()['x-service-api-key']).toBe('no-key-of-this-service')
    await expect(page.getByRole('region', { name: 'Answer' }).getByText('Status 401')).toBeVisible()
    await expect(page.getByLabel('The request in curl')).toContainText('x-service-api-key: YOUR-KEY')
  })
})

test('a body is built from its fields', async ({ page }) => {
  await page.goto('/api?op=decodeWarpMessage')
  // A block hash as signed by the C-chain of a network with id 5 (docs/signatures.md).
  const message = `000000000005${'ab'.repeat(32)}00000026000000000000${'cd'.repeat(32)}`
  await page.getByRole('textbox', { name: 'message body' }).fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
  const answer = page.getByRole('region', { name: 'Answer' })
  await expect(answer.getByText('Status 200')).toBeVisible()
  await expect(answer.getByRole('list', { name: 'Answer' })).toContainText(`"0x${'cd'.repeat(32)}"`)
})

test('an operation has no axe violation, in both themes', async ({ page }) => {
  await page.goto('/api?op=listPrimaryTransactions&blockchainId=p-chain&pageSize=3')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('region', { name: 'Answer' }).getByText('Status 200')).toBeVisible()
  for (const summary of ['API key', /^Shape of the answer/])
    await page.locator('summary').filter({ hasText: summary }).click()
  expect(await violationsInBothThemes(page)).toEqual([])
})
