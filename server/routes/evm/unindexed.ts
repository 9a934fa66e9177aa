import { z } from 'zod'
import type { EvmBlockDetails } from '../../../contract/evm/blocks.ts'
import { withoutNulls } from '../../kernel/without-nulls.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { askFor } from '../../node/ask-for.ts'
import type { NodeClient } from '../../node/client.ts'
import { NodeRefusal, NodeUnavailable } from '../../node/failures.ts'
import { hexBytes, hexQuantity } from '../../node/hex-fields.ts'
import { latestBlock } from '../../node/state.ts'
import type { StoredTransaction } from '../../store/evm/read-transaction.ts'
import type { ListedTransaction } from '../../store/evm/read-transactions.ts'

// Blocks and transactions that are not indexed (not yet, or below the first indexed block), as the chain's node has them.
// What only an index knows is left out: inner calls, and what depends on earlier blocks.

const nodeHeader = z.object({
  number: hexQuantity,
  hash: hexBytes(32),
  parentHash: hexBytes(32),
  timestamp: hexQuantity,
  gasUsed: hexQuantity,
  gasLimit: hexQuantity,
  miner: hexBytes(20),
  baseFeePerGas: hexQuantity.optional(),
  blockGasCost: hexQuantity.optional(),
  size: hexQuantity.optional(),
  stateRoot: hexBytes(32),
  transactionsRoot: hexBytes(32),
  receiptsRoot: hexBytes(32),
  extraData: hexBytes(),
  nonce: hexBytes(8).optional(),
  difficulty: hexQuantity.optional(),
  transactions: z.array(hexBytes(32)),
  withdrawals: z
    .array(
      z.object({
        index: hexQuantity,
        validatorIndex: hexQuantity,
        address: hexBytes(20),
        amount: hexQuantity,
      }),
    )
    .optional(),
})
type NodeHeader = z.infer<typeof nodeHeader>

const nodeTransaction = z.object({
  hash: hexBytes(32),
  blockHash: hexBytes(32),
  blockNumber: hexQuantity,
  transactionIndex: hexQuantity,
  type: hexQuantity.optional(),
  from: hexBytes(20),
  to: hexBytes(20).nullish(),
  value: hexQuantity,
  nonce: hexQuantity,
  gas: hexQuantity,
  gasPrice: hexQuantity.nullish(),
  maxFeePerGas: hexQuantity.nullish(),
  maxPriorityFeePerGas: hexQuantity.nullish(),
  input: hexBytes(),
})
type NodeTransaction = z.infer<typeof nodeTransaction>

const nodeBlock = nodeHeader.extend({ transactions: z.array(nodeTransaction) })
type NodeBlock = z.infer<typeof nodeBlock>

const nodeReceipt = z.object({
  transactionHash: hexBytes(32),
  status: hexQuantity.optional(),
  gasUsed: hexQuantity,
  cumulativeGasUsed: hexQuantity,
  effectiveGasPrice: hexQuantity.optional(),
  contractAddress: hexBytes(20).nullish(),
  blobGasUsed: hexQuantity.nullish(),
  blobGasPrice: hexQuantity.nullish(),
  logs: z.array(
    z.object({
      address: hexBytes(20),
      topics: z.array(hexBytes(32)).max(4),
      data: hexBytes(),
      logIndex: hexQuantity,
    }),
  ),
})
type NodeReceipt = z.infer<typeof nodeReceipt>

/** The type of transactions with blobs; some nodes write blob gas of 0 into the receipts of all. */
const blobType = 3n

const heightText = (height: bigint): string => `0x${height.toString(16)}`

/** What is asked of a block: the hashes of its transactions, or all of them. */
type Form<Block> = { readonly schema: z.ZodType<Block>; readonly isWhole: boolean }
const header: Form<NodeHeader> = { schema: nodeHeader, isWhole: false }
const whole: Form<NodeBlock> = { schema: nodeBlock, isWhole: true }

/** A block of the node's canonical chain by its height or hash; undefined if it has none. */
async function blockOf<Block extends { readonly number: bigint; readonly hash: string }>(
  client: NodeClient,
  { schema, isWhole }: Form<Block>,
  blockId: string,
): Promise<Block | undefined> {
  if (!blockId.startsWith('0x'))
    return askFor(client, schema, 'eth_getBlockByNumber', [heightText(BigInt(blockId)), isWhole])
  const found = await askFor(client, schema, 'eth_getBlockByHash', [blockId.toLowerCase(), isWhole])
  if (!found) return undefined
  // Nodes know blocks of abandoned branches by their hash, too.
  const named = z.object({ hash: hexBytes(32) })
  const place = [heightText(found.number), false]
  return (await askFor(client, named, 'eth_getBlockByNumber', place))?.hash === found.hash ? found : undefined
}

