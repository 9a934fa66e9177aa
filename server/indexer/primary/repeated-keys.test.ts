import { afterAll, beforeAll, expect, test } from 'vitest'
import recorded from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { fromCheckedHex, idOfText, nodeIdOfText } from '../../../protocol/ids/text.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { readRewards } from '../../store/network/read-rewards.ts'
import { readTxStakers, readTxValidations } from '../../store/primary/read-transactions.ts'
import { readChanges, readDownSamples, readFleetNodes, readKnownIds } from '../../store/watch/read-fleet.ts'
import { readSamples } from '../../store/watch/read-history.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testPace, until } from '../testing/harness.ts'
import { runPrimaryIndexers } from './networks.ts'
import { localNetwork } from './testing/local-network.ts'
import { addPBlock, emptyBase, rewardTx, rewardUtxo, withoutCredentials } from './testing/own-blocks.ts'
import { RecordedNode } from './testing/recorded-node.ts'

// A page's rows are found by keys that repeat: several transactions of a page change one validator, several addresses of a
// request are the same. A join with such a list repeats the rows, which a fixture with one row a key can't show.

const p = 11
const end = 1_795_336_006
const validationId = Buffer.from(idOfText(recorded.l1Validator.validationID))
const validatorTx = Buffer.from(idOfText('2Hh6zez7NEZQ22WwRSuJB95ynuNHYe5ZqWbYFcRzBdhseFxp9r'))
const nodes = recorded.node.validators.map((each) => Buffer.from(nodeIdOfText(each.nodeID)))
const stakings = recorded.node.validators.map((each) => Buffer.from(idOfText(each.txID)))

let store: TestDatabase
let heights: bigint[]
const abort = new AbortController()

beforeAll(async () => {
  store = await createTestDatabase()
  const node = new RecordedNode()
  const staking = recorded.pBlocks
    .flatMap(({ hex }) => decodePBlock(fromCheckedHex(hex)).transactions)
    .find(({ id }) => Buffer.from(id).equals(validatorTx))
  if (staking?.unsigned.type !== 'AddPermissionlessValidatorTx') throw new Error('no validation')
  const { base, stake, rewardsOwner } = staking.unsigned
  const [owner] = rewardsOwner.addresses
  const index = base.outputs.length + stake.length
  node.rewards.set('2Hh6zez7NEZQ22WwRSuJB95ynuNHYe5ZqWbYFcRzBdhseFxp9r', [
    rewardUtxo(
      validatorTx,
      index,
      stake[0]?.assetId ?? new Uint8Array(),
      567_306_284n,
      owner ?? new Uint8Array(),
    ),
  ])
  const raise = (balance: bigint) =>
    withoutCredentials({ type: 'IncreaseL1ValidatorBalanceTx', base: emptyBase, validationId, balance })
  // Two changes in one block, and one in the next.
  addPBlock(node, 32, 1_795_246_100, [raise(1n), raise(2n)])
  addPBlock(node, 32, 1_795_246_200, [raise(3n)])
  addPBlock(node, 29, end, [rewardTx(validatorTx)])
  addPBlock(node, 31, end, [])
  const quiet = () => undefined
  const running = runPrimaryIndexers({
    database: store.database,
    ...localNetwork(await node.start()),
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    pace: testPace,
  })
  await until('everything is stored', async () => {
    const [row] = await store.database<{ height: bigint | null; samples: bigint }[]>`
      select (select max(height) from primary_blocks where chain = ${p}) as height,
        (select count(*) from uptime_samples) as samples`
    return row?.height === 15n && row.samples > 0n
  })
  abort.abort()
  await running.catch(() => undefined)
  await node.stop()
  await store.database`update uptime_samples set connected = false`
  const rows = await store.database<{ height: bigint }[]>`
    select distinct height from l1_validator_changes where chain = ${p} order by height`
  heights = rows.map(({ height }) => height)
})
afterAll(() => store.drop())

const twice = <Item>(items: readonly Item[]): Item[] => [...items, ...items]
const sorted = (rows: readonly object[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
    )
    .toSorted()

test.each<[string, (repeat: typeof twice) => Promise<readonly object[]>]>([
  [
    'changes of L1 validators',
    (repeat) => readTxValidations(store.database, p, repeat([validationId]), repeat(heights)),
  ],
  [
    'rewards of nodes',
    (repeat) =>
      readRewards(
        store.database,
        p,
        { addresses: undefined, nodes: repeat(nodes), types: undefined },
        { height: 0n, index: -1, ordinal: -1 },
        'asc',
        100,
      ),
  ],
  ['stakers of transactions', (repeat) => readTxStakers(store.database, repeat(stakings))],
  [
    'known ids',
    async (repeat) => {
      const ids = await readKnownIds(store.database, p, repeat([...nodes, validationId]))
      return ids.map((id) => ({ id: id.toString('hex') }))
    },
  ],
  ['nodes of a fleet', (repeat) => readFleetNodes(store.database, p, repeat(nodes))],
  [
    'events of a fleet',
    (repeat) => readChanges(store.database, p, repeat(nodes), repeat([validationId]), 0, 500),
  ],
  [
    'samples of validations',
    (repeat) =>
      readSamples(
        store.database,
        p,
        repeat(nodes.map((node, index) => ({ node, tx_id: stakings[index] ?? node }))),
        0,
        4_000_000_000,
      ),
  ],
  [
    'times without a connection',
    (repeat) =>
      readDownSamples(
        store.database,
        p,
        repeat(nodes.map((node, index) => ({ node, txId: stakings[index] ?? node }))),
        0,
      ),
  ],
])('%s are read once each, however often their keys are asked for', async (_, read) => {
  const once = await read((items) => [...items])
  expect(once.length).toBeGreaterThan(0)
  expect(sorted(await read(twice))).toEqual(sorted(once))
})

test('an L1 validator has as many changes as its transactions made', async () => {
  const rows = await readTxValidations(store.database, p, twice(twice([validationId])), twice(heights))
  expect(rows.map(({ balance_change: change }) => change).toSorted()).toEqual(
    ['1', '2', '3', '1000000000'].toSorted(),
  )
})
