import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, insertBlocks, revertTo, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import {
  randomBlocks,
  holdingsAt,
  seedBlocks,
  type Cast,
  type TokenBlock,
} from '../../testing/token-history.ts'

// Invariant I7 for balances: a listing shows one point in time, each row once, regardless of changes to the
// chain.
const chain = 43113
const [first, last] = [5, 84]
const cast: Cast = {
  people: ['ann', 'bob'].map(addressOf),
  tokens: [
    ...Array.from({ length: 14 }, (_, index) => [20, addressOf(`coin ${index}`)] as const),
    [721, addressOf('art')],
    [1155, addressOf('item')],
  ],
}
const [ann = '', bob = ''] = cast.people
const history = randomBlocks(7, cast, first, last - first + 1, 1_790_000_000)

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(history) })
  service = await startTestService(store.database)
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const list = (address: string, kind: string, query: string): string =>
  `/v1/chains/${chain}/addresses/${address}/balances:list${kind}?${query}`
const get = async (path: string) => (await service.app.inject(path)).json()

type Item = { address: string; balance: string }

/** Positive ERC-20 balances by contract, from the movements alone. */
const expected = (address: string, height: number, blocks: readonly TokenBlock[]): string[] =>
  [...holdingsAt(blocks, address, 20, height).values()]
    .filter(({ balance }) => balance > 0n)
    .map(({ token, balance }) => `${token} ${balance}`)
    .sort()
const text = ({ address, balance }: Item): string => `${address} ${balance}`

test('new blocks do not affect it; a replaced block ends it', async () => {
  const before = expected(ann, last, history)
  const firstPage = await get(list(ann, 'Erc20', 'pageSize=2'))
  const nfts = await get(list(bob, 'Collectibles', 'pageSize=2'))
  const more = randomBlocks(11, cast, last + 1, 12, (history.at(-1)?.ts ?? 0) + 60)
  await insertBlocks(store.database, chain, seedBlocks(more))
  expect(expected(ann, last + 12, [...history, ...more])).not.toEqual(before)
  const rest: Item[] = []
  for (let token = firstPage.nextPageToken; token !== undefined;) {
    const body = await get(list(ann, 'Erc20', `pageSize=2&pageToken=${token}`))
    rest.push(...body.erc20TokenBalances)
    token = body.nextPageToken
  }
  expect([...firstPage.erc20TokenBalances, ...rest].map(text)).toEqual(before)

  await revertTo(store.database, chain, last - 1)
  const replaced = history.at(-1)
  if (!replaced) throw new Error('no block')
  await insertBlocks(store.database, chain, seedBlocks([replaced], 'other'))
  for (const path of [
    list(ann, 'Erc20', `pageSize=2&pageToken=${firstPage.nextPageToken}`),
    list(bob, 'Collectibles', `pageSize=2&pageToken=${nfts.nextPageToken}`),
  ]) {
    const response = await service.app.inject(path)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(/^pageToken: a reorganisation replaced the block/)
  }
})

test('an address that gave away very many tokens is listed in short pages', async () => {
  const address = addressOf('trader')
  await store.database.unsafe(`
    insert into balances (chain, address, kind, token, token_id, number, balance)
    select ${chain}, '\\${address.slice(1)}'::bytea, kind, substring(sha256(int4send(n)) from 1 for 20),
      case when kind = 20 then -1 else n end, ${first}, case when n % 12000 = 0 then n else 0 end
    from generate_series(1, 24001) n, (values (20), (1155)) kinds (kind)`)
  for (const [kind, pages] of [
    ['Erc20', 2],
    ['Erc1155', 2],
  ] as const) {
    const items: Item[] = []
    let count = 0
    for (let token = ''; ; count += 1) {
      const body = await get(list(address, kind, `pageSize=500${token && `&pageToken=${token}`}`))
      items.push(...body[`${kind.toLowerCase()}TokenBalances`])
      if (body.nextPageToken === undefined) break
      token = body.nextPageToken
    }
    expect(items.map((item) => item.balance).sort()).toEqual(['12000', '24000'])
    expect(count + 1).toBe(pages)
  }
})
