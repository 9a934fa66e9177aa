import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  chainConfig,
  chainRow,
  digest,
  startIndexer,
  storedHead,
  until,
} from '../../indexer/testing/harness.ts'
import { rewindChain } from '../../indexer/rewind.ts'
import { SimulatedChain } from '../../indexer/testing/simulated-chain.ts'
import { SimulatedNode } from '../../indexer/testing/simulated-node.ts'
import { transferTopic } from '../../store/evm/transfer-logs.ts'
import { lockSpace, type Queryable } from '../../store/database.ts'
import { partitionedTables } from '../../store/partitions.ts'
import { StoreSession } from '../../store/session.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { verifyChain } from '../../verify/chain.ts'
import { openEngine, type LakeEngine } from '../engine.ts'
import { loadLake } from '../load.ts'
import { killAtRandom, killSettings, startLoader, untilNoLoader } from '../testing/kills.ts'
import { writeRanges } from '../testing/run-lake.ts'
import { bulkLoad } from './load.ts'

const settings = killSettings({ kills: 3, seed: 7 })
const { seed } = settings
/** The last block of each lake, and blocks of a range. The chains go on for a few blocks. */
const sealed = 119
const size = 40
const beyond = 6

const zeroes = '0'.repeat(40)

/** A chain with a lake of its first blocks. */
type Sealed = { readonly chain: SimulatedChain; readonly root: string; readonly rpcUrl: string }

let folder: string
let engine: LakeEngine
const stores: TestDatabase[] = []
const nodes: SimulatedNode[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-bulk-'))
  engine = await openEngine(folder)
})

afterAll(async () => {
  engine?.close()
  for (const node of nodes) await node.stop()
  for (const { drop } of stores) await drop()
  await rm(folder, { recursive: true, force: true })
})

async function sealedChain(
  name: string,
  options: ConstructorParameters<typeof SimulatedChain>[1] & {
    seed: number
    traces?: 'debug' | 'trace' | 'off'
  },
): Promise<Sealed> {
  const chain = new SimulatedChain(options.seed, options)
  // What goes there and back in one block changes no balance.
  const [one, other, token] = [1, 2, 3].map((byte) => `${byte}`.repeat(40)) as [string, string, string]
  const transfer = (from: string, to: string) => ({
    address: `0x${token}`,
    topics: [transferTopic, ...[from, to].map((address) => `0x${address.padStart(64, '0')}`)],
    data: `0x${'5'.padStart(64, '0')}`,
  })
  chain.mineWith([transfer(one, other), transfer(other, one)], '0x01')
  // Sums that exceed 256 bits, and amounts of 36 to 39 digits, around what 128 bits hold.
  const move = (token: string, from: string, to: string, amount: bigint) => ({
    ...transfer(from, to),
    address: `0x${token.repeat(40)}`,
    data: `0x${amount.toString(16).padStart(64, '0')}`,
  })
  const max = 2n ** 256n - 1n
  for (const amount of [max, max - 1n])
    chain.mineWith([move('4', zeroes, one, amount), move('4', one, other, amount - 5n)], '0x02')
  for (const [token, digits] of [
    ['5', 35n],
    ['6', 36n],
    ['7', 38n],
  ] as const)
    for (let times = 0; times < 2; times += 1)
      chain.mineWith([move(token, zeroes, one, 10n ** digits), move(token, one, other, 7n)], '0x03')
  chain.mine(sealed + beyond - chain.height)
  const traces = options.traces ?? 'trace'
  const node = new SimulatedNode({ chain, traces: traces === 'off' ? 'none' : traces })
  nodes.push(node)
  const rpcUrl = await node.start()
  const root = join(folder, name)
  const ranges = Array.from({ length: (sealed + 1) / size }, (_, at) => ({
    from: at * size,
    to: at * size + size - 1,
  }))
  await writeRanges({ root, rpcUrl, chain: chain.id, traces }, ranges)
  return { chain, root, rpcUrl }
}

