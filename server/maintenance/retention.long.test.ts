import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rewindChain } from '../indexer/rewind.ts'
import { chainConfig, digest, startIndexer, storedHead, until } from '../indexer/testing/harness.ts'
import { SimulatedChain } from '../indexer/testing/simulated-chain.ts'
import { SimulatedNode } from '../indexer/testing/simulated-node.ts'
import { readKept } from '../store/evm/read-kept.ts'
import { ensurePartitions } from '../store/partitions.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { verifyChain } from '../verify/chain.ts'
import { Retention, type RetentionOptions } from './retention.ts'

/* What a chain no longer keeps, on a chain of some weeks that the indexer stored. The tests go on from each other. */
const chain = new SimulatedChain(11)
chain.mine(110)
const node = new SimulatedNode({ chain })
const reorgLimit = 8
let store: TestDatabase
let rpcUrl: string

const index = async (): Promise<void> => {
  const indexer = startIndexer(store.database, chainConfig({ evmChainId: chain.id, rpcUrl, reorgLimit }))
  const head = async () => (await storedHead(store.database, chain.id))?.number
  await until('all is indexed', async () => (await head()) === chain.height)
  await indexer.stop()
}

beforeAll(async () => {
  rpcUrl = await node.start()
  store = await createTestDatabase()
  await index()
})
afterAll(async () => {
  await node.stop()
  await store.drop()
})

const retention = (options: Pick<RetentionOptions, 'sealedBelow'> & { traces?: number; logs?: number }) =>
  new Retention({
    database: store.database,
    chain: { evmChainId: chain.id, keepTraces: options.traces, keepLogs: options.logs },
    signal: new AbortController().signal,
    batch: 7,
    ...(options.sealedBelow && { sealedBelow: options.sealedBelow }),
  })
const kept = async () => {
  const { traces, logs } = await readKept(store.database, BigInt(chain.id))
  return { traces: Number(traces), logs: Number(logs) }
}
const heights = async (table: 'calls' | 'logs'): Promise<number[]> => {
  const rows = await store.database<{ number: bigint }[]>`
    select number from ${store.database(table)} where chain = ${chain.id} order by number`
  return rows.map(({ number }) => Number(number))
}
const timeOf = (number: number): number => Number(chain.at(number)?.block['timestamp'])
/** The first block of the last days before the newest final block, from the node's blocks. */
const firstOfLast = (days: number): number => {
  const since = timeOf(chain.height - reorgLimit) - days * 86_400
  return Array.from({ length: chain.height }, (_, number) => number).findIndex(
    (number) => timeOf(number) >= since,
  )
}
/** At most so many days, of which the first block has rows: one block too many would be seen. */
const daysUpTo = (max: number, rows: readonly number[]): number => {
  const found = Array.from({ length: max }, (_, less) => max - less).find((days) =>
    rows.includes(firstOfLast(days)),
  )
  if (found === undefined) throw new Error('no such block has rows')
  return found
}
const findings = async (withNode = true): Promise<readonly string[]> =>
  (
    await verifyChain({ database: store.database, chain: chain.id, ...(withNode && { rpcUrl }) })
  ).findings.all()

test('nothing is dropped without a setting, or before the lake has it', async () => {
  const before = await digest(store.database, chain.id)
  expect(await retention({}).round()).toEqual([])
  expect(await retention({ traces: 20, sealedBelow: () => Promise.resolve(0) }).round()).toEqual([])
  expect(await kept()).toEqual({ traces: 0, logs: 0 })
  expect(await digest(store.database, chain.id)).toEqual(before)
  await retention({ traces: 20, sealedBelow: () => Promise.resolve(3) }).round()
  expect(await kept()).toEqual({ traces: 3, logs: 0 })
  expect(Math.min(...(await heights('calls')))).toBeGreaterThanOrEqual(3)
})

test('internal calls before the last days are dropped, and nothing else', async () => {
  const before = await digest(store.database, chain.id)
  const all = await heights('calls')
  const days = daysUpTo(30, all)
  const from = firstOfLast(days)
  expect(await retention({ traces: days }).round()).toEqual([{ kind: 'keepTraces', from: BigInt(from) }])
  const left = all.filter((number) => number >= from)
  expect([left.length > 0, left.length < all.length]).toEqual([true, true])
  expect(await heights('calls')).toEqual(left)
  const after = await digest(store.database, chain.id)
  expect({ ...after, calls: before['calls'] }).toEqual(before)
  expect(await findings()).toEqual([])
  // A setting that keeps more brings nothing back.
  expect(await retention({ traces: 40 }).round()).toEqual([])
  expect((await kept()).traces).toBe(from)
})

