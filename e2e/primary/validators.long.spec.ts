import { getStopSafety } from '../../contract/network/staking.ts'
import { listRewards } from '../../contract/network/rewards.ts'
import { listL1Validators, listValidators } from '../../contract/network/validators.ts'
import { csvRows, integer, plain } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { savedFrom } from '../support/parts.ts'
import { askNode, network, primaryIsLive, root } from '../support/primary.ts'
import { recountDelegations } from '../support/delegation-recount.ts'
import { ask, askAll, serviceUrl } from '../support/stack.ts'

const nano = 9

/** A validator according to the node; amounts in nAVAX, times in Unix seconds, all as text. */
type NodeValidator = {
  readonly nodeID: string
  readonly weight: string
  readonly endTime: string
  readonly delegationFee: string
  readonly delegatorCount: string
  readonly delegators?: readonly { txID: string; weight: string }[] | null
  /** Only for auto-renewed validators. */
  readonly nextPeriod?: string
}

/** nAVAX that a transaction paid as rewards according to the node: a UTXO's amount follows its asset. */
async function paidBy(txID: string): Promise<bigint> {
  const { utxos } = (await askNode('P', 'platform.getRewardUTXOs', { txID, encoding: 'hex' })) as {
    utxos: readonly string[]
  }
  const amounts = utxos.map((hex) => Buffer.from(hex.slice(2), 'hex').readBigUInt64BE(2 + 32 + 4 + 32 + 4))
  return amounts.reduce((sum, each) => sum + each, 0n)
}

/** The auto-renewed validators that continue. */
async function renewedNodes(): Promise<readonly NodeValidator[]> {
  return (await validatorsOfNode()).filter(({ nextPeriod }) => Number(nextPeriod ?? 0) > 0)
}

/** The current validators of the Primary Network; with the delegators of one if given. */
async function validatorsOfNode(nodeIDs: readonly string[] = []): Promise<readonly NodeValidator[]> {
  const answer = await askNode('P', 'platform.getCurrentValidators', { nodeIDs })
  return (answer as { validators: NodeValidator[] }).validators
}

/** A validator with delegators. */
async function delegatedNode(): Promise<NodeValidator> {
  const all = await validatorsOfNode()
  const max = all.toSorted((a, b) => Number(b.delegatorCount) - Number(a.delegatorCount))[0]
  if (max === undefined) throw new Error('the node lists no validator')
  return max
}

test.beforeAll(async () => {
  await primaryIsLive()
})

test('the active validators match the node, with stake, fee and delegators', async ({ page }) => {
  await expect(async () => {
    const expected = (await validatorsOfNode()).map(({ nodeID, weight, delegationFee, delegatorCount }) =>
      [nodeID, plain(BigInt(weight), nano), Number(delegationFee), delegatorCount].join(),
    )
    await page.goto(`${root}/validators`)
    await expect(page.getByRole('status', { name: 'Rows' }).getByText(/^[\d,]+ validators$/)).toBeVisible()
    const { bytes } = await savedFrom(page, 'Export', /^CSV/)
    const text = bytes.toString()
    const heads = text.slice(0, text.indexOf('\r\n')).split(',')
    const at = (name: RegExp): number => heads.findIndex((head) => name.test(head.replaceAll('"', '')))
    // A unit after a comma splits a heading into two cells here; rows have one cell for both.
    const before = (index: number): number => heads.slice(0, index).filter((head) => head === ' AVAX"').length
    const cell = (row: readonly string[], name: RegExp): string => row[at(name) - before(at(name))] ?? ''
    const rows = csvRows(text).map((row) =>
      [
        cell(row, /^Node/),
        cell(row, /^Own stake/),
        Number(cell(row, /^Fee/)),
        cell(row, /^Delegators/),
      ].join(),
    )
    expect(rows.toSorted()).toEqual(expected.toSorted())
  }).toPass()
})

