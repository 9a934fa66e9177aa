import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { localTokenHeader } from '../../contract/base/local-token.ts'
import { listTransactions } from '../../contract/evm/transactions.ts'
import { listWatchAlarms } from '../../contract/watch/alarms.ts'
import { listWatchFleets, deleteWatchFleet } from '../../contract/watch/fleets.ts'
import { deleteWatchRule, dryRunWatchRule, listWatchRules } from '../../contract/watch/rules.ts'
import { sampleControl } from '../../sample/testing/control.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { overflowOf, recutTexts, wideTables } from '../support/layout-measures.ts'
import { askNode, network, primaryIsLive } from '../support/primary.ts'
import { ask, chains, change, readLocalToken, sampleUrl } from '../support/stack.ts'

/** A validator as the node lists it; amounts in nAVAX, times in Unix seconds, all as text. */
type NodeValidator = {
  readonly nodeID: string
  readonly weight: string
  readonly uptime?: string
  readonly connected?: boolean
  /** Only for auto-renewed validators. */
  readonly nextPeriod?: string
}

const control = sampleControl(sampleUrl)

async function validatorsOfNode(): Promise<readonly NodeValidator[]> {
  const answer = await askNode('P', 'platform.getCurrentValidators', { nodeIDs: [] })
  return (answer as { validators: NodeValidator[] }).validators
}

/** The rounds of the last hour that the service stored; none yet just after it started. */
async function storedRounds(): Promise<number> {
  const now = Math.floor(Date.now() / 1000)
  const asked = { rule: { kind: 'nodeSilent' }, startTimestamp: now - 3_600, endTimestamp: now }
  const { roundCount } = await change<{ roundCount: number }>(dryRunWatchRule.path, asked)
  return roundCount
}

/** Opens a page by a link with the local token, as the operator does, and waits until the browser keeps it. */
async function openAsOperator(page: Page, path: string): Promise<void> {
  await page.goto(`${path}#token=${readLocalToken()}`)
  await expect(page).not.toHaveURL(/#token=/)
}

/** A notification as the page asked the browser for it. */
type Shown = { readonly title: string; readonly tag: string; closed: boolean }

/** Answers for the browser's notifications, which it never allows without a window, and records them. */
const recordNotifications = (page: Page) =>
  page.addInitScript(() => {
    class Recorded extends EventTarget {
      static permission = 'default'
      static requestPermission = async () => (Recorded.permission = 'granted')
      static shown: Recorded[] = []
      closed = false
      title: string
      tag: string
      constructor(title: string, { tag }: { tag: string }) {
        super()
        this.title = title
        this.tag = tag
        Recorded.shown.push(this)
      }
      close(): void {
        this.closed = true
      }
    }
    Object.assign(window, { Notification: Recorded })
  })

const shownNotifications = (page: Page): Promise<Shown[]> =>
  page.evaluate(() =>
    (window.Notification as unknown as { shown: Shown[] }).shown.map(({ title, tag, closed }) => ({
      title,
      tag,
      closed,
    })),
  )

/** Deletes what the tests made. */
async function clear(): Promise<void> {
  for (const { ruleId } of (await ask(listWatchRules)).rules)
    await change(deleteWatchRule.path.replace('{ruleId}', ruleId))
  for (const { fleetId } of (await ask(listWatchFleets)).fleets)
    await change(deleteWatchFleet.path.replace('{fleetId}', fleetId))
}

/** Creates a fleet from a paste in the browser, and stays on its page. */
async function createFleet(page: Page, name: string, text: string): Promise<void> {
  await openAsOperator(page, '/fleets')
  await page.getByRole('button', { name: 'Create a fleet' }).first().click()
  const form = page.getByRole('form', { name: 'New fleet' })
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Node IDs and validation IDs').fill(text)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
}

test.beforeAll(async () => {
  await primaryIsLive()
})
test.beforeEach(clear)
test.afterAll(clear)

test('a fleet from a paste has its members with the stake and the connection that the node gives', async ({
  page,
}) => {
  const nodes = (await validatorsOfNode()).slice(0, 4)
  const paste = nodes.map(({ nodeID }, index) => `${index + 1}. ${nodeID} name-${index + 1}`).join('\n')
  await openAsOperator(page, '/fleets')
  await expect(page.getByRole('heading', { name: 'No validators are watched yet' })).toBeVisible()
  await createFleet(page, 'Four of the sample', paste)
  await expect(page.getByText('4 members added.')).toBeVisible()
  const table = page.getByRole('table', { name: 'Members of Four of the sample' })
  await expect(table.getByRole('row')).toHaveCount(5)
  for (const { nodeID, weight } of nodes) {
    const row = table
      .getByRole('row')
      .filter({ has: page.locator(`a[data-value="${nodeID.toLowerCase()}"]`) })
    const stake = Number(BigInt(weight) / 10n ** 9n).toLocaleString('en-US')
    await expect(row).toContainText(stake)
  }
  // Who is connected is asked again, because it changes in the sample while the test runs.
  await expect(async () => {
    const told = new Map((await validatorsOfNode()).map(({ nodeID, connected }) => [nodeID, connected]))
    const away = nodes.filter(({ nodeID }) => told.get(nodeID) === false).length
    const words = away === 0 ? 'all connected' : `${away} not connected`
    await expect(page.getByLabel('Verdict')).toContainText(`4 validators, ${words}`, { timeout: 1_000 })
    await expect(table.getByText('not connected', { exact: true })).toHaveCount(away, { timeout: 1_000 })
  }).toPass()
})

test('a fleet is exported, deleted and imported again', async ({ page }) => {
  const [first] = await validatorsOfNode()
  await createFleet(page, 'There and back', `${first?.nodeID ?? ''} alpha`)
  const saving = page.waitForEvent('download')
  const act = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for There and back' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Export fleet')
  const path = await (await saving).path()
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
    network,
    name: 'There and back',
    members: [{ memberId: first?.nodeID }],
  })
  await act('Delete …')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No validators are watched yet' })).toBeVisible()
  await page.getByLabel('A file of a fleet').setInputFiles(path)
  await expect(page.getByRole('heading', { level: 1, name: 'There and back' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^alpha/ }).first()).toBeVisible()
})

