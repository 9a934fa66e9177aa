import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { randomBlocks, holdingsAt, seedBlocks } from '../../testing/token-history.ts'
import { zeroAddress } from '../../testing/token-logs.ts'

const chain = 43113
const people = Array.from({ length: 5 }, (_, index) => addressOf(`keeper ${index}`))
const [art, item, coin] = ['art', 'item', 'coin'].map(addressOf) as [string, string, string]
const start = 1_790_000_000
const drawn = randomBlocks(
  31,
  {
    people,
    tokens: [
      [721, art],
      [1155, item],
      [20, coin],
    ],
  },
  2,
  60,
  start,
)
// An ERC-721 contract that follows its standard: only the owner can send a token, and an id is minted once.
const owners = new Map<bigint, string>()
const history = drawn.map((block) => ({
  ...block,
  moves: block.moves.filter(({ kind, from, to, items: [moved] }) => {
    if (kind !== 721 || !moved) return true
    if ((owners.get(moved.id) ?? zeroAddress) !== from) return false
    owners.set(moved.id, to)
    return true
  }),
}))
const head = history.at(-1)?.number ?? 0

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

type Nft = { tokenId: string; ownerAddress?: string; supply?: string; hasMedia: boolean }

const path = (token: string, rest = ''): string =>
  `/v1/chains/${chain}/nfts/collections/${token}/tokens${rest}`
const status = async (url: string) => (await service.app.inject(url)).statusCode

async function walk(token: string, pageSize: number): Promise<Nft[]> {
  const nfts: Nft[] = []
  for (let next = ''; ;) {
    const url = path(token, `?pageSize=${pageSize}${next && `&pageToken=${next}`}`)
    const body = (await service.app.inject(url)).json()
    nfts.push(...body.tokens)
    if (body.nextPageToken === undefined) return nfts
    next = body.nextPageToken
  }
}

/** The ids that ever moved, with the block in which each did first. */
function firstBlocks(token: string): [bigint, number][] {
  const found = new Map<bigint, number>()
  for (const { number, moves } of history) {
    for (const move of moves) {
      for (const { id } of move.token === token ? move.items : []) {
        if (!found.has(id)) found.set(id, number)
      }
    }
  }
  return [...found].sort(([left], [right]) => Number(left - right))
}

const expected = (token: string): object[] =>
  firstBlocks(token).map(([id]) => {
    if (token === art) {
      const owner = owners.get(id)
      return {
        address: art,
        ercType: 'ERC-721',
        tokenId: String(id),
        hasMedia: false,
        ...(owner !== undefined && owner !== zeroAddress && { ownerAddress: owner }),
      }
    }
    const supply = people
      .map((address) => holdingsAt(history, address, 1155, head).get(`${item} ${id}`)?.balance ?? 0n)
      .reduce((sum, balance) => sum + balance, 0n)
    return {
      address: item,
      ercType: 'ERC-1155',
      tokenId: String(id),
      hasMedia: false,
      supply: String(supply < 0n ? 0n : supply),
    }
  })

test.each([1, 2, 100])(
  'a collection by token ID, with owners and supplies, in pages of %i',
  async (pageSize) => {
    for (const token of [art, item]) {
      const wanted = expected(token)
      expect(wanted.length).toBeGreaterThan(3)
      expect(await walk(token, pageSize)).toEqual(wanted)
    }
    // Some are held and some are burned, or the owners would prove nothing.
    const held = [...owners.values()].filter((owner) => owner !== zeroAddress).length
    expect(held).toBeGreaterThan(1)
    expect(held).toBeLessThan(owners.size)
  },
)

test('one NFT, with the block of its first movement', async () => {
  for (const token of [art, item]) {
    const all = expected(token)
    for (const [place, [id, firstBlock]] of firstBlocks(token).entries()) {
      expect((await service.app.inject(path(token, `/${id}`))).json()).toEqual({
        ...all[place],
        firstBlock: String(firstBlock),
        reindexableTimestamp: 0,
        reindexing: false,
      })
    }
  }
})

test.each([
  [path(art, '/77'), 404],
  [path(coin), 404],
  [path(coin, '/0'), 404],
  [path(addressOf('none'), '/0'), 404],
  [path(art, `/${2n ** 256n}`), 400],
  [path(art, '/0x1'), 400],
  [path(art, '?pageSize=101'), 400],
  [path(art, '?pageToken=abc'), 400],
])('%s is a %i', async (url, wanted) => {
  expect(await status(url)).toBe(wanted)
})

test('a page token is valid for its own collection only', async () => {
  const { nextPageToken } = (await service.app.inject(path(art, '?pageSize=1'))).json()
  expect(await status(path(item, `?pageToken=${nextPageToken}`))).toBe(400)
  expect(await status(path(art, `?pageToken=${nextPageToken}`))).toBe(200)
})

test('metadata, whether there is a picture, and when a reindex is accepted', async () => {
  const [[id] = [0n]] = firstBlocks(art)
  const write = (row: Record<string, unknown>) =>
    store.database`insert into nft_metadata ${store.database({
      chain,
      token: Buffer.from(art.slice(2), 'hex'),
      token_id: String(id),
      ...row,
    })} on conflict (chain, token, token_id) do update set ${store.database(row)}`
  const networked = await startTestService(store.database, {
    config: testConfig({ nftMetadata: { enabled: true } }),
  })
  const read = async (from: TestService) => (await from.app.inject(path(art, `/${id}`))).json()
  await write({
    status: 'INDEXED',
    uri: 'https://art.test/1',
    name: '<img src=x onerror=alert(1)>',
    image_uri: 'https://art.test/1.png',
    attributes: '[{"trait":"sky"}]',
    updated_ts: start,
    reindexed_ts: start + 5,
  })
  expect(await read(networked)).toMatchObject({
    tokenUri: 'https://art.test/1',
    metadata: {
      indexStatus: 'INDEXED',
      metadataLastUpdatedTimestamp: start,
      name: '<img src=x onerror=alert(1)>',
      imageUri: 'https://art.test/1.png',
      attributes: '[{"trait":"sky"}]',
    },
    hasMedia: true,
    reindexableTimestamp: start + 3_605,
    reindexing: true,
  })
  // With fetching disabled, there is nothing to read or show.
  expect(await read(service)).toMatchObject({ hasMedia: false, reindexing: false })
  await write({ uri: 'data:application/json,{}', image_uri: 'data:image/svg+xml,<svg/>' })
  expect(await read(service)).toMatchObject({ hasMedia: true, reindexing: true })
  await networked.close()
})