/**
 * What a height or a hash names that is not indexed, for a search: a block or a transaction of the node's chain, and its
 * height. Undefined if the node has neither. Throws NodeUnavailable.
 */
export async function unindexedNamed(
  client: NodeClient,
  id: string,
): Promise<{ kind: 'block' | 'transaction'; number: bigint } | undefined> {
  if (id.startsWith('0x')) {
    const placed = z.object({ blockNumber: hexQuantity })
    const receipt = await askFor(client, placed, 'eth_getTransactionReceipt', [id])
    if (receipt) return { kind: 'transaction', number: receipt.blockNumber }
  }
  const block = await blockOf(client, header, id)
  return block && { kind: 'block', number: block.number }
}

/** A transaction and what came of it. */
type Executed = { readonly transaction: NodeTransaction; readonly receipt: NodeReceipt }

/** The transactions of a block with their receipts, which are asked for one by one if the node has no method for all. */
async function executedIn(client: NodeClient, { number, transactions }: NodeBlock): Promise<Executed[]> {
  let all: NodeReceipt[] | undefined
  try {
    all = await askFor(client, z.array(nodeReceipt), 'eth_getBlockReceipts', [heightText(number)])
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error
  }
  const byHash = new Map(all?.map((receipt) => [receipt.transactionHash, receipt]))
  return Promise.all(
    transactions.map(async (transaction) => {
      const { hash } = transaction
      return { transaction, receipt: byHash.get(hash) ?? (await receiptOf(client, hash)) }
    }),
  )
}

async function receiptOf(client: NodeClient, hash: string): Promise<NodeReceipt> {
  const receipt = await askFor(client, nodeReceipt, 'eth_getTransactionReceipt', [hash])
  if (receipt) return receipt
  throw new NodeUnavailable(client.chainName, 'malformed', `there is no receipt for ${hash}`)
}

const priceOf = ({ transaction, receipt }: Executed): bigint =>
  receipt.effectiveGasPrice ?? transaction.gasPrice ?? 0n

/** Whether a block is final; undefined if the node does not tell. */
async function isFinal(client: NodeClient, height: bigint): Promise<boolean | undefined> {
  const schema = z.object({ number: hexQuantity })
  try {
    const finalized = await askFor(client, schema, 'eth_getBlockByNumber', ['finalized', false])
    return finalized && height <= finalized.number
  } catch (error) {
    if (error instanceof NodeRefusal) return undefined
    throw error
  }
}

/**
 * A block that is not indexed, from the chain's node; undefined if that has no such block in its chain. Throws
 * NodeUnavailable.
 */
export async function unindexedBlock(
  client: NodeClient,
  chain: Chain,
  blockId: string,
): Promise<EvmBlockDetails | undefined> {
  const block = await blockOf(client, whole, blockId)
  if (!block) return undefined
  const { number, transactions, size, nonce, withdrawals = [] } = block
  const [executed, head, isFinalized] = await Promise.all([
    executedIn(client, block),
    latestBlock(client),
    isFinal(client, number),
  ])
  const fees = executed.reduce((sum, each) => sum + each.receipt.gasUsed * priceOf(each), 0n)
  return {
    chainId: chain.id,
    blockNumber: number.toString(),
    blockTimestamp: Number(block.timestamp),
    blockHash: block.hash,
    parentHash: block.parentHash,
    txCount: transactions.length,
    baseFee: (block.baseFeePerGas ?? 0n).toString(),
    gasUsed: block.gasUsed.toString(),
    gasLimit: block.gasLimit.toString(),
    gasCost: (block.blockGasCost ?? 0n).toString(),
    feesSpent: fees.toString(),
    miner: block.miner,
    logCount: executed.reduce((sum, { receipt }) => sum + receipt.logs.length, 0),
    ...(size !== undefined && { blockSizeBytes: Number(size) }),
    stateRoot: block.stateRoot,
    transactionsRoot: block.transactionsRoot,
    receiptsRoot: block.receiptsRoot,
    extraData: block.extraData,
    ...(nonce !== undefined && { nonce }),
    difficulty: (block.difficulty ?? 0n).toString(),
    ...(isFinalized !== undefined && { isFinalized }),
    withdrawals: withdrawals.map(({ index, validatorIndex, address, amount }) => ({
      index: index.toString(),
      validatorIndex: validatorIndex.toString(),
      address,
      amount: amount.toString(),
    })),
    ...(head > number && { nextBlockNumber: (number + 1n).toString() }),
    isIndexed: false,
  }
}

const textOf = (amount: bigint | null | undefined): string | null => amount?.toString() ?? null

