import { afterEach, beforeEach, expect, test } from 'vitest'
import { readStatus } from '../store/network/read-status.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
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

function start(): RunningIndexer {
  indexer = startIndexer(store.database, chainConfig({ evmChainId: chain.id, rpcUrl: url, reorgLimit }))
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

test.each(stops)('a chain that ran goes on after %s', async (_, reason, breakNode) => {
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
  'a chain whose node never answered goes on after %s',
  async (_, reason, breakNode) => {
    const mend = breakNode()
    start()
    await stopped(reason)
    expect(Number((await stateOf())?.stopped_ts)).toBeGreaterThan(0)
    mend()
    await caughtUp()
  },
)
