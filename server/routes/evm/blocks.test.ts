import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addressOf,
  blockHash,
  hashOf,
  insertBlocks,
  revertTo,
  seedChain,
  transactionHash,
  type SeedBlock,
} from '../../testing/chain-rows.ts'
import { ensurePartitions } from '../../store/partitions.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const chain = 43113
const blockchainId = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'
const start = 1_700_000_000
// From height 4 on, two blocks share each second, as on a fast chain.
const blocks: SeedBlock[] = Array.from({ length: 25 }, (_, number) => ({
  number,
  ts: start + Math.floor(number / 2) * 10,
  txs: Array.from({ length: number % 4 }, (_unused, index) => ({
    from: addressOf(`sender ${index}`),
    to: addressOf(`recipient ${number}`),
    value: 10n ** 24n + BigInt(number),
    gasUsed: 21_000n + BigInt(index),
  })),
}))

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks, finalized: 10 })
  await seedChain(store.database, { chain: 7, blocks: [] })
  const chains = [
    { evmChainId: chain, name: 'Test Chain', rpcUrl: 'http://127.0.0.1:9', blockchainId },
    { evmChainId: 7, name: 'Empty', rpcUrl: 'http://127.0.0.1:9' },
  ]
  service = await startTestService(store.database, { config: testConfig({ chains }) })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const get = (path: string) => service.app.inject(`/v1/chains/${path}`)
const heights = async (query: string): Promise<number[]> => {
  const response = await get(`${chain}/blocks?${query}`)
  expect(response.statusCode).toBe(200)
  return (response.json().blocks as { blockNumber: string }[]).map((block) => Number(block.blockNumber))
}
const down = (from: number, to: number): number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index)
const up = (from: number, to: number): number[] => down(to, from).reverse()

