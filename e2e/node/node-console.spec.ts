import { readFile } from 'node:fs/promises'
import { listChains } from '../../contract/evm/chains.ts'
import type { Page } from '@playwright/test'
import { integer } from '../support/figures.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, newPageOf, test } from '../support/fixtures.ts'
import { overflowOf, wideTables } from '../support/layout-measures.ts'
import { callNode, signedImport, findWaitingCoins } from '../support/node-atomic.ts'
import { fact, settle } from '../support/parts.ts'
import { primaryIsLive } from '../support/primary.ts'
import { ask, chains, readLocalToken } from '../support/stack.ts'

/** The blockchain IDs of the sample's chains, from the service. */
let meridian = ''
test.beforeAll(async () => {
  await primaryIsLive()
  const { chains: all } = await ask(listChains, {})
  meridian = all.find(({ chainId }) => chainId === chains.meridian.id)?.platformChainId ?? ''
})

const section = (page: Page, name: string | RegExp) => page.getByRole('region', { name })

/** Presses a button that asks for confirmation, and confirms. */
async function agree(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click()
}

/** Opens the console by the link that `npm start` prints. */
const openAsOperator = (page: Page, path = '/node') => page.goto(`${path}#token=${readLocalToken()}`)

test.describe('the local token', () => {
  test.use({ expectedErrors: [/status of 401/] })

  test('is requested, entered, stored and removed', async ({ page, context }) => {
    await page.goto('/node?tab=admin')
    const shut = section(page, 'Administration')
    const box = shut.getByLabel('Local token')
    const use = shut.getByRole('button', { name: 'Use token' })
    await expect(shut.getByText('Administration needs the local token.')).toBeVisible()
    await expect(section(page, 'Loggers')).toHaveCount(0)
    await box.fill('not a token')
    await use.click()
    await expect(shut.getByRole('alert')).toHaveText(/^Invalid token/)
    await box.fill('x'.repeat(43))
    await use.click()
    await expect(shut.getByText('the local token is another one')).toBeVisible()
    await box.fill(readLocalToken())
    await use.click()
    await expect(page.getByRole('table', { name: 'Loggers' })).toBeVisible()
    // It is valid for every page of this browser until it is removed.
    const second = await newPageOf(context)
    await second.goto('/node?tab=admin')
    await expect(second.getByRole('table', { name: 'Loggers' })).toBeVisible()
    await second.getByRole('button', { name: 'Remove token' }).click()
    await expect(box).toBeVisible()
  })

  test('of the link is removed from the URL at once, and no request URL contains it', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await openAsOperator(page, '/node?tab=admin')
    await expect(page.getByRole('table', { name: 'Loggers' })).toBeVisible()
    const token = readLocalToken()
    expect(page.url()).not.toContain(token)
    // The fragment is reported with the document's request, although a browser does not send it.
    expect(asked.filter((url) => url.split('#')[0]?.includes(token))).toEqual([])
    // Also in a page that is already open.
    await page.getByRole('button', { name: 'Remove token' }).click()
    await page.evaluate((hash) => (location.hash = hash), `token=${token}`)
    await expect(page.getByRole('button', { name: 'Remove token' })).toBeVisible()
    expect(page.url()).not.toContain(token)
    expect((await (await page.request.get('/config.json')).text()).includes(token)).toBe(false)
  })

  test('is requested by a call that needs it', async ({ page }) => {
    await page.goto('/node?tab=rpc')
    await page.getByRole('textbox', { name: 'Calls as JSON' }).fill('{"method":"admin.getLoggerLevel"}')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const answer = section(page, 'Answer')
    await expect(answer.getByText('HTTP 401', { exact: true })).toBeVisible()
    await answer.getByLabel('Local token').fill(readLocalToken())
    await answer.getByRole('button', { name: 'Use token' }).click()
    await expect(answer.getByText('answered', { exact: true })).toBeVisible()
  })
})

