import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startScriptedNode, type ScriptedNode } from '../../../node/testing/scripted-node.ts'
import {
  addressOf,
  insertBlocks,
  revertTo,
  seedChain,
  transactionHash,
  type SeedBlock,
  type SeedTransaction,
} from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'
import { rewriteTokenRows } from '../../../testing/token-rows.ts'

const chain = 43113
const [alice, bob, factory, coin, art, items, relic] = [
  'alice',
  'bob',
  'factory',
  'coin',
  'art',
  'items',
  'relic',
].map(addressOf) as [string, string, string, string, string, string, string]
const start = 1_700_000_000
const day = 86_400
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const word = (text: string): string => `0x${text.slice(2).padStart(64, '0')}`
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const zero = `0x${'0'.repeat(40)}`
const amount = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

/** Bob calls the factory, which creates children; alice creates by transaction. */
const creation = (address: string): SeedTransaction => ({
  from: alice,
  to: null,
  created: address,
  contracts: [{ address, deployer: alice, ordinal: -1 }],
})
const children = (number: number, count: number): SeedTransaction => ({
  from: bob,
  to: factory,
  contracts: Array.from({ length: count }, (_, ordinal) => ({
    address: addressOf(`child ${number} ${ordinal}`),
    deployer: factory,
    ordinal,
  })),
})

const blocks: SeedBlock[] = [
  { number: 0, ts: start, txs: [creation(factory)] },
  { number: 1, ts: start + day, txs: [children(1, 3), creation(coin), creation(art)] },
  { number: 2, ts: start + 40 * day, txs: [children(2, 2), creation(items)] },
  {
    number: 3,
    ts: start + 41 * day,
    txs: [
      // Created again at the same address.
      creation(coin),
      {
        from: bob,
        to: coin,
        logs: [
          { address: coin, topics: [transferTopic, word(zero), word(alice)], data: amount(5n) },
          { address: addressOf('dust'), topics: [transferTopic, word(zero), word(alice)], data: amount(5n) },
          { address: addressOf('dust'), topics: [transferTopic, word(alice), word(bob)], data: amount(5n) },
          ...[1n, 2n, 9n].map((id) => ({
            address: art,
            topics: [transferTopic, word(zero), word(alice), amount(id)],
            data: '0x',
          })),
          { address: art, topics: [transferTopic, word(alice), word(bob), amount(9n)], data: '0x' },
          ...[1n, 2n].map((id) => ({
            address: items,
            topics: [singleTopic, word(bob), word(zero), word(alice)],
            data: `${amount(id)}${amount(10n * id).slice(2)}`,
          })),
        ],
      },
    ],
  },
]

let store: TestDatabase
let service: TestService
let node: ScriptedNode

beforeAll(async () => {
  node = await startScriptedNode(() => '0xde0b6b3a7640000')
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  await seedChain(store.database, { chain: 7, blocks: [{ number: 0, ts: start, txs: [] }] })
  await rewriteTokenRows(store.database, chain)
  const facts = { chain, asked_block: 3, asked_ts: 1, due_ts: 1 }
  await store.database`insert into token_facts ${store.database([
    { ...facts, token: bytes(coin), name: 'Coin', symbol: 'COIN', decimals: 6, interface: null },
    { ...facts, token: bytes(art), name: 'Art', symbol: 'ART', decimals: 0, interface: 721 },
  ])}`
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        {
          evmChainId: chain,
          name: 'Test Chain',
          rpcUrl: node.url,
          token: { name: 'Avalanche', symbol: 'AVAX' },
        },
        { evmChainId: 7, name: 'Bare', rpcUrl: 'http://127.0.0.1:9' },
      ],
      contracts: [
        {
          chainId: chain,
          address: relic.toUpperCase().replace('0X', '0x'),
          name: 'Relic',
          description: 'There before the first block.',
          officialSite: 'https://relic.example',
          email: 'hello@relic.example',
          logoUri: 'https://relic.example/logo.png',
          bannerUri: 'ipfs://banner',
          color: '#e84142',
          resourceLinks: [{ type: 'Github', url: 'https://relic.example/code' }],
          tags: ['old'],
        },
      ],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await node.close()
})

const get = async (path: string, chainId = chain) => {
  const response = await service.app.inject(`/v1/chains/${chainId}/${path}`)
  return { status: response.statusCode, body: response.json() }
}
const blockAt = (number: number): SeedBlock => blocks[number] as SeedBlock
const hashAt = (number: number, index: number): string => transactionHash(chain, blockAt(number), index)