describe('the list of blocks', () => {
  test('shows the latest ten first, with every field', async () => {
    const response = await get(`${chain}/blocks`)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    const { blocks: shown, nextPageToken } = response.json()
    expect(nextPageToken).toEqual(expect.any(String))
    expect(shown).toHaveLength(10)
    const fees = (21_000n + 21_001n + 21_002n) * 30_000_000_000n
    expect(shown[1]).toEqual({
      chainId: '43113',
      blockNumber: '23',
      blockTimestamp: start + 110,
      blockHash: blockHash(chain, { number: 23 }),
      parentHash: blockHash(chain, { number: 22 }),
      txCount: 3,
      baseFee: '25000000000',
      gasUsed: '63003',
      gasLimit: '15000000',
      gasCost: '0',
      feesSpent: fees.toString(),
      cumulativeTransactions: String(6 * (0 + 1 + 2 + 3)),
      miner: addressOf('miner'),
      logCount: 0,
      blockSizeBytes: 1023,
    })
  })

  test('accepts the blockchain id', async () => {
    const [byId, byBlockchain] = await Promise.all([get(`${chain}/blocks`), get(`${blockchainId}/blocks`)])
    expect(byBlockchain.json().blocks).toEqual(byId.json().blocks)
  })

  test.each([
    ['sortOrder=asc&pageSize=3', up(0, 2)],
    ['startBlock=20', down(24, 20)],
    ['endBlock=3', down(2, 0)],
    ['startBlock=5&endBlock=8', down(7, 5)],
    ['startBlock=5&endBlock=8&sortOrder=asc', up(5, 7)],
    ['startBlock=5&endBlock=5', []],
    ['startBlock=9007199254740991', []],
    // Both times are exclusive: items after one and before the other.
    [`startTimestamp=${start + 110}`, [24]],
    [`startTimestamp=${start + 109}`, down(24, 22)],
    [`endTimestamp=${start + 10}`, [1, 0]],
    [`endTimestamp=${start + 11}`, [3, 2, 1, 0]],
    [`startTimestamp=${start + 20}&endTimestamp=${start + 40}`, [7, 6]],
    [`startTimestamp=${start + 20}&startBlock=7&endTimestamp=${start + 40}`, [7]],
    [`startTimestamp=${start + 120}`, []],
    [`endTimestamp=0`, []],
  ])('%s', async (query, expected) => {
    expect(await heights(query)).toEqual(expected)
  })

  test.each([1, 3, 7, 100])('is walked to its end in pages of %i, each block once', async (pageSize) => {
    for (const order of ['asc', 'desc']) {
      const walked: number[] = []
      let token = ''
      do {
        const response = await get(
          `${chain}/blocks?sortOrder=${order}&startBlock=2&pageSize=${pageSize}${token && `&pageToken=${token}`}`,
        )
        const page = response.json()
        expect(page.blocks.length).toBeLessThanOrEqual(pageSize)
        walked.push(...page.blocks.map((block: { blockNumber: string }) => Number(block.blockNumber)))
        token = page.nextPageToken ?? ''
      } while (token !== '')
      expect(walked).toEqual(order === 'asc' ? up(2, 24) : down(24, 2))
    }
  })

  test('of a chain without indexed blocks is not known yet', async () => {
    expect((await get('7/blocks')).json()).toMatchObject({
      statusCode: 503,
      message: 'not known yet: Empty has no indexed block',
    })
  })

  test.each([
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['pageSize=1.5', 'pageSize'],
    ['pageSize=', 'pageSize'],
    ['pageSize=ten', 'pageSize'],
    ['pageSize=1&pageSize=2', 'pageSize'],
    ['sortOrder=up', 'sortOrder'],
    ['startBlock=-1', 'startBlock'],
    ['endBlock=1e3', 'endBlock'],
    ['startBlock=9007199254740993', 'startBlock'],
    ['startTimestamp=-1', 'startTimestamp'],
    ['endTimestamp=0x10', 'endTimestamp'],
    ['startBlock=8&endBlock=5', 'endBlock'],
    ['startTimestamp=8&endTimestamp=5', 'endTimestamp'],
    ['pageToken=', 'pageToken'],
  ])('refuses %s', async (query, field) => {
    const response = await get(`${chain}/blocks?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ error: 'Bad Request', statusCode: 400 })
    expect([response.json().message].flat().join()).toContain(`${field}:`)
  })

  test('refuses a token of another list, another filter or another chain', async () => {
    const { nextPageToken: token } = (await get(`${chain}/blocks?pageSize=2`)).json()
    for (const path of [
      `${chain}/transactions?pageToken=${token}`,
      `${chain}/blocks?sortOrder=asc&pageToken=${token}`,
      `${chain}/blocks?startBlock=1&pageToken=${token}`,
      `7/blocks?pageToken=${token}`,
      `${chain}/blocks?pageToken=${token}x`,
    ]) {
      expect((await get(path)).statusCode).toBe(400)
    }
    expect((await get(`${blockchainId}/blocks?pageSize=9&pageToken=${token}`)).statusCode).toBe(200)
  })

  test('of an unknown chain is a 404', async () => {
    const response = await get('8/blocks')
    expect(response.statusCode).toBe(404)
    expect(response.json()).toEqual({
      message: 'chain 8 is not served here',
      error: 'Not Found',
      statusCode: 404,
    })
  })
})

describe('one block', () => {
  test('with its withdrawals, in order; none is an empty list', async () => {
    await ensurePartitions(store.database, BigInt(chain), 0n, 24n)
    const rows = [
      [10, 7, 'withdrawer', '31999999999'],
      [9, 500_000, 'recipient', '18446744073709551615'],
    ] as const
    for (const [index, validator, name, amount] of rows)
      await store.database`insert into withdrawals (chain, number, index, validator, address, amount)
        values (${chain}, 12, ${index}, ${validator}, ${Buffer.from(addressOf(name).slice(2), 'hex')}, ${amount})`
    expect((await get(`${chain}/blocks/12`)).json().withdrawals).toEqual([
      {
        index: '9',
        validatorIndex: '500000',
        address: addressOf('recipient'),
        amount: '18446744073709551615',
      },
      { index: '10', validatorIndex: '7', address: addressOf('withdrawer'), amount: '31999999999' },
    ])
    expect((await get(`${chain}/blocks/11`)).json().withdrawals).toEqual([])
  })

  test.each([
    '10',
    blockHash(chain, { number: 10 }),
    blockHash(chain, { number: 10 }).toUpperCase().replace('0X', '0x'),
  ])('by %s', async (id) => {
    const response = await get(`${chain}/blocks/${id}`)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      blockNumber: '10',
      stateRoot: hashOf('state'),
      transactionsRoot: hashOf('transactions'),
      receiptsRoot: hashOf('receipts'),
      extraData: '0xabcd',
      nonce: '0x0000000000000001',
      difficulty: '1',
      isFinalized: true,
      nextBlockNumber: '11',
    })
  })

  test('above the finalised height says so, and the head has no next block', async () => {
    expect((await get(`${chain}/blocks/11`)).json()).toMatchObject({ isFinalized: false })
    expect((await get(`${chain}/blocks/24`)).json()).not.toHaveProperty('nextBlockNumber')
  })

  test('shows which blocks it settles and by which it was settled, on asynchronous chains', async () => {
    await store.database`
      update blocks set settled_height = case number when 24 then 22 else 20 end
      where chain = ${chain} and number > 21`
    const block = async (number: number) => (await get(`${chain}/blocks/${number}`)).json()
    expect(await block(22)).toMatchObject({ settledHeight: '20', settledBy: '24' })
    expect(await block(23)).toMatchObject({ settledHeight: '20' })
    expect(await block(23)).not.toHaveProperty('settledBy')
    expect(await block(20)).not.toHaveProperty('settledBy')
    const settled = async (number: number) => {
      const [{ txHash }] = (await get(`${chain}/blocks/${number}/transactions?pageSize=1`)).json()
        .transactions
      return (await get(`${chain}/transactions/${txHash}`)).json().nativeTransaction.isSettled
    }
    expect([await settled(21), await settled(22), await settled(23)]).toEqual([undefined, true, false])
  })

  test.each(['25', hashOf('nothing')])('that is not indexed is a 404: %s', async (id) => {
    expect((await get(`${chain}/blocks/${id}`)).statusCode).toBe(404)
    expect((await get(`${chain}/blocks/${id}/transactions`)).statusCode).toBe(404)
  })

  test('of another chain is not known there', async () => {
    // Nothing of that chain is indexed, and its node does not answer.
    expect((await get(`7/blocks/${blockHash(chain, { number: 10 })}`)).statusCode).toBe(503)
  })

  test.each(['-1', '0x12', 'latest', '1.0', '10%00', '12345678901234567'])(
    '%s is not a block ID',
    async (id) => {
      expect((await get(`${chain}/blocks/${id}`)).statusCode).toBe(400)
    },
  )
})

describe('the transactions of a block', () => {
  const block = blocks[11] as SeedBlock

  test('are empty by default, because the default page size is 0', async () => {
    const page = (await get(`${chain}/blocks/11/transactions`)).json()
    expect(page).toEqual({ transactions: [], nextPageToken: expect.any(String) })
    const rest = (
      await get(`${chain}/blocks/11/transactions?pageSize=100&pageToken=${page.nextPageToken}`)
    ).json()
    expect(rest.transactions).toHaveLength(3)
  })

  test('of an empty block end at once', async () => {
    expect((await get(`${chain}/blocks/12/transactions`)).json()).toEqual({ transactions: [] })
  })

  test('are returned in order, page by page', async () => {
    const first = (await get(`${chain}/blocks/${blockHash(chain, block)}/transactions?pageSize=2`)).json()
    expect(first.transactions.map((tx: { txHash: string }) => tx.txHash)).toEqual(
      [0, 1].map((index) => transactionHash(chain, block, index)),
    )
    const second = (
      await get(
        `${chain}/blocks/${blockHash(chain, block)}/transactions?pageSize=2&pageToken=${first.nextPageToken}`,
      )
    ).json()
    expect(second.transactions.map((tx: { blockIndex: number }) => tx.blockIndex)).toEqual([2])
    expect(second).not.toHaveProperty('nextPageToken')
  })

  test.each([
    ['pageSize=101', 400],
    ['pageSize=-1', 400],
    ['pageSize=0', 200],
    ['pageSize=100', 200],
  ])('%s is a %i', async (query, status) => {
    expect((await get(`${chain}/blocks/11/transactions?${query}`)).statusCode).toBe(status)
  })

  test('do not continue into another block after a reorg replaced theirs', async () => {
    const { nextPageToken } = (await get(`${chain}/blocks/23/transactions?pageSize=1`)).json()
    await revertTo(store.database, chain, 22)
    const replaced = blocks.slice(23).map((each) => ({ ...each, branch: 'other' }))
    await insertBlocks(store.database, chain, replaced)
    const response = await get(`${chain}/blocks/23/transactions?pageSize=1&pageToken=${nextPageToken}`)
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('reorganisation')
  })
})
