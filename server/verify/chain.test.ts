import { intervalsOf, metricNames } from '../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../contract/metrics/intervals.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { chainConfig, startIndexer, storedHead, until } from '../indexer/testing/harness.ts'
import { SimulatedChain } from '../indexer/testing/simulated-chain.ts'
import { SimulatedNode } from '../indexer/testing/simulated-node.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from './chain.ts'
import { startOf } from './recount.ts'

const chain = new SimulatedChain(11, { asyncFrom: 30 })
chain.mine(50)
const node = new SimulatedNode({ chain })
let testDatabase: TestDatabase
let rpcUrl: string

beforeAll(async () => {
  rpcUrl = await node.start()
  testDatabase = await createTestDatabase()
  const indexer = startIndexer(testDatabase.database, chainConfig({ evmChainId: chain.id, rpcUrl }))
  await until(
    'all is indexed',
    async () => (await storedHead(testDatabase.database, chain.id))?.number === chain.height,
  )
  await indexer.stop()
})

afterAll(async () => {
  await node.stop()
  await testDatabase.drop()
})

/** The invariants that a change violates; the change is undone. */
async function broken(change: string, withNode = true): Promise<string[]> {
  const copies = [
    'blocks',
    'transactions',
    'logs',
    'calls',
    'contracts',
    'seen',
    'chains',
    'balances',
    'holders',
    'tokens',
    'token_blocks',
    'nfts',
    'nft_ranges',
    'address_partitions',
  ]
  for (const table of copies)
    await testDatabase.database.unsafe(`create table kept_${table} as select * from ${table}`)
  try {
    await testDatabase.database.unsafe(change)
    const report = await verifyChain({
      database: testDatabase.database,
      chain: chain.id,
      ...(withNode && { rpcUrl }),
    })
    return [...new Set(report.findings.all().map((problem) => problem.slice(0, 2)))]
  } finally {
    for (const table of copies) {
      await testDatabase.database.unsafe(
        `truncate ${table}; insert into ${table} select * from kept_${table}; drop table kept_${table}`,
      )
    }
  }
}

