import type { Address, Hex } from 'viem'
import { expect, vi } from 'vitest'
import { getNativeBalance } from '../../contract/tokens/balances.ts'
import { getBlock, listBlocks, listBlockTransactions } from '../../contract/evm/blocks.ts'
import { getTransaction, listTransactions } from '../../contract/evm/transactions.ts'
import type { ContractReader } from '../stack/contract-reader.ts'
import { compareMetrics } from './evm-metrics.ts'
import {
  readEvmChain,
  type CallFrame,
  type ChainOfNode,
  type MinedBlock,
  type MinedTransaction,
  type NodeReceipt,
} from './evm-node.ts'
import { transfersOf, type TokenMovement } from './evm-transfers.ts'
import { ask } from '../stack/node.ts'

/**
 * Fields of answers that no node has: names from ABIs, tokens and the configuration, and finality. All other fields
 * are compared, including new ones.
 */
const notOfNodes: ReadonlySet<string> = new Set([
  'decodedInput',
  'event',
  'isFinalized',
  'metadata',
  'methodName',
  'name',
  'symbol',
  'decimals',
  'logoUri',
  'networkTokenDetails',
  'tokenUri',
])

/** A record without the fields that no node has. */
function ofNode(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ofNode)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !notOfNodes.has(name))
  return Object.fromEntries(kept.map(([name, each]) => [name, ofNode(each)]))
}

const text = (quantity: Hex | undefined): string => String(BigInt(quantity ?? 0))
const sum = (values: readonly bigint[]): string => String(values.reduce((total, each) => total + each, 0n))
const feeOf = ({ receipt }: MinedTransaction): bigint =>
  BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)

/** A row of the list of blocks. */
function blockRow(chain: ChainOfNode, { block, mined }: MinedBlock): Record<string, unknown> {
  const number = Number(block.number)
  return {
    chainId: chain.id,
    blockNumber: String(number),
    blockTimestamp: Number(block.timestamp),
    blockHash: block.hash,
    parentHash: block.parentHash,
    txCount: mined.length,
    baseFee: text(block.baseFeePerGas),
    // The header of a block that settles another one has the most gas that its own transactions may use.
    gasUsed:
      block.settledHeight === undefined
        ? text(block.gasUsed)
        : sum(mined.map(({ receipt }) => BigInt(receipt.gasUsed))),
    gasLimit: text(block.gasLimit),
    gasCost: text(block.blockGasCost),
    feesSpent: sum(mined.map(feeOf)),
    cumulativeTransactions: String(
      chain.blocks.slice(0, number + 1).reduce((total, each) => total + each.mined.length, 0),
    ),
    miner: block.miner,
    logCount: mined.reduce((total, { receipt }) => total + receipt.logs.length, 0),
    blockSizeBytes: Number(block.size),
  }
}

/** One block by number or hash. */
function blockDetails(chain: ChainOfNode, found: MinedBlock): Record<string, unknown> {
  const { block } = found
  const number = Number(block.number)
  const settler = chain.blocks
    .slice(number + 1)
    .find((each) => Number(each.block.settledHeight ?? -1) >= number)
  const settles = block.settledHeight !== undefined
  return {
    ...blockRow(chain, found),
    stateRoot: block.stateRoot,
    transactionsRoot: block.transactionsRoot,
    receiptsRoot: block.receiptsRoot,
    extraData: block.extraData,
    nonce: block.nonce,
    difficulty: text(block.difficulty),
    ...(settles && { settledHeight: text(block.settledHeight) }),
    ...(settles && settler !== undefined && { settledBy: text(settler.block.number) }),
    withdrawals: (block.withdrawals ?? []).map(({ index, validatorIndex, address, amount }) => ({
      index: text(index),
      validatorIndex: text(validatorIndex),
      address,
      amount: text(amount),
    })),
    ...(number + 1 < chain.blocks.length && { nextBlockNumber: String(number + 1) }),
  }
}

/** What a transaction paid for its blobs (EIP-4844), which the fees of its block do not include. */
const blobFeeOf = ({ receipt }: MinedTransaction): bigint =>
  BigInt(receipt.blobGasUsed ?? 0) * BigInt(receipt.blobGasPrice ?? 0)

