import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainConfig, startIndexer, storedHead, until } from './indexer/testing/harness.ts'
import { SimulatedChain } from './indexer/testing/simulated-chain.ts'
import { SimulatedNode } from './indexer/testing/simulated-node.ts'
import type { Database, Queryable } from './store/database.ts'
import { transferTopic } from './store/evm/transfer-logs.ts'
import { beforeAllCalls, readInternalCalls } from './store/evm/read-address-calls.ts'
import { readTransferLogs, type TransferKind } from './store/evm/read-address-logs.ts'
import { readNativeTransactions } from './store/evm/read-address-native.ts'
import { readAddressOverview } from './store/evm/read-address-overview.ts'
import { readAddressRanges } from './store/evm/read-address-partitions.ts'
import { readCreation, readCreations } from './store/evm/contracts/read-contract.ts'
import { beforeAllPlaces, type Place } from './store/evm/read-transactions.ts'
import { listPartition, partitionedTables } from './store/partitions.ts'
import { lastBlock } from './store/read.ts'
import { readTransferLogs as readTokenLogs } from './store/tokens/read-token-transfers.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { verifyChain } from './verify/chain.ts'
import { gatherActivity } from './routes/evm/addresses/address-walk.ts'

/** Set a seed to replay a run: RIDGELINE_SEED=123 npx vitest run server/address-partitions.long.test.ts */
const seed = Number(process.env['RIDGELINE_SEED'] ?? 5)
/** Blocks of a partition, and partitions. */
const size = 3
const count = 20
const pageSize = 4
/** Blocks that are replaced, after which addresses that were in them may be noted in vain. */
const depth = 7
const all = { from: 0n, before: lastBlock }

let store: TestDatabase
/** One connection for statements, and one for transactions, whose statistics are asked for. */
let sql: Database
let replacedFrom: number
const chain = new SimulatedChain(seed)
const node = new SimulatedNode({ chain, traces: 'none' })
const id = BigInt(chain.id)
const zero = `0x${'0'.repeat(40)}`

