import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import {
  chainConfig,
  chainRow,
  digest,
  digestOfFresh,
  startIndexer,
  storedHead,
  until,
  type RunningIndexer,
} from './testing/harness.ts'
import { SimulatedChain } from './testing/simulated-chain.ts'
import { SimulatedNode } from './testing/simulated-node.ts'

let testDatabase: TestDatabase
let node: SimulatedNode
let rpcUrl: string
const running: RunningIndexer[] = []

beforeEach(async () => {
  testDatabase = await createTestDatabase()
})
afterEach(async () => {
  await stopAll()
  await node.stop()
  await testDatabase.drop()
})

async function serve(chain: SimulatedChain): Promise<void> {
  node = new SimulatedNode({ chain })
  rpcUrl = await node.start()
}

function start(settings: object = {}, database = testDatabase.database): void {
  const config = chainConfig({ evmChainId: node.chain.id, rpcUrl, reorgLimit: 10, ...settings })
  running.push(startIndexer(database, config))
}

async function stopAll(): Promise<void> {
  for (const indexer of running.splice(0)) await indexer.stop()
}

const caughtUp = (database = testDatabase.database) =>
  until(
    `block ${node.chain.height} is indexed`,
    async () => (await storedHead(database, node.chain.id))?.hash === node.chain.hash(node.chain.height),
  )

/** Expects that every invariant holds and that the tables equal those of a new run on the final chain. */
async function expectSound(): Promise<void> {
  const chain = node.chain.id
  const report = await verifyChain({ database: testDatabase.database, chain, rpcUrl })
  expect(report.findings.all()).toEqual([])
  await stopAll()
  const fresh = await digestOfFresh(chain, async (database) => {
    start({}, database)
    await caughtUp(database)
    await stopAll()
  })
  expect(await digest(testDatabase.database, chain)).toEqual(fresh)
}

describe('a node that knows the height of its head but no tags', () => {
  test('is indexed', async () => {
    const chain = new SimulatedChain(3)
    chain.mine(12)
    await serve(chain)
    node.knowsLatest = false
    start()
    await caughtUp()
    chain.mine(3)
    await caughtUp()
    chain.reorg(2, 4)
    await caughtUp()
    await expectSound()
  })
})

describe('blocks that name no parent', () => {
  test('are indexed by height, and replaced by a reorg', async () => {
    const chain = new SimulatedChain(9)
    chain.reserve(5)
    chain.mine(3)
    chain.reserve(4)
    await serve(chain)
    start()
    await caughtUp()
    // The branch begins with such blocks, so only the node's block at the stored tip shows that it is another
    // branch.
    chain.reorg(3, 0)
    chain.reserve(6)
    await caughtUp()
    chain.mine(2)
    await caughtUp()
    await expectSound()
  })
})

describe('a transaction of an unknown type', () => {
  test('is indexed as the node tells it, and counted', async () => {
    const chain = new SimulatedChain(5)
    chain.mine(6)
    chain.mineOfType('0x7e')
    chain.mine(3)
    await serve(chain)
    start()
    await caughtUp()
    expect(running[0]?.stats).toMatchObject({ unknownTransactionTypes: 1, refusedAnswers: 0 })
    const stored = await testDatabase.database`
      select t.type, encode(t.hash, 'hex') as hash,
        (select count(*)::int from logs l where l.chain = t.chain and l.number = t.number) as logs
      from transactions t where t.chain = ${chain.id} and t.number = 7`
    const [told] = (chain.at(7)?.block['transactions'] ?? []) as { hash: string }[]
    expect(stored).toEqual([{ type: 126, hash: told?.hash.slice(2), logs: 1 }])
    await expectSound()
  })
})

describe('a network that is recreated with the same genesis block', () => {
  const oldHistory = () => {
    const chain = new SimulatedChain(21)
    chain.mine(40)
    return chain
  }
  const restart = async (settings: object) => {
    const chain = oldHistory()
    await serve(chain)
    start(settings)
    await caughtUp()
    chain.reorg(40, 30)
  }

  test('is indexed from the start if the operator allows it', async () => {
    await restart({ onNewGenesis: 'startOver' })
    await caughtUp()
    await expectSound()
  })

  test('otherwise stops the chain, and writes nothing', async () => {
    await restart({})
    const id = node.chain.id
    await until(
      'the chain stops',
      async () => (await chainRow(testDatabase.database, id))?.state === 'stopped',
    )
    expect((await chainRow(testDatabase.database, id))?.reason).toMatch(/part after block 0/)
    expect((await storedHead(testDatabase.database, id))?.hash).toBe(oldHistory().hash(40))
  })

  test('is also indexed from the start if the chains share more than genesis but diverge below the final block', async () => {
    const chain = oldHistory()
    await serve(chain)
    start({ onNewGenesis: 'startOver' })
    await caughtUp()
    chain.reorg(30, 30)
    await caughtUp()
    await expectSound()
  })
})

describe('a network that is recreated with another genesis block while it is indexed', () => {
  test('is indexed from the start if the operator allows it', async () => {
    const chain = new SimulatedChain(21)
    chain.mine(20)
    await serve(chain)
    start({ onNewGenesis: 'startOver' })
    await caughtUp()
    const next = new SimulatedChain(22)
    next.mine(8)
    node.chain = next
    await caughtUp()
    await expectSound()
  })
})

describe('withdrawals', () => {
  test('are stored with their block and deleted with it', async () => {
    const chain = new SimulatedChain(5, { withdraws: true })
    chain.mine(30)
    await serve(chain)
    start()
    await caughtUp()
    chain.reorg(6, 9)
    await caughtUp()
    const rows = await testDatabase.database<{ line: string }[]>`
      select concat_ws(' ', number, index, validator, encode(address, 'hex'), amount) as line
      from withdrawals where chain = ${chain.id} order by number, index`
    const expected = Array.from({ length: chain.height + 1 }, (_, number) => {
      const listed = (chain.at(number)?.block['withdrawals'] ?? []) as Record<string, string>[]
      return listed.map(({ index, validatorIndex, address, amount }) =>
        [number, Number(index), Number(validatorIndex), address?.slice(2), Number(amount)].join(' '),
      )
    }).flat()
    expect(expected.length).toBeGreaterThan(10)
    expect(rows.map(({ line }) => line)).toEqual(expected)
    await expectSound()
  })
})
