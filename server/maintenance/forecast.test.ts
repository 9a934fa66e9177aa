import { expect, test } from 'vitest'
import { describeForecast } from './forecast-text.ts'
import {
  checkChain,
  checkNetwork,
  costOfEvm,
  forecastEvm,
  forecastPrimary,
  type AskNode,
} from './forecast.ts'

/** A node at a height, whose block n has n % 10 transactions; it lacks those below `from`. */
const node =
  (head: number, from = 0): AskNode =>
  async (method, params) => {
    if (method === 'eth_blockNumber') return `0x${head.toString(16)}`
    if (method === 'platform.getHeight') return { height: String(head) }
    const height = Number((params as [string])[0])
    return height < from ? null : { transactions: Array.from({ length: height % 10 }, () => '0x') }
  }
const memory = 8e9

test('a node of another chain or network is said to be so', async () => {
  const fuji: AskNode = async (method) => (method === 'eth_chainId' ? '0xa869' : { networkID: '5' })
  await checkChain(fuji, 43_113)
  await checkNetwork(fuji, 5)
  await expect(checkChain(fuji, 43_114)).rejects.toThrow('the node serves chain 43113, not 43114')
  await expect(checkNetwork(fuji, 1)).rejects.toThrow(
    'the node serves the network 5 (Fuji), not 1 (Avalanche mainnet)',
  )
})

test('few blocks are all counted', async () => {
  // Blocks 5 to 24: 5 to 9, 0 to 9, 0 to 4.
  const { blocks, transactions } = await forecastEvm(node(24), 5, memory)
  expect([blocks, transactions]).toEqual([20, 90])
})

test('many are estimated from some, spread over all', async () => {
  const asked: number[] = []
  const ask: AskNode = async (method, params) => {
    if (method === 'eth_getBlockByNumber') asked.push(Number((params as [string])[0]))
    return node(999_999)(method, params)
  }
  const { blocks, transactions = 0 } = await forecastEvm(ask, 0, memory)
  expect(blocks).toBe(1_000_000)
  expect(asked).toHaveLength(40)
  expect([Math.min(...asked), Math.max(...asked)]).toEqual([12_500, 987_500])
  expect(transactions % 25_000).toBe(0)
})

test('a chain that begins above the head takes nothing', async () => {
  expect(await forecastEvm(node(24), 25, memory)).toMatchObject({ blocks: 0, bytes: 0, seconds: [0, 0] })
})

test('a node without the first blocks is said to be so', async () => {
  await expect(forecastEvm(node(999, 500), 0, memory)).rejects.toThrow(
    'the node does not have block 12: was it state-synced?',
  )
})

test('what fits the memory has one time and no lake; what does not, both', () => {
  // 10^6 transactions: 4.3 GB, half of them indexes.
  expect(costOfEvm(100_000, 1_000_000, memory)).toEqual({ bytes: 4.3e9, seconds: [1e6 / 3_134, 1e6 / 3_134] })
  const large = costOfEvm(70_000_000, 1e9, memory)
  expect(large.seconds).toEqual([1e9 / 3_134, 1e9 / 109])
  expect(large.lakeSeconds?.[0]).toBeCloseTo(1e9 / 6_000 + 1e9 / 10_376)
  expect(large.lakeSeconds?.[1]).toBeCloseTo(1e9 / 4_500 + 1e9 / 2_180)
  // Empty blocks take as long as the node needs to give them.
  expect(costOfEvm(712_000, 0, memory).seconds).toEqual([1_000, 1_000])
})

test('the lines name blocks, transactions, disk and time', async () => {
  expect(
    describeForecast('C-Chain', {
      blocks: 70_000_000,
      transactions: 1e9,
      ...costOfEvm(70_000_000, 1e9, memory),
    }),
  ).toEqual([
    'C-Chain: 70,000,000 blocks, about 1,000,000,000 transactions: 4.3 TB of disk, 3.7 days to 110 days',
    '  through a lake 3 days to 7.9 days: docs/lake.md',
  ])
  const [line] = describeForecast('P-Chain', await forecastPrimary(node(21_999_999), 'P'))
  expect(line).toMatch(/^P-Chain: 22,000,000 blocks: \S+ GB of disk, 1\.6 hours$/)
})
