import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

/* Internal calls of a chain whose node could not trace blocks 4 to 6. Every block has one call. */
const chain = 301
const [sender, payee] = [addressOf('sender'), addressOf('payee')]
const isLost = (number: number): boolean => number >= 4 && number <= 6
const call = { type: 'CALL', sender: addressOf('splitter'), recipient: payee, value: 5n, depth: 1 }
const blocks: SeedBlock[] = Array.from({ length: 10 }, (_, number) => ({
  number,
  ts: 1_770_000_000 + number * 60,
  txs: [{ from: sender, to: addressOf('splitter'), calls: isLost(number) ? [] : [call] }],
}))

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  await store.database`
    insert into trace_gaps (chain, first_block, last_block, filled) values (${chain}, 4, 6, false), (${chain}, 8, 8, true)`
  const config = testConfig({
    chains: [{ evmChainId: chain, name: 'Gapped', rpcUrl: 'http://127.0.0.1:9', isTestnet: true }],
  })
  service = await startTestService(store.database, { config })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const get = (path: string) => service.app.inject(`/v1/chains/${chain}${path}`)
const gap = [{ firstBlock: '4', lastBlock: '6' }]

test('a transaction has its internal calls unless its block is not traced', async () => {
  for (const block of blocks) {
    const { internalTransactions } = (await get(`/transactions/${transactionHash(chain, block, 0)}`)).json()
    if (isLost(block.number)) expect(internalTransactions).toBeUndefined()
    else expect(internalTransactions).toMatchObject([{ value: '5', to: { address: payee } }])
  }
})

test('the list of an address contains the known internal calls and the gap', async () => {
  const path = `/addresses/${payee}/transactions:listInternals`
  const all = (await get(path)).json()
  expect(all.transactions.map(({ blockNumber }: { blockNumber: string }) => blockNumber)).toEqual(
    [9, 8, 7, 3, 2, 1, 0].map(String),
  )
  expect(all.untracedBlocks).toEqual(gap)
  const later = (await get(`${path}?startBlock=7`)).json()
  expect(later.transactions).toHaveLength(3)
  expect(later.untracedBlocks).toBeUndefined()
  // An empty list would mean that there are none.
  const lost = await get(`${path}?startBlock=5&endBlock=7`)
  expect(lost.statusCode).toBe(503)
  expect(lost.json().message).toMatch(/^not traced: .*Gapped could not give for blocks 4 to 6$/)
})

test('the transactions of an address lack only the internal calls of the gap', async () => {
  const body = (await get(`/addresses/${sender}/transactions?sortOrder=asc`)).json()
  expect(body.untracedBlocks).toEqual(gap)
  expect(
    body.transactions.map((item: { internalTransactions?: unknown[] }) => 'internalTransactions' in item),
  ).toEqual(blocks.map(({ number }) => !isLost(number)))
})

test('an address has traces if any block is traced', async () => {
  expect((await get(`/addresses/${payee}/overview`)).json().hasTraces).toBe(true)
})