async function store(): Promise<TestDatabase> {
  const created = await createTestDatabase()
  stores.push(created)
  return created
}

const options = ({ database }: TestDatabase, { chain, root }: Sealed) => ({
  database,
  root,
  chain: chain.id,
  engine,
  home: join(folder, 'home'),
  signal: new AbortController().signal,
})

/** Lets the indexer go on to the head. */
async function follow({ database }: TestDatabase, { chain, rpcUrl }: Sealed): Promise<void> {
  const indexer = startIndexer(database, chainConfig({ evmChainId: chain.id, rpcUrl, reorgLimit: beyond }))
  await until('the head is indexed', async () => {
    return (await storedHead(database, chain.id))?.number === chain.height
  })
  await indexer.stop()
}

/**
 * All tables of a chain, the addresses of its partitions, and what its row says of it. A digest has the last hours of addresses; those of the final
 * blocks are what remains if everything above is replaced.
 */
async function contents({ database }: TestDatabase, { chain: { id } }: Sealed) {
  const finalHours = await database`
    select distinct on (role, address) role, address, hour_ts, first_block from seen
    where chain = ${id} and first_block <= (select finalized_block from chains where chain = ${id})
    order by role, address, hour_ts desc`
  const addresses = await database`
    select distinct address from address_partitions where chain = ${id} order by address`
  return { ...(await digest(database, id)), finalHours, addresses, chain: await chainRow(database, id) }
}

type Given = Parameters<typeof sealedChain>[1] & { rowsPerPartition?: number }

describe('a bulk load equals the ordinary way row by row, and the indexer continues from it', () => {
  test.each<[string, Given]>([
    ['calls and withdrawals', { seed, id: 4_801, withdraws: true }],
    [
      'blocks that others settle, and a partition for each range',
      { seed: seed + 1, id: 4_802, asyncFrom: 30, rowsPerPartition: 1 },
    ],
    [
      'a genesis at time 0, traced otherwise',
      { seed: seed + 2, id: 4_803, genesisTs: 0, traces: 'debug' as const },
    ],
    ['no traces', { seed: seed + 3, id: 4_804, traces: 'off' as const }],
  ])('with %s', async (name, given) => {
    const lake = await sealedChain(name, given)
    // The second chain and those after it find the tables that chains share filled.
    const [bulk, ordinary] = [(shared ??= await store()), await store()]
    await loadLake(options(ordinary, lake))
    // Chains of the primary network are locked by their negated keys, which may be those of EVM chains.
    const primary = new StoreSession(bulk.database, -lake.chain.id, new AbortController().signal)
    await primary.open()
    const { rowsPerPartition } = given
    expect(await bulkLoad({ ...options(bulk, lake), ...(rowsPerPartition && { rowsPerPartition }) })).toEqual(
      {
        blocks: { from: 0, to: sealed },
        lakeEnd: sealed,
      },
    )
    await primary.close()
    const partitions = await bulk.database`
      select from pg_class where relispartition and relname ~ ${`^blocks_${lake.chain.id}_\\d+$`}`
    expect(partitions).toHaveLength(rowsPerPartition === undefined ? 1 : (sealed + 1) / size)
    expect(await contents(bulk, lake)).toEqual(await contents(ordinary, lake))
    expect(await bulk.database`select from lake_loads`).toHaveLength(0)
    await Promise.all([follow(bulk, lake), follow(ordinary, lake)])
    expect(await contents(bulk, lake)).toEqual(await contents(ordinary, lake))
    const report = await verifyChain({ database: bulk.database, chain: lake.chain.id, rpcUrl: lake.rpcUrl })
    expect(report.findings.all()).toEqual([])
    // What has blocks continues in the ordinary way.
    expect(await bulkLoad(options(bulk, lake))).toEqual({ blocks: undefined, lakeEnd: sealed })
  })
  let shared: TestDatabase | undefined

  test('and the indexes, which are built behind the rows, are those of the ordinary way', async () => {
    const [bulk, ordinary] = stores as [TestDatabase, TestDatabase]
    const names = (await ordinary.database`select chain from chains`).map(({ chain }) => String(chain))
    expect(names).toEqual(['4801'])
    const indexes = ({ database }: TestDatabase) =>
      database`select tablename, indexname, indexdef from pg_indexes where schemaname = 'public' and indexname !~ '_480[2-9]' order by 1, 2`
    expect(await indexes(bulk)).toEqual(await indexes(ordinary))
    const constraints = ({ database }: TestDatabase) =>
      database`
        select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
        where contype <> 'n' and connamespace = 'public'::regnamespace and conrelid::regclass::text !~ '_480[2-9]'
        order by 1, 2`
    expect(await constraints(bulk)).toEqual(await constraints(ordinary))
  })
})

