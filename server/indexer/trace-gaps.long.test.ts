import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import { rewindChain } from './rewind.ts'
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

/*
 * A node that cannot trace for a while: the store must record which blocks lack inner calls, and in the end
 * equal that of a run whose node could always trace.
 */

const reorgLimit = 10
const kept = 16

let testDatabase: TestDatabase
let node: SimulatedNode
let chain: SimulatedChain
let rpcUrl: string
const running: RunningIndexer[] = []

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  chain = new SimulatedChain(91)
  chain.mine(40)
  node = new SimulatedNode({ chain })
  rpcUrl = await node.start()
})

afterEach(async () => {
  await stopAll()
  await node.stop()
  await testDatabase.drop()
})

function start(settings: object = {}, database = testDatabase.database): RunningIndexer {
  const indexer = startIndexer(
    database,
    chainConfig({ evmChainId: chain.id, rpcUrl, reorgLimit, ...settings }),
  )
  running.push(indexer)
  return indexer
}

async function stopAll(): Promise<void> {
  for (const indexer of running.splice(0)) await indexer.stop()
}

const caughtUp = (database = testDatabase.database) =>
  until(
    `block ${chain.height} is indexed`,
    async () => (await storedHead(database, chain.id))?.hash === chain.hash(chain.height),
  )

async function gaps(): Promise<{ first: number; last: number }[]> {
  const rows = await testDatabase.database<{ first: bigint; last: bigint }[]>`
    select first_block as first, last_block as last from trace_gaps where not filled order by first_block`
  return rows.map(({ first, last }) => ({ first: Number(first), last: Number(last) }))
}

/** Waits until no gap and no sum is left. */
const allFilled = () =>
  until('every gap is filled', async () => {
    const [row] = await testDatabase.database<{ left: bigint }[]>`
      select (select count(*) from trace_gaps)
        + (select count(*) from chains where trace_sums_from is not null) as left`
    return row?.left === 0n
  })

/** Whether a block has a transaction that may contain inner calls, according to the node's answers. */
function canHoldCalls(number: number): boolean {
  const found = chain.at(number)
  if (!found) throw new Error(`there is no block ${number}`)
  const { block, receipts } = found
  const transactions = block['transactions'] as { input: string }[]
  return transactions.some(({ input }, index) => input !== '0x' || receipts[index]?.['gasUsed'] !== '0x5208')
}

/** The blocks of a range that may contain inner calls, where a gap may begin and end. */
const holders = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(canHoldCalls)

/** Expects the rows of a run whose node could trace every block. */
async function expectSameAsFresh(): Promise<void> {
  await stopAll()
  node.statesKept = Infinity
  const fresh = await digestOfFresh(chain.id, async (database) => {
    start({}, database)
    await caughtUp(database)
    await stopAll()
  })
  expect(await digest(testDatabase.database, chain.id)).toEqual(fresh)
}

async function expectClean(): Promise<void> {
  const report = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
  expect(report.findings.all()).toEqual([])
  expect(report.blocks).toBeGreaterThan(0)
}

/** An outage during which the chain grew by more blocks than the node keeps states for. */
async function outage(blocks: number): Promise<void> {
  start()
  await caughtUp()
  await stopAll()
  chain.mine(blocks)
  node.statesKept = kept
  start()
  await caughtUp()
}

