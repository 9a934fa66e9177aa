import { isDeepStrictEqual } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  addressOfText,
  cb58,
  fromCheckedHex,
  hexText,
  idOfText,
  nodeIdOfText,
} from '../../../protocol/ids/text.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { Findings } from '../../verify/findings.ts'
import { checkPrimaryTables } from '../../verify/primary-tables.ts'
import { readPrimaryStatus } from '../../store/primary/read-primary.ts'
import { LockedError } from '../../kernel/errors.ts'
import type { StatsByChain } from '../../kernel/indexer-stats.ts'
import { testPace, until, type LogEntry } from '../testing/harness.ts'
import recorded from '../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { utxoIdOf } from '../../../protocol/native/hashes.ts'
import { decodeUtxo } from '../../../protocol/primary/outputs.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { runPrimaryIndexers } from './networks.ts'
import { localNetwork } from './testing/local-network.ts'
import { RecordedNode } from './testing/recorded-node.ts'
import { storeRecordedBlocks } from './testing/stored-blocks.ts'

const p = 11
const x = 12

let testDatabase: TestDatabase
let node: RecordedNode
let url: string
let stops: (() => Promise<void>)[] = []

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  node = new RecordedNode()
  url = await node.start()
})

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await node.stop()
  await testDatabase.drop()
})

function start(
  isCFollowed = false,
  onNewGenesis: 'stop' | 'startOver' = 'stop',
): {
  readonly log: LogEntry[]
  readonly stats: StatsByChain
  readonly ended: Promise<void>
  stop(): Promise<void>
} {
  const abort = new AbortController()
  const log: LogEntry[] = []
  const write = (level: string) => (fields: object, message: string) =>
    void log.push({ ...fields, level, message })
  const stats: StatsByChain = new Map()
  const ended = runPrimaryIndexers({
    database: testDatabase.database,
    ...localNetwork(url, isCFollowed, onNewGenesis),
    logger: { info: write('info'), warn: write('warn'), error: write('error') },
    signal: abort.signal,
    stats,
    pace: testPace,
  })
  ended.catch(() => undefined)
  const stop = async (): Promise<void> => {
    abort.abort()
    await ended.catch(() => undefined)
  }
  stops.push(stop)
  return { log, stats, ended, stop }
}

async function heightOf(chain: number): Promise<number> {
  const [row] = await testDatabase.database<{ height: bigint | null }[]>`
    select max(height) as height from primary_blocks where chain = ${chain}`
  return Number(row?.height ?? -1n)
}

const caughtUp = (): Promise<void> =>
  until('both chains are indexed', async () => (await heightOf(p)) === 11 && (await heightOf(x)) === 4)

type Chain = { state: string; reason: string | null; has_index: boolean }
async function chainRow(chain: number): Promise<Chain | undefined> {
  const [row] = await testDatabase.database<Chain[]>`
    select state, reason, has_index from primary_chains where chain = ${chain}`
  return row
}

const address = Buffer.from(addressOfText(recorded.node.address, 'local'))

/** The spendable UTXOs of the recorded key on a chain, by id. */
async function unspent(home: number): Promise<Map<string, bigint>> {
  const rows = await testDatabase.database<{ utxo_id: Buffer; amount: string }[]>`
    select utxo_id, amount from utxos
    where owner = ${address} and home = ${home} and spent_height is null and staked_until is null`
  return new Map(rows.map((row) => [row.utxo_id.toString('hex'), BigInt(row.amount)]))
}

function decoded(hexes: readonly string[], chain: 'P' | 'X'): Map<string, bigint> {
  return new Map(
    hexes.map((each) => {
      const { txId, outputIndex, output } = decodeUtxo(fromCheckedHex(each), chain)
      if (output.type !== 'TRANSFER') throw new Error('no amount')
      return [Buffer.from(utxoIdOf(txId, outputIndex)).toString('hex'), output.amount]
    }),
  )
}

const sum = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((total, each) => total + each, 0n)

