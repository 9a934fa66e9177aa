import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  alice,
  made,
  makeLog,
  people,
  range,
  tokens,
  zero,
  type Kind,
} from '../../../testing/address-seeds.ts'
import {
  addressOf,
  blockHash,
  insertBlocks,
  revertTo,
  seedChain,
  transactionHash,
  type SeedBlock,
  type SeedLog,
} from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113

let store: TestDatabase
let service: TestService
const first = 48
let blocks = range(0, first)

/**
 * Chain 7: one block with two transactions of 900 transfers each and one of three. Without a trace source.
 */
const crowd = addressOf('crowd')
const airdrop = (count: number): SeedLog[] =>
  Array.from({ length: count }, (_, index) =>
    makeLog('ERC-20', crowd, addressOf(`member ${index}`), [[0n, BigInt(index)]]),
  )
const crowded: SeedBlock[] = [
  { number: 0, ts: 1_700_000_000, txs: [{ from: alice, to: crowd }] },
  {
    number: 1,
    ts: 1_700_000_010,
    txs: [
      { from: alice, to: tokens[0] ?? '', logs: airdrop(900) },
      { from: crowd, to: tokens[0] ?? '', logs: airdrop(3) },
      { from: alice, to: tokens[0] ?? '', logs: airdrop(1_200) },
      { from: alice, to: tokens[0] ?? '', logs: airdrop(900) },
    ],
  },
]

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  await seedChain(store.database, { chain: 7, traceSource: 'none', blocks: crowded })
  const rpcUrl = 'http://127.0.0.1:9'
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        { evmChainId: chain, name: 'Test Chain', rpcUrl },
        { evmChainId: 7, name: 'Untraced', rpcUrl },
      ],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const lists = ['', ':listNative', ':listErc20', ':listErc721', ':listErc1155', ':listInternals'] as const
type List = (typeof lists)[number]
const kinds: Partial<Record<List, Kind>> = {
  ':listErc20': 'ERC-20',
  ':listErc721': 'ERC-721',
  ':listErc1155': 'ERC-1155',
}

const get = (list: List, query = '', address = alice, chainId = chain) =>
  service.app.inject(`/v1/chains/${chainId}/addresses/${address}/transactions${list}?${query}`)

type Row = Record<string, unknown> & { blockNumber?: string; from?: { address: string } }

async function walk(
  list: List,
  query: string,
  between: (page: number) => Promise<void> = async () => undefined,
  address = alice,
  chainId = chain,
): Promise<Row[]> {
  const rows: Row[] = []
  let token = ''
  for (let page = 1; page < 600; page += 1) {
    const response = await get(list, `${query}${token}`, address, chainId)
    expect(response.statusCode, response.body).toBe(200)
    const body = response.json() as { transactions: Row[]; nextPageToken?: string }
    rows.push(...body.transactions)
    if (body.nextPageToken === undefined) return rows
    token = `&pageToken=${body.nextPageToken}`
    await between(page)
  }
  throw new Error('the walk does not end')
}

/** The expected rows of a list, computed from the test's blocks. Latest first. */
function expectedRows(list: List, address: string, inside: readonly SeedBlock[], chainId = chain): string[] {
  const rows: string[] = []
  for (const block of inside) {
    let logIndex = 0
    block.txs.forEach((tx, index) => {
      const hash = transactionHash(chainId, block, index)
      const native = [tx.from, tx.to ?? tx.created].includes(address)
      const transfers: string[] = []
      for (const log of tx.logs ?? []) {
        for (const { kind, from, to, tokenId, value } of made.get(log) ?? []) {
          if (from === address || to === address) {
            transfers.push(`${kind} ${hash} ${logIndex} ${from} ${to} ${tokenId} ${value}`)
          }
        }
        logIndex += 1
      }
      const calls = (tx.calls ?? []).flatMap(({ type, sender, recipient, value = 0n }) =>
        (sender === address || recipient === address) &&
        ((value > 0n && type === 'CALL') || type === 'CREATE' || type === 'SELFDESTRUCT')
          ? [`call ${hash} ${type} ${sender} ${recipient ?? ''} ${value}`]
          : [],
      )
      if (list === ':listNative' && native) rows.push(hash)
      if (list === ':listInternals') rows.push(...calls)
      if (list === '' && (native || transfers.length > 0 || calls.length > 0)) {
        rows.push([hash, ...transfers, ...calls].join('; '))
      }
      const kind = kinds[list]
      if (kind) rows.push(...transfers.filter((transfer) => transfer.startsWith(kind)))
    })
  }
  return rows
}