/** A row of a list of transactions. */
function transactionRow(
  chain: ChainOfNode,
  block: MinedBlock,
  mined: MinedTransaction,
): Record<string, unknown> {
  const { transaction, receipt } = mined
  const { to, input } = transaction
  const called = input === '0x' ? 'NATIVE_TRANSFER' : 'CONTRACT_CALL'
  return {
    blockNumber: text(block.block.number),
    blockTimestamp: Number(block.block.timestamp),
    blockHash: block.block.hash,
    chainId: chain.id,
    blockIndex: block.mined.indexOf(mined),
    txHash: transaction.hash,
    txStatus: text(receipt.status),
    txType: Number(transaction.type),
    gasLimit: text(transaction.gas),
    gasUsed: text(receipt.gasUsed),
    gasPrice: text(receipt.effectiveGasPrice),
    ...(receipt.blobGasUsed !== undefined && {
      blobGasUsed: text(receipt.blobGasUsed),
      blobGasPrice: text(receipt.blobGasPrice),
    }),
    nonce: text(transaction.nonce),
    from: { address: transaction.from },
    to: { address: to ?? receipt.contractAddress ?? '' },
    method: { callType: to === null ? 'CONTRACT_CREATION' : called, methodHash: input.slice(0, 10) },
    value: text(transaction.value),
  }
}

/** One transaction with its logs, transfers and calls. */
function transactionDetails(
  chain: ChainOfNode,
  block: MinedBlock,
  mined: MinedTransaction,
): Record<string, unknown> {
  const { transaction, receipt, trace } = mined
  const settled = Number(chain.blocks.at(-1)?.block.settledHeight ?? -1)
  return {
    nativeTransaction: {
      ...transactionRow(chain, block, mined),
      input: transaction.input,
      baseFeePerGas: text(block.block.baseFeePerGas),
      ...(transaction.maxFeePerGas !== undefined && { maxFeePerGas: text(transaction.maxFeePerGas) }),
      ...(transaction.maxPriorityFeePerGas !== undefined && {
        maxPriorityFeePerGas: text(transaction.maxPriorityFeePerGas),
      }),
      cumulativeGasUsed: text(receipt.cumulativeGasUsed),
      // Hardhat has no contract address for a failed creation.
      ...(transaction.to === null &&
        receipt.contractAddress !== null && { contractAddress: receipt.contractAddress }),
      txFee: String(feeOf(mined) + blobFeeOf(mined)),
      ...(block.block.settledHeight !== undefined && {
        isSettled: Number(block.block.number) <= settled,
      }),
      blockTxCount: block.mined.length,
    },
    erc20Transfers: transfersOfStandard(receipt.logs, 'ERC-20'),
    erc721Transfers: transfersOfStandard(receipt.logs, 'ERC-721'),
    erc1155Transfers: transfersOfStandard(receipt.logs, 'ERC-1155'),
    ...(chain.isTraced && { internalTransactions: innerCalls(trace, false, 1) }),
    logs: receipt.logs.map(({ logIndex, address, topics, data }) => ({
      logIndex: Number(logIndex),
      address,
      contract: { address },
      topics,
      data,
    })),
  }
}

/** The transfers of one standard, in order of the logs. */
function transfersOfStandard(logs: NodeReceipt['logs'], standard: TokenMovement['standard']): unknown[] {
  const name = { 'ERC-20': 'erc20Token', 'ERC-721': 'erc721Token', 'ERC-1155': 'erc1155Token' }[standard]
  return logs.flatMap((log) =>
    transfersOf(log)
      .filter((each) => each.standard === standard)
      .map(({ from, to, value, tokenId }) => ({
        from: { address: from },
        to: { address: to },
        logIndex: Number(log.logIndex),
        ...(standard !== 'ERC-721' && { value: String(value) }),
        [name]: {
          address: log.address,
          ercType: standard,
          ...(tokenId !== undefined && { tokenId: String(tokenId) }),
        },
      })),
  )
}

