import { afterEach, expect, test } from 'vitest'
import { transferTopic } from '../store/evm/transfer-logs.ts'
import { readRules } from '../store/watch/read-rules.ts'
import { addressOf, hashOf, insertBlocks, seedChain, type SeedBlock } from '../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { dryRun } from './dry-run.ts'
import { addressId, ruleOf } from './rules.ts'
import { createRule, createScene, start, type Scene } from './testing/fleet.ts'

let store: TestDatabase | undefined
let scene: Scene
afterEach(async () => {
  if (!store) return
  await scene.close()
  await store.drop()
  store = undefined
})

const chain = 43113
const [me, other, token] = [addressOf('me'), addressOf('other'), addressOf('token')]
const word = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`
const transfer = (to: string, value: number) => ({
  address: token,
  topics: [transferTopic, word(other), word(to)],
  data: `0x${value.toString(16).padStart(64, '0')}`,
})

let height = 0
/** The next block of the chain, ten seconds after the one before. */
const blockOf = (...txs: SeedBlock['txs']): SeedBlock => {
  height += 1
  return { number: height, ts: start + 10 * height, txs }
}

async function openScene() {
  store = await createTestDatabase()
  height = 0
  const chains = [{ evmChainId: chain, name: 'C-Chain', rpcUrl: 'http://127.0.0.1:9' }]
  scene = await createScene(store.database, ['alpha'], chains)
  // What is older than a rule is never told.
  const blocks = [blockOf({ from: me, to: other, value: 1n })]
  await seedChain(store.database, { chain, blocks, nodeSeen: start })
  return store.database
}

/** Stores the next block and evaluates. */
async function next(...txs: SeedBlock['txs']): Promise<void> {
  const block = blockOf(...txs)
  await insertBlocks(scene.database, chain, [block])
  await scene.database`update chains set node_block = ${block.number}, node_seen_ts = ${scene.now + 10}`
  await scene.tick()
}

const rang = (rule: string) => scene.database<{ text: string; hash: string; opened: number }[]>`
  select text, tx_hash as hash, opened_ts::int as opened from watch_alarms where rule = ${rule} order by opened_ts`

async function dryRunOf(id: string): Promise<number[]> {
  const [row] = await readRules(scene.database, { rule: id })
  if (!row) throw new Error('the rule is missing')
  const run = await dryRun(scene.database, { ...ruleOf(row), id: 'another' }, [], start, scene.now)
  return run.alarms.map(({ openedTimestamp }) => openedTimestamp)
}

test('transactions of an address are told once a round, and a dry run finds the same', async () => {
  const database = await openScene()
  const given = { evmChain: chain, address: me }
  const sends = await createRule(database, { ...given, kind: 'addressSends' })
  const receives = await createRule(database, { ...given, kind: 'addressReceives' })
  await scene.tick()
  await next(
    { hash: hashOf('a'), from: me, to: other },
    { hash: hashOf('b'), from: me, to: other, status: 0 },
  )
  // Nothing: sent by somebody else, without value, of no token, and what failed.
  await next(
    { from: other, to: me },
    { from: other, to: token, logs: [transfer(me, 0)] },
    { from: other, to: me, value: 5n, status: 0 },
  )
  await next({ hash: hashOf('c'), from: other, to: me, value: 5n })
  scene.restart()
  await next({ hash: hashOf('d'), from: other, to: token, logs: [transfer(me, 7), transfer(other, 7)] })
  const inner = { type: 'CALL', sender: token, recipient: me, value: 3n, depth: 1 }
  await next(
    { hash: hashOf('e'), from: other, to: token, calls: [inner] },
    { from: other, to: token, calls: [{ ...inner, reverted: true }] },
  )
  await next({ from: other, to: token, logs: [transfer(other, 7)] })
  const sent = await rang(sends)
  expect(sent.map(({ text, hash }) => [text, hash])).toEqual([
    ['It sent 2 transactions, the last in block 2.', hashOf('b')],
  ])
  const received = await rang(receives)
  expect(received.map(({ hash }) => hash)).toEqual(['c', 'd', 'e'].map(hashOf))
  expect(received[0]?.text).toBe('It received funds by a transaction in block 4.')
  expect(await dryRunOf(sends)).toEqual(sent.map(({ opened }) => opened))
  expect(await dryRunOf(receives)).toEqual(received.map(({ opened }) => opened))
})

test('while the indexer is behind nothing is told, and afterwards what came meanwhile', async () => {
  const database = await openScene()
  const sends = await createRule(database, { evmChain: chain, address: me, kind: 'addressSends' })
  await scene.tick()
  await insertBlocks(database, chain, [blockOf({ hash: hashOf('late'), from: me, to: other })])
  await database`update chains set state = 'syncing'`
  await scene.tick()
  expect(await rang(sends)).toEqual([])
  await database`update chains set state = 'live', node_block = ${height}, node_seen_ts = ${scene.now}`
  await scene.tick()
  expect((await rang(sends)).map(({ hash }) => hash)).toEqual([hashOf('late')])
})

test('a low balance opens an alarm, which ends above the hysteresis; a silent node changes nothing', async () => {
  const database = await openScene()
  const low = await createRule(database, {
    evmChain: chain,
    address: me,
    kind: 'addressBalanceLow',
    threshold: 2,
    hysteresis: 0.5,
  })
  const stateAt = async (tokens: string | undefined): Promise<string | undefined> => {
    scene.balances =
      tokens === undefined ? {} : { [addressId(String(chain), me)]: { amount: tokens, symbol: 'AVAX' } }
    await scene.tick()
    const [row] = await database<{ state: string }[]>`select state from watch_states where rule = ${low}`
    return row?.state
  }
  expect(await stateAt('2')).toBe('ok')
  expect(await stateAt('1.999999')).toBe('firing')
  expect(await stateAt('2.4')).toBe('firing')
  expect(await stateAt(undefined)).toBe('unknown')
  expect(await stateAt('2.5')).toBe('resolved')
  const alarms = await rang(low)
  expect(alarms.map(({ text }) => text)).toEqual(['It holds 1.999999 AVAX.'])
  expect(await dryRunOf(low)).toEqual(alarms.map(({ opened }) => opened))
})

test('a rule for one chain is about no other, and fires when its newest block is too old', async () => {
  const database = await openScene()
  const quiet = await createRule(database, { evmChain: chain, kind: 'chainQuiet', threshold: 600 })
  await database`update chains set node_seen_ts = ${start + 610}`
  // The block is of ten seconds after the start.
  await scene.tick(609)
  expect(await rang(quiet)).toEqual([])
  await scene.tick(1)
  expect((await rang(quiet)).map(({ text }) => text)).toEqual(['The newest block is 10 min old.'])
  height = 61
  await next({ from: other, to: other })
  const states = await database<{ subject: string; state: string }[]>`
    select subject, state from watch_states where rule = ${quiet}`
  expect(states.map((each) => ({ ...each }))).toEqual([{ subject: `chain:${chain}`, state: 'resolved' }])
})