describe.each([false, true])('a recorded network, with the index API: %s', (hasIndex) => {
  beforeEach(async () => {
    node.behaviour.hasIndex = hasIndex
    start()
    await caughtUp()
  })

  test('has the UTXOs and balances that the node reports', async () => {
    const onP = await unspent(p)
    for (const [id, amount] of decoded(recorded.node.utxos, 'P')) expect(onP.get(id)).toBe(amount)
    expect(sum(onP.values())).toBe(BigInt(recorded.node.balance))
    const onX = await unspent(x)
    expect(onX).toEqual(decoded(recorded.node.xUtxos, 'X'))
    expect(sum(onX.values())).toBe(BigInt(recorded.node.xBalance))
  })

  test('has the stake, the validators and the supply that the node reports', async () => {
    const [staked] = await testDatabase.database<{ amount: string }[]>`
      select sum(amount) as amount from utxos where owner = ${address} and staked_until is not null`
    expect(staked?.amount).toBe(recorded.node.staked)
    const rows = await testDatabase.database`
      select tx_id, node, weight, start_ts, end_ts, potential_reward, delegator_count, delegated
      from stakers where chain = ${p} and not is_delegator order by tx_id`
    const expected = recorded.node.validators.map((each) => ({
      tx_id: Buffer.from(idOfText(each.txID)),
      node: Buffer.from(nodeIdOfText(each.nodeID)),
      weight: each.weight,
      start_ts: BigInt(each.startTime),
      end_ts: BigInt(each.endTime),
      potential_reward: each.potentialReward,
      delegator_count: Number(each.delegatorCount),
      delegated: each.delegatorWeight,
    }))
    expect([...rows]).toEqual(expected.toSorted((a, b) => Buffer.compare(a.tx_id, b.tx_id)))
    const [block] = await testDatabase.database<{ supply: string }[]>`
      select supply from primary_blocks where chain = ${p} and height = 11`
    expect(block?.supply).toBe(recorded.node.supply)
  })

  test('has the subnets, the blockchains and the L1 validator', async () => {
    const subnets = await testDatabase.database<{ subnet: Buffer; owner_threshold: number }[]>`
      select subnet, owner_threshold from subnets where chain = ${p}`
    expect(subnets.map((row) => cb58(row.subnet))).toEqual([recorded.node.subnets[0]?.id])
    const chains = await testDatabase.database<{ blockchain_id: Buffer; name: string; evm: string | null }[]>`
      select blockchain_id, name, evm_chain_id as evm from blockchains where chain = ${p}`
    expect(new Map(chains.map((row) => [cb58(row.blockchain_id), row.name]))).toEqual(
      new Map(recorded.node.blockchains.map(({ id, name }) => [id, name])),
    )
    expect(chains.find(({ name }) => name === 'C-Chain')?.evm).toBe('43112')
    const [l1] = await testDatabase.database<
      {
        validation_id: Buffer
        weight: string
        end_fee: string
        ts: bigint
        bls_key: Buffer
        accrued: string
      }[]
    >`
      select validation_id, weight, end_fee, v.ts, bls_key, b.accrued_fees as accrued from l1_validators v
      join primary_blocks b on b.chain = v.chain and b.height = 11`
    expect(l1 && cb58(l1.validation_id)).toBe(recorded.l1Validator.validationID)
    expect(l1?.weight).toBe(recorded.l1Validator.weight)
    expect(String(l1?.ts)).toBe(recorded.l1Validator.startTime)
    expect(l1 && hexText(l1.bls_key)).toBe(recorded.l1Validator.publicKey)
    expect(BigInt(l1?.end_fee ?? 0) - BigInt(l1?.accrued ?? 0)).toBe(BigInt(recorded.l1Validator.balance))
  })

  test('has every block linked, and the proposers that the index reports', async () => {
    const rows = await testDatabase.database<
      { height: bigint; id: Buffer; parent_id: Buffer; proposer_id: Buffer | null }[]
    >`
      select height, id, parent_id, proposer_id from primary_blocks where chain = ${p} order by height`
    expect(rows.map((row) => cb58(row.id))).toEqual(recorded.pBlocks.slice(0, 12).map(({ json }) => json.id))
    const proposers = rows.flatMap((row) => (row.proposer_id ? [cb58(row.proposer_id)] : []))
    expect(proposers).toEqual(hasIndex ? recorded.wrappers.slice(0, 10).map(({ id }) => id) : [])
    expect((await chainRow(p))?.has_index).toBe(hasIndex)
  })

  test('has every address of a transaction', async () => {
    const rows = await testDatabase.database<{ height: bigint }[]>`
      select height from primary_address_transactions where address = ${address} and chain = ${p} and height > 0`
    const heights = recorded.pBlocks.slice(1, 12).flatMap(({ hex }) => {
      const { height, transactions } = decodePBlock(fromCheckedHex(hex))
      return transactions.map(() => height)
    })
    expect(rows.map((row) => Number(row.height)).sort((a, b) => a - b)).toEqual(heights)
  })
})