test('the heat strip is read with the arrow keys', async ({ page }) => {
  const [first] = await validatorsOfNode()
  await createFleet(page, 'One', `${first?.nodeID ?? ''} solo`)
  const strip = page.getByRole('slider', { name: /^Uptime by day and node/ })
  await strip.focus()
  await page.keyboard.press('ArrowLeft')
  const today = await strip.getAttribute('aria-valuetext')
  expect(today).toMatch(/^solo, \w{3} \d{1,2} \w{3}: /)
  await page.keyboard.press('ArrowLeft')
  await expect(strip).not.toHaveAttribute('aria-valuetext', today ?? '')
})

test('a rule is tried over the stored rounds before it is saved', async ({ page }) => {
  // A validation that renews itself has no end to fire at.
  const ending = (await validatorsOfNode()).filter(({ nextPeriod }) => Number(nextPeriod ?? 0) === 0)
  await createFleet(
    page,
    'To be ruled',
    ending
      .slice(0, 3)
      .map(({ nodeID }) => nodeID)
      .join(' '),
  )
  await expect.poll(storedRounds).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Add a rule' }).click()
  const form = page.getByRole('form', { name: 'Rule' })
  await form.getByLabel('Condition').selectOption('stakeEnds')
  const unit = form.getByLabel('Unit of Time left')
  const save = form.getByRole('button', { name: 'Save' })
  // Every stake ends within a year, so the rule would have fired for each of them.
  await form.getByLabel('Time left', { exact: true }).fill('366')
  await unit.selectOption('days')
  await expect(form.getByText('A number from 1 min to 365 d.')).toBeVisible()
  await save.click()
  await expect(form.getByLabel('Time left', { exact: true })).toBeFocused()
  expect((await ask(listWatchRules)).rules).toEqual([])
  await form.getByLabel('Time left', { exact: true }).fill('365')
  const trial = page.getByRole('region', { name: /^Dry run/ })
  await expect(trial.getByText(/^It would have fired 3 times for 3 of 3 subjects/)).toBeVisible()
  await expect(
    trial.getByRole('list', { name: 'When it would have fired' }).getByRole('listitem'),
  ).toHaveCount(3)
  // With a minute it would have fired for none; nothing has been saved so far.
  await form.getByLabel('Time left', { exact: true }).fill('1')
  await unit.selectOption('minutes')
  await expect(trial.getByText(/^It would not have fired/)).toBeVisible()
  expect((await ask(listWatchRules)).rules).toEqual([])
  await save.click()
  await expect(page.getByRole('list', { name: 'Rules of the fleet' }).getByRole('listitem')).toHaveCount(1)
  const { rules } = await ask(listWatchRules)
  expect(rules).toMatchObject([{ kind: 'stakeEnds', threshold: 60, channelIds: [] }])
})