type Transfer = {
  from: { address: string }
  to: { address: string }
  logIndex: number
  value?: string
  txHash?: string
} & Record<`erc${'20' | '721' | '1155'}Token`, { tokenId?: string } | undefined>

const transferText = (kind: Kind, hash: string, transfer: Transfer): string => {
  const token = transfer.erc20Token ?? transfer.erc721Token ?? transfer.erc1155Token
  return `${kind} ${hash} ${transfer.logIndex} ${transfer.from.address} ${transfer.to.address} ${token?.tokenId ?? '0'} ${transfer.value ?? '1'}`
}
type Call = { internalTxType: string; from: { address: string }; to: { address: string }; value: string }
const callText = (hash: string, { internalTxType, from, to, value }: Call): string =>
  `call ${hash} ${internalTxType} ${from.address} ${to.address} ${value}`

/** The rows of an answer in the format of `expectedRows`. */
function textOf(list: List, row: Row): string {
  const kind = kinds[list]
  const own = String(row['txHash'])
  if (kind) return transferText(kind, own, row as unknown as Transfer)
  if (list === ':listNative') return own
  if (list === ':listInternals') return callText(own, row as unknown as Call)
  const found = row as unknown as {
    nativeTransaction: { txHash: string }
    internalTransactions: Call[]
  } & Record<`erc${'20' | '721' | '1155'}Transfers`, Transfer[]>
  const hash = found.nativeTransaction.txHash
  const transfers = [
    ...found.erc20Transfers.map((transfer): [Kind, Transfer] => ['ERC-20', transfer]),
    ...found.erc721Transfers.map((transfer): [Kind, Transfer] => ['ERC-721', transfer]),
    ...found.erc1155Transfers.map((transfer): [Kind, Transfer] => ['ERC-1155', transfer]),
  ].sort(([, left], [, right]) => left.logIndex - right.logIndex)
  return [
    hash,
    ...transfers.map(([transferKind, transfer]) => transferText(transferKind, hash, transfer)),
    ...(found.internalTransactions ?? []).map((call) => callText(hash, call)),
  ].join('; ')
}

const sorted = (rows: readonly string[]): string[] => [...rows].sort()

