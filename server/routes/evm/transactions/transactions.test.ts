import { encodeAbiParameters, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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

const chain = 43113
const [alice, bob, token, items] = ['alice', 'bob', 'token', 'items'].map(addressOf) as [
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
  `0x${string}`,
]
const word = (text: string): string => `0x${text.slice(2).padStart(64, '0')}`
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const batchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const largest = 2n ** 256n - 1n
const uint = { type: 'uint256' } as const
const uints = { type: 'uint256[]' } as const

const transferInput = encodeFunctionData({
  abi: parseAbi(['function transfer(address to, uint256 value)']),
  args: [bob, largest],
})

const blocks: SeedBlock[] = [
  { number: 0, ts: 1_700_000_000, txs: [] },
  {
    number: 1,
    ts: 1_700_000_010,
    txs: [
      {
        from: alice,
        to: token,
        value: largest,
        nonce: 18_446_744_073_709_551_615n,
        input: transferInput,
        maxFee: 60_000_000_000n,
        maxPriorityFee: 1n,
        gasUsed: 51_000n,
        gasPrice: 26_000_000_001n,
        logs: [
          {
            address: token,
            topics: [transferTopic, word(alice), word(bob)],
            data: encodeAbiParameters([uint], [largest]),
          },
          { address: token, topics: [transferTopic, word(alice), word(bob), hashOf('id')], data: '0x' },
          {
            address: items,
            topics: [singleTopic, word(alice), word(alice), word(bob)],
            data: encodeAbiParameters([uint, uint], [7n, 3n]),
          },
          {
            address: items,
            topics: [batchTopic, word(alice), word(bob), word(alice)],
            data: encodeAbiParameters(
              [uints, uints],
              [
                [1n, largest],
                [10n, 20n],
              ],
            ),
          },
          // Malformed transfers: without a value, with a list that is too long, with lists of two lengths.
          { address: token, topics: [transferTopic, word(alice), word(bob)], data: '0x' },
          {
            address: items,
            topics: [batchTopic, word(alice), word(bob), word(alice)],
            data: `0x${'ff'.repeat(128)}`,
          },
          {
            address: items,
            topics: [batchTopic, word(alice), word(bob), word(alice)],
            data: encodeAbiParameters([uints, uints], [[1n], [10n, 20n]]),
          },
          { address: token, topics: [], data: '0xdead' },
          { address: token, topics: [hashOf('unknown event')], data: '0x01' },
        ],
        calls: [
          { type: 'CALL', sender: token, recipient: bob, value: 5n, input: '0xa9059cbb' },
          { type: 'CREATE2', sender: token, recipient: null, reverted: true, depth: 2, error: 'out of gas' },
        ],
      },
      { from: alice, to: null, created: items, input: '0x60806040', type: 0, logs: [] },
      { from: alice, to: bob, status: 0, value: 1n },
      { from: alice, to: token, input: '0xa9059cbb0001' },
      { from: alice, to: token, input: '0x01' },
    ],
  },
]
const block = blocks[1] as SeedBlock

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks, finalized: 0 })
  await seedChain(store.database, {
    chain: 7,
    traceSource: 'none',
    blocks: [
      {
        number: 0,
        ts: 1_700_000_000,
        txs: [{ hash: transactionHash(chain, block, 0), from: bob, to: alice }],
      },
    ],
  })
  const rpcUrl = 'http://127.0.0.1:9'
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [
        { evmChainId: chain, name: 'Test Chain', rpcUrl, token: { name: 'Avalanche', symbol: 'AVAX' } },
        { evmChainId: 7, name: 'Untraced', rpcUrl },
      ],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const get = (path: string) => service.app.inject(`/v1/chains/${path}`)
const details = async (index: number) =>
  (await get(`${chain}/transactions/${transactionHash(chain, block, index)}`)).json()

test('a hash that is only a name of the node is told apart', async () => {
  await store.database`insert into node_names (chain, number, index, reason) values (${chain}, 1, 0, 1)`
  const answerOf = async () =>
    (await get(`${chain}/transactions/${transactionHash(chain, blocks[1] as SeedBlock, 0)}`)).json() as {
      nativeTransaction: { hashGivenBy?: string }
    }
  expect((await answerOf()).nativeTransaction.hashGivenBy).toBe('IMPERSONATION')
  await store.database`update node_names set reason = 2`
  expect((await answerOf()).nativeTransaction.hashGivenBy).toBe('SYSTEM')
  await store.database`delete from node_names`
  expect((await answerOf()).nativeTransaction.hashGivenBy).toBeUndefined()
})