test('an alarm fires when the node falls silent, and resolves when it is back', async ({ page }) => {
  await recordNotifications(page)
  await openAsOperator(page, '/alarms/rules/new?kind=nodeSilent')
  const form = page.getByRole('form', { name: 'Rule' })
  await form.getByLabel('Silence', { exact: true }).fill('10')
  await form.getByLabel('Unit of Silence').selectOption('seconds')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('table', { name: 'Rules' }).getByRole('row')).toHaveCount(2)
  await page.goto('/alarms')
  // That of the network, and those of three EVM chains.
  await expect(page.getByText('4 checks, all ok.')).toBeVisible()
  const button = page.getByRole('button', { name: 'Notify in this browser' })
  await button.click()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  expect(await shownNotifications(page)).toEqual([])
  await control.addFault({ chain: 'P', kind: '503' })
  try {
    const firing = page.getByRole('list', { name: 'What needs attention' }).getByRole('listitem')
    await expect(firing).toContainText('firing')
    await expect(firing).toContainText('Node silent')
    const links = page.getByRole('navigation', { name: 'Validator watch' })
    await expect(links.getByRole('link', { name: /^Alarms/ })).toHaveText('Alarms1')
    await expect.poll(() => shownNotifications(page)).toHaveLength(1)
  } finally {
    await control.clearFaults()
  }
  await expect(page.getByText('4 checks, all ok.')).toBeVisible()
  const row = page.getByRole('table', { name: 'Alarms' }).getByRole('row').nth(1)
  await expect(row).toContainText('Node silent')
  await expect(row).not.toContainText('open')
  const [alarm] = (await ask(listWatchAlarms)).alarms
  // The end of the alarm is not a second notification.
  expect(await shownNotifications(page)).toEqual([
    { title: expect.stringContaining('Node silent'), tag: alarm?.alarmId, closed: false },
  ])
  await page.getByRole('link', { name: 'Fleets' }).first().click()
  await expect(page).toHaveURL(/\/fleets$/)
  await page.evaluate(() =>
    (window.Notification as unknown as { shown: EventTarget[] }).shown[0]?.dispatchEvent(new Event('click')),
  )
  await expect(page).toHaveURL(/\/alarms$/)
})

test('a browser that blocks notifications says so once it is asked for them', async ({ page }) => {
  await openAsOperator(page, '/alarms')
  const words = page.getByText(/^This browser blocks notifications of this site/)
  const button = page.getByRole('button', { name: 'Notify in this browser' })
  await expect(button).toBeEnabled()
  await expect(words).toHaveCount(0)
  await button.click()
  await expect(words).toBeVisible()
  await expect(button).toHaveAttribute('aria-pressed', 'false')
})

test('a channel keeps its secret, and a test says in words that it did not arrive', async ({ page }) => {
  await openAsOperator(page, '/alarms/channels')
  await page.getByRole('button', { name: 'Add a channel' }).first().click()
  const fresh = page.getByRole('form', { name: 'New channel' })
  await fresh.getByLabel('Kind').selectOption('webhook')
  await fresh.getByLabel('Name').fill('Nowhere')
  // The service may not call its own machine unless the operator lists it.
  await fresh.getByLabel('URL').fill('http://127.0.0.1:9/hook')
  await fresh.getByLabel('Signing key').fill('a secret of mine')
  await fresh.getByRole('button', { name: 'Save' }).click()
  const row = page.getByRole('list', { name: 'Channels' }).getByRole('listitem')
  await expect(row).toContainText('Nowhere')
  await row.getByRole('button', { name: 'Send test to Nowhere' }).click()
  await expect(row.getByText(/^The test did not arrive: /)).toBeVisible()
  await row.getByRole('button', { name: 'Edit Nowhere' }).click()
  const form = page.getByRole('form', { name: 'Channel Nowhere' })
  await expect(form.getByLabel('Signing key')).toHaveValue('')
  await expect(form.getByText('Set, not shown. Leave it empty to keep it.')).toBeVisible()
  expect(await page.content()).not.toContain('a secret of mine')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('button', { name: 'Delete Nowhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No channels yet')).toBeVisible()
})

