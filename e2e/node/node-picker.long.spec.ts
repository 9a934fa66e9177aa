import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, newPageOf, test } from '../support/fixtures.ts'
import { port, readLocalToken, sampleUrl } from '../support/stack.ts'

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test.describe('the node picker', () => {
  let server: Server
  let url = ''
  let asked = 0
  test.beforeAll(async () => {
    server = createServer((request, response) => {
      asked += 1
      response.writeHead(200, {
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'content-type',
        'content-type': 'application/json',
      })
      if (request.method === 'OPTIONS') return response.end()
      const error = { code: -32000, message: 'not here', data: null }
      return response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  test.afterAll(() => server.close())

  test('a node from a link is shown for confirmation and receives nothing before it', async ({ page }) => {
    await page.goto(`/node?node=${encodeURIComponent(`${url}/ext`)}`)
    await expect(page.getByRole('heading', { name: 'This link wants to use another node' })).toBeVisible()
    await expect(page.getByText(url, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Use Gateway of this service' }).click()
    await expect(page).toHaveURL(/\/node$/)
    await expect(section(page, 'Node in use').getByText(/ridgeline-sample/)).toBeVisible()
    expect(asked).toBe(0)
    await page.goBack()
    await page.getByRole('button', { name: 'Use for this visit' }).click()
    await expect(section(page, 'Node in use').getByText('no version given')).toBeVisible()
    await expect(section(page, 'Node in use').getByText(`${url}/ext`, { exact: true })).toBeVisible()
    expect(asked).toBeGreaterThan(0)
    // The confirmation was only for this visit.
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.url()))
    // Pending requests of the previous page are ignored.
    page.on('framenavigated', () => sent.splice(0))
    await page.reload()
    await expect(page.getByRole('heading', { name: 'This link wants to use another node' })).toBeVisible()
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.filter((each) => each.startsWith(url))).toEqual([])
    await page.getByRole('button', { name: 'Add to my nodes' }).click()
    await page.reload()
    await expect(section(page, 'Node in use').getByRole('combobox')).toHaveValue(url)
    await page.getByRole('button', { name: 'Remove' }).click()
    await expect(section(page, 'Node in use').getByRole('combobox')).toHaveValue('gateway')
  })

  test('an origin that the content security policy blocks names the setting to change', async ({ page }) => {
    await page.goto('/node')
    await page.getByRole('button', { name: 'Add a node' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('https://user:word@node.example')
    await dialog.getByRole('button', { name: 'Add and use' }).click()
    await expect(dialog.getByRole('alert')).toContainText('sends no name and password')
    await dialog.getByLabel('Address').fill('https://node.example:9650/ext/info')
    await dialog.getByRole('button', { name: 'Add and use' }).click()
    await expect(page.getByText(/adding "https:\/\/node\.example:9650" to consoleOrigins/)).toBeVisible()
  })
})

test('disabled administration is explained, and the rest of the node is shown', async ({ playwright }) => {
  const executablePath = process.env['RIDGELINE_CHROMIUM']
  // The gateway refuses administration if the host name is not one of this machine's.
  const browser = await playwright.chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP explorer.test 127.0.0.1'],
  })
  try {
    const page = await newPageOf(await browser.newContext())
    await page.goto(`http://explorer.test:${port}/node?tab=admin`)
    const shut = section(page, 'Administration')
    await shut.getByRole('button', { name: 'Continue without token' }).click()
    await expect(shut).toContainText(/it is not open under this Host/i)
    // The local token proves who asks, and does not count under this name.
    await shut.getByLabel('Local token').fill(readLocalToken())
    await shut.getByRole('button', { name: 'Use token' }).click()
    await expect(shut).toContainText('Administration is not open here')
    await expect(shut).toContainText(/it is not open under this Host/i)
    await expect(shut).toContainText('--api-admin-enabled=true')
    await expect(shut).toContainText('gateway.administration')
    await page.getByRole('tab', { name: 'Health and peers' }).click()
    await expect(page.getByRole('table', { name: 'Peers' })).toBeVisible()
    await page.getByRole('tab', { name: 'Chain', exact: true }).click()
    const ofChain = section(page, 'Administration of the chain')
    await expect(ofChain).toContainText('"admin-api-enabled": true')
  } finally {
    await browser.close()
  }
})

test('the sample’s node can be used without the gateway, at a node’s usual paths', async ({ page }) => {
  await page.goto('/node')
  await page.getByRole('button', { name: 'Add a node' }).click()
  await page.getByRole('dialog').getByLabel('Address').fill(sampleUrl)
  await page.getByRole('dialog').getByRole('button', { name: 'Add and use' }).click()
  await expect(section(page, 'Node in use').getByText(/ridgeline-sample/)).toBeVisible()
  await page.getByRole('tab', { name: 'Chain', exact: true }).click()
  await expect(page.getByText('Configuration of the virtual machine')).toBeVisible()
  await page.getByRole('tab', { name: 'RPC' }).click()
  const examples = page.getByRole('combobox', { name: 'Example of a method' })
  await examples.fill('avax.version')
  await examples.press('ArrowDown')
  await examples.press('Enter')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(section(page, 'Answer').getByText('answered', { exact: true })).toBeVisible()
})