describe('the list of transactions', () => {
  test('shows the latest first, with every field', async () => {
    const { transactions } = (await get(`${chain}/transactions`)).json()
    expect(transactions.map((tx: { blockIndex: number }) => tx.blockIndex)).toEqual([4, 3, 2, 1, 0])
    expect(transactions[4]).toEqual({
      blockNumber: '1',
      blockTimestamp: 1_700_000_010,
      blockHash: blockHash(chain, block),
      chainId: '43113',
      blockIndex: 0,
      txHash: transactionHash(chain, block, 0),
      txStatus: '1',
      txType: 2,
      gasLimit: '100000',
      gasUsed: '51000',
      gasPrice: '26000000001',
      nonce: '18446744073709551615',
      from: { address: alice },
      to: { address: token },
      method: {
        callType: 'CONTRACT_CALL',
        methodHash: '0xa9059cbb',
        methodName: 'transfer(address,uint256)',
      },
      value: largest.toString(),
    })
    const method = (index: number) => transactions[4 - index]
    expect(method(1)).toMatchObject({
      to: { address: items },
      txType: 0,
      method: { callType: 'CONTRACT_CREATION', methodHash: '0x60806040' },
    })
    expect(method(2)).toMatchObject({
      txStatus: '0',
      method: { callType: 'NATIVE_TRANSFER', methodHash: '0x' },
    })
    expect(method(4).method).toEqual({ callType: 'CONTRACT_CALL', methodHash: '0x01' })
  })

  test.each([
    ['sortOrder=asc&pageSize=2', [0, 1]],
    ['startBlock=1&endBlock=2&pageSize=1', [4]],
    ['endBlock=1', []],
    ['startTimestamp=1700000009', [4, 3, 2, 1, 0]],
    ['startTimestamp=1700000010', []],
    ['endTimestamp=1700000010', []],
    ['endTimestamp=1700000011&sortOrder=asc', [0, 1, 2, 3, 4]],
  ])('%s', async (query, indexes) => {
    const { transactions } = (await get(`${chain}/transactions?${query}`)).json()
    expect(transactions.map((tx: { blockIndex: number }) => tx.blockIndex)).toEqual(indexes)
  })

  test.each([
    'pageSize=0',
    'pageSize=101',
    'sortOrder=down',
    'startBlock=x',
    'endTimestamp=-1',
    'pageToken=zz',
  ])('refuses %s', async (query) => {
    expect((await get(`${chain}/transactions?${query}`)).statusCode).toBe(400)
  })

  test.each([
    ['txStatus=0', [2]],
    ['txStatus=1', [4, 3, 1, 0]],
    ['methodHash=0xa9059cbb', [3, 0]],
    // The beginning of a creation's code is not a method, and one byte is less than one.
    ['methodHash=0x60806040', []],
    ['methodHash=0x01000000', []],
    [`toAddress=${token}`, [4, 3, 0]],
    [`toAddress=${items.toUpperCase().replace('0X', '0x')}`, [1]],
    [`fromAddress=${alice}&toAddress=${bob}`, [2]],
    [`fromAddress=${bob}`, []],
    [`fromAddress=${alice}&toAddress=${token}&methodHash=0xa9059cbb&txStatus=1`, [3, 0]],
    [`fromAddress=${alice}&startBlock=1&endBlock=2&sortOrder=asc`, [0, 1, 2, 3, 4]],
    [`toAddress=${token}&startBlock=2`, []],
  ])('narrowed to %s, in pages of one', async (query, indexes) => {
    const walked: number[] = []
    for (let next: string | undefined = ''; next !== undefined;) {
      const answer = await get(`${chain}/transactions?pageSize=1&${query}${next && `&pageToken=${next}`}`)
      const page: { transactions: { blockIndex: number }[]; nextPageToken?: string } = answer.json()
      walked.push(...page.transactions.map((tx: { blockIndex: number }) => tx.blockIndex))
      next = page.nextPageToken
    }
    expect(walked).toEqual(indexes)
  })

  test.each(['txStatus=2', 'methodHash=0xa9', 'methodHash=transfer', 'fromAddress=0x12', 'toAddress=bob'])(
    'refuses %s',
    async (query) => {
      expect((await get(`${chain}/transactions?${query}`)).statusCode).toBe(400)
    },
  )

  test('is listed in both orders, each transaction once', async () => {
    for (const order of ['asc', 'desc']) {
      const walked: number[] = []
      let next = ''
      do {
        const page = (await get(`${chain}/transactions?pageSize=2&sortOrder=${order}${next}`)).json()
        walked.push(...page.transactions.map((tx: { blockIndex: number }) => tx.blockIndex))
        next = page.nextPageToken === undefined ? '' : `&pageToken=${page.nextPageToken}`
      } while (next !== '')
      expect(walked).toEqual(order === 'asc' ? [0, 1, 2, 3, 4] : [4, 3, 2, 1, 0])
    }
  })
})

