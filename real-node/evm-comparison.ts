import type { Hex } from 'viem'
import { expect, vi } from 'vitest'
import { getNativeBalance } from '../contract/evm-balances.ts'
import { listBlocks } from '../contract/evm-blocks.ts'
import { getTransaction, listTransactions } from '../contract/evm-transactions.ts'
import { ask } from './node.ts'
import type { Service } from './service.ts'

interface NodeBlock {
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly gasLimit: Hex
  readonly baseFeePerGas?: Hex
  readonly transactions: readonly { readonly hash: Hex; readonly input: Hex; readonly value: Hex }[]
}

interface NodeReceipt {
  readonly transactionHash: Hex
  readonly status: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly logs: readonly { readonly address: Hex; readonly data: Hex; readonly topics: readonly Hex[] }[]
}

/**
 * Holds every block of an EVM chain and every transaction against the node, and the balances of accounts.
 * Resolves with the height at which the first block was that another one settles, undefined where none is.
 */
export async function compareEvm(
  url: string,
  service: Service,
  chainId: string,
  accounts: readonly string[],
): Promise<number | undefined> {
  const head = Number(await ask<Hex>(url, 'eth_blockNumber', []))
  const blocks = await vi.waitFor(async () => {
    const found = await service.all(listBlocks, 'blocks', { chainId }, { sortOrder: 'asc' })
    expect(found.length).toBe(head + 1)
    return found
  }, 30_000)
  const rows = await service.all(listTransactions, 'transactions', { chainId })
  const byHash = new Map(rows.map((row) => [row.txHash, row]))
  const text = (quantity: Hex | undefined): string => String(BigInt(quantity ?? 0))
  let count = 0
  let settledFrom: number | undefined
  for (const [number, ours] of blocks.entries()) {
    const tag = `0x${number.toString(16)}`
    const theirs = await ask<NodeBlock & { settledHeight?: Hex }>(url, 'eth_getBlockByNumber', [tag, true])
    const receipts = number === 0 ? [] : await ask<NodeReceipt[]>(url, 'eth_getBlockReceipts', [tag])
    if (theirs.settledHeight !== undefined) settledFrom ??= number
    const used = (each: NodeReceipt): bigint => BigInt(each.gasUsed)
    expect(ours).toMatchObject({
      blockNumber: String(number),
      blockHash: theirs.hash,
      parentHash: theirs.parentHash,
      blockTimestamp: Number(theirs.timestamp),
      gasLimit: text(theirs.gasLimit),
      baseFee: text(theirs.baseFeePerGas),
      txCount: theirs.transactions.length,
      logCount: receipts.reduce((total, { logs }) => total + logs.length, 0),
      // Since Helicon a header has no gas of its own transactions: what they used is in their receipts.
      gasUsed: String(receipts.reduce((total, each) => total + used(each), 0n)),
      feesSpent: String(
        receipts.reduce((total, each) => total + used(each) * BigInt(each.effectiveGasPrice), 0n),
      ),
    })
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(
      theirs.transactions.map(({ hash }) => hash),
    )
    for (const [index, receipt] of receipts.entries()) {
      const hash = receipt.transactionHash
      const transaction = theirs.transactions[index]
      expect(byHash.get(hash)).toMatchObject({
        blockHash: theirs.hash,
        blockIndex: index,
        txStatus: String(Number(receipt.status)),
        gasUsed: text(receipt.gasUsed),
        gasPrice: text(receipt.effectiveGasPrice),
        value: text(transaction?.value),
      })
      const details = await service.get(getTransaction, { chainId, txHash: hash })
      expect(details.nativeTransaction.input).toBe(transaction?.input)
      expect(
        (details.logs ?? []).map(({ address, data, topics }) => ({
          address: address.toLowerCase(),
          data,
          topics,
        })),
      ).toEqual(receipt.logs.map(({ address, data, topics }) => ({ address, data, topics })))
      count += 1
    }
  }
  expect(rows.length).toBe(count)
  for (const address of accounts) {
    const { nativeTokenBalance } = await service.get(getNativeBalance, { chainId, address })
    const theirs = await ask<Hex>(url, 'eth_getBalance', [address, 'latest'])
    expect(nativeTokenBalance.balance).toBe(text(theirs))
  }
  return settledFrom
}