describe.each(lists)('transactions%s', (list) => {
  test.each([
    [1, ''],
    [3, ''],
    [100, ''],
    [3, 'startBlock=11&endBlock=30'],
    [3, 'startBlock=20'],
    [3, 'endBlock=20'],
    [3, 'startBlock=20&endBlock=20'],
  ])('holds each row once: %i a page, %s', async (size, query) => {
    const limits = new URLSearchParams(query)
    const inside = blocks.filter(
      ({ number }) =>
        number >= Number(limits.get('startBlock') ?? 0) && number < Number(limits.get('endBlock') ?? 1e9),
    )
    for (const address of [alice, zero]) {
      const rows = await walk(list, `pageSize=${size}&${query}`, undefined, address)
      const expected = expectedRows(list, address, inside)
      if (address === alice && inside.length > 10) expect(expected.length).toBeGreaterThan(5)
      expect(sorted(rows.map((row) => textOf(list, row)))).toEqual(sorted(expected))
    }
  })

  test('is ordered latest first, with every page size', async () => {
    const whole = await walk(list, 'pageSize=100')
    const parts = await walk(list, 'pageSize=2')
    expect(parts).toEqual(whole)
    const heights = whole.map(heightOf)
    expect(heights).toEqual([...heights].sort((left, right) => right - left))
  })

  test.each([
    'pageSize=0',
    'pageSize=101',
    'startBlock=-1',
    'endBlock=x',
    'startBlock=5&endBlock=4',
    'pageToken=zz',
  ])('refuses %s', async (query) => {
    const response = await get(list, query)
    expect(response.statusCode).toBe(400)
    expect([response.json().message].flat()[0]).toMatch(/^(pageSize|startBlock|endBlock|pageToken)/)
  })

  test('filters by a token only on the chain that issued it', async () => {
    const { nextPageToken } = (await get(list, 'pageSize=1')).json() as { nextPageToken: string }
    const token = `pageSize=1&pageToken=${nextPageToken}`
    expect((await get(list, token)).statusCode).toBe(200)
    const flipped = `${nextPageToken.slice(0, -2)}${nextPageToken.endsWith('A') ? 'B' : 'A'}A`
    const elsewhere = lists[(lists.indexOf(list) + 1) % lists.length] ?? ''
    for (const response of [
      await get(list, `pageSize=1&pageToken=${flipped}`),
      await get(list, token, people[1]),
      await get(list, `${token}&startBlock=1`),
      await get(list, token, alice, 7),
      await get(elsewhere, token),
    ]) {
      expect(response.statusCode).toBe(400)
    }
  })
})

const heightOf = (row: Row): number => {
  const native = row['nativeTransaction'] as { blockNumber: string } | undefined
  return Number(native?.blockNumber ?? row.blockNumber)
}

test('the combined list also supports ascending order', async () => {
  for (const size of [1, 4, 100]) {
    const rows = await walk('', `sortOrder=asc&pageSize=${size}`)
    expect(rows.map((row) => textOf('', row))).toEqual(expectedRows('', alice, blocks))
  }
})

test('a transaction with many transfers appears once and complete, and ends its page early', async () => {
  for (const size of [1, 2, 10]) {
    for (const order of ['asc', 'desc']) {
      const rows = await walk('', `sortOrder=${order}&pageSize=${size}`, undefined, crowd, 7)
      const expected = expectedRows('', crowd, crowded, 7)
      const found = rows.map((row) => textOf('', row))
      expect(found).toEqual(order === 'asc' ? expected : expected.reverse())
    }
  }
  const page = (await get('', 'pageSize=10', crowd, 7)).json() as {
    transactions: Row[]
    nextPageToken: string
  }
  expect(page.transactions.length).toBeLessThan(5)
  expect(page.nextPageToken).toBeDefined()
})

test('a chain without traces returns no calls', async () => {
  const { transactions } = (await get('', '', crowd, 7)).json() as { transactions: Row[] }
  expect(transactions[0]).not.toHaveProperty('internalTransactions')
  const response = await get(':listInternals', '', crowd, 7)
  expect(response.statusCode).toBe(503)
  expect(response.json().message).toMatch(/^not traced: .*Untraced could not give for blocks/)
})

