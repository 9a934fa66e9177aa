import { decodeAbiParameters, parseAbiParameters, type Hex } from 'viem'
import {
  listTransactionMovements,
  maxMovedTransactions,
  maxMovedTransfers,
} from '../../contract/evm/transaction-movements.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { exact } from '../support/figures.ts'
import { cutTexts, overflowOf, quiet, recordShifts, shiftsOf } from '../support/layout-measures.ts'
import { nodeAt, type NodeLog } from '../support/node.ts'
import { ask, chains, rpcUrlOf } from '../support/stack.ts'

const { c } = chains
const node = nodeAt(rpcUrlOf(c))
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const newest = 400

const callText = async (to: string, data: string): Promise<Hex> =>
  node.call<Hex>('eth_call', [{ to, data }, 'latest'])

/** The name, symbol and decimals of a token, from its contract. */
async function factsOf(token: string): Promise<{ name: string; symbol: string; decimals: number }> {
  const [name, symbol, decimals] = await Promise.all(
    ['0x06fdde03', '0x95d89b41', '0x313ce567'].map((selector) => callText(token, selector)),
  )
  return {
    name: decodeAbiParameters(parseAbiParameters('string'), name ?? '0x')[0],
    symbol: decodeAbiParameters(parseAbiParameters('string'), symbol ?? '0x')[0],
    decimals: Number(decimals),
  }
}

const isErc20 = ({ topics, data }: NodeLog): boolean =>
  topics[0] === transferTopic && topics.length === 3 && data.length === 66
const party = (topic = ''): string => `0x${topic.slice(26)}`

/** The newest `transfer(address,uint256)` of an ERC-20 token below a height that succeeded, with its only transfer. */
async function newestTransfer() {
  for (let height = newest; height > 0; height -= 1) {
    const block = await node.block(height)
    for (const tx of block.transactions.filter(({ input }) => input.startsWith('0xa9059cbb'))) {
      const { logs, status } = await node.receipt(tx.hash)
      const [log] = logs
      if (status === '0x1' && logs.length === 1 && log && isErc20(log)) return { tx, log, height }
    }
  }
  throw new Error('the sample network has no transfer')
}

test('a transaction row to a token has its method, its name and the amount, at any width', async ({
  page,
}) => {
  const { tx, log, height } = await newestTransfer()
  const { name, symbol, decimals } = await factsOf(log.address)
  await recordShifts(page)
  for (const path of [`/chain/${c.id}/transactions?from=${height}`, `/chain/${c.id}/block/${height}`])
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(path)
      const row = page.getByRole('row').filter({ has: page.locator(`[data-value="${tx.hash}"]`) })
      await expect(row).toContainText('transfer')
      await expect(row.getByRole('link', { name, exact: true }).filter({ visible: true })).toBeVisible()
      const token = row.getByRole('link', { name: symbol, exact: true })
      await expect(token).toHaveAttribute('href', `/chain/${c.id}/token/${log.address}`)
      await expect(row.getByTitle(`${exact(BigInt(log.data), decimals)} ${symbol}`)).toBeVisible()
      await expect(row).not.toContainText('0 AVAX')
      await quiet(page)
      expect((await shiftsOf(page)).sum).toBeLessThanOrEqual(0.02)
      expect(await cutTexts(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
    }
})

test('failed rows say so, and both themes are accessible on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const heights = Array.from({ length: 120 }, (_, index) => newest - index)
  const receipts = (await Promise.all(heights.map((height) => node.receipts(height)))).flat()
  const failed = receipts.find(({ status }) => status === '0x0')
  if (!failed) throw new Error('no transaction failed')
  const { blockNumber } = await node.call<{ blockNumber: string }>('eth_getTransactionByHash', [
    failed.transactionHash,
  ])
  await page.goto(`/chain/${c.id}/transactions?from=${Number(blockNumber)}`)
  const row = page.getByRole('row').filter({ has: page.locator(`[data-value="${failed.transactionHash}"]`) })
  await expect(row.getByRole('cell', { name: /^Failed$/ })).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
})

test('movements are the transfers of the receipts of the node', async () => {
  const heights = Array.from({ length: 60 }, (_, index) => newest - index)
  const receipts = await Promise.all(heights.map((height) => node.receipts(height)))
  const expected = new Map(
    receipts.flat().map(({ transactionHash, logs }) => [
      transactionHash,
      logs.filter(isErc20).map(({ address, topics, data }) => ({
        token: address.toLowerCase(),
        from: party(topics[1]),
        to: party(topics[2]),
        value: BigInt(data).toString(),
      })),
    ]),
  )
  const positions = receipts.flatMap((all, index) => all.map((_, place) => `${heights[index] ?? 0}-${place}`))
  expect([...expected.values()].flat().length).toBeGreaterThan(0)
  for (let start = 0; start < positions.length; start += maxMovedTransactions) {
    const part = positions.slice(start, start + maxMovedTransactions)
    const { transactions } = await ask(listTransactionMovements, {
      params: { chainId: c.id },
      query: { positions: part.join(',') } as never,
    })
    expect(transactions.map(({ blockNumber, blockIndex }) => `${blockNumber}-${blockIndex}`).sort()).toEqual(
      part.toSorted(),
    )
    for (const { txHash, erc20Transfers, isComplete } of transactions) {
      const known = erc20Transfers.map(({ erc20Token, from, to, value }) => ({
        token: erc20Token.address,
        from: from.address,
        to: to.address,
        value,
      }))
      const wanted = expected.get(txHash) ?? []
      expect(known, txHash).toEqual(isComplete ? wanted : wanted.slice(0, known.length))
      if (!isComplete) expect(known.length).toBeLessThanOrEqual(maxMovedTransfers)
      expected.delete(txHash)
    }
  }
  expect([...expected.keys()]).toEqual([])
})
