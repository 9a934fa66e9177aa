import { expect } from 'vitest'
import { addressOf, seedChain } from './chain-rows.ts'
import { startChainNode } from './chain-node.ts'
import { createTestDatabase } from './database.ts'
import { testConfig } from './config.ts'
import { startTestService } from './service.ts'
import { randomBlocks, holdingsAt, seedBlocks, type Cast, type TokenBlock } from './token-history.ts'
import type { Movement } from './token-logs.ts'

/*
 * The chain of the tests of balances: four people, twenty tokens of every kind, eighty blocks of movements,
 * and a node that keeps the newest states.
 */

export const chain = 43113
export const [first, last] = [5, 84]
/** Unix seconds of the first block. */
export const start = Date.UTC(2026, 10, 1) / 1000
export const cast: Cast = {
  people: ['ann', 'bob', 'cem', 'dan'].map(addressOf),
  tokens: [
    ...Array.from({ length: 14 }, (_, index) => [20, addressOf(`coin ${index}`)] as const),
    ...Array.from({ length: 3 }, (_, index) => [721, addressOf(`art ${index}`)] as const),
    ...Array.from({ length: 3 }, (_, index) => [1155, addressOf(`item ${index}`)] as const),
  ],
}
export const [ann = '', bob = ''] = cast.people
export const coins = cast.tokens.filter(([kind]) => kind === 20).map(([, token]) => token)
export const history = randomBlocks(7, cast, first, last - first + 1, start)

/** The first height whose state the node keeps. */
export const firstKeptHeight = 60
/** The native balance of every account at a height, according to the node. */
export const nativeAt = (height: number): bigint => 10n ** 18n * BigInt(height) + 7n
/** The answer of `balanceOf` for every account at a height, regardless of the logs. `coins[3]` reverts. */
export const balanceOfAnswer = (height: number): bigint => BigInt(height) * 1_000n + 3n

/** The balances of an answer. */
export type Item = {
  address: string
  tokenId?: string
  balance?: string
  balanceSource?: string
  ownerAddress?: string
}

/** The lists of balances, with the name of the items in their answers. */
export const names = {
  Erc20: 'erc20',
  Erc721: 'erc721',
  Erc1155: 'erc1155',
  Collectibles: 'collectible',
} as const
type List = keyof typeof names
export const itemsOf = (kind: List, body: Record<string, unknown>): Item[] =>
  body[kind === 'Collectibles' ? 'collectibleBalances' : `${names[kind]}TokenBalances`] as Item[]

/** The path of a list. */
export const list = (address: string, kind: string, query = '', id: string | number = chain): string =>
  `/v1/chains/${id}/addresses/${address}/balances:list${kind}?${query}`

/** The expected items of a list: positive sums by contract and id, from the movements. */
export function expected(
  address: string,
  kind: Movement['kind'],
  height: number,
  blocks: readonly TokenBlock[] = history,
): string[] {
  return [...holdingsAt(blocks, address, kind, height).values()]
    .filter(({ balance }) => balance > 0n)
    .sort((a, b) => (a.token === b.token ? Number(a.id - b.id) : a.token < b.token ? -1 : 1))
    .map(({ token, id, balance }) => `${token} ${kind === 20 ? '-' : id} ${kind === 721 ? 1n : balance}`)
}

export type BalanceChain = Awaited<ReturnType<typeof startBalanceChain>>

/** A store with the chain, its node, and a service on top. */
export async function startBalanceChain() {
  const store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(history) })
  const node = await startChainNode((method, params) => {
    const height = params[1] === 'latest' ? last : Number(params[1])
    if (height < firstKeptHeight) return { error: 'missing trie node 5f (path )' }
    if (method === 'eth_getBalance') return { result: `0x${nativeAt(height).toString(16)}` }
    const { to } = params[0] as { to: string }
    if (to === coins[3]) return { error: 'execution reverted' }
    return { result: `0x${balanceOfAnswer(height).toString(16).padStart(64, '0')}` }
  })
  /** The configuration, with a test's additions. */
  const settings = (more: Record<string, unknown> = {}) =>
    testConfig({
      chains: [
        {
          evmChainId: chain,
          name: 'Test Chain',
          rpcUrl: node.url,
          blockchainId: 'theBlockchain',
          token: { name: 'Coin', symbol: 'COIN', decimals: 18 },
        },
      ],
      ...more,
    })
  const service = await startTestService(store.database, { config: settings() })
  const get = async (path: string) => (await service.app.inject(path)).json()
  return {
    store,
    node,
    service,
    settings,
    get,
    /** All items of a list, from all pages. */
    async walk(kind: List, address: string, query: string): Promise<Item[]> {
      const items: Item[] = []
      for (let token = ''; ;) {
        const body = await get(list(address, kind, `${query}${token && `&pageToken=${token}`}`))
        expect(body).not.toHaveProperty('error')
        items.push(...itemsOf(kind, body))
        if (body.nextPageToken === undefined) return items
        token = body.nextPageToken
      }
    },
    async close() {
      await service.close()
      await node.close()
      await store.drop()
    },
  }
}