test('contains names and metadata if they are known', async () => {
  const [coin = '', art = '', items = ''] = tokens
  const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
  const facts = { chain, asked_block: 1, asked_ts: 1, due_ts: 1 }
  await store.database`insert into token_facts ${store.database([
    { ...facts, token: bytes(coin), name: 'Coin "\n', symbol: 'COIN', decimals: 6 },
    { ...facts, token: bytes(art), name: 'Art', symbol: null, decimals: null },
    { ...facts, token: bytes(items), name: 'Items', symbol: 'ITM', decimals: 9 },
    { ...facts, token: bytes(alice), name: null, symbol: 'ALC', decimals: null },
  ])}`
  await store.database`insert into nft_metadata ${store.database({
    chain,
    token: bytes(items),
    token_id: '3',
    status: 'INDEXED',
    uri: 'ipfs://x',
    name: 'Three',
    updated_ts: 1_700_000_000,
  })}`
  const party = { address: alice, symbol: 'ALC' }
  const block = blocks.findLast(({ txs }) =>
    txs.some((tx) => tx.from === alice && tx.to !== null),
  ) as SeedBlock
  const index = block.txs.findLastIndex((tx) => tx.from === alice && tx.to !== null)
  const native = (await walk(':listNative', '')).find(
    (row) => row['txHash'] === transactionHash(chain, block, index),
  )
  expect(native).toMatchObject({ from: party, blockHash: blockHash(chain, block) })

  const [erc20] = (await walk(':listErc20', '')).filter((row) => row.from?.address === alice)
  expect(erc20).toMatchObject({
    from: party,
    erc20Token: { address: coin, name: 'Coin "\n', symbol: 'COIN', decimals: 6, ercType: 'ERC-20' },
  })
  const [erc721] = await walk(':listErc721', '')
  expect(erc721?.['erc721Token']).toEqual({
    address: art,
    name: 'Art',
    ercType: 'ERC-721',
    tokenId: expect.any(String),
  })
  const rows = (await walk(':listErc1155', '')).map((row) => row['erc1155Token'] as { tokenId: string })
  expect(rows.find(({ tokenId }) => tokenId === '3')).toEqual({
    address: items,
    name: 'Items',
    symbol: 'ITM',
    ercType: 'ERC-1155',
    tokenId: '3',
    tokenUri: 'ipfs://x',
    metadata: { indexStatus: 'INDEXED', metadataLastUpdatedTimestamp: 1_700_000_000, name: 'Three' },
  })
  expect(rows.find(({ tokenId }) => tokenId !== '3')).not.toHaveProperty('metadata')
})

// Invariant I7. Last, because these change the chain.
describe.each(lists)('transactions%s while the chain changes', (list) => {
  test('new blocks do not affect a descending listing', async () => {
    const before = expectedRows(list, alice, blocks)
    const rows = await walk(list, 'pageSize=3', async (page) => {
      if (page > 4) return
      const more = range(blocks.length, blocks.length + 2)
      await insertBlocks(store.database, chain, more)
      blocks = [...blocks, ...more]
    })
    expect(sorted(rows.map((row) => textOf(list, row)))).toEqual(sorted(before))
  })

  test('replaced blocks repeat no row', async () => {
    const rows = await walk(list, 'pageSize=3', async (page) => {
      const ancestor = blocks.length - 3 - (page % 7)
      await revertTo(store.database, chain, ancestor)
      const other = range(ancestor + 1, blocks.length, `${String.fromCharCode(97 + (page % 26))}${page}`)
      await insertBlocks(store.database, chain, other)
      blocks = [...blocks.slice(0, ancestor + 1), ...other]
    })
    const texts = rows.map((row) => textOf(list, row))
    // Two equal calls of one transaction may look the same; block hashes differ between branches.
    const heights = rows.map(heightOf)
    expect(heights).toEqual([...heights].sort((left, right) => right - left))
    const settled = blocks.length - 12
    const old = rows.filter((row) => heightOf(row) < settled).map((row) => textOf(list, row))
    expect(sorted(old)).toEqual(
      sorted(
        expectedRows(
          list,
          alice,
          blocks.filter(({ number }) => number < settled),
        ),
      ),
    )
    if (list === ':listNative' || list === '') expect(new Set(texts).size).toBe(texts.length)
  })
})

test('an ascending listing includes the blocks that arrive meanwhile, each row once', async () => {
  const rows = await walk('', 'sortOrder=asc&pageSize=7', async (page) => {
    if (page % 2 === 0 || page > 20) return
    const depth = page % 5
    const kept = blocks.slice(0, blocks.length - depth)
    await revertTo(store.database, chain, kept.length - 1)
    const more = range(kept.length, blocks.length + 2, `up${page}`)
    await insertBlocks(store.database, chain, more)
    blocks = [...kept, ...more]
  })
  expect(rows.map((row) => textOf('', row))).toEqual(expectedRows('', alice, blocks))
})
