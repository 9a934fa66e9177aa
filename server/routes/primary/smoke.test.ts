import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOfPrimaryChain } from '../../../contract/document/statuses.ts'
import { operations } from '../../../contract/operations.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary } from '../../testing/primary-rows.ts'
import {
  idText,
  nodeText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  network = await startPrimaryService(store.database)
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

const missing = idText('nothing')
const [node, wallet] = [nodeText('a'), walletText('a')]
const [p, x] = ['/blockchains/p-chain', '/blockchains/x-chain']

/** What each operation answers on chains at their heads without rows: lists are empty, and nothing is found. */
const operationsAt: Readonly<Record<string, readonly [path: string, chain: string, atHead: string]>> = {
  listPrimaryBlocks: [`${p}/blocks?endTimestamp=1`, 'p-chain', 'blocks'],
  listNodeBlocks: [`${x}/nodes/${node}/blocks`, 'x-chain', 'blocks'],
  listPrimaryTransactions: [`${x}/transactions?addresses=${wallet}&sortOrder=asc`, 'x-chain', 'transactions'],
  listPrimaryTransactionsByType: [
    `${p}/transactions:listByType?txTypes=BaseTx,UNKNOWN`,
    'p-chain',
    'transactions',
  ],
  getPrimaryBalances: [`${p}/balances?addresses=${wallet}`, 'p-chain', 'balances'],
  listUtxos: [
    `${x}/utxos?addresses=${wallet}&sortOrder=asc&assetId=${missing}&includeSpent=true`,
    'x-chain',
    'utxos',
  ],
  listVertices: [`${x}/vertices`, 'x-chain', 'vertices'],
  getVertex: [`${x}/vertices/${missing}`, 'x-chain', 'is not indexed on the x-chain of fuji'],
  listVerticesByHeight: [`${x}/vertices:listByHeight?vertexHeight=1`, 'x-chain', 'vertices'],
  getVertexGraph: [`${x}/vertices:graph`, 'x-chain', 'vertices'],
  listBlockchains: ['/blockchains', 'p-chain', 'blockchains'],
  listBlockchainSummaries: [
    `/blockchainSummaries?subnetId=${missing}&sortOrder=asc`,
    'p-chain',
    'blockchains',
  ],
  getBlockchainGenesis: [`/blockchains/${missing}/genesis`, 'p-chain', 'is not indexed on fuji'],
  listGenesisAllocations: [
    `/blockchains/${missing}/genesis/allocations`,
    'p-chain',
    'is not indexed on fuji',
  ],
  listSubnets: ['/subnets', 'p-chain', 'subnets'],
  listValidators: [
    '/validators?minUptimePerformance=5&maxFeePercentage=3&minTimeRemaining=1&maxDelegationCapacity=4',
    'p-chain',
    'validators',
  ],
  listNodeValidations: [`/validators/${node}`, 'p-chain', 'validators'],
  listUptimeSamples: [`/validators/${node}/uptime`, 'p-chain', 'samples'],
  listStakeHistory: [`/validators/${node}/stake`, 'p-chain', 'points'],
  listValidationCycles: [`/validators/${node}/cycles`, 'p-chain', 'cycles'],
  getNodeFeed: [`/validators/${node}/feed`, 'p-chain', 'has no validation on fuji'],
  getValidatorOutlook: [`/validators/${node}/outlook`, 'p-chain', 'has no validation on fuji now'],
  listDelegators: [
    `/delegators?nodeIds=${node}&rewardAddresses=${wallet}&delegationStatus=active`,
    'p-chain',
    'delegators',
  ],
  listL1Validators: [
    `/l1Validators?nodeId=${node}&subnetId=${missing}&l1ValidationId=${missing}`,
    'p-chain',
    'validators',
  ],
  listL1ValidatorHistory: [`/l1Validators/${missing}/history`, 'p-chain', 'is not indexed on fuji'],
  getStopSafety: [`/subnets/${missing}/stopSafety`, 'p-chain', 'has no validators on fuji'],
  listRewards: [`/rewards?nodeIds=${node}&addresses=${wallet}&sortOrder=asc`, 'p-chain', 'historicalRewards'],
  listPendingRewards: [`/rewards:listPending?nodeIds=${node}&sortOrder=asc`, 'p-chain', 'pendingRewards'],
  listYearlyRewards: [`/rewards:byYear?addresses=${wallet}&nodeIds=${node}`, 'p-chain', 'years'],
  listUnlocks: [`/unlocks?addresses=${wallet}`, 'p-chain', 'unlocks'],
  getValidatorDistribution: ['/validatorDistribution', 'p-chain', 'timestamp'],
  getNetworkDetails: ['', 'p-chain', 'validatorDetails'],
  getNetworkMetric: [
    '/../../../v2/networks/fuji/metrics/xTransactions?timeInterval=day&startTimestamp=1900000000',
    'x-chain',
    'results',
  ],
}

/**
 * Those that ask the node, too, that say how far the index is, that say of which block their rows are, and that are the
 * operator's.
 */
const answeredAnyhow = [
  'getPrimaryBlock',
  'getPrimaryTransaction',
  'getBlockchain',
  'getNetworkOverview',
  'exportPrimaryTable',
  'proveNetworkMetric',
]

test('the table has every operation of the primary network', () => {
  const all = operations.filter(isOfPrimaryChain).map(({ id }) => id)
  expect([...Object.keys(operationsAt), ...answeredAnyhow].toSorted()).toEqual(all.toSorted())
})

const cases = Object.values(operationsAt)

test.each(cases)('%s says that nothing is indexed', async (path, chain) => {
  const { status, body } = await network.get(path)
  expect([status, body['message']]).toEqual([503, `not known yet: the ${chain} of fuji has no indexed block`])
})

test.each(
  [
    ['blockIndex', 'delegationCapacity', 'timeRemaining', 'delegationFee', 'uptimePerformance'].map(
      (key) => `/validators?sortBy=${key}&sortOrder=asc`,
    ),
    '/validators?nodeIds=abc&subnetId=11111111111111111111111111111111LpoYY',
    `${p}/transactions?l1ValidationId=${missing}&txTypes=BaseTx,UNKNOWN`,
    `/blockchains/c-chain/transactions?addresses=0x${'ab'.repeat(20)}`,
    `${p}/balances?addresses=${wallet}&blockTimestamp=1795246000`,
    `${p}/utxos?addresses=${wallet}`,
    `/rewards:listPending?addresses=${wallet}`,
  ].flat(),
)('%s as well', async (path) => {
  expect((await network.get(path)).status).toBe(503)
})

test('an export of a chain without a block is not known yet', async () => {
  const { status, body } = await network.get('/exports/x_blocks')
  expect([status, body['message']]).toEqual([503, 'not known yet: the x-chain of fuji has no indexed block'])
})

test('the overview counts nothing', async () => {
  const { body } = await network.get('/overview')
  expect(Object.keys(body).filter((name) => name.endsWith('Count'))).toEqual([])
  expect(body).not.toHaveProperty('amountStaked')
})

/** Sets the heads of the nodes, and waits until answers of before are no longer reused. */
async function setNodes(height: number): Promise<void> {
  await store.database`update primary_chains set state = 'live', node_height = ${height}`
  await new Promise((resolve) => setTimeout(resolve, 1_100))
}

describe('with an index that is behind', () => {
  beforeAll(async () => {
    const head = { height: 5, ts: 1_795_246_000, parent_id: idBytes('parent'), type: 0 }
    await insertPrimary(
      store.database,
      'primary_blocks',
      Object.values(fujiKeys).map((chain) => ({ ...head, chain, id: idBytes(`head ${chain}`) })),
    )
    await setNodes(5_000)
  })

  // These two are figures at the head of the index, and true of it.
  const figures = ['timestamp', 'validatorDetails']
  test.each(cases.filter(([, , name]) => !figures.includes(name)))(
    '%s says how far it is',
    async (path, chain) => {
      const { status, body } = await network.get(path)
      const message = `not known yet: the ${chain} of fuji is indexed to block 5 of 5000`
      expect([status, body['message']]).toEqual([503, message])
    },
  )

  test('balances at a time are known up to its head', async () => {
    const at = async (time: number) =>
      (await network.get(`${p}/balances?addresses=${wallet}&blockTimestamp=${time}`)).status
    expect([await at(1_795_246_000), await at(1_795_246_001)]).toEqual([200, 503])
  })

  test('an answer has a header that says so', async () => {
    const { headers } = await network.service.app.inject('/v1/networks/fuji/overview')
    expect(headers['x-not-indexed']).toBe('p-chain 5 5000')
  })
})

describe('with an index at its head', () => {
  beforeAll(() => setNodes(5))

  test.each(cases)('%s says that there is nothing', async (path, _chain, expected) => {
    const response = await network.service.app.inject(`/v1/networks/fuji${path}`)
    expect(response.headers).not.toHaveProperty('x-not-indexed')
    const body = response.json<Record<string, unknown>>()
    if (expected.includes(' ')) {
      expect([response.statusCode, body['message']]).toEqual([404, expect.stringContaining(expected)])
      return
    }
    expect([response.statusCode, Object.keys(body)]).toEqual([200, expect.arrayContaining([expected])])
    if (Array.isArray(body[expected])) expect(body[expected]).toEqual([])
  })
})

test.each([
  [`${p}/blocks/7`, 'block 7 is not indexed on the p-chain of fuji'],
  [`${p}/blocks/${missing}`, `block ${missing} is not indexed on the p-chain of fuji`],
  [`/blockchains/c-chain/blocks/0x${'ab'.repeat(32)}`, 'is not indexed on the c-chain of fuji'],
  [`${x}/transactions/${missing}`, 'is not indexed on the x-chain of fuji'],
  [`/blockchains/${missing}`, 'is not indexed on fuji'],
])('%s is a 404 that says so', async (path, words) => {
  const { status, body } = await network.get(path)
  expect([status, body['message']]).toEqual([404, expect.stringContaining(words)])
})

test('the overview of chains without rows has them all, at zero', async () => {
  const { body } = await network.get('/overview')
  expect(body).toMatchObject({
    network: 'fuji',
    networkId: 5,
    addressPrefix: 'fuji',
    validatorCount: 0,
    amountStaked: '0',
    chains: [
      { chainName: 'p-chain', state: 'live' },
      { chainName: 'x-chain', state: 'live', vertexCount: '0' },
      { chainName: 'c-chain', state: 'live' },
    ],
  })
})

test('no operation of the primary network answers 501', async () => {
  const response = await network.service.app.inject('/config.json')
  const { missingOperations } = (response.json() as { profiles: { missingOperations: string[] }[] })
    .profiles[0] ?? {
    missingOperations: ['none'],
  }
  const primary = operations.filter(({ path }) => path.startsWith('/v1/networks/')).map(({ id }) => id)
  expect(primary.length).toBeGreaterThan(25)
  expect(primary.filter((id) => missingOperations.includes(id))).toEqual([])
})