describe('an outage of more blocks than the node keeps states for', () => {
  test('leaves a gap, keeps the stored data, and traces again once the node can', async () => {
    start()
    await caughtUp()
    await stopAll()
    const before = await digest(testDatabase.database, chain.id)
    const callsBefore = await callsUpTo(40)
    chain.mine(100)
    node.statesKept = kept
    start()
    await caughtUp()
    await until('the newest blocks are traced', async () => (await gaps())[0]?.last !== undefined)
    const lost = holders(41, chain.height - kept)
    await until('what can be traced is', async () => (await gaps()).at(-1)?.last === lost.at(-1))
    expect(await gaps()).toEqual([{ first: lost[0], last: lost.at(-1) }])
    expect((await chainRow(testDatabase.database, chain.id))?.trace_source).toBe('debug')
    expect(await callsUpTo(40)).toEqual(callsBefore)
    expect(before['calls']).not.toBe('0 null')
    // The blocks before and after the gap have all their calls.
    for (const number of [...holders(1, 40), ...holders(chain.height - kept + 1, chain.height)]) {
      expect(await callsOf(number), `block ${number}`).toBe(callsInTraces(number))
    }
    for (const number of lost) expect(await callsOf(number), `block ${number}`).toBe(0)
  })

  test('is filled by a later node with all states, to the rows of an uninterrupted run', async () => {
    await outage(120)
    expect((await gaps()).length).toBeGreaterThan(0)
    node.statesKept = Infinity
    await allFilled()
    await expectClean()
    await expectSameAsFresh()
  })

  test('is filled across restarts, while the chain grows and reorganizes', async () => {
    await outage(150)
    node.statesKept = Infinity
    for (let round = 0; round < 6; round += 1) {
      const before = (await gaps())[0]?.first
      await until(
        'some of it is filled',
        async () => (await gaps())[0]?.first !== before || before === undefined,
      )
      await stopAll()
      if (round % 2 === 0) chain.mine(3)
      else chain.reorg(4, 6)
      start()
    }
    await caughtUp()
    await allFilled()
    await expectClean()
    await expectSameAsFresh()
  })

  test('is truncated by a reorg across its end', async () => {
    await outage(100)
    await stopAll()
    node.statesKept = 2
    // The last blocks of the gap are replaced, and the node cannot trace their replacements either.
    chain.reorg(9, 30)
    start()
    await caughtUp()
    const [gap] = await gaps()
    expect(gap?.last).toBeLessThanOrEqual(chain.height - 2)
    node.statesKept = Infinity
    await allFilled()
    await expectClean()
    await expectSameAsFresh()
  })

  test('is truncated by a rewind into it', async () => {
    await outage(100)
    const [gap] = await gaps()
    await stopAll()
    const middle = Math.floor(((gap?.first ?? 0) + (gap?.last ?? 0)) / 2)
    await rewindChain(testDatabase.database, chain.id, middle)
    const cut = holders(gap?.first ?? 0, middle)
    expect(await gaps()).toEqual([{ first: gap?.first, last: cut.at(-1) }])
    node.statesKept = Infinity
    start()
    await caughtUp()
    await allFilled()
    await expectClean()
    await expectSameAsFresh()
  })
})

describe('a node without a trace method', () => {
  test('leaves one gap, and a later node fills it', async () => {
    node.traces = 'none'
    start()
    await caughtUp()
    await stopAll()
    const without = holders(0, chain.height)
    expect(await gaps()).toEqual([{ first: without[0], last: without.at(-1) }])
    expect((await chainRow(testDatabase.database, chain.id))?.trace_source).toBe('none')
    node.traces = 'trace'
    chain.mine(20)
    start()
    await caughtUp()
    await allFilled()
    expect((await chainRow(testDatabase.database, chain.id))?.trace_source).toBe('trace')
    await expectClean()
    await expectSameAsFresh()
  })

  test('is asked for traces again while the indexer runs', async () => {
    start()
    await caughtUp()
    node.traces = 'none'
    chain.mine(12)
    await caughtUp()
    expect((await gaps()).length).toBeGreaterThan(0)
    node.traces = 'debug'
    await allFilled()
    chain.mine(12)
    await caughtUp()
    await allFilled()
    await expectClean()
    await expectSameAsFresh()
  })

  test('is not asked for traces if tracing is off', async () => {
    start({ traces: 'off' })
    await caughtUp()
    const without = holders(0, chain.height)
    expect(await gaps()).toEqual([{ first: without[0], last: without.at(-1) }])
    expect(node.asked.filter(({ method }) => /trace/.test(method))).toEqual([])
    await stopAll()
    start()
    await allFilled()
    await expectSameAsFresh()
  })
})

