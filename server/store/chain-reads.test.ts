import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, blockHash, seedChain, transactionHash } from '../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { chainReader, isLostServer, readChains, type ChainScope } from './chain-reads.ts'
import type { Queryable } from './database.ts'
import {
  findTokenFacts,
  findTokensBeginning,
  findTokensByHeads,
  findTokensByTail,
} from './network/read-search-names.ts'
import { findAddresses, findHashes } from './network/read-search-prefix.ts'
import { findAddress, findBlocksByHash, findBlocksByNumber, findTransactions } from './network/read-search.ts'
import { readEvmHeads } from './watch/read-facts.ts'

const [one, other] = [43113n, 43114n]
const block = { number: 0, ts: 1_700_000_000, txs: [{ from: addressOf('from'), to: addressOf('to') }] }
const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const token = bytesOf(addressOf('token'))
const everything = { first: Buffer.alloc(32), last: Buffer.alloc(32, 255) }

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
  for (const chain of [one, other]) {
    await seedChain(store.database, { chain: Number(chain), blocks: [block] })
    await store.database`
      insert into token_facts (chain, token, name, symbol, asked_block, asked_ts, due_ts)
      values (${chain}, ${token}, 'Sample Dollar', 'SUSD', 1, 1, 1)`
  }
})
afterAll(() => store.drop())

test.each<[string, (scope: ChainScope) => Promise<readonly { chain: bigint }[]>]>([
  ['blocks by number', (scope) => findBlocksByNumber(store.database, scope, 0n)],
  [
    'blocks by hash',
    (scope) => findBlocksByHash(store.database, scope, bytesOf(blockHash(Number(one), block))),
  ],
  [
    'transactions',
    (scope) => findTransactions(store.database, scope, bytesOf(transactionHash(Number(one), block, 0))),
  ],
  ['an address', (scope) => findAddress(store.database, scope, bytesOf(addressOf('from')))],
  ['hashes', (scope) => findHashes(store.database, scope, everything)],
  ['addresses', (scope) => findAddresses(store.database, scope, everything)],
  ['names', (scope) => findTokensBeginning(store.database, scope, 'sample')],
  ['tails of names', (scope) => findTokensByTail(store.database, scope, 'dollar')],
  ['heads of names', (scope) => findTokensByHeads(store.database, scope, ['sample', 'dollar'])],
  [
    'metadata of tokens',
    (scope) =>
      findTokenFacts(
        store.database,
        scope,
        [one, other].map((chain) => ({ chain, address: token })),
      ),
  ],
  ['heads', (scope) => readEvmHeads(store.database, scope)],
])('a statement for one chain finds what the one for several finds of it: %s', async (_name, find) => {
  const all = await find({ chains: [one, other], form: 'several' })
  const own = await find({ chains: [one], form: 'one' })
  expect(own.length).toBeGreaterThan(0)
  expect(own).toEqual(all.filter(({ chain }) => chain === one))
})

test('on one server, several chains are read together, and a failure is one of all', async () => {
  const scopes: ChainScope[] = []
  const rows = await readChains(
    store.database,
    [one, other],
    (scope) => {
      scopes.push(scope)
      return findBlocksByNumber(store.database, scope, 0n)
    },
    () => expect.unreachable(),
  )
  expect(rows.map(({ chain }) => chain).sort()).toEqual([one, other])
  expect(scopes).toEqual([{ chains: [one, other], form: 'several' }])
})

test('only a connection that the database server reports as failed is a lost server', async () => {
  const failed = await store.database`
    do $$ begin raise exception 'connection to the remote node failed' using errcode = '08006'; end $$`.catch(
    (error: unknown) => error,
  )
  expect(isLostServer(failed)).toBe(true)
  const other = await store.database`select 1 / 0`.catch((error: unknown) => error)
  expect(isLostServer(other)).toBe(false)
  expect(isLostServer(Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' }))).toBe(false)
})

/** A transaction of the driver, and one that the driver does not know, as a session has. */
const transactions = {
  driver: (action: (sql: Queryable) => Promise<void>) => store.database.begin(action),
  session: async (action: (sql: Queryable) => Promise<void>) => {
    const sql = store.open({ max: 1 })
    await sql`begin`
    await action(sql)
    await sql`commit`
  },
}

test.each(['driver', 'session'] as const)(
  'a transaction outlives a lost server, and does not ask it again: one of the %s',
  async (kind) => {
    const lost: bigint[] = []
    const asked: bigint[] = []
    await transactions[kind](async (sql) => {
      const onChains = chainReader(sql, [one, other], true, (chain) => lost.push(chain))
      for (let round = 0; round < 2; round += 1) {
        const rows = await onChains(async (inner, scope) => {
          asked.push(...scope.chains)
          // What the coordinator answers for a chain on a server that it does not reach.
          if (scope.chains.includes(one))
            await inner.unsafe(`do $$ begin raise exception 'no connection' using errcode = '08006'; end $$`)
          return readEvmHeads(inner, scope)
        })
        expect(rows.map(({ chain }) => chain)).toEqual([other])
      }
      await sql`insert into service (key, value) values (${`after a loss ${kind}`}, '')`
    })
    expect(lost).toEqual([one])
    expect(asked).toEqual([one, other, other])
    expect(await store.database`select from service where key = ${`after a loss ${kind}`}`).toHaveLength(1)
  },
)
