import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, seedChain } from '../testing/chain-rows.ts'
import { startChainNode, type ChainNode } from '../testing/chain-node.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startTestService, testConfig, type TestService } from '../testing/service.ts'
import { drawBlocks, heldAt, seedBlocks, type Cast, type TokenBlock } from '../testing/token-history.ts'
import type { Movement } from '../testing/token-logs.ts'

const chain = 43113
const [first, last] = [5, 84]
const start = Date.UTC(2026, 10, 1) / 1000
const cast: Cast = {
  people: ['ann', 'bob', 'cem', 'dan'].map(addressOf),
  tokens: [
    ...Array.from({ length: 14 }, (_, index) => [20, addressOf(`coin ${index}`)] as const),
    ...Array.from({ length: 3 }, (_, index) => [721, addressOf(`art ${index}`)] as const),
    ...Array.from({ length: 3 }, (_, index) => [1155, addressOf(`item ${index}`)] as const),
  ],
}
const [ann = '', bob = ''] = cast.people
const coins = cast.tokens.filter(([kind]) => kind === 20).map(([, token]) => token)
const history = drawBlocks(7, cast, first, last - first + 1, start)

/** The first height whose state the test's node keeps. */
const keptFrom = 60
const nativeAt = (height: number): bigint => 10n ** 18n * BigInt(height) + 7n
const saidByNode = (height: number): bigint => BigInt(height) * 1_000n + 3n

let store: TestDatabase
let node: ChainNode
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(history) })
  node = await startChainNode((method, params) => {
    const height = params[1] === 'latest' ? last : Number(params[1])
    if (height < keptFrom) return { error: 'missing trie node 5f (path )' }
    if (method === 'eth_getBalance') return { result: `0x${nativeAt(height).toString(16)}` }
    const { to } = params[0] as { to: string }
    if (to === coins[3]) return { error: 'execution reverted' }
    return { result: `0x${saidByNode(height).toString(16).padStart(64, '0')}` }
  })
  service = await startTestService(store.database, { config: settings() })
})
afterAll(async () => {
  await service.close()
  await node.close()
  await store.drop()
})

