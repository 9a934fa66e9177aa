import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addressOf,
  blockHash,
  hashOf,
  seedChain,
  transactionHash,
  type SeedBlock,
} from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const blocks: SeedBlock[] = [
  { number: 0, ts: 1_700_000_000, txs: [] },
  {
    number: 1,
    ts: 1_700_000_010,
    txs: [
      {
        hash: hashOf('shared'),
        from: addressOf('a'),
        to: null,
        created: addressOf('made'),
        contracts: [{ address: addressOf('made'), deployer: addressOf('a'), ordinal: -1 }],
      },
    ],
  },
]
const block = blocks[1] as SeedBlock

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  const chains = [43113, ...Array.from({ length: 24 }, (_, index) => 100 + index)]
  for (const chain of [43113, 100]) {
    await seedChain(store.database, { chain, blocks })
    const seen = Buffer.from(addressOf('a').slice(2), 'hex')
    await store.database`
      insert into seen (chain, role, address, hour_ts, first_block) values (${chain}, 1, ${seen}, 0, 1)`
  }
  service = await startTestService(store.database, {
    config: testConfig({
      chains: chains.map((id) => ({
        evmChainId: id,
        name: id === 43113 ? 'Harbor' : `Chain ${String.fromCodePoint(id)}`,
        rpcUrl: 'http://127.0.0.1:9',
        ...(id === 43113 && {
          blockchainId: 'abc123',
          subnetId: 'sub456',
          token: { name: 'Avalanche', symbol: 'AVAX' },
        }),
      })),
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

async function search(query: string, more = ''): Promise<string[]> {
  const response = await service.app.inject(`/v1/search?query=${encodeURIComponent(query)}${more}`)
  expect(response.statusCode, response.statusCode === 200 ? '' : service.log().slice(-1500)).toBe(200)
  return (response.json().results as { kind: string; chainId: string; id: string }[]).map(
    ({ kind, chainId, id }) => `${kind} ${chainId} ${id}`,
  )
}

test.each([
  ['1', ['block 43113 1', 'block 100 1']],
  ['  1 ', ['block 43113 1', 'block 100 1']],
  ['99', []],
  ['0x1', ['block 43113 1', 'block 100 1']],
  [`https://example.org/block/1?network=mainnet`, ['block 43113 1', 'block 100 1']],
  [
    `https://example.org/tx/${hashOf('shared')}`,
    [`transaction 43113 ${hashOf('shared')}`, `transaction 100 ${hashOf('shared')}`],
  ],
  [
    `ethereum:${addressOf('made')}@43113`,
    [`contract 43113 ${addressOf('made')}`, `contract 100 ${addressOf('made')}`],
  ],
  [blockHash(43113, block), ['block 43113 1']],
  [blockHash(43113, block).slice(2).toUpperCase(), ['block 43113 1']],
  [
    transactionHash(43113, block, 0),
    [`transaction 43113 ${hashOf('shared')}`, `transaction 100 ${hashOf('shared')}`],
  ],
  [hashOf('nothing'), []],
  [addressOf('made'), [`contract 43113 ${addressOf('made')}`, `contract 100 ${addressOf('made')}`]],
  [
    addressOf('a').toUpperCase().replace('0X', '0x'),
    [`address 43113 ${addressOf('a')}`, `address 100 ${addressOf('a')}`],
  ],
  ['harb', ['chain 43113 43113']],
  ['43113', ['chain 43113 43113']],
  ['abc123', ['chain 43113 43113']],
  ['sub456', ['chain 43113 43113']],
  ['avax', ['chain 43113 43113']],
  ['nothing like it', []],
  ["'; drop table blocks; --", []],
  ['\u202e', []],
])('%s', async (query, expected) => {
  expect((await search(query)).sort()).toEqual([...expected].sort())
})

test('a NUL is refused, as in every text', async () => {
  expect((await service.app.inject('/v1/search?query=%00')).statusCode).toBe(400)
})

test('of one chain finds nothing on another', async () => {
  expect(await search('1', '&chainId=100')).toEqual(['block 100 1'])
  expect(await search('1', '&chainId=abc123')).toEqual(['block 43113 1'])
})

test('an address that was never active is still an address, on every chain', async () => {
  const found = await search(addressOf('new'), '&chainId=100')
  expect(found).toEqual([`address 100 ${addressOf('new')}`])
})

test('shows twenty results at most', async () => {
  expect(await search('chain')).toHaveLength(20)
})

test.each(['query=', 'query=%20', '', `query=${'a'.repeat(257)}`, 'query=a&query=b', 'query=1&chainId=a-b'])(
  '?%s is a 400',
  async (query) => {
    expect((await service.app.inject(`/v1/search?${query}`)).statusCode).toBe(400)
  },
)

test('of an unknown chain is a 404', async () => {
  expect((await service.app.inject('/v1/search?query=1&chainId=9')).statusCode).toBe(404)
})