/** The calls below a frame in execution order, with their depths. */
function innerCalls(frame: CallFrame, isReverted: boolean, depth: number): unknown[] {
  const undone = isReverted || frame.error !== undefined
  return (frame.calls ?? []).flatMap((call) => [
    {
      from: { address: call.from },
      to: { address: call.to ?? '' },
      internalTxType: call.type,
      value: text(call.value),
      isReverted: undone || call.error !== undefined,
      gasUsed: text(call.gasUsed),
      gasLimit: text(call.gas),
      depth,
      // The input of a creation is code.
      ...(!call.type.startsWith('CREATE') &&
        call.input.length >= 10 && { methodHash: call.input.slice(0, 10) }),
      ...(call.error !== undefined && { error: call.revertReason ?? call.error }),
    },
    ...innerCalls(call, undone, depth + 1),
  ])
}

/** The extent of a comparison, so that a test can check that it was not trivial. */
type EvmComparison = {
  readonly blocks: number
  readonly transactions: number
  readonly logs: number
  readonly calls: number
  /** The height of the first block that another one settles; undefined without any. */
  readonly settledFrom: number | undefined
}

/**
 * Compares an EVM chain of a service with its node in every field: all blocks by list, number and hash, all
 * transactions with receipts, logs, token transfers and internal calls, all metrics, and the balances of `accounts`.
 * Without `isTraced`, internal calls and the metrics derived from them are left out. No transactions may be sent
 * meanwhile. Waits until the service has the node's head.
 */
export async function compareEvmChain(
  nodeUrl: string,
  service: ContractReader,
  accounts: readonly Address[],
  isTraced = true,
): Promise<EvmComparison> {
  const chain = await readEvmChain(nodeUrl, isTraced)
  const chainId = chain.id
  const blocks = await vi.waitFor(async () => {
    const found = await service.all(listBlocks, 'blocks', { chainId }, { sortOrder: 'asc' })
    expect(found.length, 'blocks').toBe(chain.blocks.length)
    return found
  }, 30_000)
  expect(blocks.map(ofNode)).toEqual(chain.blocks.map((each) => blockRow(chain, each)))
  const rows = await service.all(listTransactions, 'transactions', { chainId }, { sortOrder: 'asc' })
  expect(rows.map(ofNode)).toEqual(
    chain.blocks.flatMap((block) => block.mined.map((mined) => transactionRow(chain, block, mined))),
  )
  for (const block of chain.blocks) {
    const { number, hash } = block.block
    for (const blockId of [text(number), hash])
      expect(ofNode(await service.get(getBlock, { chainId, blockId }))).toEqual(blockDetails(chain, block))
    const own = await service.all(listBlockTransactions, 'transactions', { chainId, blockId: text(number) })
    expect(own.map(ofNode)).toEqual(block.mined.map((mined) => transactionRow(chain, block, mined)))
    for (const mined of block.mined) {
      const txHash = mined.transaction.hash
      const details = ofNode(await service.get(getTransaction, { chainId, txHash })) as Record<
        string,
        unknown
      >
      // A block that cannot have internal calls needs no trace.
      if (!chain.isTraced) delete details['internalTransactions']
      expect(details).toEqual(transactionDetails(chain, block, mined))
    }
  }
  await compareMetrics(chain, service)
  for (const address of accounts) {
    const { nativeTokenBalance } = await service.get(getNativeBalance, { chainId, address })
    const theirs = await ask<Hex>(nodeUrl, 'eth_getBalance', [address, 'latest'])
    expect(nativeTokenBalance.balance).toBe(text(theirs))
  }
  const all = chain.blocks.flatMap(({ mined }) => mined)
  const settledFrom = chain.blocks.findIndex(({ block }) => block.settledHeight !== undefined)
  return {
    blocks: blocks.length,
    transactions: all.length,
    logs: all.reduce((total, { receipt }) => total + receipt.logs.length, 0),
    calls: all.reduce((total, { trace }) => total + innerCalls(trace, false, 1).length, 0),
    settledFrom: settledFrom < 0 ? undefined : settledFrom,
  }
}
