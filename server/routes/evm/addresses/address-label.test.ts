import { encodeFunctionData, keccak256, pad, parseAbi, stringToBytes, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../../../node/testing/anvil.ts'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../../../testing/chain-rows.ts'
import { asOperator, testConfig } from '../../../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const alice = addressOf('alice') as Hex
const till = addressOf('till') as Hex
const signature = 'function settle(uint256 bill, address payer)'
const abi = [...parseAbi([signature, 'event Settled(uint256 bill)', 'error Closed(uint256 since)'])]
const input = encodeFunctionData({ abi, functionName: 'settle', args: [7n, alice] })
const block: SeedBlock = {
  number: 1,
  ts: 1_700_000_002,
  txs: [
    {
      from: alice,
      to: till,
      input,
      logs: [{ address: till, topics: [keccak256(stringToBytes('Settled(uint256)'))], data: pad('0x7') }],
    },
  ],
}
const key = 'key-of-an-accountant-0123456789'

let anvil: Anvil
let store: TestDatabase
let service: TestService

beforeAll(async () => {
  anvil = await startAnvil(['--chain-id', String(chain)])
  await anvil.ask('anvil_setCode', [till, '0x6001600255'])
  store = await createTestDatabase()
  await seedChain(store.database, {
    chain,
    blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }, block],
  })
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [{ evmChainId: chain, name: 'Test Chain', rpcUrl: anvil.url }],
      apiKeys: [{ name: 'accountant', key, privileges: ['verify'] }],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await anvil.stop()
})

const path = `/v1/chains/${chain}/addresses/${till}/label`
const get = async (url: string, headers = {}) => (await service.app.inject({ url, headers })).json()
async function give(payload: object, headers: Readonly<Record<string, string>> = asOperator) {
  const answer = await service.app.inject({ method: 'POST', url: path, headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}
const transaction = () => get(`/v1/chains/${chain}/transactions/${transactionHash(chain, block, 0)}`)

test('nobody may give one without a proof, and everybody may see who did', async () => {
  expect((await give({ name: 'Till' }, {})).status).toBe(401)
  expect(await get(path)).toEqual({ mayChange: false })
  const { status, body } = await give({ name: '  Till ' }, { 'x-service-api-key': key })
  expect([status, body.label]).toEqual([
    200,
    { name: 'Till', givenBy: 'key accountant', givenTimestamp: expect.any(Number) },
  ])
  expect((await get(path, asOperator)).mayChange).toBe(true)
})

test('its name stands beside the address in lists, and a search finds it with who gave it', async () => {
  expect((await transaction()).nativeTransaction.to).toEqual({ address: till, label: 'Till' })
  expect((await get('/v1/search?query=til')).results).toEqual([
    expect.objectContaining({
      kind: 'address',
      id: till,
      title: 'Till',
      detail: `a label by key accountant, ${till}`,
    }),
  ])
})

test('its ABI decodes calls and events, is a table of SQL, and is not called verified', async () => {
  expect((await transaction()).decodedInput).toBeUndefined()
  expect((await give({ name: 'Till', abi })).body.label).toMatchObject({ givenBy: 'operator', abi })
  const { decodedInput, logs } = await transaction()
  expect(decodedInput).toMatchObject({
    name: 'settle',
    args: [
      { name: 'bill', type: 'uint256', value: '7' },
      { name: 'payer', type: 'address', value: alice },
    ],
  })
  expect(logs[0].event).toMatchObject({ name: 'Settled', args: [{ name: 'bill', value: '7' }] })
  expect(await get(`/v1/chains/${chain}/contracts/${till}/code`)).toMatchObject({
    abiName: 'Till',
    abiFrom: 'label',
    writeFunctions: [{ signature: 'settle(uint256,address)' }],
  })
  const events = await service.app.inject({
    method: 'POST',
    url: '/v1/sql',
    headers: asOperator,
    payload: { sql: 'select contract, bill from till_settled' },
  })
  expect(events.json().rows).toEqual([[till, '7']])
})

test.each([
  ['a name that is too long', { name: 'x'.repeat(65) }],
  ['a name with control characters', { name: 'Ti\u0000ll' }],
  ['a name that turns the text around', { name: 'Ti\u202Ell' }],
  ['a name of two lines', { name: 'Ti\u2028ll' }],
  ['a name with what nobody sees', { name: 'Ti\u3164ll' }],
  ['an unknown field, such as a misspelt name', { Name: 'Till' }],
  ['what is not an ABI', { abi: [{ type: 'function', name: 'f', inputs: 'none' }] }],
  ['an ABI of a constructor alone', { abi: [{ type: 'constructor', inputs: [] }] }],
  ['an ABI with a type that is none', { abi: [{ type: 'error', name: 'E', inputs: [{ type: 'uint7' }] }] }],
  ['an ABI of too many items', { abi: Array.from({ length: 2_001 }, () => abi[0]) }],
])('refuses %s, and keeps what there was', async (_, body) => {
  expect((await give(body)).status).toBe(400)
  expect((await get(path)).label).toMatchObject({ name: 'Till', abi })
})

test('what people write stays as it is', async () => {
  for (const name of ['Zürich 鍵', '👨‍👩‍👧 family', 'می‌خواهم'])
    expect((await give({ name, abi })).body.label).toMatchObject({ name })
  await give({ name: 'Till', abi })
})

test('nothing is left of one that was taken back', async () => {
  expect(await give({})).toEqual({ status: 200, body: {} })
  expect(await get(path)).toEqual({ mayChange: false })
  expect((await transaction()).nativeTransaction.to).toEqual({ address: till })
  expect((await get('/v1/search?query=til')).results).toEqual([])
})