describe('contract metadata', () => {
  test('contains the token, its last deployer, and the transaction', async () => {
    expect((await get(`addresses/${coin}`)).body).toEqual({
      name: 'Coin',
      resourceLinks: [],
      tags: [],
      address: coin,
      deploymentDetails: { txHash: hashAt(3, 0), deployerAddress: alice },
      ercType: 'ERC-20',
      symbol: 'COIN',
      decimals: 6,
    })
    // Only ERC-20 contracts have decimals.
    expect((await get(`addresses/${art}`)).body).toMatchObject({ ercType: 'ERC-721', symbol: 'ART' })
    expect((await get(`addresses/${art}`)).body).not.toHaveProperty('decimals')
    expect((await get(`addresses/${items}`)).body).toMatchObject({ ercType: 'ERC-1155' })
  })

  test('distinguishes the signer and the creating contract', async () => {
    const child = addressOf('child 2 1')
    expect((await get(`addresses/${child.toUpperCase().replace('0X', '0x')}`)).body).toEqual({
      resourceLinks: [],
      tags: [],
      address: child,
      deploymentDetails: { txHash: hashAt(2, 0), deployerAddress: bob, deployerContractAddress: factory },
      ercType: 'UNKNOWN',
    })
  })

  test("contains the operator's information", async () => {
    expect((await get(`addresses/${relic}`)).body).toEqual({
      name: 'Relic',
      description: 'There before the first block.',
      officialSite: 'https://relic.example',
      email: 'hello@relic.example',
      logoAsset: { imageUri: 'https://relic.example/logo.png' },
      bannerAsset: { imageUri: 'ipfs://banner' },
      color: '#e84142',
      resourceLinks: [{ type: 'Github', url: 'https://relic.example/code' }],
      tags: ['old'],
      address: relic,
      ercType: 'UNKNOWN',
    })
    expect((await get(`addresses/${relic}`, 7)).status).toBe(404)
  })

  test.each([
    [`addresses/${alice}`, 404],
    [`addresses/${addressOf('nobody')}`, 404],
    [`addresses/0x12`, 400],
    [`contracts/0x12/deployments`, 400],
    [`contracts/${alice}/deployments?pageSize=0`, 400],
    [`contracts/${alice}/deployments?pageSize=101`, 400],
    [`contracts?pageSize=101`, 400],
    [`contracts?kind=ERC-777`, 400],
    [`contracts?creator=0x12`, 400],
    [`contracts?sortBy=balance`, 400],
    [`deployers?days=0`, 400],
    [`deployers?days=91`, 400],
  ])('%s is a %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })
})

/** All creations made by the test, latest first. */
const made = blocks
  .flatMap((block) =>
    block.txs.flatMap((tx, index) =>
      (tx.contracts ?? []).map(({ address, deployer }) => ({
        address,
        deployer,
        origin: tx.from,
        txHash: transactionHash(chain, block, index),
        block,
      })),
    ),
  )
  .reverse()

async function walk(path: string, size: number, between?: (page: number) => Promise<void>) {
  const rows: { address: string; txHash?: string; deploymentDetails?: { txHash: string } }[] = []
  let token = ''
  for (let page = 1; page < 100; page += 1) {
    const { status, body } = await get(`${path}?pageSize=${size}${token}`)
    expect(status).toBe(200)
    rows.push(...body.contracts)
    if (body.nextPageToken === undefined) return rows
    token = `&pageToken=${body.nextPageToken}`
    await between?.(page)
  }
  throw new Error('the walk does not end')
}

describe('deployments', () => {
  test.each([1, 2, 100])('are walked once each, %i a page', async (size) => {
    for (const address of [alice, bob, factory]) {
      const rows = await walk(`contracts/${address}/deployments`, size)
      const expected = made.filter(({ deployer, origin }) => deployer === address || origin === address)
      expect(rows.map((row) => [row.address, row.deploymentDetails?.txHash])).toEqual(
        expected.map((row) => [row.address, row.txHash]),
      )
    }
    const rows = await walk('contracts', size)
    expect(rows.map((row) => [row.address, row.txHash])).toEqual(made.map((row) => [row.address, row.txHash]))
  })

  test('of a chain can be narrowed to a kind, a creator, or both', async () => {
    const narrowed = async (query: string): Promise<string[]> => {
      const rows: string[] = []
      for (let next: string | undefined = ''; next !== undefined;) {
        const { body } = await get(`contracts?pageSize=1&${query}${next && `&pageToken=${next}`}`)
        rows.push(...(body.contracts as { address: string }[]).map(({ address }) => address))
        next = body.nextPageToken as string | undefined
      }
      return rows
    }
    const all = made.map(({ address }) => address)
    expect(await narrowed('kind=ERC-20')).toEqual([coin, coin])
    expect(await narrowed('kind=ERC-721')).toEqual([art])
    expect(await narrowed('kind=ERC-1155')).toEqual([items])
    expect(await narrowed('kind=OTHER')).toEqual(all.filter((one) => ![coin, art, items].includes(one)))
    for (const creator of [alice, bob, factory])
      expect(await narrowed(`creator=${creator}`)).toEqual(
        made
          .filter((one) => one.deployer === creator || one.origin === creator)
          .map(({ address }) => address),
      )
    expect(await narrowed(`creator=${bob}&kind=ERC-20`)).toEqual([])
    expect(await narrowed(`creator=${alice}&kind=ERC-20`)).toEqual([coin, coin])
  })

  test('of a chain tell the transactions and callers of the last 30 days', async () => {
    const { contracts } = (await get('contracts?pageSize=100')).body as {
      contracts: { address: string; recentUse: { transactionCount: string; callerCount: string } }[]
    }
    // The head is 41 days after the first block: the factory was called twice, once of it lately.
    const since = start + 41 * day - 30 * day
    for (const { address, recentUse } of contracts) {
      const calls = blocks.flatMap(({ ts, txs }) =>
        ts > since ? txs.filter(({ to }) => to === address) : [],
      )
      expect(recentUse).toEqual({
        transactionCount: String(calls.length),
        callerCount: String(new Set(calls.map(({ from }) => from)).size),
        isCapped: false,
      })
    }
    expect(contracts.find(({ address }) => address === factory)?.recentUse.transactionCount).toBe('1')
  })

  test('of a chain are ordered by their use of the last 30 days, and narrowed in that order', async () => {
    const since = start + 41 * day - 30 * day
    const calls = blocks.flatMap(({ ts, txs }) => (ts > since ? txs : []))
    const madeOnes = new Set(made.map(({ address }) => address))
    // Whom the test's transactions name as the recipient, by a count of their own.
    const sendersOf = new Map<string, SeedTransaction[]>()
    for (const call of calls)
      if (call.to !== null && call.to !== undefined && madeOnes.has(call.to))
        sendersOf.set(call.to, [...(sendersOf.get(call.to) ?? []), call])
    const by = (count: (sent: SeedTransaction[]) => number): unknown[] =>
      [...sendersOf]
        .map(([address, sent]) => [address, String(count(sent))])
        .toSorted(
          ([left = '', first], [right = '', second]) =>
            Number(second) - Number(first) || (left < right ? -1 : 1),
        )
    const distinct = (sent: SeedTransaction[]): number => new Set(sent.map(({ from }) => from)).size
    const listed = async (query: string): Promise<Record<string, unknown>[]> => {
      const { status, body } = await get(`contracts?${query}`)
      expect(status).toBe(200)
      expect(body.nextPageToken).toBeUndefined()
      return body.contracts
    }
    type Row = { address: string; recentUse: { transactionCount: string; callerCount: string } }
    const counts = async (query: string, of: 'transactionCount' | 'callerCount'): Promise<unknown[]> =>
      ((await listed(query)) as unknown as Row[]).map(({ address, recentUse }) => [address, recentUse[of]])
    const byTransactions = by(({ length }) => length)
    expect(byTransactions.length).toBeGreaterThan(1)
    expect(await counts('sortBy=transactionCount', 'transactionCount')).toEqual(byTransactions)
    expect(await counts('sortBy=callerCount', 'callerCount')).toEqual(by(distinct))
    expect(await counts('sortBy=transactionCount&pageSize=1', 'transactionCount')).toEqual(
      byTransactions.slice(0, 1),
    )
    // A row is the same in both orders; a contract that was created twice has its last creation.
    const newest = (await listed('pageSize=100')) as unknown as Row[]
    for (const row of await listed('sortBy=transactionCount'))
      expect(row).toEqual(newest.find(({ address }) => address === row['address']))
    const addresses = async (query: string) => (await listed(query)).map(({ address }) => address)
    expect(await addresses('sortBy=transactionCount&kind=ERC-20')).toEqual([coin])
    expect(await addresses('sortBy=transactionCount&kind=ERC-721')).toEqual([])
    expect(await addresses(`sortBy=callerCount&creator=${bob}`)).toEqual([])
    expect(await addresses(`sortBy=callerCount&creator=${alice}`)).toHaveLength(sendersOf.size)
    expect(await addresses('sortBy=callerCount&isVerified=true')).toEqual([])
  })

  test('of a chain contain place, time and deployer', async () => {
    const { contracts } = (await get('contracts')).body
    expect(contracts[0]).toEqual({
      address: coin,
      blockNumber: '3',
      blockTimestamp: start + 41 * day,
      txHash: hashAt(3, 0),
      deployerAddress: alice,
      ercType: 'ERC-20',
      name: 'Coin',
      symbol: 'COIN',
      isVerified: false,
      balance: '1000000000000000000',
      recentUse: { transactionCount: '1', callerCount: '1', isCapped: false },
    })
    expect(contracts[2]).toMatchObject({
      address: addressOf('child 2 1'),
      deployerAddress: bob,
      deployerContractAddress: factory,
    })
    expect((await get('contracts', 7)).body).toEqual({ contracts: [] })
  })

  test('their page tokens are valid for no other list', async () => {
    const { nextPageToken } = (await get(`contracts/${alice}/deployments?pageSize=1`)).body
    const query = `?pageSize=1&pageToken=${nextPageToken}`
    expect((await get(`contracts/${alice}/deployments${query}`)).status).toBe(200)
    expect((await get(`contracts/${bob}/deployments${query}`)).status).toBe(400)
    expect((await get(`contracts${query}`)).status).toBe(400)
  })

  test('deployers are counted over the last days of the chain', async () => {
    const { deployers } = (await get('deployers?days=2')).body
    const lately = made.filter(({ block }) => block.ts > start + 39 * day)
    const count = (address: string): string =>
      String(lately.filter(({ deployer }) => deployer === address).length)
    expect(deployers).toEqual([
      { address: alice, contractCount: count(alice), lastBlock: '3', lastTimestamp: start + 41 * day },
      { address: factory, contractCount: count(factory), lastBlock: '2', lastTimestamp: start + 40 * day },
    ])
    expect((await get('deployers?days=90')).body.deployers[0]).toMatchObject({
      address: alice,
      contractCount: '5',
    })
    expect((await get('deployers', 7)).body).toEqual({ deployers: [] })
  })
})

describe('the overview of an address', () => {
  test('counts holdings and shows the active period', async () => {
    expect((await get(`addresses/${alice}/overview`)).body).toEqual({
      address: alice,
      isContract: false,
      balance: '1000000000000000000',
      firstBlock: '0',
      firstTimestamp: start,
      lastBlock: '3',
      lastTimestamp: start + 41 * day,
      // One token is spent, one NFT is sold, and an ERC-1155 id counts once.
      erc20Count: '1',
      spamErc20Count: '0',
      nftCount: '4',
      hasTraces: true,
    })
    expect((await get(`addresses/${coin}/overview`)).body).toMatchObject({
      creation: { blockTimestamp: start + 41 * day, txHash: hashAt(3, 0), deployerAddress: alice },
      isContract: true,
      tokenType: 'ERC-20',
      name: 'Coin',
      firstBlock: '1',
    })
    expect((await get(`addresses/${relic}/overview`)).body).toMatchObject({ name: 'Relic' })
  })

  test('of an unknown address, with an unavailable node', async () => {
    expect((await get(`addresses/${addressOf('nobody')}/overview`, 7)).body).toEqual({
      address: addressOf('nobody'),
      isContract: false,
      erc20Count: '0',
      spamErc20Count: '0',
      nftCount: '0',
      hasTraces: true,
    })
  })
})

// Invariant I7. Last, because this changes the chain.
test('replaced and new blocks repeat no deployment', async () => {
  for (const path of ['contracts', `contracts/${factory}/deployments`]) {
    const rows = await walk(path, 1, async (page) => {
      await revertTo(store.database, chain, 1)
      const branch = `${path} ${page}`
      await insertBlocks(store.database, chain, [
        { number: 2, ts: start + 40 * day, branch, txs: [children(2, 2)] },
        { number: 3, ts: start + 41 * day, branch, txs: [children(3 + page * 10, 1)] },
      ])
    })
    const old = rows.filter(({ address }) =>
      made.some((row) => row.address === address && row.block.number < 2),
    )
    const expected = made.filter(
      ({ block, deployer }) => block.number < 2 && (path === 'contracts' || deployer === factory),
    )
    expect(old.map(({ address }) => address).slice(-expected.length)).toEqual(
      expected.map(({ address }) => address),
    )
    // The newest block's creation was shown before it was replaced; each position of block 2 appears once.
    expect(rows.filter(({ address }) => address === addressOf('child 2 0'))).toHaveLength(1)
  }
})