/** Starts with a node whose X-Chain and index are at a height, and waits until it is indexed. */
async function startAt(height: number): Promise<void> {
  Object.assign(node.behaviour, { hasIndex: true, xHeight: height, xContainers: height })
  start()
  await until(`block ${height} is indexed`, async () => (await heightOf(x)) === height)
}

/** The ids of the X-Chain's proposer blocks above a height. */
async function proposersAbove(height: number): Promise<(string | null)[]> {
  const rows = await testDatabase.database<{ id: Buffer | null }[]>`
    select proposer_id as id from primary_blocks where chain = ${x} and height > ${height} order by height`
  return rows.map(({ id }) => id && cb58(id))
}

describe('a node that', () => {
  test('has never answered is reported with the reason', async () => {
    node.behaviour.failures = Infinity
    start()
    const standing = async () => (await readPrimaryStatus(testDatabase.database, [p]))[0]
    await until(
      'the reason is there',
      async () => (await standing())?.reason?.includes('answered 503') === true,
    )
    expect(await standing()).toMatchObject({ state: 'waiting', blockchain_id: null })
    node.behaviour.failures = 0
    await caughtUp()
    await until('it is live', async () => (await standing())?.state === 'live')
    expect((await standing())?.reason).toBeNull()
    expect(await testDatabase.database`select key from service where key like 'unreached primary%'`).toEqual(
      [],
    )
  })

  test('had an empty index when first asked still provides proposers later', async () => {
    await startAt(0)
    node.behaviour.xContainers = Infinity
    node.behaviour.xHeight = 4
    await caughtUp()
    expect(await proposersAbove(0)).toEqual(recorded.wrappers.slice(10, 14).map(({ id }) => id))
    expect((await chainRow(x))?.has_index).toBe(true)
  })

  test('has a block shortly before its index has it still provides the proposer', async () => {
    await startAt(2)
    let looks = 0
    const lookedAgain = new Promise<void>((resolve) => {
      node.behaviour.onLook = () => {
        looks += 1
        if (looks === 3) resolve()
      }
    })
    node.behaviour.xHeight = 3
    await lookedAgain
    node.behaviour.xContainers = 3
    await until('block 3 is indexed', async () => (await heightOf(x)) === 3)
    expect(await proposersAbove(2)).toEqual([recorded.wrappers[12]?.id])
  })

  test('is not live while only its genesis is stored', async () => {
    const { database } = testDatabase
    await database.unsafe(`
      create table noted (state text, height bigint);
      create function note_state() returns trigger language plpgsql as $$ begin
        insert into noted select new.state, max(height) from primary_blocks where chain = new.chain;
        return null;
      end $$;
      create trigger note_state after update on primary_chains for each row when (new.chain = ${p})
        execute function note_state()`)
    start()
    await caughtUp()
    await until('it is live', async () => (await chainRow(p))?.state === 'live')
    const live = await database`select distinct height::int from noted where state = 'live'`
    expect([...live]).toEqual([{ height: 11 }])
    const others = await database`select from noted where state = 'syncing' and height = 0`
    expect(others.length).toBeGreaterThan(0)
  })

  test('lags changes nothing', async () => {
    start()
    await caughtUp()
    node.behaviour.pHeight = 7
    await until('the lag was seen', async () => {
      const [row] = await testDatabase.database<{ node_height: bigint }[]>`
        select node_height from primary_chains where chain = ${p}`
      return row?.node_height === 7n
    })
    expect(await heightOf(p)).toBe(11)
    expect(await chainRow(p)).toMatchObject({ state: 'live', reason: null })
  })

  test('has another block at an accepted height stops that chain, and the others continue', async () => {
    node.behaviour.pHeight = 9
    start()
    await until('block 9 is indexed', async () => (await heightOf(p)) === 9)
    const other = recorded.pBlocks.find(
      ({ json }) => json.height === 9 && json.parentID !== recorded.pBlocks[8]?.json.id,
    )
    node.behaviour.otherPBlocks.set(9, other?.hex ?? '')
    await until('the chain is stopped', async () => (await chainRow(p))?.state === 'stopped')
    expect((await chainRow(p))?.reason).toContain('another P-Chain block at the accepted height 9')
    expect(await heightOf(p)).toBe(9)
    await until('the X-Chain is live', async () => (await chainRow(x))?.state === 'live')
    node.behaviour.otherPBlocks.clear()
    node.behaviour.pHeight = 11
    await testDatabase.database`update primary_chains set state = 'waiting' where chain = ${p}`
    await until('it goes on', async () => (await heightOf(p)) === 11)
  })

  test('fails intermittently is asked again', async () => {
    node.behaviour.failures = 5
    start()
    await caughtUp()
  })

  test('serves its head but no blocks leaves the chain behind that head', async () => {
    node.behaviour.pHeight = 9
    start()
    await until('it is live', async () => (await chainRow(p))?.state === 'live' && (await heightOf(p)) === 9)
    node.behaviour.servesBlocks = false
    await until('a look at the newest block has failed', async () => (await chainRow(p))?.state === 'waiting')
    node.behaviour.pHeight = 11
    await until('the new head is known', async () => {
      const [row] = await testDatabase.database<{ node_height: bigint }[]>`
        select node_height from primary_chains where chain = ${p}`
      return row?.node_height === 11n
    })
    expect(await heightOf(p)).toBe(9)
    node.behaviour.servesBlocks = true
    await caughtUp()
  })

  test('serves another network is refused, and nothing is written, unless starting over is allowed', async () => {
    start()
    await caughtUp()
    for (const stop of stops.splice(0)) await stop()
    const other = recorded.pBlocks.find(({ json }) => json.height === 1)
    const block = Buffer.from(fromCheckedHex(recorded.pBlocks[0]?.hex ?? ''))
    expect(other).toBeDefined()
    block[10] = 1
    const { createHash } = await import('node:crypto')
    const checksum = createHash('sha256').update(block).digest().subarray(-4)
    node.behaviour.otherPBlocks.set(0, hexText(Buffer.concat([block, checksum])))
    start()
    await until('the chain is stopped', async () => (await chainRow(p))?.state === 'stopped')
    expect((await chainRow(p))?.reason).toContain('the node serves another P-Chain')
    expect(await heightOf(p)).toBe(11)
    for (const stop of stops.splice(0)) await stop()
    node.behaviour.pHeight = 0
    const { database } = testDatabase
    // What the watch has of this network, and of another one.
    const networks = JSON.stringify({ networks: { fuji: { height: 11 }, mainnet: { height: 7 } } })
    for (const chain of [p, 1]) {
      await database`insert into peer_connections values (${chain}, '\\x01', 1, true)`
      await database`insert into peer_versions values (${chain}, '\\x01', 1, 'avalanchego/1.14.0')`
      await database`
        insert into watch_polls values (${chain}, 9, 1, 5, 5, null)
        on conflict (chain) do update set polls = 9`
      await database`
        insert into watch_rules values (md5(${String(chain)})::uuid, ${chain}, md5('fleet')::uuid, null, null, null, 'notConnected',
          'x', null, 0, 1, 'info', 0, null, '{}', true, 4, 0, 0)`
      await database`
        insert into watch_states values (md5(${String(chain)})::uuid, 'node:x', 'firing', 5, 1, 'x', 1, 8, 2, 1, null)`
    }
    await database`insert into watch_rounds values (1, 1, ${networks}::text::jsonb, 1)`
    start(false, 'startOver')
    await until('only the other block 0 is left', async () => (await heightOf(p)) === 0)
    for (const table of ['peer_connections', 'peer_versions'])
      expect(await database`select chain from ${database(table)}`, table).toEqual([{ chain: 1 }])
    const polls = await database`select chain from watch_polls where polls = 9`
    expect([...polls]).toEqual([{ chain: 1 }])
    const states = await database`
      select r.chain, r.revision::int, s.state, s.sample::int, s.breaches, s.clears
      from watch_rules r join watch_states s on s.rule = r.rule order by chain desc`
    expect([...states]).toEqual([
      { chain: p, revision: 5, state: 'firing', sample: -1, breaches: 0, clears: 0 },
      { chain: 1, revision: 4, state: 'firing', sample: 8, breaches: 2, clears: 1 },
    ])
    const [round] = await database<{ facts: unknown }[]>`select facts from watch_rounds`
    expect(round?.facts).toEqual({ networks: { mainnet: { height: 7 } } })
    const [left] = await testDatabase.database<{ rows: bigint }[]>`
      select count(*) as rows from primary_transactions where chain = ${p} and height > 0`
    expect(left?.rows).toBe(0n)
    expect(await heightOf(x)).toBe(4)
  })
})

