import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeAbiParameters, keccak256, parseAbi, stringToBytes, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const start = 1_700_000_000
const [vault, other, alice, bob] = ['vault', 'other', 'alice', 'bob'].map(
  (name) => addressOf(name) as Hex,
) as [Hex, Hex, Hex, Hex]
const topic = (signature: string): Hex => keccak256(stringToBytes(signature))
const word = (value: bigint | string): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const moved = topic('Moved(address,uint256,uint256)')
const opened = topic('Opened(uint256)')

const move = (by: string, lot: bigint, size: bigint, address = vault) => ({
  address,
  topics: [moved, word(by), word(lot)],
  data: word(size),
})
const open = (size: bigint) => ({ address: vault, topics: [opened], data: word(size) })
const long = {
  address: vault,
  topics: [],
  data: encodeAbiParameters([{ type: 'bytes' }], [`0x${'ab'.repeat(5_000)}`]),
}

const blocks: SeedBlock[] = [
  [open(1n), move(alice, 1n, 10n)],
  [move(bob, 1n, 20n), move(alice, 2n, 30n, other), move(alice, 2n, 40n)],
  [open(2n), long],
].map((logs, number) => ({ number, ts: start + number, txs: [{ from: alice, to: vault, logs }] }))

let store: TestDatabase
let service: TestService
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-events-'))
  const abi = parseAbi([
    'event Moved(address indexed by, uint256 indexed lot, uint256 size)',
    'event Opened(uint256 size)',
  ])
  await writeFile(join(folder, 'vault.json'), JSON.stringify(abi))
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  service = await startTestService(store.database, {
    config: testConfig({
      abis: [{ chainId: chain, address: vault, name: 'Vault', path: join(folder, 'vault.json') }],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await rm(folder, { recursive: true, force: true })
})

type Row = { blockNumber: string; logIndex: number; event?: { name: string; args: { value: string }[] } }
const get = async (query = '', address = vault) => {
  const response = await service.app.inject(`/v1/chains/${chain}/contracts/${address}/events?${query}`)
  return { status: response.statusCode, body: response.json() }
}
const places = (rows: readonly Row[]): string[] => rows.map((row) => `${row.blockNumber}-${row.logIndex}`)

test('the logs of a contract, the latest first, decoded by its ABI', async () => {
  const { body } = await get()
  expect(places(body.events)).toEqual(['2-1', '2-0', '1-2', '1-0', '0-1', '0-0'])
  expect(body).not.toHaveProperty('nextPageToken')
  expect(body.events[2]).toEqual({
    blockNumber: '1',
    blockTimestamp: start + 1,
    txHash: transactionHash(chain, blocks[1] as SeedBlock, 0),
    logIndex: 2,
    topics: [moved, word(alice), word(2n)],
    data: word(40n),
    event: {
      name: 'Moved',
      signature: 'Moved(address,uint256,uint256)',
      abiFrom: 'operator',
      args: [
        { name: 'by', type: 'address', value: alice, indexed: true },
        { name: 'lot', type: 'uint256', value: '2', indexed: true },
        { name: 'size', type: 'uint256', value: '40', indexed: false },
      ],
    },
  })
  // The longest is cut, and not decoded.
  expect(body.events[0].data).toHaveLength(2 + 2 * 4_096)
  expect(body.events[0]).not.toHaveProperty('event')
})

test('are narrowed to an event, to its arguments and to blocks', async () => {
  const found = async (query: string): Promise<string[]> => places((await get(query)).body.events)
  expect(await found(`topic0=${opened}`)).toEqual(['2-0', '0-0'])
  expect(await found(`topic0=${moved}&topic1=${word(alice)}`)).toEqual(['1-2', '0-1'])
  expect(await found(`topic0=${moved}&topic2=${word(1n)}`)).toEqual(['1-0', '0-1'])
  expect(await found(`topic0=${moved}&topic1=${word(bob)}&topic2=${word(2n)}`)).toEqual([])
  expect(await found('startBlock=1&endBlock=2')).toEqual(['1-2', '1-0'])
  expect((await get('topic0=0x12')).status).toBe(400)
  expect((await get('', alice)).body).toEqual({ events: [] })
})

test.each([1, 2, 5])('are walked once each, %i a page', async (size) => {
  for (const [filter, expected] of [
    ['', ['2-1', '2-0', '1-2', '1-0', '0-1', '0-0']],
    [`topic0=${moved}`, ['1-2', '1-0', '0-1']],
  ] as const) {
    const rows: Row[] = []
    for (let token: string | undefined = ''; token !== undefined;) {
      const { body } = await get(`pageSize=${size}&${filter}${token && `&pageToken=${token}`}`)
      rows.push(...body.events)
      token = body.nextPageToken as string | undefined
    }
    expect(places(rows)).toEqual(expected)
  }
})