function settings(more: Record<string, unknown> = {}) {
  return testConfig({
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
}

const list = (address: string, kind: string, query = '', id: string | number = chain): string =>
  `/v1/chains/${id}/addresses/${address}/balances:list${kind}?${query}`
const get = async (path: string) => (await service.app.inject(path)).json()
const status = async (path: string) => (await service.app.inject(path)).statusCode

type Item = {
  address: string
  tokenId?: string
  balance?: string
  balanceSource?: string
  ownerAddress?: string
}

const names = { Erc20: 'erc20', Erc721: 'erc721', Erc1155: 'erc1155', Collectibles: 'collectible' } as const
type List = keyof typeof names
const itemsOf = (kind: List, body: Record<string, unknown>): Item[] =>
  body[kind === 'Collectibles' ? 'collectibleBalances' : `${names[kind]}TokenBalances`] as Item[]

async function walk(kind: List, address: string, query: string): Promise<Item[]> {
  const items: Item[] = []
  for (let token = ''; ;) {
    const body = await get(list(address, kind, `${query}${token && `&pageToken=${token}`}`))
    expect(body).not.toHaveProperty('error')
    items.push(...itemsOf(kind, body))
    if (body.nextPageToken === undefined) return items
    token = body.nextPageToken
  }
}

const text = (item: Item): string => `${item.address} ${item.tokenId ?? '-'} ${item.balance ?? '1'}`

/** What the list should hold: sums above zero by contract and id, from the movements alone. */
function expected(
  address: string,
  kind: Movement['kind'],
  height: number,
  blocks: readonly TokenBlock[] = history,
): string[] {
  return [...heldAt(blocks, address, kind, height).values()]
    .filter(({ balance }) => balance > 0n)
    .sort((a, b) => (a.token === b.token ? Number(a.id - b.id) : a.token < b.token ? -1 : 1))
    .map(({ token, id, balance }) => `${token} ${kind === 20 ? '-' : id} ${kind === 721 ? 1n : balance}`)
}

describe('balances at any block equal the sum of the movements up to it', () => {
  test.each([1, 3, 500])('in pages of %i', async (pageSize) => {
    let compared = 0
    for (const address of cast.people) {
      for (const height of [first, 17, 40, 63, last]) {
        const query = `pageSize=${pageSize}&blockNumber=${height}`
        const erc20 = expected(address, 20, height)
        const [erc721, erc1155] = [expected(address, 721, height), expected(address, 1155, height)]
        expect((await walk('Erc20', address, query)).map(text)).toEqual(erc20)
        expect((await walk('Erc721', address, query)).map(text)).toEqual(erc721)
        expect((await walk('Erc1155', address, query)).map(text)).toEqual(erc1155)
        expect((await walk('Collectibles', address, query)).map(text)).toEqual([...erc721, ...erc1155])
        compared += erc20.length + erc721.length + erc1155.length
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  test('of chosen contracts only', async () => {
    const all = expected(ann, 20, last)
    const [one, two] = [coins[1] ?? '', coins[4] ?? '']
    const chosen = `contractAddresses=${one},${two.toUpperCase().replace('0X', '0x')},${addressOf('none')},${one}`
    expect((await walk('Erc20', ann, `${chosen}&pageSize=1`)).map(text)).toEqual(
      all.filter((row) => row.startsWith(one) || row.startsWith(two)),
    )
    for (const kind of [721, 1155] as const) {
      const held = expected(bob, kind, last)
      const [contract = ''] = held.at(-1)?.split(' ') ?? []
      const wanted = held.filter((row) => row.startsWith(contract))
      expect(wanted.length).toBeGreaterThan(0)
      const query = `contractAddress=${contract}&pageSize=1`
      expect((await walk(`Erc${kind}`, bob, query)).map(text)).toEqual(wanted)
      expect((await walk('Collectibles', bob, query)).map(text)).toEqual(wanted)
    }
  })

  test('at the head where no block is named', async () => {
    const head = await get(list(ann, 'Erc20', 'pageSize=500', 'theBlockchain'))
    expect(head.erc20TokenBalances.map(text)).toEqual(expected(ann, 20, last))
    expect(await get(list(addressOf('nobody'), 'Erc20'))).toMatchObject({ erc20TokenBalances: [] })
  })
})

describe('rules', () => {
  test('a height that is not indexed is a 400 that names those that are', async () => {
    for (const kind of Object.keys(names)) {
      for (const height of [first - 1, last + 1]) {
        const response = await service.app.inject(list(ann, kind, `blockNumber=${height}`))
        expect(response.statusCode).toBe(400)
        expect(response.json().message).toEqual([
          `blockNumber: block ${height} is not indexed; allowed: ${first} to ${last}`,
        ])
      }
    }
  })

  test.each([
    ['pageSize=0', 400],
    ['pageSize=501', 400],
    ['blockNumber=0x5', 400],
    ['blockNumber=-1', 400],
    ['blockNumber=12345678901234567', 400],
    ['contractAddresses=0x12&contractAddress=0x12', 400],
    ['pageToken=abc', 400],
    ['currency=xxx&pageSize=500', 400],
  ])('%s is a %i', async (query, expectedStatus) => {
    const kind = query.startsWith('contract') ? 'Erc1155' : 'Erc20'
    expect(await status(list(ann, kind, query))).toBe(expectedStatus)
  })

  test('an unknown chain is a 404, one without blocks has empty lists', async () => {
    expect(await status(list(ann, 'Erc20', '', 9))).toBe(404)
    const empty = await startTestService(store.database, {
      config: testConfig({
        chains: [{ evmChainId: 9, name: 'Empty', rpcUrl: node.url }],
      }),
    })
    expect((await empty.app.inject(list(ann, 'Erc20', '', 9))).json()).toEqual({
      erc20TokenBalances: [],
      spamTokenCount: 0,
    })
    expect((await empty.app.inject(list(ann, 'Collectibles', '', 9))).json()).toEqual({
      collectibleBalances: [],
    })
    expect((await empty.app.inject(list(ann, 'Erc20', 'blockNumber=0', 9))).json().message).toEqual([
      'blockNumber: block 0 is not indexed; no block of the chain is indexed yet',
    ])
    await empty.close()
  })

  test('a page token works for its own list only', async () => {
    const { nextPageToken } = await get(list(ann, 'Erc20', 'pageSize=1'))
    for (const path of [
      list(bob, 'Erc20'),
      list(ann, 'Erc20', 'blockNumber=60'),
      list(ann, 'Erc20', 'filterSpamTokens=false'),
      list(ann, 'Erc20', `contractAddresses=${coins[0]}`),
      list(ann, 'Erc1155'),
    ]) {
      expect(await status(`${path}&pageToken=${nextPageToken}`), path).toBe(400)
    }
    expect(await status(`${list(ann, 'Erc20', 'pageSize=2')}&pageToken=${nextPageToken}`)).toBe(200)
  })
})

describe('the facts of a token', () => {
  const facts = (token: string, row: Record<string, unknown>) =>
    store.database`insert into token_facts ${store.database({
      chain,
      token: Buffer.from(token.slice(2), 'hex'),
      asked_block: last,
      asked_ts: start,
      due_ts: start,
      ...row,
    })} on conflict (chain, token) do update set ${store.database(row)}`
  const forget = () => store.database`delete from token_facts`

  test('spam is left out and counted over the pages; the operator has the last word', async () => {
    const held = expected(ann, 20, last).map((row) => row.slice(0, 42))
    expect(held.length).toBeGreaterThanOrEqual(4)
    const [one = '', two = '', three = ''] = held
    await facts(one, { reputation: 'Malicious', reputation_reasons: ['its name carries a link'] })
    await facts(two, { reputation: 'Malicious', reputation_reasons: ['paid thousands'] })
    const operator = await startTestService(store.database, {
      config: settings({
        tokens: { allow: [{ chainId: chain, address: two }], deny: [{ chainId: chain, address: three }] },
      }),
    })
    const read = async (query: string) => (await operator.app.inject(list(ann, 'Erc20', query))).json()
    let token: string | undefined
    let left = 0
    const shown: string[] = []
    do {
      const body = await read(`pageSize=1${token === undefined ? '' : `&pageToken=${token}`}`)
      left += body.spamTokenCount
      shown.push(...itemsOf('Erc20', body).map((item) => item.address))
      token = body.nextPageToken
    } while (token !== undefined)
    expect(shown).toEqual(held.filter((each) => each !== one && each !== three))
    expect(left).toBe(2)
    const overview = await operator.app.inject(`/v1/chains/${chain}/addresses/${ann}/overview`)
    expect(overview.json()).toMatchObject({ erc20Count: String(held.length), spamErc20Count: '2' })
    const all = await read('filterSpamTokens=false&pageSize=500')
    expect(all).not.toHaveProperty('spamTokenCount')
    expect(all.erc20TokenBalances[0]).toMatchObject({
      address: one,
      tokenReputation: 'Malicious',
      reputationReasons: ['its name carries a link'],
    })
    expect(all.erc20TokenBalances[1]).toMatchObject({ address: two, tokenReputation: 'Benign' })
    expect(all.erc20TokenBalances[2]).toMatchObject({ address: three, tokenReputation: 'Malicious' })
    expect(all.erc20TokenBalances[3]).toMatchObject({ tokenReputation: null })
    await operator.close()
    await forget()
  })

  test('a token that disagrees with its logs is asked of the node, as long as that keeps the state', async () => {
    const [honest = '', rebasing = '', reverting = ''] = [coins[0], coins[1], coins[3]]
    for (const token of [rebasing, reverting]) await facts(token, { disagrees: true })
    const chosen = `contractAddresses=${honest},${rebasing},${reverting}&pageSize=500`
    const at = async (height: number) =>
      new Map(
        itemsOf('Erc20', await get(list(ann, 'Erc20', `${chosen}&blockNumber=${height}`))).map((item) => [
          item.address,
          [item.balance, item.balanceSource],
        ]),
      )
    const logs = (token: string, height: number) => {
      const balance = heldAt(history, ann, 20, height).get(`${token} 0`)?.balance ?? 0n
      return balance > 0n ? [balance.toString(), 'logs'] : undefined
    }
    for (const height of [keptFrom, last]) {
      const found = await at(height)
      expect(found.get(rebasing)).toEqual([saidByNode(height).toString(), 'node'])
      expect(found.get(honest)).toEqual(logs(honest, height))
      expect(found.get(reverting)).toEqual(logs(reverting, height))
    }
    const before = await at(keptFrom - 1)
    for (const token of [honest, rebasing, reverting])
      expect(before.get(token)).toEqual(logs(token, keptFrom - 1))
    // The walk asks too, in its place in the order.
    const walked = await walk('Erc20', ann, 'pageSize=2')
    expect(walked.map((item) => item.address)).toEqual(walked.map((item) => item.address).sort())
    expect(walked.find((item) => item.address === rebasing)).toMatchObject({
      balance: saidByNode(last).toString(),
      balanceSource: 'node',
    })
    await forget()
  })

  test('prices and what a balance is worth, on the day of the block', async () => {
    const [priced = '', unpriced = ''] = expected(ann, 20, last).map((row) => row.slice(0, 42))
    await facts(priced, { name: '<b>Priced</b>', symbol: 'PRC', decimals: 2 })
    await facts(unpriced, { name: 'Unpriced', symbol: 'UNP', decimals: 0 })
    const path = join(mkdtempSync(join(tmpdir(), 'ridgeline-')), 'prices.json')
    const day = (height: number) =>
      new Date((history[height - first]?.ts ?? 0) * 1000).toISOString().slice(0, 10)
    const prices = (usd: string) => ({ [day(last)]: { usd, eur: '0.25' }, [day(keptFrom)]: { usd: '3' } })
    writeFileSync(
      path,
      JSON.stringify({
        label: 'test prices',
        assets: [
          { id: `native:${chain}`, prices: prices('2') },
          { id: `erc20:${chain}:${priced}`, prices: prices('1.5') },
        ],
      }),
    )
    expect(day(last)).not.toBe(day(keptFrom))
    const fiat = await startTestService(store.database, { config: settings({ prices: { file: path } }) })
    const read = async (query: string) => (await fiat.app.inject(list(ann, 'Erc20', query))).json()
    const usd = await read('pageSize=500')
    const amount = heldAt(history, ann, 20, last).get(`${priced} 0`)?.balance ?? 0n
    expect(usd.erc20TokenBalances[0]).toMatchObject({
      name: '<b>Priced</b>',
      symbol: 'PRC',
      decimals: 2,
      price: { currencyCode: 'usd', value: '1.5' },
      balanceValue: { currencyCode: 'usd', value: String((Number(amount) * 1.5) / 100) },
    })
    expect(usd.erc20TokenBalances[1]).not.toHaveProperty('price')
    expect(usd.nativeTokenBalance).toEqual({
      name: 'Coin',
      symbol: 'COIN',
      decimals: 18,
      chainId: String(chain),
      balance: nativeAt(last).toString(),
      price: { currencyCode: 'usd', value: '2' },
      balanceValue: { currencyCode: 'usd', value: `${2 * last}.000000000000000014` },
    })
    expect((await read('pageSize=500&currency=eur')).erc20TokenBalances[0].price).toEqual({
      currencyCode: 'eur',
      value: '0.25',
    })
    expect((await read(`blockNumber=${keptFrom}`)).nativeTokenBalance.price.value).toBe('3')
    expect((await read('currency=jpy')).nativeTokenBalance).not.toHaveProperty('price')
    expect((await fiat.app.inject('/config.json')).json().profiles[0].priceLabel).toBe('test prices')
    await fiat.close()
    await forget()
  })

  test('the native balance is absent where the node keeps no state, and when it is silent', async () => {
    const kinds = ['Erc20', 'Erc721', 'Erc1155']
    for (const kind of kinds) {
      expect((await get(list(ann, kind, `blockNumber=${keptFrom}`))).nativeTokenBalance.balance).toBe(
        nativeAt(keptFrom).toString(),
      )
      expect(await get(list(ann, kind, `blockNumber=${keptFrom - 1}`))).not.toHaveProperty(
        'nativeTokenBalance',
      )
    }
    const unreachable = await startTestService(store.database)
    const response = await unreachable.app.inject(list(ann, 'Erc20'))
    expect(response.statusCode).toBe(200)
    expect(response.json()).not.toHaveProperty('nativeTokenBalance')
    await unreachable.close()
  })
})

describe('metadata of an NFT', () => {
  test('is shown as it was read', async () => {
    const [row = ''] = expected(bob, 721, last)
    const [token = '', id = ''] = row.split(' ')
    await store.database`insert into nft_metadata ${store.database({
      chain,
      token: Buffer.from(token.slice(2), 'hex'),
      token_id: id,
      status: 'INDEXED',
      uri: 'ipfs://x/1',
      name: 'Sky "one"',
      image_uri: 'ipfs://x/1.png',
      updated_ts: start,
    })}`
    const { erc721TokenBalances } = await get(list(bob, 'Erc721', 'pageSize=500'))
    expect(erc721TokenBalances[0]).toEqual({
      address: token,
      ercType: 'ERC-721',
      tokenId: id,
      tokenUri: 'ipfs://x/1',
      metadata: {
        indexStatus: 'INDEXED',
        metadataLastUpdatedTimestamp: start,
        name: 'Sky "one"',
        imageUri: 'ipfs://x/1.png',
      },
      ownerAddress: bob,
      chainId: String(chain),
    })
  })
})