test('a second process is told that the chain is locked', async () => {
  start()
  await caughtUp()
  await expect(start().ended).rejects.toThrow(LockedError)
})

describe('the atomic side of the C-Chain', () => {
  const c = 13

  test('joins the three chains: exports of one are imports of another', async () => {
    await storeRecordedBlocks(testDatabase.database)
    start(true)
    await caughtUp()
    await until('the C-Chain is indexed', async () => (await heightOf(c)) === 3)
    const transactions = await testDatabase.database<{ id: Buffer; height: bigint }[]>`
      select id, height from primary_transactions where chain = ${c} order by height`
    expect(transactions.map((row) => [cb58(row.id), Number(row.height)])).toEqual(recorded.node.cTransactions)
    const strays = await testDatabase.database`select from utxos where height = -2`
    expect(strays).toHaveLength(0)
    const moved = await testDatabase.database<{ chain: number; home: number; spent: number | null }[]>`
      select chain, home, spent_chain as spent from utxos where chain <> home order by chain, home`
    // When the node was recorded, everything that was exported had been imported.
    expect(moved.every(({ home, spent }) => home === spent)).toBe(true)
    expect(new Set(moved.map(({ chain, home }) => `${chain} to ${home}`))).toEqual(
      new Set([`${p} to ${x}`, `${p} to ${c}`, `${x} to ${p}`, `${x} to ${c}`, `${c} to ${p}`]),
    )
    const [row] = await testDatabase.database<
      { state: string }[]
    >`select state from primary_chains where chain = ${c}`
    expect(row?.state).toBe('live')
  })

  test('starts over with a chain that was recreated while it was indexed', async () => {
    const { database } = testDatabase
    await storeRecordedBlocks(database)
    start(true, 'startOver')
    await until('the C-Chain is indexed', async () => (await heightOf(c)) === 3)
    const anew = Buffer.alloc(32, 7)
    await database.begin(async (sql) => {
      await sql`update chains set genesis_hash = ${anew} where chain = 43112`
      await sql`update blocks set hash = ${anew} where chain = 43112 and number = 3`
    })
    await until('the other block is indexed', async () => {
      const [row] = await database<{ id: Buffer }[]>`
        select id from primary_blocks where chain = ${c} and height = 3`
      return row?.id.equals(anew) === true
    })
    expect(await chainRow(c)).toMatchObject({ reason: null })
    const transactions = await database<{ id: Buffer; height: bigint }[]>`
      select id, height from primary_transactions where chain = ${c} order by height`
    expect(transactions.map((row) => [cb58(row.id), Number(row.height)])).toEqual(recorded.node.cTransactions)
  })

  test('delays no chain: an import that is stored first is joined with its export later', async () => {
    start(true)
    await caughtUp()
    const faultsOfP = async (): Promise<string[]> => {
      const findings = new Findings()
      await checkPrimaryTables(testDatabase.database, p, findings)
      return findings.all()
    }
    const pending = () => testDatabase.database<{ home: number }[]>`select home from pending_imports`
    expect(new Set((await pending()).map(({ home }) => home))).toEqual(new Set([p]))
    expect(await faultsOfP()).toEqual([])
    await storeRecordedBlocks(testDatabase.database)
    await until('the C-Chain is indexed', async () => (await heightOf(c)) === 3)
    expect(await pending()).toEqual([])
    await testDatabase.database`
      insert into pending_imports (home, source, utxo_id, spent_height, spent_index, spent_input, spent_ts, spent_tx, type)
      values (${p}, ${c}, '\\x01', 1, 0, 0, 1, '\\x02', 17)`
    expect(await faultsOfP()).toEqual([expect.stringContaining('an import waits for an export')])
    const moved = await testDatabase.database<{ owner: Buffer; tx: Buffer }[]>`
      select owner, spent_tx as tx from utxos where chain = ${c} and home = ${p} and spent_chain = ${p}`
    expect(moved.length).toBeGreaterThan(0)
    for (const { owner, tx } of moved) {
      const listed = await testDatabase.database`
        select from primary_address_transactions a join primary_transactions t using (chain, height, index)
        where a.address = ${owner} and a.chain = ${p} and t.id = ${tx}`
      expect(listed).toHaveLength(1)
    }
  })
})

