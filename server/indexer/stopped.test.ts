import { afterEach, beforeEach, expect, test } from 'vitest'
import { beginLoad, endLoad } from '../store/lake-loads.ts'
import { readStatus } from '../store/network/read-status.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { rewindChain } from './rewind.ts'
import {
  chainConfig,
  chainRow,
  digest,
  startIndexer,
  storedHead,
  until,
  type RunningIndexer,
} from './testing/harness.ts'
import { SimulatedChain } from './testing/simulated-chain.ts'
import { SimulatedNode } from './testing/simulated-node.ts'

// No state of a chain is its end: what stopped it is examined again, and once the node is mended, it goes on by itself.

const reorgLimit = 10

let store: TestDatabase
let chain: SimulatedChain
let node: SimulatedNode
let url: string
let indexer: RunningIndexer | undefined

beforeEach(async () => {
  store = await createTestDatabase()
  chain = new SimulatedChain(3)
  chain.mine(40)
  node = new SimulatedNode({ chain })
  url = await node.start()
})
afterEach(async () => {
  await indexer?.stop()
  indexer = undefined
  await node.stop()
  await store.drop()
})

function start(startBlock = 0): RunningIndexer {
  const config = chainConfig({ evmChainId: chain.id, rpcUrl: url, reorgLimit, startBlock })
  indexer = startIndexer(store.database, config)
  return indexer
}

const stateOf = async () => {
  const { rows } = await readStatus(store.database, [BigInt(chain.id)], 0)
  return rows.get(BigInt(chain.id))
}
const stopped = (reason: RegExp) =>
  until(`it is stopped for ${String(reason)}`, async () => {
    const row = await stateOf()
    return row?.state === 'stopped' && reason.test(row.reason ?? '')
  })
const caughtUp = () =>
  until('it has the head', async () => {
    const head = await storedHead(store.database, chain.id)
    return (
      head?.hash === chain.hash(chain.height) && (await chainRow(store.database, chain.id))?.state === 'live'
    )
  })

/** Each breaks the node and returns what mends it. */
const stops: [string, RegExp, () => () => void][] = [
  [
    'credentials that are refused',
    /answered 401/,
    () => {
      node.fault = () => 'status 401'
      return () => (node.fault = () => undefined)
    },
  ],
  [
    'another chain id',
    /serves chain 999/,
    () => {
      const other = new SimulatedChain(4, { id: 999 })
      other.mine(60)
      node.chain = other
      return () => (node.chain = chain)
    },
  ],
  [
    'another genesis block',
    /another genesis block/,
    () => {
      const other = new SimulatedChain(4)
      other.mine(60)
      node.chain = other
      return () => (node.chain = chain)
    },
  ],
  [
    'another history below the final block',
    /--rewind/,
    () => {
      const other = new SimulatedChain(3)
      other.mine(40)
      other.reorg(reorgLimit + 5, reorgLimit + 8)
      node.chain = other
      return () => (node.chain = chain)
    },
  ],
]

test.each(stops)('a chain that ran continues after %s', async (_, reason, breakNode) => {
  start()
  await caughtUp()
  const before = await digest(store.database, chain.id)
  const mend = breakNode()
  await stopped(reason)
  expect(await digest(store.database, chain.id)).toEqual(before)
  const since = (await stateOf())?.stopped_ts
  expect(Number(since)).toBeGreaterThan(0)
  // It is asked again while nothing has changed, and says the same, since the same moment.
  const asked = node.requests
  await until('the node is asked again', () => Promise.resolve(node.requests > asked + 3))
  expect((await stateOf())?.stopped_ts).toBe(since)
  mend()
  chain.mine(5)
  await caughtUp()
  expect((await chainRow(store.database, chain.id))?.reason).toBeNull()
})

test.each(stops.slice(0, 2))(
  'a chain whose node never answered continues after %s',
  async (_, reason, breakNode) => {
    const mend = breakNode()
    start()
    await stopped(reason)
    expect(Number((await stateOf())?.stopped_ts)).toBeGreaterThan(0)
    mend()
    await caughtUp()
  },
)

test('a chain whose start block is beyond the head waits, says so, and begins there', async () => {
  start(55)
  await until('it waits', async () => {
    const row = await stateOf()
    return row?.state === 'waiting' && /at block 40, before the start block 55/.test(row.reason ?? '')
  })
  expect(await storedHead(store.database, chain.id)).toBeUndefined()
  chain.mine(20)
  await caughtUp()
  const [row] = await store.database<{ first: bigint }[]>`
    select min(number) as first from blocks where chain = ${chain.id}`
  expect(row?.first).toBe(55n)
})

test('a chain whose start block was changed continues once its blocks are given up', async () => {
  start(5)
  await caughtUp()
  await indexer?.stop()
  start(2)
  await stopped(/startBlock is 2.*--rewind=-1/)
  await rewindChain(store.database, chain.id, -1)
  await caughtUp()
  const [row] = await store.database<{ first: bigint }[]>`
    select min(number) as first from blocks where chain = ${chain.id}`
  expect(row?.first).toBe(2n)
})

test.each([
  ['is finished', () => endLoad(store.database, chain.id)],
  ['is given up', () => rewindChain(store.database, chain.id, -1)],
])('a chain whose bulk load stopped continues once it %s', async (_, mend) => {
  start()
  await caughtUp()
  await indexer?.stop()
  await beginLoad(store.database, chain.id, { from: 0, to: 30, lastHash: chain.hash(30), done: new Set() })
  chain.mine(3)
  start()
  await stopped(/a bulk load of chain 43113 up to block 30 is not finished/)
  expect((await storedHead(store.database, chain.id))?.hash).toBe(chain.hash(40))
  await mend()
  await caughtUp()
})