test('the link with the token lets the page write from its first request on', async ({ page }) => {
  const without: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/v1/watch/') && request.headers()[localTokenHeader] === undefined)
      without.push(request.url())
  })
  await openAsOperator(page, '/fleets')
  await expect(page.getByRole('button', { name: 'Create a fleet' }).first()).toBeVisible()
  await expect(page).toHaveURL('/fleets')
  expect(without).toEqual([])
})

test.describe('without the token', () => {
  test.use({ expectedErrors: [/status of 401 .*\/v1\/watch\//] })

  test('the pages say how to get it', async ({ page }) => {
    await page.goto('/fleets')
    await expect(page.getByText('Access is restricted')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create a fleet' })).toHaveCount(0)
    await page.getByLabel('Local token').fill(readLocalToken())
    await page.getByRole('button', { name: 'Use token' }).click()
    await expect(page.getByRole('button', { name: 'Create a fleet' }).first()).toBeVisible()
  })
})

test('the outlook of a validator names what its reward needs, and adds it to a fleet', async ({ page }) => {
  const [one] = (await validatorsOfNode()).filter(({ uptime }) => uptime !== undefined)
  const nodeId = one?.nodeID ?? ''
  await openAsOperator(page, '/fleets')
  await expect(page.getByRole('heading', { name: 'No validators are watched yet' })).toBeVisible()
  await page.goto(`/networks/${network}/validators/${nodeId}?tab=outlook`)
  const figures = page.locator('dl[aria-label="Outlook"]')
  await expect(figures.getByText('Must be up')).toBeVisible()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'New fleet' }).click()
  await expect(page.getByLabel('Verdict')).toContainText('1 validator, ')
})

test.describe('a warning', () => {
  test.use({ expectedErrors: [/status of 401/] })

  test('“Warn me” says what is missing, and then makes a rule for the validator in one dialog', async ({
    page,
  }) => {
    const [one] = await validatorsOfNode()
    const nodeId = one?.nodeID ?? ''
    await page.goto(`/networks/${network}/validators/${nodeId}`)
    await page.getByRole('button', { name: 'Warn me' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Local token').fill(readLocalToken())
    await dialog.getByRole('button', { name: 'Use token' }).click()
    await dialog.getByLabel('When').selectOption('stakeEnds')
    await dialog.getByLabel('Time left', { exact: true }).fill('400')
    await dialog.getByRole('button', { name: 'Warn me' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('A number from 1 min to 365 d.')
    await expect(dialog.getByLabel('Time left', { exact: true })).toBeFocused()
    expect((await ask(listWatchRules)).rules).toEqual([])
    await dialog.getByLabel('Time left', { exact: true }).fill('10')
    await dialog.getByRole('button', { name: 'Warn me' }).click()
    await expect(dialog.getByText(/^Done\./)).toBeVisible()
    expect((await ask(listWatchRules)).rules).toMatchObject([
      { kind: 'stakeEnds', memberId: nodeId, threshold: 864_000 },
    ])
  })
})

test('“Warn me” on a chain and on an address makes rules that the runner evaluates by the node', async ({
  page,
}) => {
  const chainId = String(chains.c.id)
  const warned = async (path: string, kind: string, label: string, limit: string): Promise<void> => {
    await openAsOperator(page, path)
    await page.getByRole('button', { name: 'Warn me' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('When').selectOption(kind)
    await dialog.getByLabel(label, { exact: true }).fill(limit)
    await dialog.getByRole('button', { name: 'Warn me' }).click()
    await expect(dialog.getByText(/^Done\./)).toBeVisible()
  }
  const { transactions } = await ask(listTransactions, {
    params: { chainId },
    query: { pageSize: 1 },
  })
  const address = transactions[0]?.from.address ?? ''
  await warned(`/chain/${chainId}`, 'chainQuiet', 'Age of the newest block', '10')
  await warned(`/chain/${chainId}/address/${address}`, 'addressBalanceLow', 'Balance', '1000000000')
  const { rules } = await ask(listWatchRules)
  expect(rules).toMatchObject([
    { kind: 'chainQuiet', chainId },
    { kind: 'addressBalanceLow', chainId, address: address.toLowerCase(), threshold: 1_000_000_000 },
  ])
  await page.goto('/alarms')
  const attention = page.getByRole('list', { name: 'What needs attention' })
  const alarm = attention.getByRole('listitem').filter({ hasText: 'Balance low' })
  await expect(alarm).toBeVisible()
  await expect(alarm.getByRole('link', { name: /on C-Chain$/ })).toHaveAttribute(
    'href',
    `/chain/${chainId}/address/${address.toLowerCase()}`,
  )
})

test('the example sets up a fleet with rules; before it only what there is is shown', async ({ page }) => {
  // Alarms of earlier tests stay in the history.
  const { alarms } = await ask(listWatchAlarms)
  await openAsOperator(page, '/alarms')
  const start = page.getByRole('region', { name: 'Set up alarms' })
  await expect(start.getByRole('listitem')).toHaveCount(3)
  for (const name of ['Silences', 'Feeds']) await expect(page.getByRole('heading', { name })).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'History' })).toHaveCount(alarms.length > 0 ? 1 : 0)
  await start.getByRole('button', { name: 'Watch the 5 largest validators' }).click()
  await expect(page.getByLabel('Verdict')).toContainText('5 validators, ')
  expect((await ask(listWatchRules)).rules.map(({ kind }) => kind).toSorted()).toEqual([
    'notConnected',
    'rewardUnreachable',
  ])
})

test.describe('a channel that nothing can be sent to', () => {
  test.use({ expectedErrors: [/status of 400/] })

  test('is refused at its field with the allowed ports', async ({ page }) => {
    await openAsOperator(page, '/alarms/channels?add=yes')
    const form = page.getByRole('form', { name: 'New channel' })
    await form.getByLabel('Kind').selectOption('webhook')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText('Correct the marked fields.')).toBeVisible()
    await form.getByLabel('Name').fill('Ours')
    await form.getByLabel('URL').fill('https://alerts.example:4799/hook')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form.getByText(/^Port 4799 is not allowed\. Allowed: 80, 443, 8080, 8443/)).toBeVisible()
    await expect(form.getByLabel('URL')).toBeFocused()
    await page.goto('/alarms/channels')
    await expect(page.getByText('No channels yet')).toBeVisible()
  })
})

test('every page is accessible and fits, empty and with data', async ({ page }) => {
  const [first, second] = await validatorsOfNode()
  const empty = ['/fleets', '/alarms', '/alarms/rules', '/alarms/rules/new', '/alarms/channels']
  await openAsOperator(page, '/fleets')
  const look = async (path: string): Promise<void> => {
    await page.goto(path)
    await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0)
    await expect(page.locator('.skeleton'), path).toHaveCount(0)
    expect(await violationsInBothThemes(page), path).toEqual([])
    expect(await wideTables(page), path).toEqual([])
    expect(await recutTexts(page), path).toEqual([])
    for (const width of [1440, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(() => overflowOf(page), `${path} at ${width}`).toBe(0)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  for (const path of empty) await look(path)
  await createFleet(page, 'With data', `${first?.nodeID ?? ''} gamma\n${second?.nodeID ?? ''}`)
  const fleet = new URL(page.url()).pathname
  for (const path of [fleet, `${fleet}?edit=members`, '/fleets', `/alarms/rules/new?fleet=${fleet.slice(8)}`])
    await look(path)
  await look(`/networks/${network}/validators/${first?.nodeID ?? ''}?tab=outlook`)
})