test('counts the written rows of each chain, by its label in the metric series', async () => {
  await storeRecordedBlocks(testDatabase.database)
  const { stats } = start(true)
  const counted = () =>
    [...stats].map(([chain, { blocksApplied, transactionsApplied, indexedNumber }]) => [
      chain,
      blocksApplied,
      transactionsApplied,
      indexedNumber,
    ])
  // Each recorded block after genesis has one transaction; for the C-Chain only blocks are counted.
  const expected = [
    ['fuji/p-chain', 11, 11, 11],
    ['fuji/x-chain', 5, 4, 4],
    ['fuji/c-chain', 4, 0, 3],
  ]
  await until('all are counted', async () => isDeepStrictEqual(counted(), expected))
})

test('samples the uptime of validators as reported by the node', async () => {
  start()
  await caughtUp()
  await until('there are samples', async () => {
    const rows = await testDatabase.database`select from uptime_samples`
    return rows.length > 0
  })
  const rows = await testDatabase.database<{ node: Buffer; uptime: string; connected: boolean }[]>`
    select node, uptime, connected from uptime_samples where chain = ${p} order by node`
  const expected = recorded.node.validators.map((each) => ({
    node: Buffer.from(nodeIdOfText(each.nodeID)),
    uptime: String(Number(each.uptime)),
    connected: each.connected,
  }))
  expect([...rows]).toEqual(expected.toSorted((a, b) => Buffer.compare(a.node, b.node)))
  await until('there is a sample of the network', async () => {
    const samples = await testDatabase.database`select from network_samples`
    return samples.length > 0
  })
  const [sample] = await testDatabase.database<{ p5: number; p95: number; peers: number | null }[]>`
    select uptime_p5 as p5, uptime_p95 as p95, peers from network_samples where chain = ${p}`
  const uptimes = expected.map(({ uptime }) => Math.round(Number(uptime) * 10_000))
  // Of fewer than twenty validators these are the least and the greatest.
  expect(uptimes.length).toBeLessThan(20)
  expect([sample?.p5, sample?.p95]).toEqual([Math.min(...uptimes), Math.max(...uptimes)])
  // When the network is recreated meanwhile, its samples are deleted: all of them are stored again.
  await testDatabase.database.begin(async (sql) => {
    await sql`delete from uptime_samples`
    await sql`delete from watch_polls`
  })
  await until('the samples are there again', async () => {
    const again = await testDatabase.database`select from uptime_samples`
    return again.length === rows.length
  })
})

test('stores the L1 validator fee reported by the node', async () => {
  start()
  await caughtUp()
  const [row] = await testDatabase.database<{ least: string; conversion: string }[]>`
    select l1_min_price as least, l1_conversion as conversion from primary_chains where chain = ${p}`
  const { minPrice, excessConversionConstant } = recorded.node.feeConfig
  expect(row).toEqual({ least: String(minPrice), conversion: String(excessConversionConstant) })
})
