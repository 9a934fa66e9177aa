import { encodeAbiParameters } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxMovedTransfers } from '../../../../contract/evm/transaction-movements.ts'
import { addressOf, hashOf, seedChain } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const [alice, bob, pool, coin, art, many] = ['alice', 'bob', 'pool', 'coin', 'art', 'many'].map(
  addressOf,
) as [string, string, string, string, string, string]
const zero = `0x${'0'.repeat(40)}`
const word = (text: string): string => `0x${text.slice(2).padStart(64, '0')}`
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const sent = (from: string, to: string, value: bigint) => ({
  address: coin,
  topics: [transfer, word(from), word(to)],
  data: encodeAbiParameters([{ type: 'uint256' }], [value]),
})
const batchOf = (ids: readonly bigint[]) => ({
  address: many,
  topics: [batch, word(pool), word(zero), word(alice)],
  data: encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, ids.map((id) => id + 1n)]),
})
const call = (type: string, sender: string, recipient: string, value: bigint, reverted = false) => ({
  type,
  sender,
  recipient,
  value,
  reverted,
})
const hash = (name: string): string => hashOf(name)
const input = '0x38ed1739'

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, {
    chain,
    blocks: [
      {
        number: 0,
        ts: 1_700_000_000,
        txs: [
          {
            from: bob,
            to: null,
            created: pool,
            input: '0x60',
            contracts: [{ address: pool, deployer: bob, ordinal: -1 }],
          },
        ],
      },
      {
        number: 1,
        ts: 1_700_000_010,
        txs: [
          {
            hash: hash('swap'),
            from: alice,
            to: pool,
            input,
            value: 700n,
            calls: [
              call('CALL', pool, alice, 40n),
              call('CALL', alice, bob, 1n),
              call('CALL', pool, alice, 9n, true),
              call('DELEGATECALL', pool, alice, 700n),
              call('CALL', pool, bob, 600n),
            ],
            logs: [
              sent(pool, alice, 300n),
              { address: bob, topics: [word('0x01')], data: '0x' },
              { address: art, topics: [transfer, word(zero), word(alice), word('0x07')], data: '0x' },
            ],
          },
          { hash: hash('failed'), from: alice, to: coin, input, status: 0 },
          { hash: hash('batch'), from: alice, to: many, input, logs: [batchOf([5n, 6n])] },
        ],
      },
      {
        number: 2,
        ts: 1_700_000_020,
        txs: [
          {
            hash: hash('drop'),
            from: alice,
            to: coin,
            input,
            logs: Array.from({ length: maxMovedTransfers + 1 }, (_, index) =>
              sent(alice, bob, BigInt(index)),
            ),
          },
          {
            hash: hash('full'),
            from: alice,
            to: coin,
            input,
            logs: Array.from({ length: maxMovedTransfers }, (_, index) => sent(alice, bob, BigInt(index))),
          },
          {
            hash: hash('long'),
            from: alice,
            to: many,
            input,
            logs: [batchOf(Array.from({ length: 80 }, (_, index) => BigInt(index)))],
          },
        ],
      },
    ],
  })
  await store.database`insert into trace_gaps (chain, first_block, last_block) values (${chain}, 2, 2)`
  await store.database`
    insert into token_facts (chain, token, name, symbol, decimals, disagrees, asked_block, asked_ts, due_ts)
    values (${chain}, ${Buffer.from(coin.slice(2), 'hex')}, 'Coin', 'CN', 2, false, 1, 0, 0)`
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [{ evmChainId: chain, name: 'Test Chain', rpcUrl: 'http://127.0.0.1:9' }],
      contracts: [{ chainId: chain, address: pool, name: 'Vault' }],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const ask = async (positions: string) => {
  const response = await service.app.inject(
    `/v1/chains/${chain}/transactions:listMovements?positions=${positions}`,
  )
  return { status: response.statusCode, body: response.json() }
}
const cn = { name: 'Coin', symbol: 'CN', decimals: 2, address: coin }

test('has names, transfers of each kind and the native value that the sender received', async () => {
  const { body } = await ask('1-0')
  expect(body.transactions).toEqual([
    {
      blockNumber: '1',
      blockIndex: 0,
      txHash: hash('swap'),
      from: { address: alice },
      to: { address: pool, name: 'Vault' },
      isToContract: true,
      isComplete: true,
      erc20Transfers: [
        {
          from: { address: pool, name: 'Vault' },
          to: { address: alice },
          logIndex: 0,
          value: '300',
          erc20Token: { ...cn, ercType: 'ERC-20' },
        },
      ],
      erc721Transfers: [
        {
          from: { address: zero },
          to: { address: alice },
          logIndex: 2,
          erc721Token: { address: art, ercType: 'ERC-721', tokenId: '7' },
        },
      ],
      erc1155Transfers: [],
      nativeReceived: '39',
    },
  ])
})

test('has each item of a batch', async () => {
  const [row] = (await ask('1-2')).body.transactions
  expect(row.erc1155Transfers).toMatchObject([
    { value: '6', erc1155Token: { address: many, tokenId: '5' } },
    { value: '7', erc1155Token: { address: many, tokenId: '6' } },
  ])
})

test('lists transactions latest first, each once, and leaves out places without one', async () => {
  const { body } = await ask('1-1,2-0,1-1,9-0,1-0,1-77')
  expect(body.transactions.map(({ txHash }: { txHash: string }) => txHash)).toEqual([
    hash('drop'),
    hash('failed'),
    hash('swap'),
  ])
})

test('a failed transaction moved nothing, and names its parties', async () => {
  const [row] = (await ask('1-1')).body.transactions
  expect(row).toMatchObject({ to: cn, erc20Transfers: [], isComplete: true, nativeReceived: '0' })
})

test('says when transfers are left out, and when the block is not traced', async () => {
  const { transactions } = (await ask('2-0,2-1,2-2')).body
  const seen = transactions.map((row: Record<string, unknown[]>) => [
    row['erc20Transfers']?.length,
    row['erc1155Transfers']?.length,
    row['isComplete'],
    'nativeReceived' in row,
  ])
  expect(seen).toEqual([
    [0, 0, false, false],
    [maxMovedTransfers, 0, true, false],
    [maxMovedTransfers, 0, false, false],
  ])
})

test('refuses what is not a position, and more than a page of them', async () => {
  for (const bad of ['', '1', '1-', 'a-1', '1-1-1', Array.from({ length: 101 }, () => '1-0').join(',')])
    expect((await ask(bad)).status, bad.slice(0, 20)).toBe(400)
  expect((await ask(Array.from({ length: 100 }, () => '1-0').join(','))).status).toBe(200)
})