describe('a load that is not finished', () => {
  let lake: Sealed
  let ordinary: TestDatabase
  beforeAll(async () => {
    lake = await sealedChain('unfinished', { seed: seed + 5, id: 4_806 })
    ordinary = await store()
    await loadLake(options(ordinary, lake))
  })

  /** The tables and partitions that are whole; undefined without an unfinished load. */
  const done = async ({ database }: TestDatabase) =>
    (await database<{ done: string[] }[]>`select done from lake_loads`)[0]?.done

  /** Loads a part of the lake, until as many tables and partitions are whole. */
  async function loadSome(target: TestDatabase, parts: number): Promise<void> {
    const stop = new AbortController()
    let seen = 0
    const onPart = () => void ((seen += 1) === parts && stop.abort())
    await expect(bulkLoad({ ...options(target, lake), signal: stop.signal, onPart })).rejects.toThrow(
      'interrupted',
    )
    expect((await done(target))?.length).toBeGreaterThanOrEqual(parts)
  }

  /** The digest of a table without rows. */
  const empty = '0 null'
  /** The part of a load that fills a table; gaps are recorded with the blocks, and there is one partition here. */
  const partOf = (table: string): string => {
    if (table === 'trace_gaps') return partOf('blocks')
    return (partitionedTables as readonly string[]).includes(table) ? `${table} 0` : table
  }

  test(
    `continues after every kill, and loses and doubles nothing (seed ${settings.seed})`,
    async () => {
      const args = ['--bulk', '--root', lake.root, '--chain', `${lake.chain.id}`]
      const env = { RIDGELINE_HOME: join(folder, 'killed') }
      const whole = await digest(ordinary.database, lake.chain.id)
      await killAtRandom(settings, async () => {
        const killed = await createTestDatabase()
        return {
          start: (event) => startLoader(killed.url, args, event, env),
          async afterKill(when) {
            await untilNoLoader(killed.database)
            const tables = await digest(killed.database, lake.chain.id)
            // Before a load and after it there is no note of it.
            const parts =
              (await done(killed)) ?? (tables['blocks'] === empty ? [] : Object.keys(tables).map(partOf))
            const expected = Object.entries(whole).map(([table, rows]) => [
              table,
              parts.includes(partOf(table)) ? rows : empty,
            ])
            expect(tables, when).toEqual(Object.fromEntries(expected))
          },
          async whenThrough(when) {
            expect(await contents(killed, lake), when).toEqual(await contents(ordinary, lake))
            // The scratch of the killed loaders is gone too.
            expect(await readdir(env.RIDGELINE_HOME), when).toEqual([])
            await killed.drop()
          },
        }
      })
    },
    settings.timeout,
  )

  test('is left alone by the ordinary way and the indexer, until it is given up', async () => {
    const target = await store()
    await loadSome(target, 5)
    await expect(loadLake(options(target, lake))).rejects.toThrow(
      /a bulk load of chain 4806 up to block 119 is not finished/,
    )
    const { rpcUrl } = lake
    const indexer = startIndexer(
      target.database,
      chainConfig({ evmChainId: 4_806, rpcUrl, reorgLimit: beyond }),
    )
    const state = async () => (await chainRow(target.database, 4_806))?.state
    await until('the indexer stops', async () => (await state()) === 'stopped')
    await indexer.stop()
    expect(await target.database`select from blocks`).toHaveLength(0)
    await rewindChain(target.database, 4_806, -1)
    await loadLake(options(target, lake))
    expect(await contents(target, lake)).toEqual(await contents(ordinary, lake))
  })

  test('continues only from the lake with which it began', async () => {
    const target = await store()
    await loadSome(target, 5)
    const { root } = await sealedChain('another', { seed: seed + 6, id: 4_806 })
    await expect(bulkLoad(options(target, { ...lake, root }))).rejects.toThrow(
      'is not the lake from which the load up to block 119 began',
    )
    await bulkLoad(options(target, lake))
    expect(await contents(target, lake)).toEqual(await contents(ordinary, lake))
  })

  /** Holds the first connection at its first partition while the second one goes on. */
  const whileOneWaits = (target: TestDatabase, act: (sql: Queryable) => Promise<void>) =>
    target.database.begin(async (sql) => {
      await sql`lock table withdrawals in share update exclusive mode`
      await act(target.database)
    })
  const secondEnds = (sql: Queryable) => async () => {
    const rows = await sql`
      select from pg_locks where locktype = 'advisory' and classid = ${lockSpace.bulkLoad}
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length === 0
  }

  test('that is given up meanwhile ends, and leaves nothing of what both connections were writing', async () => {
    const target = await store()
    let [outcome, seen]: [unknown, boolean] = [undefined, false]
    await whileOneWaits(target, async (sql) => {
      outcome = bulkLoad({ ...options(target, lake), onPart: () => void (seen = true) }).catch(
        (error: unknown) => error,
      )
      await until('the second connection has filled a table', () => Promise.resolve(seen))
      await sql`delete from lake_loads`
      await until('the second connection ends', secondEnds(sql))
    })
    expect(String(await outcome)).toContain('the bulk load of chain 4806 was given up')
    expect(await target.database`select from pg_class where relname = 'withdrawals_4806_0'`).toHaveLength(0)
    expect(await target.database`select from blocks`).toHaveLength(0)
    await rewindChain(target.database, 4_806, -1)
    await bulkLoad(options(target, lake))
    expect(await contents(target, lake)).toEqual(await contents(ordinary, lake))
  })

  test('stops on all connections when one fails', async () => {
    const target = await store()
    await target.database`alter table seen add constraint refused check (chain <> 4806)`
    let outcome: unknown
    await whileOneWaits(target, async (sql) => {
      let begun = false
      outcome = bulkLoad(options(target, lake)).catch((error: unknown) => error)
      const ends = secondEnds(sql)
      await until('the second connection ends', async () => {
        const ended = await ends()
        begun ||= !ended
        return begun && ended
      })
    })
    expect(await outcome).toBeInstanceOf(Error)
    // What was being written when the other one failed may become whole, and nothing after it.
    expect(['', 'withdrawals 0']).toContain((await done(target))?.join())
    await target.database`alter table seen drop constraint refused`
    await bulkLoad(options(target, lake))
    expect(await contents(target, lake)).toEqual(await contents(ordinary, lake))
  })

  test('keeps its partitions when others would be chosen now', async () => {
    const target = await store()
    await loadSome(target, 3)
    await bulkLoad({ ...options(target, lake), rowsPerPartition: 1 })
    expect(await contents(target, lake)).toEqual(await contents(ordinary, lake))
  })

  test('begins with none of a damaged lake', async () => {
    const root = join(folder, 'damaged')
    await cp(lake.root, root, { recursive: true })
    const file = join(root, '4806', 'logs', '0000000080-0000000119.parquet')
    const bytes = await readFile(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await writeFile(file, bytes)
    const target = await store()
    await expect(bulkLoad(options(target, { ...lake, root }))).rejects.toThrow(
      'blocks 80 to 119: logs: the file has another content',
    )
    expect(await chainRow(target.database, 4_806)).toBeUndefined()
  })
})