test('a filter and a sort order are sent to the service and kept in the URL', async ({ page }) => {
  const few = (await validatorsOfNode()).filter(({ delegationFee }) => Number(delegationFee) <= 5)
  await page.goto(`${root}/validators`)
  await page.getByRole('button', { name: 'Filters' }).click()
  await page.getByLabel('Fee, at most (%)').fill('5')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Ends' }).click()
  await expect(page).toHaveURL(/maxFee=5&sort=timeRemaining$/)
  await expect(page.getByText(`${few.length} validators`)).toBeVisible()
  const shown = page.getByRole('table', { name: 'Validators, active' }).locator('tbody tr td:first-child a')
  const latestFirst = few.toSorted((a, b) => Number(b.endTime) - Number(a.endTime))
  await expect(shown.first()).toHaveAttribute('title', latestFirst[0]?.nodeID ?? '')
  await page.getByRole('button', { name: 'Remove the filter: Fee at most 5 %' }).click()
  await expect(page).toHaveURL(/validators\?sort=timeRemaining$/)
})

test('the delegators of a validator match the node', async ({ page }) => {
  const { nodeID } = await delegatedNode()
  await expect(async () => {
    const [one] = await validatorsOfNode([nodeID])
    const expected = (one?.delegators ?? []).map(
      ({ txID, weight }) => `${txID} ${plain(BigInt(weight), nano)}`,
    )
    await page.goto(`${root}/validators/${nodeID}?tab=delegators`)
    await expect(page.getByText(/^[\d,]+ delegations?$/)).toBeVisible()
    const { bytes } = await savedFrom(page, 'Export', /^JSON/)
    const rows = JSON.parse(bytes.toString()) as { txHash: string; amountDelegated: string }[]
    const told = rows.map(
      ({ txHash, amountDelegated }) => `${txHash} ${plain(BigInt(amountDelegated), nano)}`,
    )
    expect(told.toSorted()).toEqual(expected.toSorted())
  }).toPass()
})

test('a watched node shows its figures, Prometheus series and a feed', async ({ page }) => {
  const { nodeID, weight } = await delegatedNode()
  await page.goto(`${root}/validators/${nodeID}`)
  await page.getByRole('button', { name: 'Watch' }).click()
  await page.goto(`${root}/validators?list=watched`)
  const row = page.getByRole('table', { name: 'Watched nodes' }).getByRole('row').nth(1)
  await expect(row).toContainText(plain(BigInt(weight), nano).replaceAll(/\B(?=(\d{3})+$)/g, ','))
  const open = async (name: string): Promise<string> => {
    const href = await row.getByRole('link', { name }).getAttribute('href')
    const answer = await fetch(new URL(href ?? '', serviceUrl))
    expect(answer.status).toBe(200)
    return answer.text()
  }
  expect(await open(`Prometheus series of ${nodeID}`)).toContain(nodeID)
  expect(JSON.parse(await open(`JSON feed of ${nodeID}`))).toMatchObject({
    nodeId: nodeID,
    amountStaked: weight,
  })
  await row.getByRole('button', { name: `Unwatch ${nodeID}` }).click()
  await expect(page.getByText('No watched nodes')).toBeVisible()
})

test('ended validations have the delegations that a recount of the P-Chain’s transactions gives', async () => {
  const validations = await askAll(listValidators, 'validators', {
    params: { network },
    query: { pageSize: 100 },
  })
  const delegations = await recountDelegations(validations)
  for (const status of ['completed', 'removed']) {
    const ended = validations.filter(({ validationStatus }) => validationStatus === status)
    expect(ended.length).toBeGreaterThan(0)
    expect(
      ended.map(({ txHash, delegatorCount, amountDelegated }) => [txHash, delegatorCount, amountDelegated]),
    ).toEqual(
      ended.map(({ txHash }) => {
        const own = delegations.get(txHash) ?? []
        return [txHash, own.length, `${own.reduce((sum, weight) => sum + weight, 0n)}`]
      }),
    )
    if (status === 'completed') expect(ended.some(({ txHash }) => delegations.has(txHash))).toBe(true)
  }
})