test.describe('the node', () => {
  test('shows the node’s identity, health and peers', async ({ page }) => {
    await openAsOperator(page)
    const { nodeID } = await callNode<{ nodeID: string }>('/ext/info', 'info.getNodeID', {})
    await expect(fact(page, 'About the node', 'Node ID')).toContainText(nodeID)
    const { peers } = await callNode<{ peers: { nodeID: string }[] }>('/ext/info', 'info.peers', {})
    await expect(fact(page, 'Key figures', 'Peers')).toHaveText(integer(peers.length))
    const { checks } = await callNode<{ checks: object }>('/ext/health', 'health.health', {})
    await expect(
      section(page, 'Health').getByText(`All ${Object.keys(checks).length} checks pass.`),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Show checks' }).click()
    await expect(page.getByRole('list', { name: 'Health checks' }).getByRole('listitem')).toHaveCount(
      Object.keys(checks).length,
    )
    const [peer] = peers
    await page.getByLabel('Node ID, version or address of peers').fill(peer?.nodeID ?? '?')
    await expect(page.getByRole('table', { name: 'Peers' }).getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('list', { name: 'Chains of the node' })).toContainText(
      /P-Chain.*bootstrapped/s,
    )
  })

  test('changes the levels of one logger after a confirmation', async ({ page }) => {
    const levels = () =>
      callNode<{ loggerLevels: Record<string, { logLevel: string }> }>(
        '/ext/admin',
        'admin.getLoggerLevel',
        {},
      )
    await openAsOperator(page, '/node?tab=admin')
    const row = page.getByRole('table', { name: 'Loggers' }).getByRole('row').filter({ hasText: /^P/ })
    const before = (await levels()).loggerLevels['P']?.logLevel ?? '?'
    await expect(row).toContainText(before)
    const form = section(page, 'Loggers')
    await form.getByRole('combobox', { name: 'Logger' }).selectOption('P')
    await form.getByRole('combobox', { name: 'In the file' }).selectOption('DEBUG')
    await page.getByRole('button', { name: 'Change levels' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    expect((await levels()).loggerLevels['P']?.logLevel).toBe(before)
    await agree(page, 'Change levels')
    await expect(row).toContainText('DEBUG')
    const after = (await levels()).loggerLevels
    expect([after['P']?.logLevel, after['X']?.logLevel]).toEqual(['DEBUG', before])
    await form.getByRole('combobox', { name: 'In the file' }).selectOption(before)
    await agree(page, 'Change levels')
    await expect(row).not.toContainText('DEBUG')
  })

  test('shows the profiler’s state and learns it from refused transitions', async ({ page }) => {
    await openAsOperator(page, '/node?tab=admin')
    const machine = page.getByRole('group', { name: 'CPU profiler' })
    const current = machine.locator('[aria-current]')
    await expect(current).toHaveCount(0)
    await machine.getByRole('button', { name: 'Stop' }).click()
    await expect(section(page, 'CPU profiler').getByRole('alert')).toContainText("cpu profiler doesn't exist")
    await expect(current).toContainText('not profiling')
    await machine.getByRole('button', { name: 'Start' }).click()
    await expect(current).toHaveText(/^profiling/)
    await machine.getByRole('button', { name: 'Start' }).click()
    await expect(section(page, 'CPU profiler').getByRole('alert')).toContainText('already running')
    await expect(current).toHaveText(/^profiling/)
    await machine.getByRole('button', { name: 'Stop' }).click()
    await expect(current).toContainText('not profiling')
    await expect(section(page, 'CPU profiler').getByRole('status')).toContainText('cpu.profile')
    await page.getByRole('button', { name: 'Write the memory profile' }).click()
    await expect(section(page, /^Memory and lock/).getByRole('status')).toContainText('mem.profile')
  })

  test('adds aliases to endpoints and chains, and loads virtual machines', async ({ page }) => {
    await openAsOperator(page, '/node?tab=admin')
    const word = `e2e${Date.now()}`
    const form = section(page, 'Aliases')
    await form.getByLabel('Endpoint, after /ext/').fill('bc/X')
    await form.getByLabel('Alias for the endpoint').fill(word)
    await agree(page, 'Alias the endpoint')
    await expect(form.getByText(`It answers at /ext/${word} too`)).toBeVisible()
    expect(await callNode<{ height: string }>(`/ext/${word}`, 'avm.getHeight', {})).toHaveProperty('height')
    await form.getByLabel('Chain', { exact: true }).fill(meridian)
    await form.getByLabel('Alias for the chain').fill(`${word}c`)
    await agree(page, 'Alias the chain')
    await form.getByLabel('Names of the chain with the ID').fill(meridian)
    await form.getByRole('button', { name: 'List its names' }).click()
    await expect(page.getByRole('list', { name: 'Names of the chain' })).toContainText(`${word}c`)
    expect(await callNode<string>(`/ext/bc/${word}c/rpc`, 'eth_chainId', [])).toBe(
      `0x${Number(chains.meridian.id).toString(16)}`,
    )
    await agree(page, 'Load virtual machines')
    await expect(section(page, 'Plugins').getByText(/^\d+ new virtual machines?, \d+ failed/)).toBeVisible()
  })
})

test('a chain shows its fees, its rules at a time and the differences from its genesis', async ({ page }) => {
  const rpc = `/ext/bc/${meridian}/rpc`
  const { feeConfig } = await callNode<{ feeConfig: { gasLimit: number } }>(rpc, 'eth_feeConfig', ['latest'])
  await page.goto(`/node?tab=chain&chain=${meridian}`)
  await expect(
    section(page, 'Fee configuration').getByRole('row').filter({ hasText: 'Gas limit' }),
  ).toContainText(integer(feeConfig.gasLimit))
  type Upgrade = Record<string, { blockTimestamp: number; disable?: boolean }>
  const config = await callNode<{ upgrades: { precompileUpgrades: Upgrade[] } }>(
    rpc,
    'eth_getChainConfig',
    [],
  )
  const upgrades = config.upgrades.precompileUpgrades.flatMap((one) => Object.entries(one))
  await expect(page.getByRole('table', { name: 'Precompile upgrades' }).getByRole('row')).toHaveCount(
    upgrades.length + 1,
  )
  const [name, upgrade] = upgrades.find(([, one]) => one.disable === true) ?? []
  if (name === undefined || upgrade === undefined) throw new Error('no upgrade turns a precompile off')
  // One second before its removal, the rules still include it.
  const at = upgrade.blockTimestamp - 1
  type Rules = { precompiles: object }
  const { precompiles } = await callNode<Rules>(rpc, 'eth_getActiveRulesAt', [at])
  expect(Object.keys(precompiles)).toContain(name)
  const date = new Date(at * 1000)
  const month = date.toLocaleDateString('en', { month: 'short', timeZone: 'UTC' })
  const moment = `${date.getUTCDate()} ${month} ${date.getUTCFullYear()} ${date.toISOString().slice(11, 19)}`
  await page.getByLabel(/^Moment/).fill(moment)
  await page.getByRole('button', { name: 'Show the rules' }).click()
  await expect(page).toHaveURL(new RegExp(`at=${at}`))
  const rules = page.getByRole('table', { name: 'Rules' }).getByRole('row')
  await expect(rules.filter({ hasText: 'Precompiles' }).filter({ hasText: 'yes' })).toHaveCount(
    Object.keys(precompiles).length,
  )
  await page
    .getByRole('list', { name: /^Changes of the rules/ })
    .getByRole('button', { name: 'Now' })
    .click()
  await expect(page).not.toHaveURL(/at=/)
  await expect(page.getByRole('table', { name: /^Genesis against/ })).toBeVisible()
  // The C-Chain supports neither, and says so.
  await page.getByRole('combobox', { name: 'Chain', exact: true }).selectOption('C')
  await expect(section(page, 'Fee configuration')).toContainText('the C-Chain has none')
  await expect(section(page, 'Rules by time')).toContainText('This node does not have it')
})

test('the validators of a chain are listed, all of them or by node ID', async ({ page }) => {
  type Row = { nodeID: string; weight: number; uptimePercentage: number }
  const { validators } = await callNode<{ validators: Row[] }>(
    `/ext/bc/${meridian}/validators`,
    'validators.getCurrentValidators',
    {},
  )
  const [one] = validators
  if (one === undefined) throw new Error('the node lists no validator of Meridian')
  const total = validators.reduce((sum, { weight }) => sum + weight, 0)
  await page.goto(`/node?tab=l1&chain=${meridian}`)
  const rows = page.getByRole('table', { name: 'Validators of the chain' }).getByRole('row')
  await expect(rows).toHaveCount(validators.length + 1)
  await expect(fact(page, 'Key figures', 'Weight')).toHaveText(integer(total))
  await page.getByLabel('Only these node IDs').fill(one.nodeID)
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(1)).toContainText(integer(one.weight))
  await expect(page).toHaveURL(new RegExp(`ids=${one.nodeID}`))
})

test('a signed import of waiting coins is included in an accepted block', async ({ page }) => {
  const waiting = await findWaitingCoins()
  await page.goto('/node?tab=atomic')
  await page.getByLabel('Addresses, bech32').fill(waiting.address)
  await page.getByRole('combobox', { name: 'Exported from' }).selectOption(waiting.source)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  const rows = page.getByRole('table', { name: 'UTXOs that wait' }).getByRole('row')
  await expect(rows).toHaveCount(waiting.coins.length + 1)
  await expect(rows.nth(1)).toContainText('AVAX')
  const tx = await signedImport(waiting)
  await page.getByLabel(/^Signed transaction/).fill(`${tx.slice(0, -1)}x`)
  await expect(page.getByText('not a hex digit')).toBeVisible()
  await page.getByRole('button', { name: 'Issue', exact: true }).click()
  await expect(page.getByLabel(/^Signed transaction/)).toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByLabel(/^Signed transaction/).fill(tx)
  await agree(page, 'Issue')
  const issued = section(page, 'Issued transaction')
  await expect(issued.getByText(/^It is accepted in block/)).toBeVisible()
  const id = (await issued.getByRole('link').getAttribute('title')) ?? ''
  expect(await callNode('/ext/bc/C/avax', 'avax.getAtomicTxStatus', { txID: id })).toMatchObject({
    status: 'Accepted',
  })
  await page.getByRole('textbox', { name: 'Transaction ID' }).fill(id)
  await page.getByRole('button', { name: 'Look it up' }).click()
  await expect(fact(page, 'Atomic transaction', 'Status')).toHaveText('Accepted')
  await expect(fact(page, 'Atomic transaction', 'Bytes').locator('pre')).toHaveText(tx)
  // Imported coins cannot be imported again: the node's message is shown.
  await agree(page, 'Issue')
  await expect(section(page, 'Issue a signed transaction').getByRole('alert')).toContainText('(-32000)')
})

test('calls are completed, sent alone and in batches, stored, and copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/node?tab=rpc')
  const editor = page.getByRole('textbox', { name: 'Calls as JSON' })
  await editor.fill('{"method": ""}')
  await editor.press('End')
  await editor.press('ArrowLeft')
  await editor.press('ArrowLeft')
  await editor.pressSequentially('eth_chainI')
  await expect(page.getByRole('option', { name: /^eth_chainId/ })).toHaveAttribute('aria-selected', 'true')
  await editor.press('Enter')
  await expect(editor).toContainText('"eth_chainId"')
  await editor.press('Control+Enter')
  const answer = section(page, 'Answer')
  await expect(answer.getByRole('list', { name: 'Answer' })).toContainText('0xa869')
  await expect(answer.getByText(/^HTTP 200 · [\d.]+ ms · \d+ bytes/)).toBeVisible()
  await page.getByRole('button', { name: 'Copy curl command' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/ext/bc/C/rpc')
  await page.getByRole('button', { name: 'Batch' }).click()
  const examples = page.getByRole('combobox', { name: 'Example of a method' })
  await examples.fill('eth_baseFee')
  await examples.press('ArrowDown')
  await examples.press('Enter')
  await expect(page.getByText('2 of 40 calls')).toBeVisible()
  // Escape closes the list of methods, so that nothing lies over Send.
  await examples.fill('balance')
  await examples.press('Escape')
  await expect(page.getByRole('listbox', { name: 'Example of a method' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(answer.getByText(/2 answers$/)).toBeVisible()
  // A look at another tab loses neither what was written nor the answer.
  await page.getByRole('tab', { name: 'Sockets' }).click()
  await page.getByRole('tab', { name: 'RPC' }).click()
  await expect(answer.getByText(/2 answers$/)).toBeVisible()
  await expect(page.getByText('2 of 40 calls')).toBeVisible()
  // A refused call does not affect the results of the others.
  await editor.fill('[{"method":"eth_chainId"},{"method":"eth_ofTomorrow"},{"method":"eth_baseFee"}]')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(answer.getByText('1 of 3 refused', { exact: true })).toBeVisible()
  const results = answer.getByRole('list', { name: 'Results of the batch' }).getByRole('listitem')
  await expect(results).toHaveText([
    /eth_chainId.*answered$/,
    /eth_ofTomorrow.*refused.*does not exist.*\(-32601\)$/,
    /eth_baseFee.*answered$/,
  ])
  const many = JSON.stringify(Array.from({ length: 41 }, () => ({ method: 'eth_chainId' })))
  await editor.fill(many)
  await expect(page.getByText('41 calls are too many')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await editor.fill('[{"method":"info.peers"}]')
  await expect(page.getByText('takes one call at a time')).toBeVisible()
  // Calls that change something ask for confirmation; sent calls can be repeated.
  await editor.fill('{"method":"eth_sendRawTransaction","params":["0x"]}')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send it' }).click()
  await expect(answer.getByText('refused', { exact: true })).toBeVisible()
  const history = page.getByRole('list', { name: 'Requests that were sent' })
  await expect(history.getByRole('listitem')).toHaveCount(4)
  await page.reload()
  await history.getByRole('button', { name: /^eth_chainId, eth_baseFee/ }).click()
  await expect(editor).toContainText('eth_baseFee')
})

test('a call that the gateway may refuse names the setting that allows it', async ({ page }) => {
  await page.goto('/node?tab=rpc')
  const editor = page.getByRole('textbox', { name: 'Calls as JSON' })
  await editor.fill('{"method":"debug_traceTransaction"}')
  await expect(page.getByText('unless its operator opens the namespace debug')).toBeVisible()
  await editor.fill('{"method":"eth_ofTomorrow"}')
  await expect(page.getByText('passes on the methods of its list only')).toBeVisible()
  await editor.fill('{"method":"admin_lockProfile"}')
  await expect(page.getByText('POST http', { exact: false })).toContainText('/ext/bc/C/admin')
})

test('subscriptions show new heads, and can be paused, saved and ended', async ({ page }) => {
  await page.goto('/node?tab=sockets')
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem')).toHaveCount(1)
  const rows = page.getByRole('table', { name: 'Notifications' }).getByRole('row')
  await expect(rows.nth(1)).toContainText(/newHeads\s*block [\d,]+ 0x/)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: /^Resume, \d+ wait/ })).toBeVisible()
  await page.getByRole('button', { name: /^Resume/ }).click()
  await rows.nth(1).getByRole('button').click()
  await expect(page.getByRole('list', { name: 'Notification', exact: true })).toContainText('parentHash')
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save' }).click()
  const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as { kind: string }[]
  expect(saved[0]?.kind).toBe('newHeads')
  await page.getByRole('combobox', { name: 'Subscription' }).selectOption('logs')
  await page.getByLabel(/^Addresses/).fill('0x12')
  await expect(page.getByRole('alert')).toContainText('40 hex digits')
  await page.getByLabel(/^Addresses/).fill('')
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('button', { name: 'End the subscription to newHeads' }).click()
  await expect(page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await expect(page.getByText('It was closed.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Subscriptions' }).getByRole('listitem')).toHaveCount(0)
})

test('every tab has no axe violation in both themes and fits a phone', async ({ page }) => {
  for (const tab of [
    'node',
    `chain&chain=${meridian}`,
    `l1&chain=${meridian}`,
    'atomic',
    'rpc',
    'sockets',
    'admin',
  ]) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await settle(page, `/node?tab=${tab}`)
    expect(await violationsInBothThemes(page), tab).toEqual([])
    expect(await wideTables(page), tab).toEqual([])
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => overflowOf(page), `${tab} at ${width}`).toBeLessThanOrEqual(0)
    }
    if (tab !== 'node') continue
    // On a phone the sections are folded: their content is a press away.
    const chains = page.getByRole('list', { name: 'Chains of the node' })
    await expect(chains).toBeHidden()
    await page.getByRole('heading', { name: 'Chains', exact: true }).click()
    await expect(chains).toBeVisible()
  }
})