/** What lists show of a transaction, apart from its parties and its method. */
const shownOf = (chain: Chain, { timestamp }: { readonly timestamp: bigint }, each: Executed) => ({
  blockNumber: each.transaction.blockNumber.toString(),
  blockTimestamp: Number(timestamp),
  blockHash: each.transaction.blockHash,
  chainId: chain.id,
  blockIndex: Number(each.transaction.transactionIndex),
  txHash: each.transaction.hash,
  txStatus: each.receipt.status === undefined || each.receipt.status === 1n ? '1' : '0',
  txType: Number(each.transaction.type ?? 0n),
  gasLimit: each.transaction.gas.toString(),
  gasUsed: each.receipt.gasUsed.toString(),
  gasPrice: priceOf(each).toString(),
  nonce: each.transaction.nonce.toString(),
  value: each.transaction.value.toString(),
})

/** The gas for blobs; null of a transaction without. */
function blobGasOf({ transaction, receipt }: Executed) {
  const { blobGasUsed, blobGasPrice } = transaction.type === blobType ? receipt : {}
  return { blobGasUsed: textOf(blobGasUsed), blobGasPrice: textOf(blobGasPrice) }
}

/** The recipient of a transaction, or what it created, and what its method is known by. */
const calledBy = ({ transaction: { to, input }, receipt }: Executed) => ({
  to: to ?? receipt.contractAddress ?? '',
  callType: to == null ? 'CONTRACT_CREATION' : input === '0x' ? 'NATIVE_TRANSFER' : 'CONTRACT_CALL',
  selector: input.slice(0, 10),
  inputSize: (input.length - 2) / 2,
})

function stored(
  chain: Chain,
  block: NodeHeader,
  each: Executed,
  isFinalized: boolean | undefined,
): StoredTransaction {
  const { transaction, receipt } = each
  const blobGas = blobGasOf(each)
  const blobFee = BigInt(blobGas.blobGasUsed ?? 0) * BigInt(blobGas.blobGasPrice ?? 0)
  return {
    ...shownOf(chain, block, each),
    ...blobGas,
    sender: transaction.from,
    ...calledBy(each),
    input: transaction.input,
    baseFeePerGas: (block.baseFeePerGas ?? 0n).toString(),
    maxFeePerGas: textOf(transaction.maxFeePerGas),
    maxPriorityFeePerGas: textOf(transaction.maxPriorityFeePerGas),
    cumulativeGasUsed: receipt.cumulativeGasUsed.toString(),
    contractAddress: (transaction.to == null && receipt.contractAddress) || null,
    txFee: (receipt.gasUsed * priceOf(each) + blobFee).toString(),
    isFinalized: isFinalized ?? null,
    isSettled: null,
    blockTxCount: block.transactions.length,
    untraced: true,
    error: null,
    output: null,
    failingCall: null,
    tracesFrom: null,
    logsFrom: null,
    logs: receipt.logs.map(({ address, topics, data, logIndex }) => ({
      index: Number(logIndex),
      address,
      topics,
      data,
    })),
    calls: [],
  }
}

/**
 * A transaction that is not indexed, from the chain's node, in the form of a stored one whose block could not be traced;
 * undefined if the node has none in a block. Throws NodeUnavailable.
 */
export async function unindexedTransaction(
  client: NodeClient,
  chain: Chain,
  hash: string,
): Promise<StoredTransaction | undefined> {
  const [found, receipt] = await Promise.all([
    // One that is pending has no block, and is none.
    client.call('eth_getTransactionByHash', [hash.toLowerCase()]),
    askFor(client, nodeReceipt, 'eth_getTransactionReceipt', [hash.toLowerCase()]),
  ])
  if (!receipt || found === null || found === undefined) return undefined
  const { data: transaction, error } = nodeTransaction.safeParse(found)
  if (!transaction)
    throw new NodeUnavailable(client.chainName, 'malformed', `a transaction: ${z.prettifyError(error)}`)
  const [block, isFinalized] = await Promise.all([
    blockOf(client, header, transaction.blockHash),
    isFinal(client, transaction.blockNumber),
  ])
  return block && stored(chain, block, { transaction, receipt }, isFinalized)
}

/** A transaction of a list, as a row of the store has it. */
function listed(
  chain: Chain,
  block: { readonly number: bigint; readonly timestamp: bigint },
  each: Executed,
): ListedTransaction {
  const shown = shownOf(chain, block, each)
  const from = { address: each.transaction.from }
  const json = JSON.stringify({ ...shown, ...withoutNulls(blobGasOf(each)), from })
  return { number: block.number, index: shown.blockIndex, ...calledBy(each), json }
}

/** The transactions of a block that is not indexed, with its place; undefined if the node has no such block. */
export async function unindexedTransactions(
  client: NodeClient,
  chain: Chain,
  blockId: string,
): Promise<{ number: bigint; hash: string; rows: ListedTransaction[] } | undefined> {
  const block = await blockOf(client, whole, blockId)
  if (!block) return undefined
  const rows = (await executedIn(client, block)).map((each) => listed(chain, block, each))
  return { number: block.number, hash: block.hash, rows }
}
