import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { listDelegators } from '../../contract/network/validators.ts'
import { figureOf } from '../support/address.ts'
import { utc } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { askNode, network, primaryIsLive, root } from '../support/primary.ts'
import { ask } from '../support/stack.ts'

const nano = 9
/** Amounts from the node, in nAVAX as text. */
type Counted = Record<'unlocked' | 'lockedStakeable' | 'lockedNotStakeable' | 'staked', bigint>

/** The node's figures for an address on the P-Chain. */
async function countedByNode(address: string): Promise<Counted> {
  const params = { addresses: [`P-${address}`] }
  const [balance, stake] = (await Promise.all([
    askNode('P', 'platform.getBalance', params),
    askNode('P', 'platform.getStake', params),
  ])) as [Record<string, string>, { staked: string }]
  const { unlocked = '', lockedStakeable = '', lockedNotStakeable = '' } = balance
  return {
    unlocked: BigInt(unlocked),
    lockedStakeable: BigInt(lockedStakeable),
    lockedNotStakeable: BigInt(lockedNotStakeable),
    staked: BigInt(stake.staked),
  }
}

/** A figure on the page, in nAVAX. */
function nanoOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replaceAll(/[,+]/g, '').replace('−', '-').split('.')
  return BigInt(whole + fraction.padEnd(nano, '0'))
}

let owner = ''
const pathOf = (query = ''): string => `${root}/addresses/P-${owner}${query}`

test.beforeAll(async () => {
  await primaryIsLive()
  const { delegators } = await ask(listDelegators, {
    params: { network },
    query: { pageSize: 100, delegationStatus: 'active' },
  })
  // An address with stakes and with coins under a stakeable lock.
  for (const [address] of delegators.map((one) => one.rewardAddresses)) {
    if (address === undefined) continue
    owner = address
    if ((await countedByNode(address)).lockedStakeable > 0n) break
  }
})

const table = (page: Page) => page.getByRole('table', { name: /can be spent, and when/ })

