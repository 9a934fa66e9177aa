import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { randomBlocks, holdingsAt, seedBlocks } from '../../testing/token-history.ts'

/*
 * Contracts with several kinds of tokens: `chimera` moved all three, first ERC-20 or ERC-721 but mostly
 * ERC-1155; `janus` moved ERC-721 and ERC-1155, and declares its kind by ERC-165.
 */

const chain = 43113
const [chimera, janus] = [addressOf('chimera'), addressOf('janus')]
const people = Array.from({ length: 5 }, (_, index) => addressOf(`party ${index}`))
const history = randomBlocks(
  11,
  {
    people,
    tokens: [
      [20, chimera],
      [20, chimera],
      [721, chimera],
      ...Array.from({ length: 4 }, () => [1155, chimera] as const),
      ...Array.from({ length: 5 }, () => [721, janus] as const),
      [1155, janus],
    ],
  },
  1,
  80,
  Date.UTC(2026, 10, 1) / 1000,
)
const kinds = [20, 721, 1155] as const
type Kind = (typeof kinds)[number]

const movesOf = (token: string, kind: Kind) =>
  history.flatMap((block) =>
    block.moves.flatMap((move, index) =>
      move.token === token && move.kind === kind
        ? move.items.map(({ id, value }) => ({ block, index, id, value }))
        : [],
    ),
  )
const firstOf = (token: string, kind: Kind): number => movesOf(token, kind)[0]?.block.number ?? Infinity

/** Balances over all ids, by summing the movements; largest first. */
const heldOf = (token: string, kind: Kind): [string, bigint][] =>
  people
    .map((address): [string, bigint] => [
      address,
      [...holdingsAt(history, address, kind, 80).values()]
        .filter((entry) => entry.token === token)
        .reduce((sum, { balance }) => sum + balance, 0n),
    ])
    .filter(([, balance]) => balance > 0n)
    .sort(([, left], [, right]) => (left < right ? 1 : -1))

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(history) })
  await store.database`insert into token_facts ${store.database({
    chain,
    token: Buffer.from(janus.slice(2), 'hex'),
    name: 'Janus',
    interface: 1155,
    asked_block: 1,
    asked_ts: 1,
    due_ts: 1,
  })}`
  service = await startTestService(store.database)
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const get = async (path: string) => {
  const response = await service.app.inject(`/v1/chains/${chain}${path}`)
  expect(response.statusCode, `${path} ${response.body.slice(0, 200)}`).toBe(200)
  return response.json()
}
const status = async (path: string) => (await service.app.inject(`/v1/chains/${chain}${path}`)).statusCode

test('the main kind is the one declared by ERC-165, otherwise that of most transfers; the others are listed', async () => {
  const counts = kinds.map((kind) => movesOf(chimera, kind).length)
  expect(counts[2]).toBeGreaterThan(Math.max(counts[0] ?? 0, counts[1] ?? 0))
  expect(firstOf(chimera, 20)).toBeLessThan(firstOf(chimera, 1155))
  expect(movesOf(janus, 721).length).toBeGreaterThan(movesOf(janus, 1155).length)

  const byCount = [...kinds].sort((a, b) => movesOf(chimera, b).length - movesOf(chimera, a).length)
  expect(await get(`/tokens/${chimera}`)).toMatchObject({
    ercType: 'ERC-1155',
    ercTypes: byCount.map((kind) => `ERC-${kind}`),
  })
  expect(await get(`/tokens/${janus}`)).toMatchObject({
    ercType: 'ERC-1155',
    ercTypes: ['ERC-1155', 'ERC-721'],
  })
  for (const token of [chimera, janus]) {
    expect((await get(`/addresses/${token}`)).ercType).toBe('ERC-1155')
    expect((await get(`/addresses/${token}/overview`)).tokenType).toBe('ERC-1155')
  }
})

test.each(kinds)('everything of a token is told of its ERC-%i side where that is asked for', async (kind) => {
  const of = `ercType=ERC-${kind}`
  const moves = movesOf(chimera, kind)
  const held = heldOf(chimera, kind)
  expect(held.length).toBeGreaterThan(1)
  expect(await get(`/tokens/${chimera}?${of}`)).toMatchObject({
    ercType: `ERC-${kind}`,
    transferCount: String(moves.length),
    holderCount: String(held.length),
    firstBlock: String(firstOf(chimera, kind)),
  })
  const { holders } = await get(`/tokens/${chimera}/holders?${of}`)
  expect(holders.map(({ balance }: { balance: string }) => balance)).toEqual(
    held.map(([, sum]) => String(sum)),
  )
  expect((await get(`/tokens/${chimera}/distribution?${of}`)).holderCount).toBe(String(held.length))
  const window = await service.app.inject(
    `/v2/chains/${chain}/contracts/${chimera}/balances?threshold=0&startTimestamp=4000000000&${of}`,
  )
  expect(
    window.json().addresses.map((row: Record<string, string>) => [row['address'], row['balance']]),
  ).toEqual(held.map(([address, sum]) => [address, String(sum)]).sort())
  const { points } = await get(`/tokens/${chimera}/history?${of}`)
  expect(points.at(-1).transferCount).toBe(String(moves.length))
  const { transactions } = await get(`/tokens/${chimera}/transfers?${of}&pageSize=100&sortOrder=asc`)
  expect(
    transactions.map((row: Record<string, string>) => [row['ercType'], row['blockNumber'], row['logIndex']]),
  ).toEqual(moves.map(({ block, index }) => [`ERC-${kind}`, String(block.number), index]).slice(0, 100))
})

test('transfers are of every kind by default', async () => {
  const all = await get(`/tokens/${janus}/transfers?pageSize=100`)
  expect(all.transactions).toHaveLength(movesOf(janus, 721).length + movesOf(janus, 1155).length)
})

test('items are of one kind, and an NFT is found under either', async () => {
  for (const kind of [721, 1155] as const) {
    const ids = [...new Set(movesOf(janus, kind).map(({ id }) => id))].sort((a, b) => Number(a - b))
    const { tokens } = await get(`/nfts/collections/${janus}/tokens?ercType=ERC-${kind}&pageSize=100`)
    expect(tokens.map((one: { tokenId: string }) => one.tokenId)).toEqual(ids.map(String))
  }
  const own = new Set(movesOf(janus, 1155).map(({ id }) => id))
  const other = movesOf(janus, 721).find(({ id }) => !own.has(id))
  expect(await get(`/nfts/collections/${janus}/tokens/${other?.id}`)).toMatchObject({ ercType: 'ERC-721' })
  const [mine = 0n] = own
  expect(await get(`/nfts/collections/${janus}/tokens/${mine}`)).toMatchObject({ ercType: 'ERC-1155' })
  // Only NFTs have ids, so a contract that is mainly an ERC-20 token has a history of its NFTs as well.
  const { transactions } = await get(`/tokens/${chimera}/transfers?tokenId=1&pageSize=100`)
  expect(new Set(transactions.map((row: { tokenId: string }) => row.tokenId))).toEqual(new Set(['1']))
})

test('a kind that the contract never moved is a 404', async () => {
  for (const path of ['', '/transfers', '/holders', '/distribution', '/history'])
    expect(await status(`/tokens/${janus}${path}?ercType=ERC-20`), path).toBe(404)
  expect(await status(`/tokens/${janus}?ercType=ERC-777`)).toBe(400)
})
