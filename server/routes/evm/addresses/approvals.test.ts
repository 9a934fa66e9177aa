import { encodeFunctionData, keccak256, parseAbi, stringToBytes, toHex, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAnvil, type Anvil } from '../../../node/testing/anvil.ts'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const start = 1_700_000_000
const at = (name: string): Hex => addressOf(name) as Hex
const [owner, market, bridge, friend] = [at('owner'), at('market'), at('bridge'), at('friend')] as const
const [coin, used, art, items] = [at('coin'), at('used'), at('art'), at('items')] as const

const word = (value: bigint | string): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const topic = (signature: string): Hex => keccak256(stringToBytes(signature))
const approved = (token: string, spender: string, value: bigint) => ({
  address: token,
  topics: [topic('Approval(address,address,uint256)'), word(owner), word(spender)],
  data: word(value),
})
const nft = (spender: string, id: bigint) => ({
  address: art,
  topics: [topic('Approval(address,address,uint256)'), word(owner), word(spender), word(id)],
  data: '0x',
})
const all = (token: string, spender: string, value: boolean) => ({
  address: token,
  topics: [topic('ApprovalForAll(address,address,bool)'), word(owner), word(spender)],
  data: word(value ? 1n : 0n),
})

const logs = [
  [approved(coin, market, 5n), all(art, market, true), nft(friend, 1n)],
  [approved(coin, bridge, 2n ** 256n - 1n), approved(used, market, 9n), all(items, bridge, true)],
  // Again, and taken back.
  [approved(coin, market, 70n), all(items, bridge, false), nft(friend, 2n), nft(at('nobody else'), 3n)],
]
const blocks: SeedBlock[] = logs.map((each, number) => ({
  number,
  ts: start + number * 10,
  txs: [{ from: owner, to: coin, logs: each }],
}))

/** Answers every call with what is stored under the hash of its data. */
const byStorage = '0x3660006000373660002054600052602060 00f3'.replace(' ', '')
const abi = parseAbi([
  'function allowance(address, address)',
  'function balanceOf(address)',
  'function getApproved(uint256)',
  'function isApprovedForAll(address, address)',
  'function ownerOf(uint256)',
])

let anvil: Anvil
let store: TestDatabase
let service: TestService

beforeAll(async () => {
  anvil = await startAnvil(['--chain-id', String(chain)])
  const answer = (
    token: string,
    call: Parameters<typeof encodeFunctionData<typeof abi>>[0],
    value: bigint | string,
  ) => anvil.ask('anvil_setStorageAt', [token, keccak256(encodeFunctionData(call)), word(value)])
  for (const token of [coin, used, art, items]) await anvil.ask('anvil_setCode', [token, byStorage])
  await anvil.ask('anvil_setCode', [market, '0x00'])
  // 70 were approved, of which 30 have been taken since.
  await answer(coin, { abi, functionName: 'allowance', args: [owner, market] }, 40n)
  await answer(coin, { abi, functionName: 'allowance', args: [owner, bridge] }, 2n ** 256n - 1n)
  await answer(coin, { abi, functionName: 'balanceOf', args: [owner] }, 1_000n)
  await answer(art, { abi, functionName: 'isApprovedForAll', args: [owner, market] }, 1n)
  // The first NFT was sold, the second is still approved, the third approved to somebody else.
  await answer(art, { abi, functionName: 'getApproved', args: [1n] }, friend)
  await answer(art, { abi, functionName: 'ownerOf', args: [1n] }, friend)
  await answer(art, { abi, functionName: 'getApproved', args: [2n] }, friend)
  await answer(art, { abi, functionName: 'ownerOf', args: [2n] }, owner)
  await answer(art, { abi, functionName: 'getApproved', args: [3n] }, friend)
  await answer(art, { abi, functionName: 'ownerOf', args: [3n] }, owner)
  await anvil.ask('anvil_mine', [toHex(2)])
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        { evmChainId: chain, name: 'Test Chain', rpcUrl: anvil.url },
        { evmChainId: 7, name: 'Away', rpcUrl: 'http://127.0.0.1:9' },
      ],
      contracts: [{ chainId: chain, address: market, name: 'The market' }],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await anvil.stop()
})

const get = async (address: string, chainId = chain) => {
  const response = await service.app.inject(`/v1/chains/${chainId}/addresses/${address}/approvals`)
  return { status: response.statusCode, body: response.json() }
}
const place = (number: number) => ({
  blockNumber: String(number),
  blockTimestamp: start + number * 10,
  txHash: transactionHash(chain, blocks[number] as SeedBlock, 0),
})

test('what is left of the approvals of an address, the latest first', async () => {
  const { status, body } = await get(owner)
  expect(status).toBe(200)
  const toMarket = { spender: { address: market, name: 'The market' }, isContract: true }
  expect(body).toEqual({
    blockNumber: '2',
    isComplete: true,
    approvals: [
      {
        kind: 'NFT',
        tokenId: '2',
        token: { address: art },
        spender: { address: friend },
        isContract: false,
        ...place(2),
      },
      {
        kind: 'AMOUNT',
        allowance: '40',
        balance: '1000',
        token: { address: coin },
        ...toMarket,
        ...place(2),
      },
      {
        kind: 'AMOUNT',
        allowance: (2n ** 256n - 1n).toString(),
        balance: '1000',
        token: { address: coin },
        spender: { address: bridge },
        isContract: false,
        ...place(1),
      },
      { kind: 'COLLECTION', token: { address: art }, ...toMarket, ...place(0) },
    ],
  })
})

test('nobody else’s are among them, and without the node there is no answer', async () => {
  expect((await get(friend)).body).toEqual({ blockNumber: '2', approvals: [], isComplete: true })
  expect((await get(owner, 7)).status).toBe(502)
  expect((await get('0x12')).status).toBe(400)
})
