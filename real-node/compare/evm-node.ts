import type { Address, Hex } from 'viem'
import { ask } from '../stack/node.ts'

/** A transaction as `eth_getBlockByNumber` has it. */
type NodeTransaction = {
  readonly hash: Hex
  readonly type: Hex
  readonly from: Address
  readonly to: Address | null
  readonly nonce: Hex
  readonly gas: Hex
  readonly input: Hex
  readonly value: Hex
  readonly maxFeePerGas?: Hex
  readonly maxPriorityFeePerGas?: Hex
}

/** A block with whole transactions. Only Avalanche chains have the last two fields, and they have no withdrawals. */
type NodeBlock = {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly gasLimit: Hex
  readonly gasUsed: Hex
  readonly baseFeePerGas?: Hex
  readonly miner: Address
  readonly size: Hex
  readonly stateRoot: Hex
  readonly transactionsRoot: Hex
  readonly receiptsRoot: Hex
  readonly extraData: Hex
  readonly nonce: Hex
  readonly difficulty: Hex
  readonly transactions: readonly NodeTransaction[]
  readonly withdrawals?: readonly {
    readonly index: Hex
    readonly validatorIndex: Hex
    readonly address: Address
    readonly amount: Hex
  }[]
  readonly blockGasCost?: Hex
  readonly settledHeight?: Hex
}

/** A receipt as `eth_getTransactionReceipt` has it. */
export type NodeReceipt = {
  readonly transactionHash: Hex
  readonly status: Hex
  readonly gasUsed: Hex
  readonly cumulativeGasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly blobGasUsed?: Hex
  readonly blobGasPrice?: Hex
  readonly contractAddress: Address | null
  readonly logs: readonly {
    readonly logIndex: Hex
    readonly address: Address
    readonly data: Hex
    readonly topics: readonly Hex[]
  }[]
}

/** A frame of `debug_traceTransaction` with the callTracer. */
export type CallFrame = {
  readonly type: string
  readonly from: Address
  readonly to?: Address
  readonly value?: Hex
  readonly gas: Hex
  readonly gasUsed: Hex
  readonly input: Hex
  readonly error?: string
  readonly revertReason?: string
  readonly calls?: readonly CallFrame[]
}

/** A transaction with its receipt and trace. */
export type MinedTransaction = {
  readonly transaction: NodeTransaction
  readonly receipt: NodeReceipt
  readonly trace: CallFrame
}

/** A block with its transactions in order. */
export type MinedBlock = {
  readonly block: NodeBlock
  readonly mined: readonly MinedTransaction[]
}

/** A whole chain as read from its node, from the first block on. */
export type ChainOfNode = {
  /** In decimal digits. */
  readonly id: string
  readonly blocks: readonly MinedBlock[]
  /** Whether the node can trace; otherwise the traces are empty. */
  readonly isTraced: boolean
}

const noTrace: CallFrame = { type: 'CALL', from: '0x', gas: '0x0', gasUsed: '0x0', input: '0x' }

/**
 * Reads a whole chain with one plain call for each item, without an indexer's optimizations. Traces are requested if
 * `isTraced`.
 */
export async function readEvmChain(url: string, isTraced: boolean): Promise<ChainOfNode> {
  const rpc = <T>(method: string, ...params: unknown[]): Promise<T> => ask<T>(url, method, params)
  const head = Number(await rpc<Hex>('eth_blockNumber'))
  const blocks: MinedBlock[] = []
  for (let number = 0; number <= head; number += 1) {
    const block = await rpc<NodeBlock>('eth_getBlockByNumber', `0x${number.toString(16)}`, true)
    const mined: MinedTransaction[] = []
    for (const transaction of block.transactions) {
      const { hash } = transaction
      mined.push({
        transaction,
        receipt: await rpc<NodeReceipt>('eth_getTransactionReceipt', hash),
        trace: isTraced
          ? await rpc<CallFrame>('debug_traceTransaction', hash, { tracer: 'callTracer' })
          : noTrace,
      })
    }
    blocks.push({ block, mined })
  }
  return { id: String(Number(await rpc<Hex>('eth_chainId'))), blocks, isTraced }
}
