import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import {
  rangeTopic,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
} from '../store/evm/transfer-logs.ts'
import { rewindChain } from './rewind.ts'
import { chainConfig, digest, startIndexer, storedHead, until } from './testing/harness.ts'
import { type Log, SimulatedChain } from './testing/simulated-chain.ts'
import { SimulatedNode } from './testing/simulated-node.ts'

const zero = `0x${'00'.repeat(20)}`
const alice = `0x${'a1'.repeat(20)}`
const bob = `0x${'b2'.repeat(20)}`
const coin = `0x${'c0'.repeat(20)}`
const art = `0x${'d1'.repeat(20)}`
const items = `0x${'e2'.repeat(20)}`
const names = new Map([
  [alice, 'alice'],
  [bob, 'bob'],
  [coin, 'coin'],
  [art, 'art'],
  [items, 'items'],
])

const topic = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`
const words = (...values: (number | bigint)[]) =>
  values.map((value) => value.toString(16).padStart(64, '0')).join('')
const pay = (from: string, to: string, value: number | bigint): Log => ({
  address: coin,
  topics: [transferTopic, topic(from), topic(to)],
  data: `0x${words(value)}`,
})
const give = (from: string, to: string, id: number): Log => ({
  address: art,
  topics: [transferTopic, topic(from), topic(to), `0x${words(id)}`],
  data: '0x',
})
const giveAll = (from: string, to: string, first: number | bigint, last: number | bigint): Log => ({
  address: art,
  topics: [rangeTopic, `0x${words(first)}`, topic(from), topic(to)],
  data: `0x${words(last)}`,
})
const hand = (from: string, to: string, id: number, value: number): Log => ({
  address: items,
  topics: [transferSingleTopic, topic(from), topic(from), topic(to)],
  data: `0x${words(id, value)}`,
})
const handAll = (from: string, to: string, moved: readonly (readonly [number, number])[]): Log => ({
  address: items,
  topics: [transferBatchTopic, topic(from), topic(from), topic(to)],
  data: `0x${words(64, 96 + 32 * moved.length, moved.length, ...moved.map(([id]) => id), moved.length, ...moved.map(([, value]) => value))}`,
})

let testDatabase: TestDatabase
let chain: SimulatedChain
let node: SimulatedNode
let rpcUrl: string

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  chain = new SimulatedChain(1)
  node = new SimulatedNode({ chain })
  rpcUrl = await node.start()
})

afterEach(async () => {
  await node.stop()
  await testDatabase.drop()
})

/** Indexes the chain to its head and stops. */
async function index(): Promise<void> {
  const indexer = startIndexer(testDatabase.database, chainConfig({ evmChainId: chain.id, rpcUrl }))
  await until(
    'all is indexed',
    async () => (await storedHead(testDatabase.database, chain.id))?.hash === chain.hash(chain.height),
  )
  await indexer.stop()
}

/** The rows of a table as text, with the names of the addresses above. */
async function rowsOf(columns: string, table: string, order: string): Promise<string[]> {
  const bytes = `'0x' || encode(token, 'hex'), '0x' || encode(address, 'hex')`
  const shown = columns.replace('token, address', bytes).replace(/^token/, `'0x' || encode(token, 'hex')`)
  const rows = await testDatabase.database.unsafe<{ line: string }[]>(
    `select concat_ws(' ', ${shown}) as line from ${table} order by ${order}`,
  )
  return rows.map(({ line }) => line.replace(/0x[0-9a-f]{40}/g, (address) => names.get(address) ?? address))
}

const balances = () =>
  rowsOf('token, address, token_id, number, balance', 'balances', 'number, token, address, token_id')
const holders = () => rowsOf('token, address, balance, peak', 'holders', 'token, address')
const totals = () => rowsOf('token, number, supply, holders, cum_transfers', 'token_blocks', 'token, number')

describe('balances', () => {
  test('have a row for each block that changed them, and no row for movements without effect', async () => {
    chain.mineWith([pay(zero, alice, 100), pay(alice, bob, 30), pay(alice, alice, 5)], '0x01')
    chain.mineWith([pay(alice, bob, 0), pay(bob, bob, 9), pay(bob, alice, 7), pay(alice, bob, 7)], '0x02')
    chain.mineWith([pay(bob, zero, 30), pay(bob, alice, 4)], '0x03')
    await index()
    expect(await balances()).toEqual([
      'coin alice -1 1 70',
      'coin bob -1 1 30',
      'coin alice -1 3 74',
      'coin bob -1 3 -4',
    ])
    expect(await holders()).toEqual(['coin alice 74 74', 'coin bob -4 30'])
    expect(await totals()).toEqual(['coin 1 100 2 3', 'coin 2 100 2 7', 'coin 3 70 1 9'])
  })

  test('count an NFT for its contract and for its id', async () => {
    chain.mineWith([give(zero, alice, 5), give(zero, alice, 6)], '0x01')
    chain.mineWith([give(alice, bob, 5), give(bob, bob, 5), give(alice, zero, 6)], '0x02')
    await index()
    expect(await balances()).toEqual([
      'art alice -1 1 2',
      'art alice 5 1 1',
      'art alice 6 1 1',
      'art alice -1 2 0',
      'art alice 5 2 0',
      'art alice 6 2 0',
      'art bob -1 2 1',
      'art bob 5 2 1',
    ])
    expect(await holders()).toEqual(['art alice 0 2', 'art bob 1 1'])
    expect(await totals()).toEqual(['art 1 2 1 2', 'art 2 1 1 5'])
    expect(await rowsOf('token, token_id, first_block', 'nfts', 'token_id')).toEqual(['art 5 1', 'art 6 1'])
  })

  test('apply a batch item by item, including repeated ids', async () => {
    const many = [
      [1, 10],
      [2, 4],
      [1, 5],
      [3, 0],
    ] as const
    chain.mineWith([handAll(zero, alice, many), handAll(alice, bob, [])], '0x01')
    chain.mineWith([handAll(alice, bob, [[1, 2], [1, 3], [2, 4]]), hand(bob, zero, 2, 1)], '0x02') // prettier-ignore
    await index()
    expect(await balances()).toEqual([
      'items alice -1 1 19',
      'items alice 1 1 15',
      'items alice 2 1 4',
      'items alice -1 2 10',
      'items alice 1 2 10',
      'items alice 2 2 0',
      'items bob -1 2 8',
      'items bob 1 2 5',
      'items bob 2 2 3',
    ])
    expect(await totals()).toEqual(['items 1 19 1 4', 'items 2 18 2 8'])
    expect(await rowsOf('token, token_id, first_block', 'nfts', 'token_id')).toEqual([
      'items 1 1',
      'items 2 1',
      'items 3 1',
    ])
  })

  test('count a range of NFTs for its contract, and keep it as a range', async () => {
    const max = 2n ** 256n - 1n
    chain.mineWith([giveAll(zero, alice, 1, 5_000), giveAll(zero, bob, 9_000, 9_000)], '0x01')
    chain.mineWith([give(alice, bob, 7), giveAll(alice, bob, 10, 19), giveAll(bob, alice, 9, 8)], '0x02')
    chain.mineWith([giveAll(zero, alice, 0, max), giveAll(alice, alice, 1, 2)], '0x03')
    await index()
    const whole = (await balances()).filter((line) => line.includes(' -1 '))
    expect(whole).toEqual([
      'art alice -1 1 5000',
      'art bob -1 1 1',
      'art alice -1 2 4989',
      'art bob -1 2 12',
      `art alice -1 3 ${4_989n + max + 1n}`,
    ])
    expect((await balances()).filter((line) => !line.includes(' -1 '))).toEqual([
      'art bob 9000 1 1',
      'art alice 7 2 -1',
      'art bob 7 2 1',
    ])
    expect(await totals()).toEqual(['art 1 5001 2 2', 'art 2 5001 2 4', `art 3 ${5_001n + max + 1n} 2 6`])
    expect(await rowsOf('token, token_id, first_block', 'nfts', 'token_id')).toEqual([
      'art 7 2',
      'art 9000 1',
    ])
    const ranges = () => rowsOf('token, place, from_id, to_id, number', 'nft_ranges', 'place')
    expect(await ranges()).toEqual(['art 0 1 5000 1', 'art 1 10 19 2', `art 2 0 ${max} 3`, 'art 3 1 2 3'])
    await rewindChain(testDatabase.database, chain.id, 1)
    expect(await ranges()).toEqual(['art 0 1 5000 1'])
    await index()
    expect(await ranges()).toHaveLength(4)
  })

  test('keep the first thousand ranges of a contract', async () => {
    for (let block = 0; block < 6; block += 1) {
      const logs = Array.from({ length: 200 }, (_, at) => giveAll(zero, alice, 1_000 * block + 4 * at, 1_000 * block + 4 * at + 2)) // prettier-ignore
      chain.mineWith(logs, '0x01')
    }
    await index()
    const [row] = await testDatabase.database<{ ranges: bigint; last: number }[]>`
      select count(*) as ranges, max(place) as last from nft_ranges`
    expect(row).toEqual({ ranges: 1_000n, last: 999 })
    expect((await holders()).at(-1)).toBe('art alice 3600 3600')
  })

  test('hold the highest amounts exactly', async () => {
    const max = 2n ** 256n - 1n
    const values = [max, 1n, 9_999n, 10_000n, 10n ** 30n, 120_003_400_000_000n]
    for (const value of values) chain.mineWith([pay(zero, alice, value), pay(bob, zero, value)], '0x01')
    await index()
    const sums = values.map((_, at) => values.slice(0, at + 1).reduce((sum, value) => sum + value, 0n))
    expect(await balances()).toEqual(
      sums.flatMap((sum, at) => [`coin alice -1 ${at + 1} ${sum}`, `coin bob -1 ${at + 1} -${sum}`]),
    )
  })
})

describe('rolling back blocks', () => {
  test("restores the holders' balances and peaks", async () => {
    chain.mineWith([pay(zero, alice, 50)], '0x01')
    chain.mineWith([pay(alice, bob, 20)], '0x02')
    await index()
    const before = await digest(testDatabase.database, chain.id)
    chain.mineWith([pay(zero, alice, 500), give(zero, bob, 1)], '0x03')
    chain.mineWith([pay(bob, alice, 20), pay(alice, coin, 1)], '0x04')
    await index()
    expect(await holders()).toEqual(['coin alice 549 549', 'coin bob 0 20', 'coin coin 1 1', 'art bob 1 1'])
    await rewindChain(testDatabase.database, chain.id, 2)
    expect(await holders()).toEqual(['coin alice 30 50', 'coin bob 20 20'])
    expect(await digest(testDatabase.database, chain.id)).toEqual(before)
  })
})
