import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startScriptedNode, type ScriptedNode } from '../../../node/testing/scripted-node.ts'
import { addressOf, hashOf, seedChain } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const [alice, bob, token] = ['alice', 'bob', 'token'].map(addressOf) as [string, string, `0x${string}`]
// One transaction for each test: equal calls of a node share one answer for a moment.
const names = ['listed', 'blobs', 'codes', 'legacy', 'plain', 'long', 'lost', 'odd'] as const
const hashes = names.map(hashOf)
const [listed, blobs, codes, legacy, plain, long, lost, odd] = hashes as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
]
/** The second of the accounts that every development node has. */
const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')

let store: TestDatabase
let service: TestService
let node: ScriptedNode
let answer: unknown

beforeAll(async () => {
  node = await startScriptedNode(() => answer)
  store = await createTestDatabase()
  const types = { listed: 1, blobs: 3, codes: 4, legacy: 0, plain: 2, long: 1, lost: 1, odd: 1 }
  const txs = names.map((name) => ({ hash: hashOf(name), from: alice, to: bob, type: types[name] }))
  await seedChain(store.database, { chain, blocks: [{ number: 0, ts: 1_700_000_000, txs }] })
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [{ evmChainId: chain, name: 'Test Chain', rpcUrl: node.url }],
      contracts: [{ chainId: chain, address: token, name: 'The Token' }],
    }),
  })
})
beforeEach(() => {
  answer = null
  node.asked.length = 0
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await node.close()
})

/** Stores what the indexer stores of a transaction; null for what is too long. */
const keep = (hash: string, fields: object | null) => store.database`
  insert into envelopes (chain, number, tx_index, fields)
  values (${chain}, 0, ${hashes.indexOf(hash)}, ${fields === null ? null : JSON.stringify(fields)})`

const get = async (hash: string) => {
  const response = await service.app.inject(`/v1/chains/${chain}/transactions/${hash}/envelope`)
  return { status: response.statusCode, body: response.json() }
}

test('an access list, with names', async () => {
  const storageKeys = [hashOf('one'), hashOf('two')]
  await keep(listed, { accessList: [{ address: token, storageKeys }] })
  expect((await get(listed)).body).toEqual({
    txHash: listed,
    accessList: [{ address: { address: token, name: 'The Token' }, storageKeys }],
  })
  expect(node.asked).toEqual([])
})

test('one that is too long to be stored is read from the node', async () => {
  const storageKeys = [hashOf('one')]
  await keep(long, null)
  answer = { accessList: [{ address: token.toUpperCase().replace('0X', '0x'), storageKeys }] }
  expect((await get(long)).body).toEqual({
    txHash: long,
    accessList: [{ address: { address: token, name: 'The Token' }, storageKeys }],
  })
  expect(node.asked.at(-1)).toMatchObject({ method: 'eth_getTransactionByHash', params: [long] })
})

test('blobs', async () => {
  await keep(blobs, { maxFeePerBlobGas: '0x77359400', blobVersionedHashes: [hashOf('blob')] })
  expect((await get(blobs)).body).toEqual({
    txHash: blobs,
    accessList: [],
    maxFeePerBlobGas: '2000000000',
    blobVersionedHashes: [hashOf('blob')],
  })
})

test('authorizations, with the account that signed each', async () => {
  const { r, s, yParity } = await account.signAuthorization({ chainId: chain, address: token, nonce: 5 })
  const signed = {
    chainId: `0x${chain.toString(16)}`,
    address: token,
    nonce: '0x5',
    r,
    s,
    yParity: `0x${yParity}`,
  }
  await keep(codes, { authorizationList: [signed, { ...signed, r: '0x0' }] })
  const shown = { chainId: String(chain), address: { address: token, name: 'The Token' }, nonce: '5' }
  expect((await get(codes)).body).toEqual({
    txHash: codes,
    accessList: [],
    authorizationList: [
      { ...shown, authority: { address: account.address.toLowerCase() } },
      { ...shown, outcome: 'INVALID_SIGNATURE' },
    ],
  })
})

test('a legacy transaction has none of them', async () => {
  expect((await get(legacy)).body).toEqual({ txHash: legacy })
  // One of a later type that declares nothing has an empty access list.
  expect((await get(plain)).body).toEqual({ txHash: plain, accessList: [] })
  expect(node.asked).toEqual([])
})

test('what the node does not have, or nobody knows, is a 404; an odd answer a 502', async () => {
  await keep(lost, null)
  await keep(odd, null)
  expect((await get(lost)).status).toBe(404)
  expect((await get(hashOf('nobody'))).status).toBe(404)
  answer = { accessList: 'none' }
  expect((await get(odd)).status).toBe(502)
})