beforeAll(async () => {
  store = await createTestDatabase()
  sql = store.open({ max: 1 })
  for (let part = 0; part < count; part += 1) {
    const [from, before] = [part * size, (part + 1) * size]
    await sql.unsafe(
      partitionedTables
        .map(
          (table) =>
            `create table ${table}_${id}_${from} partition of ${table} for values from (${id}, ${from}) to (${id}, ${before})`,
        )
        .join(';'),
    )
    await listPartition(sql, { chain: id, from: BigInt(from), before: BigInt(before) })
  }
  chain.mine(size * count - 10)
  const connections = store.open()
  const indexer = startIndexer(
    connections,
    chainConfig({ evmChainId: chain.id, rpcUrl: await node.start(), reorgLimit: 8 }),
  )
  const isAtHead = async () => (await storedHead(sql, chain.id))?.hash === chain.hash(chain.height)
  await until('the chain is stored without calls', isAtHead)
  node.traces = 'debug'
  const isTraced = async () =>
    (await sql`select from trace_gaps where not filled`).length === 0 &&
    (await sql`select from chains where trace_sums_from is null`).length === 1
  await until('the calls are filled in', isTraced)
  replacedFrom = chain.height - depth + 1
  chain.reorg(depth, 12)
  await until('some blocks are replaced', isAtHead)
  await indexer.stop()
  // A connection without work counts what it did up to ten seconds later, or when it ends.
  await connections.end()
  await until('nobody else is connected', async () => {
    const others = await sql`
      select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
    return others.length === 0
  })
})
afterAll(async () => {
  await node.stop()
  await store?.drop()
})

const bytesOf = (address: string): Buffer => Buffer.from(address.slice(2), 'hex')

/** All rows of a list, page by page. */
async function walk<Row, Place>(
  start: Place,
  read: (past: Place) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let past = start; ;) {
    const page = await read(past)
    rows.push(...page)
    const last = page.at(-1)
    if (!last || page.length < pageSize) return rows
    past = placeOf(last)
  }
}

async function activity(address: string, order: 'asc' | 'desc', range = all): Promise<unknown[]> {
  const pages: unknown[] = []
  const list = { chain: id, address: bytesOf(address), order, range }
  for (let past: Place | undefined = beforeAllPlaces[order]; past;) {
    const page = await gatherActivity(sql, list, past, pageSize)
    pages.push(page)
    past = page.next
  }
  return pages
}

async function tokenLogs(token: string, order: 'asc' | 'desc'): Promise<unknown[]> {
  const logs: unknown[] = []
  const stop = order === 'asc' ? lastBlock : 0n
  let place = order === 'asc' ? { number: 0n, index: 0 } : { number: lastBlock - 1n, index: 9_999 }
  for (;;) {
    const page = await readTokenLogs(sql, id, bytesOf(token), undefined, order, place, stop, pageSize)
    logs.push(...page.logs)
    const last = page.logs.at(-1)
    if (!page.more || !last) return logs
    place = { number: last.number, index: last.index + (order === 'asc' ? 1 : -1) }
  }
}

const transfers = (kind: TransferKind) => (address: string) =>
  walk(
    beforeAllPlaces.desc as Place,
    (past) => readTransferLogs(sql, id, address, kind, all, past, pageSize),
    ({ number, index }) => ({ number: BigInt(number), index }),
  )

/** Everything that is read of an address, to its end. */
const lists: Readonly<Record<string, (address: string) => Promise<unknown>>> = {
  native: (address) =>
    walk(
      beforeAllPlaces.desc as Place,
      (past) => readNativeTransactions(sql, id, bytesOf(address), all, past, pageSize),
      ({ blockNumber, blockIndex }) => ({ number: BigInt(blockNumber), index: blockIndex }),
    ),
  'ERC-20': transfers('ERC-20'),
  'ERC-721': transfers('ERC-721'),
  'ERC-1155': transfers('ERC-1155'),
  calls: (address) =>
    walk(
      beforeAllCalls,
      (past) => readInternalCalls(sql, id, bytesOf(address), all, past, pageSize),
      ({ number, tx, ordinal }) => ({ number: BigInt(number), tx, ordinal }),
    ),
  'all, descending': (address) => activity(address, 'desc'),
  'all, ascending': (address) => activity(address, 'asc'),
  'all of some blocks': (address) => activity(address, 'asc', { from: 16n, before: 50n }),
  overview: (address) => readAddressOverview(sql, id, address, { denied: [], trusted: [] }),
  creations: (address) =>
    walk(
      beforeAllCalls,
      (past) => readCreations(sql, id, bytesOf(address), past, pageSize),
      ({ number, tx, ordinal }) => ({ number: BigInt(number), tx, ordinal }),
    ),
  creation: (address) => readCreation(sql, id, bytesOf(address)),
  'a token, descending': (address) => tokenLogs(address, 'desc'),
  'a token, ascending': (address) => tokenLogs(address, 'asc'),
}

/** The partitions whose indexes or rows a read uses, by their first blocks. */
async function touchedBy(read: () => Promise<unknown>): Promise<number[]> {
  const scans = async () => {
    await Promise.all([flush(sql), sql.begin(flush)])
    const rows = await sql<{ name: string; scans: bigint }[]>`
      select relname as name, seq_scan + idx_scan as scans from pg_stat_user_tables where relname ~ ${`_${id}_\\d+$`}`
    return new Map(rows.map(({ name, scans }) => [name, scans]))
  }
  const before = await scans()
  await read()
  const touched = [...(await scans())].filter(([name, scans]) => scans !== before.get(name))
  return [...new Set(touched.map(([name]) => Number(/\d+$/.exec(name)?.[0])))].toSorted((a, b) => a - b)
}

const flush = (connection: Queryable) => connection`select pg_stat_force_next_flush()`

/** Every address with the partitions that have a row of it, read from the rows themselves. */
async function partitionsOf(): Promise<Map<string, number[]>> {
  const rows = await sql<{ address: string; parts: number[] }[]>`
    select '0x' || encode(address, 'hex') as address, json_agg(distinct number / ${size} * ${size}) as parts
    from (
      select number, unnest(array[sender, recipient, created]) as address from transactions
      union all select number, unnest(array[address, substring(topic1 from 13), substring(topic2 from 13)]) from logs
      union all select number, substring(topic3 from 13) from logs where topic0 <> ${bytesOf(transferTopic)}
      union all select number, unnest(array[sender, recipient]) from calls
      union all select number, unnest(array[address, deployer]) from contracts) rows
    where length(address) = 20 group by address`
  return new Map(rows.map(({ address, parts }) => [address, parts.map(Number).toSorted((a, b) => a - b)]))
}

/** The contract of the simulated chain that is not a token: its deposits are in no list. */
const pool = `0x${'d0'.repeat(20)}`

/** The addresses that are in the fewest and in the most partitions. */
async function some(fewest: number, max: number): Promise<[string, number[]][]> {
  const known = [...(await partitionsOf())]
    .filter(([address]) => address !== zero && address !== pool)
    .toSorted(([, one], [, other]) => one.length - other.length)
  return [...known.slice(0, fewest), ...known.slice(-max)]
}

test('an address, a contract and a token are read from their partitions only', async () => {
  const addresses = await some(12, 3)
  expect(addresses[11]?.[1].length).toBeLessThan(count / 2)
  let found = 0
  for (const [address, parts] of addresses) {
    const touched = new Set<number>()
    for (const [name, list] of Object.entries(lists)) {
      const own = await touchedBy(() => list(address))
      const beside = own.filter((part) => !parts.includes(part) && part + size <= replacedFrom)
      expect({ address, name, beside }).toEqual({ address, name, beside: [] })
      for (const part of own) touched.add(part)
    }
    if (parts.every((part) => touched.has(part))) found += 1
  }
  // Others are only in malformed transfers, in deposits, or in calls that no list has.
  expect(found).toBeGreaterThan(7)
  expect(await touchedBy(() => activity(`0x${'ab'.repeat(20)}`, 'desc'))).toEqual([])
})

test('the first page of a busy address is read from the nearest partitions, in either direction', async () => {
  const [row] = await sql<{ address: string }[]>`
    select '0x' || encode(sender, 'hex') as address from transactions group by 1 order by count(*) desc limit 1`
  const address = row?.address ?? ''
  const parts = (await partitionsOf()).get(address) ?? []
  expect(parts.length).toBeGreaterThan(count / 3)
  for (const order of ['asc', 'desc'] as const) {
    const list = { chain: id, address: bytesOf(address), order, range: all }
    const touched = await touchedBy(() => gatherActivity(sql, list, beforeAllPlaces[order], 1))
    expect(touched.length).toBeLessThan(4)
    expect(touched).toContain(order === 'asc' ? parts[0] : parts.at(-1))
  }
})

test('the lists equal those that look into every partition', async () => {
  const addresses = [zero, ...(await some(8, 4)).map(([address]) => address)]
  const read = async () => {
    const found: Record<string, unknown> = {}
    for (const address of addresses)
      for (const [name, list] of Object.entries(lists)) found[`${name} of ${address}`] = await list(address)
    return found
  }
  const pruned = await read()
  await sql`create table kept as select * from listed_partitions`
  await sql`delete from listed_partitions`
  expect(await readAddressRanges(sql, id, bytesOf(zero), all, 'desc')).toEqual([all])
  const unpruned = await read()
  await sql`insert into listed_partitions select * from kept`
  expect(pruned).toEqual(unpruned)
})

test('a store whose older partitions are not listed looks into these as well', async () => {
  await sql`delete from listed_partitions where from_block < 12 or from_block = 30`
  const ranges = await readAddressRanges(sql, id, bytesOf(`0x${'ab'.repeat(20)}`), all, 'desc')
  expect(ranges).toEqual([
    { from: 30n, before: 33n },
    { from: 0n, before: 12n },
  ])
  // What is above a range is not in it, but says that the range has partitions.
  const below = await readAddressRanges(sql, id, bytesOf(zero), { from: 31n, before: 32n }, 'asc')
  expect(below).toEqual([{ from: 31n, before: 32n }])
  await sql`insert into listed_partitions select * from kept on conflict do nothing`
})

test('verify finds no address that is left out, after calls were filled in and blocks were replaced', async () => {
  const { findings } = await verifyChain({ database: store.database, chain: chain.id })
  expect(findings.all()).toEqual([])
})
