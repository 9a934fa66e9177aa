import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeAbiParameters } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { NodeError, startScriptedNode, type ScriptedNode } from '../../../node/testing/scripted-node.ts'
import { addressOf, hashOf, seedChain, type SeedBlock } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const [alice, bob, pool, coin, art, wrapper] = ['alice', 'bob', 'pool', 'coin', 'art', 'wrapper'].map(
  addressOf,
) as [string, string, string, string, string, string]
const zero = `0x${'0'.repeat(40)}`
const word = (text: string): string => `0x${text.slice(2).padStart(64, '0')}`
const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const sent = (from: string, to: string, value: bigint) => ({
  address: coin,
  topics: [topic, word(from), word(to)],
  data: encodeAbiParameters([{ type: 'uint256' }], [value]),
})
const wrapTopics = {
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
}
const wrapped = (kind: keyof typeof wrapTopics, account: string, value: bigint, contract = wrapper) => ({
  address: contract,
  topics: [wrapTopics[kind], word(account)],
  data: encodeAbiParameters([{ type: 'uint256' }], [value]),
})
const [swap, failed, blind, plain, deposit, withdrawal, told] = [
  'swap',
  'failed',
  'blind',
  'plain',
  'deposit',
  'withdrawal',
  'told',
].map(hashOf) as [string, string, string, string, string, string, string]
const fees = { gasUsed: 50_000n, gasPrice: 2n, gasLimit: 60_000n }
const move = (type: string, sender: string, recipient: string, value: bigint, reverted = false) => ({
  type,
  sender,
  recipient,
  value,
  reverted,
})

/** One block a day from 14 November 2023 on; block 1 is on 15 November. */
const blocks: SeedBlock[] = [
  {
    number: 0,
    ts: 1_700_000_000,
    txs: [{ from: bob, to: coin, input: '0x01', logs: [sent(zero, bob, 1_000n)] }],
  },
  {
    number: 1,
    ts: 1_700_086_400,
    txs: [
      {
        hash: swap,
        from: alice,
        to: pool,
        input: '0x38ed1739',
        value: 700n,
        ...fees,
        calls: [
          move('CALL', pool, bob, 650n),
          move('CALL', pool, bob, 9n, true),
          move('DELEGATECALL', pool, bob, 700n),
        ],
        logs: [
          sent(bob, alice, 300n),
          sent(alice, bob, 50n),
          { address: art, topics: [topic, word(zero), word(alice), word('0x07')], data: '0x' },
        ],
      },
      { hash: failed, from: alice, to: pool, input: '0x38ed1739', value: 700n, status: 0, ...fees },
      { hash: plain, from: alice, to: alice, value: 5n, ...fees },
    ],
  },
  {
    number: 2,
    ts: 1_700_172_800,
    txs: [{ hash: blind, from: alice, to: pool, input: '0x38ed1739', ...fees }],
  },
  {
    number: 3,
    ts: 1_700_259_200,
    txs: [
      // What the pool logs is not a deposit of a token: it never logs a transfer.
      {
        hash: deposit,
        from: alice,
        to: wrapper,
        value: 900n,
        ...fees,
        logs: [wrapped('deposit', alice, 900n), wrapped('deposit', alice, 5n, pool)],
      },
      { from: alice, to: wrapper, ...fees, logs: [{ ...sent(alice, bob, 100n), address: wrapper }] },
      {
        hash: withdrawal,
        from: bob,
        to: wrapper,
        ...fees,
        logs: [wrapped('withdrawal', bob, 60n)],
        calls: [move('CALL', wrapper, bob, 60n)],
      },
      {
        hash: told,
        from: alice,
        to: wrapper,
        ...fees,
        logs: [wrapped('deposit', alice, 7n), { ...sent(zero, alice, 7n), address: wrapper }],
      },
    ],
  },
]

let store: TestDatabase
let service: TestService
let node: ScriptedNode
let folder: string
const held = (params: readonly unknown[]): bigint =>
  (params[0] === alice ? 900_000n : 2_000n) + (params[1] === '0x0' ? 0n : 1_000n)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-changes-'))
  const priceFile = join(folder, 'prices.json')
  const assets = [
    { id: `native:${chain}`, prices: { '2023-11-15': { usd: '20' } } },
    { id: `erc20:${chain}:${coin}`, prices: { '2023-11-15': { usd: '0.5' } } },
  ]
  await writeFile(priceFile, JSON.stringify({ label: 'test prices', assets }))
  node = await startScriptedNode(({ params }) => `0x${held(params).toString(16)}`)
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  await store.database`insert into trace_gaps (chain, first_block, last_block) values (${chain}, 2, 2)`
  await store.database`
    insert into token_facts (chain, token, name, symbol, decimals, disagrees, asked_block, asked_ts, due_ts)
    values (${chain}, ${Buffer.from(coin.slice(2), 'hex')}, 'Coin', 'CN', 2, false, 1, 0, 0)`
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        {
          evmChainId: chain,
          name: 'Test Chain',
          rpcUrl: node.url,
          token: { name: 'Avalanche', symbol: 'AVAX' },
        },
      ],
      prices: { file: priceFile },
    }),
  })
})
beforeEach(() => {
  node.script = ({ params }) => `0x${held(params).toString(16)}`
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await node.close()
  await rm(folder, { recursive: true, force: true })
})

