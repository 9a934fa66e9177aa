import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const chain = 43113
const art = addressOf('art')
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const path = (id: number | string, token = art, on: number | string = chain): string =>
  `/v1/chains/${on}/nfts/collections/${token}/tokens/${id}:reindex`

let store: TestDatabase
/** Two processes on one database. */
let services: [TestService, TestService]

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }] })
  services = [await startTestService(store.database), await startTestService(store.open())]
})
afterAll(async () => {
  await Promise.all(services.map((service) => service.close()))
  await store.drop()
})
beforeEach(async () => {
  for (const service of services) service.now = 1_790_000_000
  await store.database`truncate nfts, nft_metadata`
  await store.database`
    insert into nfts (chain, token, kind, token_id, first_block) values (${chain}, ${bytes(art)}, 721, 7, 0)`
})

const post = (url: string, service = services[0]) => service.app.inject({ method: 'POST', url })

async function row() {
  const [found] = await store.database`select * from nft_metadata`
  return found
}

test.each(['', '/hosted'])('queues the token: 201 and nothing else, below "%s"', async (prefix) => {
  const answer = await post(prefix + path(7))
  expect(answer.statusCode).toBe(201)
  expect(answer.body).toBe('')
  expect(await row()).toMatchObject({
    status: 'UNINDEXED',
    due_ts: 1_790_000_000n,
    reindexed_ts: 1_790_000_000n,
  })
})

test('within an hour it is a 429 with the remaining time, then it is accepted again', async () => {
  await store.database`
    insert into nft_metadata (chain, token, token_id, status, attempts, name)
    values (${chain}, ${bytes(art)}, 7, 'INDEXED', 5, 'Seven')`
  expect((await post(path(7))).statusCode).toBe(201)
  expect(await row()).toMatchObject({ status: 'INDEXED', name: 'Seven', attempts: 0 })
  services[0].now += 600
  const refused = await post(path(7))
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toBe('3000')
  expect(refused.json()).toMatchObject({ statusCode: 429, error: 'Too Many Requests' })
  expect(await row()).toMatchObject({ reindexed_ts: 1_790_000_000n })
  services[0].now += 3_000
  expect((await post(path(7))).statusCode).toBe(201)
})

test('of many concurrent requests to two processes, one is accepted', async () => {
  for (const known of [false, true]) {
    await store.database`truncate nft_metadata`
    if (known) {
      await store.database`
        insert into nft_metadata (chain, token, token_id) values (${chain}, ${bytes(art)}, 7)`
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => post(path(7), services[index % 2 === 0 ? 0 : 1])),
    )
    const statuses = answers.map((answer) => answer.statusCode).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 429)])
    for (const { statusCode, headers } of answers) {
      if (statusCode === 429) expect(headers['retry-after']).toBe('3600')
    }
  }
})

test.each([
  [path(8), 404],
  [path(7, addressOf('other')), 404],
  [path(7, art, 9), 404],
  [path('x'), 400],
  [path(7, '0x12'), 400],
  [path((2n ** 256n).toString()), 400],
])('%s is a %i', async (url, status) => {
  expect((await post(url)).statusCode).toBe(status)
  expect(await row()).toBeUndefined()
})

test('an ERC-20 token cannot be reindexed', async () => {
  await store.database`update nfts set kind = 20`
  expect((await post(path(7))).statusCode).toBe(404)
})

test('on a replica it is a 503 that says why', async () => {
  const pool = store.open()
  const name = new URL(store.url).pathname.slice(1)
  await store.database.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  const replica = await startTestService(pool)
  try {
    const answer = await post(path(7), replica)
    expect(answer.statusCode).toBe(503)
    expect(answer.json().message).toContain('replica')
  } finally {
    await replica.close()
    await pool.end()
    await store.database.unsafe(`alter database ${name} reset default_transaction_read_only`)
  }
})