/** The exact figure of a bucket in a column: from its title, or its text if it is not rounded. */
async function bucket(page: Page, name: string, column: string): Promise<string> {
  const rest = page.getByRole('button', { name: /^Show \d+ empty states?$/ })
  if (await rest.isVisible()) await rest.click()
  const heads = await table(page).getByRole('columnheader').allInnerTexts()
  const row = table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${name}\\b(?! and|, may)`) }) })
  const cell = row.getByRole('cell').nth(heads.indexOf(column) - 1)
  return (await figureOf(cell)) || (await cell.innerText()).trim()
}

test('the buckets of the P-Chain equal the node’s balances', async ({ page }) => {
  // The sample’s wallets pay continuously: node and page are read again until no payment comes in between.
  await expect(async () => {
    const counted = await countedByNode(owner)
    await page.goto(pathOf())
    await expect(table(page)).toBeVisible()
    const of = async (name: string): Promise<bigint> => nanoOf(await bucket(page, name, 'P-Chain'))
    expect({
      unlocked: await of('Free'),
      lockedStakeable: await of('Locked, may be staked'),
      lockedNotStakeable: await of('Locked'),
      staked: (await of('Staked')) + (await of('Staked and locked')),
    }).toEqual(counted)
  }).toPass()
})

test('a date is compared with now, stays in the URL, and is removed by its chip', async ({ page }) => {
  await page.goto(pathOf())
  await page.getByLabel('Compare with', { exact: true }).fill('2026-01-31')
  await page.getByRole('button', { name: 'Compare' }).click()
  const moment = Date.UTC(2026, 0, 31, 23, 59, 59) / 1000
  await expect(page).toHaveURL(new RegExp(`compare=${moment}$`))
  await expect(table(page).getByRole('columnheader', { name: utc(moment) })).toBeVisible()
  const read = async (column: string): Promise<bigint> => nanoOf(await bucket(page, 'All', column))
  await expect(async () => {
    const [before, now, difference] = [await read(utc(moment)), await read('Now'), await read('Difference')]
    expect(now - before).toBe(difference)
  }).toPass()

  // The same two dates the other way round: the older one stays on the left, and the difference keeps its sign.
  const later = Date.UTC(2026, 1, 28, 23, 59, 59) / 1000
  for (const [at, compare] of [
    [moment, later],
    [later, moment],
  ]) {
    await page.goto(pathOf(`?at=${at}&compare=${compare}`))
    await expect(table(page).getByRole('columnheader')).toHaveText([
      'State',
      utc(moment),
      utc(later),
      'Difference',
    ])
    const [older, newer, change] = [await read(utc(moment)), await read(utc(later)), await read('Difference')]
    expect(newer - older).toBe(change)
  }
  await page.goto(pathOf(`?compare=${moment}`))
  await page.getByRole('button', { name: /^Remove the filter: Compared/ }).click()
  await expect(table(page).getByRole('columnheader', { name: 'P-Chain' })).toBeVisible()
  await expect(page).toHaveURL(pathOf())
})

test('the unlock calendar has all amounts that are locked or staked on the node, on the page and in the export', async ({
  page,
}) => {
  await page.goto(pathOf('?tab=unlocks'))
  const rows = page.getByRole('table', { name: 'What becomes free, soonest first' }).locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  const onP = await rows.filter({ hasText: 'P-Chain' }).all()
  const amounts = await Promise.all(
    onP.map(async (row) => {
      const cell = row.getByRole('cell').nth(2)
      return nanoOf((await figureOf(cell)) || (await cell.innerText()).replace(/ AVAX$/, ''))
    }),
  )
  // Locks and stakes only begin and end; the sample’s wallets seldom do either.
  const { staked, lockedStakeable, lockedNotStakeable } = await countedByNode(owner)
  expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(
    staked + lockedStakeable + lockedNotStakeable,
  )

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Calendar file (.ics)' }).click()
  const file = await readFile(await (await saving).path(), 'utf8')
  const times = [...file.matchAll(/^DTSTART:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\r$/gm)].map(
    ([, ...parts]) => `${parts.slice(0, 3).join('-')} ${parts.slice(3).join(':')} UTC`,
  )
  expect(times).toEqual(await rows.locator('td:first-child').allInnerTexts())
})

test('transactions are filtered by type and by days', async ({ page }) => {
  await page.goto(pathOf('?tab=transactions'))
  const list = page.getByRole('table', { name: 'Transactions on the P-Chain' })
  await expect(list.locator('tbody tr').first()).toBeVisible()
  await page.getByLabel('Type of the transactions').selectOption({ label: 'Add permissionless delegator' })
  await expect(page).toHaveURL(/type=AddPermissionlessDelegatorTx/)
  await expect(list.getByText('Transfer', { exact: true })).toHaveCount(0)
  await expect(list.locator('tbody tr').first()).toContainText('Add permissionless delegator')
  await page.getByLabel('First day').fill('2024-01-01')
  await page.getByLabel('Last day').fill('2 Jan 2024')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page.getByText('No transaction matches the filters.')).toBeVisible()
  await page.goBack()
  await expect(list.locator('tbody tr').first()).toContainText('Add permissionless delegator')
})

test('a wallet can be labelled, watched and found again; an invalid address is explained', async ({
  page,
}) => {
  await page.goto(pathOf())
  await page.getByLabel('Name of this address').fill('Our savings')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Our savings')
  await page.getByRole('button', { name: 'Watch' }).click()
  await page.goto('/watch-list')
  const watched = page.getByRole('list', { name: 'Watched P- and X-Chain addresses' })
  await watched.getByRole('link', { name: 'Our savings' }).click()
  await expect(page).toHaveURL(`/networks/${network}/addresses/${owner}`)
  await page.goto(`/networks/${network}/addresses/nobody`)
  await expect(page.getByText('An address of the P- and X-Chain begins with fuji1')).toBeVisible()
})