test('a process that is killed while it drops leaves what the next one finishes', async () => {
  const all = await heights('logs')
  const days = daysUpTo(15, all)
  const from = firstOfLast(days)
  // The process waits for this row, so that it is killed before it has dropped all.
  const holder = await store.database.reserve()
  await holder`begin`
  await holder`
    select from logs where chain = ${chain.id} and number = ${all.findLast((number) => number < from) ?? -1} for update`
  const dropping = fork(
    fileURLToPath(new URL('testing/retention-process.ts', import.meta.url)),
    [store.url, `${chain.id}`, String(days)],
    { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  await until('a log is dropped', async () => (await heights('logs')).length < all.length)
  dropping.kill('SIGKILL')
  await once(dropping, 'exit')
  const half = await heights('logs')
  await holder`rollback`
  holder.release()
  expect(half.some((number) => number < from)).toBe(true)
  expect(await kept()).toEqual({ traces: from, logs: from })
  expect(await findings(false)).toEqual([])
  expect(await retention({ traces: days, logs: days }).round()).toEqual([])
  expect(await heights('logs')).toEqual(all.filter((number) => number >= from))
  // Balances, holders, tokens and metrics are those of the logs of the node.
  expect(await findings()).toEqual([])
  await store.database`delete from logs where (number, index) = (select number, index from logs where number >= ${from} limit 1)`
  expect((await findings()).map((problem) => problem.slice(0, 2))).toContain('I2')
})

test('a rewind below the final block is refused without logs, and one to the start brings all back', async () => {
  const { database } = store
  await expect(rewindChain(database, chain.id, firstOfLast(2))).rejects.toThrow(
    /logs before block \d+ are not kept .*--rewind=-1/,
  )
  await rewindChain(database, chain.id, -1)
  expect(await kept()).toEqual({ traces: 0, logs: 0 })
  await index()
  expect(Math.min(...(await heights('logs')))).toBeLessThan(firstOfLast(20))
  expect(await findings()).toEqual([])
})

test('a whole partition is emptied once no transaction is older', async () => {
  const { database } = store
  const other = 99
  const [part] = await ensurePartitions(database, BigInt(other), 0n, 0n)
  const head = Number(part?.before) + 1
  await ensurePartitions(database, BigInt(other), BigInt(head), BigInt(head))
  const [copied] = await database`select * from blocks where chain = ${chain.id} and number = 1`
  for (const [number, day] of [
    [1, 0],
    [head - 2, 9],
    [head - 1, 50],
    [head, 50],
  ] as const) {
    await database`insert into blocks ${database({ ...copied, chain: other, number, ts: day * 86_400 })}`
    await database`
      insert into calls (chain, number, tx_index, ordinal, depth, type, reverted, sender, value, gas_limit, gas_used)
      values (${other}, ${number}, 0, 0, 1, 'CALL', false, '\\x01', 1, 1, 1)`
  }
  await database`
    insert into chains (chain, genesis_hash, start_block, finalized_block) values (${other}, '\\x01', 0, ${head})`
  const size = async (): Promise<number> => {
    const [row] = await database<{ bytes: bigint }[]>`select pg_relation_size('calls_99_0') as bytes`
    return Number(row?.bytes)
  }
  const dropping = new Retention({
    database,
    chain: { evmChainId: other, keepTraces: 10 },
    signal: new AbortController().signal,
  })
  await database.begin('isolation level repeatable read', async (older) => {
    const count = () => older`select from calls where chain = ${other}`.then((rows) => rows.length)
    await older`select 1`
    await dropping.round()
    await dropping.round()
    expect([await count(), (await size()) > 0]).toEqual([4, true])
  })
  await dropping.round()
  expect(await size()).toBe(0)
  const rows = await database<
    { number: bigint }[]
  >`select number from calls where chain = ${other} order by number`
  expect(rows.map(({ number }) => Number(number))).toEqual([head - 1, head])
})
