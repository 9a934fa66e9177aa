import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NodeError, startScriptedNode, type ScriptedNode } from '../../../node/testing/scripted-node.ts'
import { addressOf, seedChain } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const alice = addressOf('alice')
/** 14 November 2023; one block per day. */
const start = 1_700_000_000
const blocks = Array.from({ length: 4 }, (_, number) => ({ number, ts: start + number * 86_400, txs: [] }))

let store: TestDatabase
let service: TestService
let node: ScriptedNode
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-prices-'))
  const priceFile = join(folder, 'prices.json')
  await writeFile(
    priceFile,
    JSON.stringify({
      label: 'test prices',
      assets: [{ id: `native:${chain}`, prices: { '2023-11-15': { eur: '24.5' } } }],
    }),
  )
  node = await startScriptedNode(() => '0xde0b6b3a7640000')
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  await seedChain(store.database, { chain: 7, blocks: blocks.slice(0, 1) })
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
      prices: { file: priceFile },
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await node.close()
  await rm(folder, { recursive: true, force: true })
})

const get = async (path: string, chainId = chain) => {
  const response = await service.app.inject(`/v1/chains/${chainId}/${path}`)
  return { status: response.statusCode, body: response.json() }
}

test('the native balance is the node’s, with the chain’s token', async () => {
  node.asked.length = 0
  expect((await get(`addresses/${alice}/balances:getNative?blockNumber=2`)).body).toEqual({
    nativeTokenBalance: {
      name: 'Avalanche',
      symbol: 'AVAX',
      decimals: 18,
      chainId: '43113',
      balance: '1000000000000000000',
    },
  })
  expect(node.asked.map(({ params }) => params)).toEqual([[alice, '0x2']])
})

test('it is valued at the prices of the block’s day', async () => {
  // Block 1 is on 15 November 2023.
  const { body } = await get(`addresses/${alice}/balances:getNative?blockNumber=1&currency=eur`)
  expect(body.nativeTokenBalance).toMatchObject({
    price: { currencyCode: 'eur', value: '24.5' },
    balanceValue: { currencyCode: 'eur', value: '24.5' },
  })
})

test('above the head it is a 404, whatever the node answers', async () => {
  const { status, body } = await get(`addresses/${alice}/balances:getNative?blockNumber=4`)
  expect([status, body.message]).toEqual([404, 'block 4 is not indexed on chain 43113'])
})

test('for a block whose state was pruned it is a 404, without an answer a 502', async () => {
  const { script } = node
  node.script = () => {
    throw new NodeError(-32000, 'missing trie node 12 (path )')
  }
  const gone = await get(`addresses/${alice}/balances:getNative?blockNumber=0`)
  node.script = script
  expect([gone.status, gone.body.message]).toEqual([
    404,
    'the node of Test Chain does not keep the state of block 0',
  ])
  const away = await get(`addresses/${alice}/balances:getNative`, 7)
  expect(away).toEqual({
    status: 502,
    body: { message: 'the node of Bare cannot be reached', error: 'Bad Gateway', statusCode: 502 },
  })
})

test.each(['blockNumber=x', 'blockNumber=-1', 'currency=xyz'])('refuses %s', async (query) => {
  expect((await get(`addresses/${alice}/balances:getNative?${query}`)).status).toBe(400)
})
