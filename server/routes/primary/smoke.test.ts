import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../../contract/operations.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
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
const lists: readonly [string, string][] = [
  ['/blockchains/p-chain/blocks', 'blocks'],
  [`/blockchains/x-chain/nodes/${nodeText('a')}/blocks`, 'blocks'],
  ['/blockchains/p-chain/transactions', 'transactions'],
  [`/blockchains/p-chain/transactions?addresses=${walletText('a')}&sortOrder=asc`, 'transactions'],
  [`/blockchains/p-chain/transactions?l1ValidationId=${missing}&txTypes=BaseTx,UNKNOWN`, 'transactions'],
  [`/blockchains/c-chain/transactions?addresses=0x${'ab'.repeat(20)}`, 'transactions'],
  [`/blockchains/p-chain/utxos?addresses=${walletText('a')}`, 'utxos'],
  [`/blockchains/x-chain/utxos?addresses=${walletText('a')}&sortOrder=asc&assetId=${missing}`, 'utxos'],
  ['/blockchains/x-chain/vertices', 'vertices'],
  ['/blockchains/x-chain/vertices:listByHeight?vertexHeight=1', 'vertices'],
  ['/blockchains/x-chain/vertices:graph', 'vertices'],
  ['/blockchains', 'blockchains'],
  ['/blockchainSummaries', 'blockchains'],
  [`/blockchainSummaries?subnetId=${missing}&sortOrder=asc`, 'blockchains'],
  ['/subnets', 'subnets'],
  ['/validators', 'validators'],
  ['/validators?nodeIds=abc&subnetId=11111111111111111111111111111111LpoYY', 'validators'],
  ...['blockIndex', 'delegationCapacity', 'timeRemaining', 'delegationFee', 'uptimePerformance'].map(
    (key): [string, string] => [`/validators?sortBy=${key}&sortOrder=asc`, 'validators'],
  ),
  [
    '/validators?minUptimePerformance=5&maxFeePercentage=3&minTimeRemaining=1&maxDelegationCapacity=4',
    'validators',
  ],
  [`/validators/${nodeText('a')}`, 'validators'],
  [`/validators/${nodeText('a')}/uptime`, 'samples'],
  [`/validators/${nodeText('a')}/stake`, 'points'],
  ['/delegators', 'delegators'],
  [
    `/delegators?nodeIds=${nodeText('a')}&rewardAddresses=${walletText('a')}&delegationStatus=active`,
    'delegators',
  ],
  ['/l1Validators', 'validators'],
  [`/l1Validators?nodeId=${nodeText('a')}&subnetId=${missing}&l1ValidationId=${missing}`, 'validators'],
  [`/rewards?addresses=${walletText('a')}`, 'historicalRewards'],
  [`/rewards?nodeIds=${nodeText('a')}`, 'historicalRewards'],
  [`/rewards?nodeIds=${nodeText('a')}&addresses=${walletText('a')}&sortOrder=asc`, 'historicalRewards'],
  [`/rewards:listPending?addresses=${walletText('a')}`, 'pendingRewards'],
  [`/rewards:listPending?nodeIds=${nodeText('a')}&sortOrder=asc`, 'pendingRewards'],
  [`/rewards:byYear?addresses=${walletText('a')}&nodeIds=${nodeText('a')}`, 'years'],
  [`/rewards:byYear?nodeIds=${nodeText('a')}`, 'years'],
  [`/unlocks?addresses=${walletText('a')}`, 'unlocks'],
]

test.each(lists)('%s is empty on chains without rows', async (path, name) => {
  const { status, body } = await network.get(path)
  expect([status, body[name]], JSON.stringify(body)).toEqual([200, []])
})

test.each([
  ['/blockchains/p-chain/blocks/7', 'block 7 is not indexed on the p-chain of fuji'],
  [`/blockchains/p-chain/blocks/${missing}`, `block ${missing} is not indexed on the p-chain of fuji`],
  [`/blockchains/c-chain/blocks/0x${'ab'.repeat(32)}`, 'is not indexed on the c-chain of fuji'],
  [`/blockchains/x-chain/transactions/${missing}`, 'is not indexed on the x-chain of fuji'],
  [`/blockchains/x-chain/vertices/${missing}`, 'is not indexed on the x-chain of fuji'],
  [`/blockchains/${missing}`, 'is not indexed on fuji'],
  [`/blockchains/${missing}/genesis`, 'is not indexed on fuji'],
  [`/blockchains/${missing}/genesis/allocations`, 'is not indexed on fuji'],
  [`/l1Validators/${missing}/history`, 'is not indexed on fuji'],
  [`/validators/${nodeText('a')}/feed`, 'has no validation on fuji'],
  [`/subnets/${missing}/stopSafety`, 'has no validators on fuji'],
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