describe('one transaction', () => {
  test('has its receipt, its block and its fee', async () => {
    const { nativeTransaction, networkTokenDetails } = await details(0)
    expect(nativeTransaction).toMatchObject({
      txHash: transactionHash(chain, block, 0),
      input: transferInput,
      baseFeePerGas: '25000000000',
      maxFeePerGas: '60000000000',
      maxPriorityFeePerGas: '1',
      cumulativeGasUsed: '51000',
      txFee: (51_000n * 26_000_000_001n).toString(),
      isFinalized: false,
      blockTxCount: 5,
      method: { methodName: 'transfer(address,uint256)' },
    })
    expect(nativeTransaction).not.toHaveProperty('contractAddress')
    expect(networkTokenDetails.networkToken).toEqual({ name: 'Avalanche', symbol: 'AVAX', decimals: 18 })
    expect((await details(1)).nativeTransaction).toMatchObject({
      contractAddress: items,
      cumulativeGasUsed: '72000',
    })
  })

  test('decodes its input', async () => {
    expect((await details(0)).decodedInput).toEqual({
      name: 'transfer',
      signature: 'transfer(address,uint256)',
      args: [
        { name: 'to', type: 'address', value: bob },
        { name: 'value', type: 'uint256', value: largest.toString() },
      ],
    })
    // A known selector with too little data, unknown selectors, a creation.
    for (const index of [1, 2, 3, 4]) expect(await details(index)).not.toHaveProperty('decodedInput')
  })

  test('lists the token transfers of well-formed logs', async () => {
    const found = await details(0)
    expect(found.erc20Transfers).toEqual([
      {
        from: { address: alice },
        to: { address: bob },
        logIndex: 0,
        value: largest.toString(),
        erc20Token: { address: token, ercType: 'ERC-20' },
      },
    ])
    expect(found.erc721Transfers).toEqual([
      {
        from: { address: alice },
        to: { address: bob },
        logIndex: 1,
        erc721Token: { address: token, ercType: 'ERC-721', tokenId: BigInt(hashOf('id')).toString() },
      },
    ])
    expect(found.erc1155Transfers).toEqual(
      [
        { from: alice, to: bob, logIndex: 2, tokenId: '7', value: '3' },
        { from: bob, to: alice, logIndex: 3, tokenId: '1', value: '10' },
        { from: bob, to: alice, logIndex: 3, tokenId: largest.toString(), value: '20' },
      ].map(({ from, to, logIndex, tokenId, value }) => ({
        from: { address: from },
        to: { address: to },
        logIndex,
        value,
        erc1155Token: { address: items, ercType: 'ERC-1155', tokenId },
      })),
    )
  })

  test('shows every log, decoded if the event is known', async () => {
    const { logs } = await details(0)
    expect(logs.map((log: { logIndex: number }) => log.logIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(logs[1].event).toEqual({
      name: 'Transfer',
      signature: 'Transfer(address,address,uint256)',
      args: [
        { name: 'from', type: 'address', value: alice, indexed: true },
        { name: 'to', type: 'address', value: bob, indexed: true },
        { name: 'tokenId', type: 'uint256', value: BigInt(hashOf('id')).toString(), indexed: true },
      ],
    })
    expect(logs[3].event.args[3]).toEqual({
      name: 'ids',
      type: 'uint256[]',
      value: ['1', largest.toString()],
      indexed: false,
    })
    for (const index of [4, 5, 7, 8]) expect(logs[index]).not.toHaveProperty('event')
    expect(logs[7]).toEqual({
      logIndex: 7,
      address: token,
      contract: { address: token },
      topics: [],
      data: '0xdead',
    })
  })

  test('shows the calls inside it', async () => {
    const { internalTransactions } = await details(0)
    expect(internalTransactions).toEqual([
      {
        from: { address: token },
        to: { address: bob },
        internalTxType: 'CALL',
        value: '5',
        isReverted: false,
        gasUsed: '40000',
        gasLimit: '50000',
        depth: 1,
        methodHash: '0xa9059cbb',
        methodName: 'transfer(address,uint256)',
      },
      {
        from: { address: token },
        to: { address: '' },
        internalTxType: 'CREATE2',
        value: '0',
        isReverted: true,
        gasUsed: '40000',
        gasLimit: '50000',
        depth: 2,
        error: 'out of gas',
      },
    ])
  })

  test('of a chain without traces contains no calls', async () => {
    const response = await get(`7/transactions/${transactionHash(chain, block, 0)}`)
    expect(response.statusCode).toBe(200)
    expect(response.json()).not.toHaveProperty('internalTransactions')
    expect(response.json().nativeTransaction).toMatchObject({ chainId: '7', from: { address: bob } })
  })

  test.each([
    [hashOf('nothing'), 404],
    ['0x12', 400],
    [`${hashOf('x')}00`, 400],
    [hashOf('x').slice(2), 400],
  ])('%s is a %i', async (hash, status) => {
    expect((await get(`${chain}/transactions/${hash}`)).statusCode).toBe(status)
  })
})