describe('verifyChain', () => {
  afterEach(() => {
    node.chain = chain
  })

  test('finds nothing on an untouched database', async () => {
    expect(await broken('select 1')).toEqual([])
    expect(await broken('select 1', false)).toEqual([])
  })

  test.each([
    [
      'a block that is gone',
      'delete from blocks where number = (select max(number) from transactions where number <= 20)',
      ['I1', 'I3'],
    ],
    [
      'a foreign parent',
      "update blocks set parent_hash = decode(repeat('ab', 32), 'hex') where number = 20",
      ['I1'],
    ],
    [
      'a log that is gone',
      'delete from logs where (number, index) = (select number, index from logs order by number limit 1)',
      ['I2'],
    ],
    ['rows above the head', 'delete from blocks where number = (select max(number) from blocks)', ['I3']],
    ['a cursor that lies', 'update chains set finalized_block = 99', ['I4']],
    ['a first block that is not the start', 'update chains set start_block = 7', ['I4']],
    [
      'tokens above the head',
      'update balances set number = 99 where number = (select max(number) from balances)',
      ['I3', 'I6'],
    ],
    [
      'a balance that is off',
      'update balances set balance = balance + 1 where number = (select min(number) from balances)',
      ['I6'],
    ],
    [
      'a balance that is gone',
      'delete from balances where number = (select max(number) from balances)',
      ['I6'],
    ],
    [
      'a balance of nothing',
      `insert into balances select chain, '\\x01', kind, token, token_id, number, balance from balances limit 1`,
      ['I6'],
    ],
    ['an old holding', 'update holders set balance = balance - 1 where balance > 0', ['I6']],
    ['another peak', 'update holders set peak = peak + 1', ['I6']],
    ['a supply', 'update token_blocks set supply = supply + 1', ['I6']],
    ['a count of holders', 'update token_blocks set holders = holders + 1', ['I6']],
    ['a count of transfers', 'update token_blocks set cum_transfers = cum_transfers + 1', ['I6']],
    ['a token that is gone', 'delete from tokens where kind = 1155', ['I6']],
    [
      'a partition that the lists of an address leave out',
      'delete from address_partitions where address = (select created from transactions where created is not null limit 1)',
      ['I7'],
    ],
    ['a range of NFTs', 'update nft_ranges set to_id = to_id + 1', ['I6']],
    ['an NFT that was seen earlier', 'update nfts set first_block = first_block - 1', ['I6']],
  ])('notices from the tables alone: %s', async (_name, change, expected) => {
    const found = await broken(change, false)
    for (const invariant of expected) expect(found).toContain(invariant)
  })

  test.each([
    [
      'another amount',
      'update transactions set value = value + 1 where number = (select max(number) from transactions)',
      'I5',
    ],
    [
      'other data of a log',
      "update logs set data = '\\\\x00' where number = (select max(number) from logs)",
      'I5',
    ],
    [
      'a creation that is gone',
      'delete from contracts where number = (select min(number) from contracts)',
      'I5',
    ],
    [
      'another height that a block settles',
      'update blocks set settled_height = settled_height - 1 where number = 40',
      'I5',
    ],
    ['another signer of a creation', 'update contracts set origin = deployer where ordinal >= 0', 'I5'],
    [
      'a call that is none in the rankings',
      `update transactions set input = '\\x' where number = (
         select max(number) from transactions where recipient is not null and length(input) >= 4)`,
      'I6',
    ],
    [
      'one transaction too many in the sums',
      'update blocks set cum_txs = cum_txs + 1 where number > 30',
      'I6',
    ],
    [
      'an address too few this week',
      'update blocks set cum_week_addresses = cum_week_addresses - 1 where number > 30',
      'I6',
    ],
    ['a priority fee too high', 'update blocks set cum_priority = cum_priority + 1 where number > 30', 'I6'],
    ['another gas limit', 'update blocks set cum_gas_limit = cum_gas_limit + 1 where number > 30', 'I6'],
    ['a failed transaction too few', 'update blocks set cum_failed = cum_failed - 1 where number > 30', 'I6'],
    ['a wrong peak', 'update blocks set day_max_gps_gas = day_max_gps_gas + 1', 'I6'],
    ['a wrong top price', 'update blocks set day_max_gas_price = day_max_gas_price + 1', 'I6'],
    ['an hour that is off', 'update seen set hour_ts = hour_ts - 3600 where role = 1', 'I6'],
    ['an address that is not remembered', 'delete from seen where role = 2', 'I6'],
  ])('notices against the node: %s', async (_name, change, expected) => {
    expect(await broken(change)).toContain(expected)
  })

  test('detects missing logs, also of blocks that later ones settle', async () => {
    node.fault = () => 'empty logs'
    const { findings } = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
    node.fault = () => undefined
    const withLogs = Array.from({ length: 51 }, (_, number) => String(chain.at(number)?.block['logsBloom']))
    expect(findings.count('I2')).toBe(withLogs.filter((bloom) => BigInt(bloom) > 0n).length)
  })

  test('compares every metric at every interval', async () => {
    const { values, blocks } = await verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })
    const [first, last] = [1_700_000_000, Number(chain.at(chain.height)?.block['timestamp'])]
    const periods = (length: number) => Math.floor(last / length) - Math.floor(first / length) + 1
    expect(blocks).toBe(51)
    // Weeks and months add to this.
    const by = (interval: TimeInterval) =>
      metricNames.filter((name) => intervalsOf(name).includes(interval)).length
    expect(values).toBeGreaterThan(by('day') * periods(86_400) + by('hour') * periods(3_600))
  })

  test('refuses a node of another chain', async () => {
    node.chain = new SimulatedChain(1, { id: 5 })
    await expect(verifyChain({ database: testDatabase.database, chain: chain.id, rpcUrl })).rejects.toThrow(
      /serves chain 5/,
    )
  })
})

describe('startOf', () => {
  test.each([
    ['hour', 1_709_164_799, '2024-02-28T23:00:00Z'],
    ['day', 1_709_164_799, '2024-02-28T00:00:00Z'],
    ['week', 1_709_510_399, '2024-02-26T00:00:00Z'],
    ['week', 1_709_510_400, '2024-03-04T00:00:00Z'],
    ['week', 0, '1969-12-29T00:00:00Z'],
    ['month', 1_709_251_199, '2024-02-01T00:00:00Z'],
    ['month', 1_709_251_200, '2024-03-01T00:00:00Z'],
  ] as const)('%s of %i', (interval, ts, expected) => {
    expect(startOf(interval, ts)).toBe(Date.parse(expected) / 1000)
  })
})