const get = async (hash: string) => {
  const response = await service.app.inject(`/v1/chains/${chain}/transactions/${hash}/changes`)
  return { status: response.statusCode, body: response.json() }
}
const avax = { kind: 'NATIVE', name: 'Avalanche', symbol: 'AVAX', decimals: 18 }
const cn = { kind: 'ERC-20', address: coin, name: 'Coin', symbol: 'CN', decimals: 2 }
const around = (before: bigint) => ({ balanceBefore: `${before}`, balanceAfter: `${before + 1_000n}` })

test('a swap: value and fee, calls and tokens, with the balances around its block', async () => {
  const { body } = await get(swap)
  expect(body).toMatchObject({ txHash: swap, blockNumber: '1', isTraced: true, omittedCount: 0 })
  expect(body.changes).toEqual([
    {
      address: { address: alice },
      asset: avax,
      // The value of 700 and a fee of 50,000 × 2.
      change: '-100700',
      changeValue: { currencyCode: 'usd', value: '-0.000000000002014' },
      ...around(900_000n),
    },
    {
      address: { address: pool },
      asset: avax,
      change: '50',
      changeValue: { currencyCode: 'usd', value: '0.000000000000001' },
      ...around(2_000n),
    },
    {
      address: { address: bob },
      asset: avax,
      change: '650',
      changeValue: { currencyCode: 'usd', value: '0.000000000000013' },
      ...around(2_000n),
    },
    {
      address: { address: bob },
      asset: cn,
      change: '-250',
      changeValue: { currencyCode: 'usd', value: '-1.25' },
      balanceBefore: '1000',
      balanceAfter: '750',
    },
    {
      address: { address: alice },
      asset: cn,
      change: '250',
      changeValue: { currencyCode: 'usd', value: '1.25' },
      balanceBefore: '0',
      balanceAfter: '250',
    },
    { address: { address: alice }, asset: { kind: 'ERC-721', address: art, tokenId: '7' }, change: '1' },
  ])
})

test('a deposit into a wrapper and a withdrawal change the wrapped balance too', async () => {
  await store.database`
    update tokens set first_wrap = 3 where token = ${Buffer.from(wrapper.slice(2), 'hex')} and chain = ${chain}`
  const asset = { kind: 'ERC-20', address: wrapper }
  const of = async (hash: string) => {
    const changes: { address: { address: string }; asset: { kind: string }; change: string }[] = (
      await get(hash)
    ).body.changes
    return changes.map(({ address, asset: { kind }, change }) => [address.address, kind, change])
  }
  expect(await of(deposit)).toEqual([
    [alice, 'NATIVE', '-100900'],
    [wrapper, 'NATIVE', '900'],
    [alice, 'ERC-20', '900'],
  ])
  expect((await get(deposit)).body.changes[2]).toMatchObject({ asset, change: '900' })
  expect(await of(withdrawal)).toEqual([
    [bob, 'NATIVE', '-99940'],
    [wrapper, 'NATIVE', '-60'],
    [bob, 'ERC-20', '-60'],
  ])
  // A transfer in the same transaction tells of the deposit: it counts once.
  expect(await of(told)).toEqual([
    [alice, 'NATIVE', '-100000'],
    [alice, 'ERC-20', '7'],
  ])
})

test('a failed transaction costs its fee and moves nothing', async () => {
  const { body } = await get(failed)
  expect(body.changes).toMatchObject([{ address: { address: alice }, change: '-100000' }])
})

test('what was sent to oneself changes nothing but the fee', async () => {
  expect((await get(plain)).body.changes).toMatchObject([{ address: { address: alice }, change: '-100000' }])
})

test('native balances are absent where the node no longer keeps the state', async () => {
  node.script = () => {
    throw new NodeError(-32000, 'missing trie node 12 (path )')
  }
  // The node's answers are shared for a moment.
  await expect.poll(async () => (await get(swap)).body.changes[0]).not.toHaveProperty('balanceBefore')
  const { changes } = (await get(swap)).body
  expect(changes[0].change).toBe('-100700')
  expect(changes[4]).toMatchObject({ balanceBefore: '0', balanceAfter: '250' })
})

test('says that a block is not traced', async () => {
  expect((await get(blind)).body).toMatchObject({ isTraced: false })
})

test('an unknown transaction is a 404', async () => {
  expect((await get(hashOf('nobody'))).status).toBe(404)
})