test('the number of L1 nodes that may stop follows from the node’s weights', async ({ page }) => {
  const { validators } = await ask(listL1Validators, { params: { network }, query: { pageSize: 100 } })
  const subnetID = validators[0]?.subnetId ?? ''
  await page.goto(`${root}/l1-validators?tab=safety&subnet=${subnetID}`)
  const answer = await askNode('P', 'platform.getCurrentValidators', { subnetID })
  const weights = (answer as { validators: { nodeID: string; weight: string; balance?: string }[] })
    .validators
  const whole = weights.reduce((sum, { weight }) => sum + BigInt(weight), 0n)
  // The connection state at the service's last sample; the node may have another one by now.
  const safety = await ask(getStopSafety, { params: { network, subnetId: subnetID } })
  const gone = new Set(safety.validators.flatMap((each) => (each.isRunning ? [] : [each.nodeId])))
  const active = weights.filter(({ balance, nodeID }) => balance !== '0' && !gone.has(nodeID))
  const running = active.reduce((sum, { weight }) => sum + BigInt(weight), 0n)
  const figures = page.getByLabel('Weights').getByRole('definition')
  for (const percent of [67n, 40n, 100n]) {
    await page.getByLabel('Quorum in percent').fill(String(percent))
    const needed = (whole * percent + 99n) / 100n
    const spare = running > needed ? running - needed : 0n
    await expect(figures.nth(2)).toHaveText(integer(needed))
    await expect(figures.nth(6)).toHaveText(integer(spare))
    // Lightest first: no other choice lets more nodes stop.
    let left = spare
    const lightest = active.map(({ weight }) => BigInt(weight)).toSorted((a, b) => Number(a - b))
    const max = lightest.filter((weight) => (left -= weight) >= 0n).length
    await expect(
      page.getByRole('list', { name: 'Nodes that may stop at the same time' }).getByRole('listitem'),
    ).toHaveCount(max)
  }
})

test('the paid rewards of an auto-renewed validator match the node', async ({ page }) => {
  const [one] = await renewedNodes()
  expect(one).toBeDefined()
  await page.goto(`${root}/validators/${one?.nodeID ?? ''}?tab=terms`)
  await expect(page.getByText(/, renews itself$/)).toBeVisible()
  const periods = page.getByRole('region', { name: 'Past cycles' })
  await expect(periods.getByText(/^[\d,]+ cycles?$/)).toBeVisible()
  const { bytes } = await savedFrom(page, 'Export', /^CSV/, periods)
  const rows = csvRows(bytes.toString())
  expect(rows.length).toBeGreaterThan(0)
  // Columns: ended, outcome, seconds, own stake, paid, restaked, transaction.
  const shown = rows.map((row) => [row[6], row[4]])
  const told = await Promise.all(rows.map(async (row) => [row[6], plain(await paidBy(row[6] ?? ''), nano)]))
  expect(shown).toEqual(told)
})

test('the own rewards of a validator are apart from those of its delegators, each with who got it', async ({
  page,
}) => {
  const params = { network } as const
  const paid = await askAll(listRewards, 'historicalRewards', {
    params,
    query: { pageSize: 100, nodeIds: (await delegatedNode()).nodeID },
  })
  const ofDelegators = paid.filter(({ rewardType }) => rewardType === 'DELEGATOR')
  expect(ofDelegators.length).toBeGreaterThan(0)
  await page.goto(`${root}/validators/${ofDelegators[0]?.nodeId ?? ''}?tab=rewards`)
  const section = page.getByRole('region', { name: 'Paid', exact: true })
  const count = async (): Promise<number> =>
    (await section.getByText('No rewards paid yet').isVisible())
      ? 0
      : section.getByRole('table').locator('tbody tr').count()
  await expect.poll(count).toBe(paid.length - ofDelegators.length)
  await page.getByRole('button', { name: 'Of its delegators' }).click()
  await expect.poll(count).toBe(ofDelegators.length)
  const table = section.getByRole('table')
  await expect(table.getByRole('columnheader', { name: 'To', exact: true })).toBeVisible()
  await expect(table.getByRole('columnheader', { name: 'Node', exact: true })).toHaveCount(0)
  await expect(table.locator('tbody tr').filter({ hasNotText: 'delegation' })).toHaveCount(0)
})