describe('npm run verify', () => {
  test('reports what it could not fetch, and checks everything else against the node', async () => {
    await outage(100)
    const [gap] = await gaps()
    await stopAll()
    // By now, the node has pruned more states than those it lacked when the blocks arrived.
    node.statesKept = 3
    const report = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
    expect(report.findings.all()).toEqual([])
    expect(report.blocks).toBe(chain.height + 1)
    const { first = 0, last = -1 } = gap ?? {}
    const gone = holders(0, chain.height - 3).filter((number) => number < first || number > last)
    expect(report.unproven).toEqual({
      untraced: last - first + 1,
      stateGone: gone.length,
      unsupported: 0,
    })

    // Sums are checked although their parts are not proven.
    await testDatabase.database`
      update blocks set cum_deployers = cum_deployers + 1 where chain = ${chain.id} and number = ${chain.height}`
    const wrong = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
    expect(wrong.findings.all()).toEqual([expect.stringMatching(/^I6: block \d+: cum_deployers is/)])
  })

  test('fetches receipts one by one if the node has no eth_getBlockReceipts, as the indexer does', async () => {
    node.hasBlockReceipts = false
    start()
    await caughtUp()
    await expectClean()
  })

  test('continues with a node without a trace method', async () => {
    start()
    await caughtUp()
    await stopAll()
    node.traces = 'none'
    const report = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
    expect(report.findings.all()).toEqual([])
    expect(report.unproven.unsupported).toBe(holders(0, chain.height).length)
  })
})

describe('the trace filler', () => {
  test('rejects traces of another branch', async () => {
    await outage(100)
    const before = await gaps()
    await stopAll()
    const other = new SimulatedChain(91)
    other.mine(40)
    other.reorg(5, 120)
    const own = node.chain
    node.statesKept = Infinity
    node.chain = other
    const indexer = start()
    await until('it was refused', async () =>
      indexer.log.some(({ reason }) => /another block|parts|final/.test(String(reason))),
    )
    await stopAll()
    expect(await gaps()).toEqual(before)
    node.chain = own
    start()
    await allFilled()
    await expectSameAsFresh()
  })

  test('rejects traces of a block with another hash, even if its transactions are the same', async () => {
    await outage(100)
    const before = await gaps()
    await stopAll()
    const own = node.chain
    const [gap] = before
    node.statesKept = Infinity
    node.chain = {
      id: own.id,
      height: own.height,
      hash: (number) => own.hash(number),
      at(number) {
        const found = own.at(number)
        if (!found || number < (gap?.first ?? 0) || number > (gap?.last ?? 0)) return found
        const traces = found.traces.map((trace) => ({
          ...trace,
          result: { ...(trace['result'] as object), calls: [] },
        }))
        return { ...found, block: { ...found.block, hash: `0x${'5'.repeat(64)}` }, traces }
      },
    }
    const indexer = start()
    await until('they were refused', async () =>
      indexer.log.some(({ reason }) => /another block \d+ than the store/.test(String(reason))),
    )
    await stopAll()
    expect(await gaps()).toEqual(before)
    node.chain = own
    start()
    await allFilled()
    await expectSameAsFresh()
  })
})

async function callsOf(number: number): Promise<number> {
  const [row] = await testDatabase.database<{ calls: bigint }[]>`
    select count(*) as calls from calls where chain = ${chain.id} and number = ${number}`
  return Number(row?.calls)
}

async function callsUpTo(number: number): Promise<unknown> {
  const rows = await testDatabase.database`
    select * from calls where chain = ${chain.id} and number <= ${number} order by number, tx_index, ordinal`
  return rows.map((row) => ({ ...row }))
}

/** The number of inner calls of a block in the node's traces. */
function callsInTraces(number: number): number {
  type Frame = { readonly calls?: readonly Frame[] }
  const inside = ({ calls = [] }: Frame): number => calls.reduce((sum, call) => sum + 1 + inside(call), 0)
  return (chain.at(number)?.traces ?? []).reduce((sum, { result }) => sum + inside(result as Frame), 0)
}
