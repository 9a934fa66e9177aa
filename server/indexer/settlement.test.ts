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
import { RecordedChain } from './testing/recorded-chain.ts'
import { SimulatedNode } from './testing/simulated-node.ts'

let chain: RecordedChain
let node: SimulatedNode
let rpcUrl: string
let testDatabase: TestDatabase
let indexer: RunningIndexer | undefined

beforeEach(async () => {
  chain = new RecordedChain()
  node = new SimulatedNode({ chain })
  rpcUrl = await node.start()
  testDatabase = await createTestDatabase()
})

afterEach(async () => {
  await stop()
  await node.stop()
  await testDatabase.drop()
})

function start(settings: object = {}, database = testDatabase.database): RunningIndexer {
  indexer = startIndexer(database, chainConfig({ evmChainId: chain.id, rpcUrl, ...settings }))
  return indexer
}

async function stop(): Promise<void> {
  await indexer?.stop()
  indexer = undefined
}

const caughtUp = (database = testDatabase.database) =>
  until(
    `block ${chain.height} is indexed`,
    async () => (await storedHead(database, chain.id))?.number === chain.height,
  )

/** Expects the tables of a run without wrong answers. */
async function expectSameAsFresh(settings: object = {}): Promise<void> {
  await stop()
  const fresh = await digestOfFresh(chain.id, async (database) => {
    start(settings, database)
    await caughtUp(database)
    expect(indexer?.stats?.reorgs).toBe(0)
    await stop()
  })
  expect(await digest(testDatabase.database, chain.id)).toEqual(fresh)
}

describe('a recorded chain that becomes asynchronous', () => {
  test('is indexed across the switch, with the actual gas and fees', async () => {
    start()
    await caughtUp()
    const rows = await testDatabase.database<
      { number: bigint; settled_height: bigint | null; gas_used: bigint; fees: string; cum_gas: string }[]
    >`select number, settled_height, gas_used, fees, cum_gas from blocks order by number`
    // The headers of blocks 3 to 7 contain the gas limits: 21000, 90000, 240000, 300000 and 21000.
    expect(rows.map(({ gas_used }) => Number(gas_used))).toEqual([
      0, 58_104, 121_000, 21_000, 45_000, 122_042, 150_000, 21_000, 100_000, 45_000, 21_000, 22_042,
    ])
    expect(rows.map(({ settled_height }) => settled_height)).toEqual(
      [null, null, 1, 2, 2, 2, 3, 4, 7, 7, 7, 9].map((height) => height && BigInt(height)),
    )
    expect(rows[5]?.fees).toBe(`${100_000n * 1_000_000_001n + 22_042n * 60_000_000_000n}`)
    expect(rows[11]?.cum_gas).toBe('726188')
    const report = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
    expect(report.findings.all()).toEqual([])
    expect(indexer?.stats).toMatchObject({ unknownHeaders: 0, unknownTransactionTypes: 0, refusedAnswers: 0 })
  })

  test('is indexed when it is asynchronous from genesis', async () => {
    chain = new RecordedChain('fromGenesis')
    node.chain = chain
    start()
    await caughtUp()
    const rows = await testDatabase.database<
      { settled_height: bigint | null; gas_used: bigint; atomic: boolean }[]
    >`
      select settled_height, gas_used, ext_data is not null as atomic from blocks order by number`
    expect(rows.map(({ settled_height }) => settled_height)).toEqual([null, 0n, 0n, 2n, 2n, 2n, 3n, 4n])
    expect(rows.map(({ gas_used }) => gas_used)).toEqual([
      0n,
      0n,
      0n,
      0n,
      150_000n,
      166_000n,
      321_000n,
      166_000n,
    ])
    expect(rows.map(({ atomic }) => atomic)).toEqual([false, true, true, true, false, false, false, false])
    const report = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
    expect(report.findings.all()).toEqual([])
  })

  test('is indexed from the middle, with the unsettled blocks fetched from the node', async () => {
    start({ startBlock: 7 })
    await caughtUp()
    await expectSameAsFresh({ startBlock: 7 })
    const asked = node.asked.filter(({ method }) => method === 'eth_getBlockReceipts')
    expect(new Set(asked.map(({ first }) => Number(first)))).toEqual(new Set([4, 5, 6, 7, 8, 9, 10, 11]))
    expect(await storedHead(testDatabase.database, chain.id)).toEqual({ number: 11, hash: chain.hash(11) })
  })

  test.each([2, 3, 7, 8, 10])('continues after a restart at block %i', async (height) => {
    chain.height = height
    start()
    await caughtUp()
    await stop()
    chain.height = 11
    start()
    await caughtUp()
    expect(indexer?.stats).toMatchObject({ reorgs: 0, refusedAnswers: 0 })
    await expectSameAsFresh()
  })

  test('no unsettled block is final', async () => {
    start({ reorgLimit: 1 })
    await caughtUp()
    expect((await chainRow(testDatabase.database, chain.id))?.finalized_block).toBe(9n)
  })
})

describe('a wrong receipt of an unsettled block', () => {
  const lies: [string, number, Record<string, unknown>][] = [
    ['logs that are missing', 5, { logs: [] }],
    ['another status', 7, { status: '0x0' }],
    ['more gas', 6, { gasUsed: '0x249f1', cumulativeGasUsed: '0x249f1' }],
  ]

  test.each(lies)(
    'is found when it is settled, and nothing of it stays: %s',
    async (_name, number, change) => {
      chain.height = 7
      const stopLying = chain.lie(number, change)
      start({ traces: 'off' })
      await caughtUp()

      // The last answers are those about block 8; then the node stops answering.
      node.fault = () =>
        node.asked.some(({ method, first }) => method === 'eth_getBlockReceipts' && first === '0x8')
          ? 'status 503'
          : undefined
      chain.height = 8
      await until(
        'it is taken back',
        async () => (await storedHead(testDatabase.database, chain.id))?.number === 4,
      )
      for (const table of ['transactions', 'logs', 'contracts', 'balances', 'token_blocks'] as const) {
        const [left] = await testDatabase.database<{ rows: bigint }[]>`
        select count(*) as rows from ${testDatabase.database(table)} where number > 4`
        expect(left?.rows, table).toBe(0n)
      }
      await expect.poll(() => indexer?.stats?.reorgs).toBe(1)
      await until('it says why', async () =>
        Boolean(indexer?.log.some(({ reason }) => /block 8 settles the blocks 5 to 7/.test(String(reason)))),
      )

      stopLying()
      node.fault = () => undefined
      chain.height = 11
      await caughtUp()
      await expectSameAsFresh({ traces: 'off' })
    },
  )

  test.each(lies)('is found after a restart, in what was stored: %s', async (_name, number, change) => {
    chain.height = 7
    const stopLying = chain.lie(number, change)
    start()
    await caughtUp()
    await stop()
    // The node is correct from now on, which does not prove its earlier answers.
    stopLying()
    chain.height = 11
    start()
    await caughtUp()
    expect(indexer?.stats).toMatchObject({ reorgs: 1, refusedAnswers: 1 })
    await expectSameAsFresh()
  })

  test('is refused for as long as the node sends it', async () => {
    const stopLying = chain.lie(5, { logs: [] })
    start()
    await until('it was refused thrice', async () => (indexer?.stats?.refusedAnswers ?? 0) > 2)
    expect((await storedHead(testDatabase.database, chain.id))?.number ?? 0).toBeLessThan(8)
    stopLying()
    await caughtUp()
    await expectSameAsFresh()
  })
})
