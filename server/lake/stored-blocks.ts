import { bloomOfReceipts } from '../indexer/evm/verify/bloom.ts'
import { toHex } from '../indexer/evm/verify/trie.ts'
import type { BlockTraces } from '../indexer/evm/traces.ts'
import { quantityText } from '../indexer/evm/fetch.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { StoredRow } from './stored-rows.ts'
import { lakeTables, type LakeColumnName, type LakeTable } from './tables.ts'

/**
 * Turns rows of a lake back into what a node answered, so that the indexer's own checks and its own decoder
 * run on them.
 */

type Fields<Table extends LakeTable> = Readonly<Record<LakeColumnName<Table>, string | null>>

/** A row by the names of its columns. */
function named<Table extends LakeTable>(table: Table, row: StoredRow): Fields<Table> {
  return Object.fromEntries(
    lakeTables[table].map(({ name }, index) => [name, row[index] ?? null]),
  ) as Fields<Table>
}

/** A decimal text as JSON-RPC's quantity; absent if it is null. */
const quantityOf = (value: string | null): string | undefined =>
  value === null ? undefined : `0x${BigInt(value).toString(16)}`

/** A field that may be absent. */
const field = (name: string, value: unknown): JsonObject =>
  value === undefined || value === null ? {} : { [name]: value }

/** The root of an empty list of withdrawals: a header that has it lists none, and so it is listed. */
const noWithdrawals = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'

type BlockParts = Readonly<Record<'transactions' | 'logs' | 'withdrawals', readonly StoredRow[]>> & {
  readonly block: StoredRow
}

/** The answers to `eth_getBlockByNumber` and `eth_getBlockReceipts` for a stored block. */
export function answerOf(chain: number, parts: BlockParts): { header: JsonObject; receipts: JsonObject[] } {
  const block = named('blocks', parts.block)
  const logs = logsByTransaction(parts.logs)
  const pairs = parts.transactions.map((row) => {
    const transaction = named('transactions', row)
    return transactionOf(chain, transaction, logs.get(transaction.index ?? '') ?? [], block.hash)
  })
  const receipts = pairs.map(({ receipt }) => receipt)
  const rest = JSON.parse(block.header ?? '{}') as JsonObject
  const withdrawals = parts.withdrawals.map(withdrawalOf)
  const isListed = withdrawals.length > 0 || rest['withdrawalsRoot'] === noWithdrawals
  return {
    header: {
      number: quantityOf(block.number),
      hash: block.hash,
      parentHash: block.parent_hash,
      timestamp: quantityOf(block.ts),
      miner: block.miner,
      gasLimit: quantityOf(block.gas_limit),
      gasUsed: quantityOf(block.gas_used),
      ...field('baseFeePerGas', quantityOf(block.base_fee)),
      ...field('blockGasCost', quantityOf(block.block_gas_cost)),
      ...field('difficulty', quantityOf(block.difficulty)),
      ...field('size', quantityOf(block.size)),
      stateRoot: block.state_root,
      transactionsRoot: block.transactions_root,
      receiptsRoot: block.receipts_root,
      logsBloom: toHex(bloomOfReceipts(receipts)),
      extraData: block.extra_data,
      ...field('nonce', block.nonce),
      ...field('blockExtraData', block.ext_data),
      ...rest,
      transactions: pairs.map(({ transaction }) => transaction),
      ...(isListed && { withdrawals }),
    },
    receipts,
  }
}

function logsByTransaction(rows: readonly StoredRow[]): Map<string, JsonObject[]> {
  const logs = new Map<string, JsonObject[]>()
  for (const row of rows) {
    const log = named('logs', row)
    const topics = [log.topic0, log.topic1, log.topic2, log.topic3].filter((topic) => topic !== null)
    const found = { logIndex: quantityOf(log.index), address: log.address, topics, data: log.data }
    const own = logs.get(log.tx_index ?? '')
    if (own) own.push(found)
    else logs.set(log.tx_index ?? '', [found])
  }
  return logs
}

function transactionOf(
  chain: number,
  row: Fields<'transactions'>,
  logs: readonly JsonObject[],
  blockHash: string | null,
): { transaction: JsonObject; receipt: JsonObject } {
  const { root, ...extra } = JSON.parse(row.extra ?? '{}') as JsonObject
  const isTyped = row.type !== '0'
  return {
    transaction: {
      hash: row.hash,
      blockHash,
      type: quantityOf(row.type),
      from: row.sender,
      to: row.recipient,
      value: quantityOf(row.value),
      nonce: quantityOf(row.nonce),
      gas: quantityOf(row.gas_limit),
      gasPrice: quantityOf(row.gas_price),
      ...field('maxFeePerGas', quantityOf(row.max_fee)),
      ...field('maxPriorityFeePerGas', quantityOf(row.max_priority_fee)),
      input: row.input,
      ...field(isTyped ? 'yParity' : 'v', quantityOf(row.v)),
      ...field('r', row.r),
      ...field('s', row.s),
      ...(isTyped && { chainId: quantityText(chain), accessList: [] }),
      ...extra,
    },
    receipt: {
      transactionHash: row.hash,
      blockHash,
      transactionIndex: quantityOf(row.index),
      type: quantityOf(row.type),
      ...(root === undefined ? { status: quantityOf(row.status) } : { root }),
      gasUsed: quantityOf(row.gas_used),
      cumulativeGasUsed: quantityOf(row.cumulative_gas_used),
      effectiveGasPrice: quantityOf(row.gas_price),
      contractAddress: row.created,
      ...field('blobGasUsed', quantityOf(row.blob_gas_used)),
      ...field('blobGasPrice', quantityOf(row.blob_gas_price)),
      logs,
      logsBloom: toHex(bloomOfReceipts([{ logs }])),
    },
  }
}

function withdrawalOf(row: StoredRow): JsonObject {
  const { index, validator, address, amount } = named('withdrawals', row)
  return {
    index: quantityOf(index),
    validatorIndex: quantityOf(validator),
    address,
    amount: quantityOf(amount),
  }
}

/** The traces of a stored block. */
export function tracesOf(
  rows: Readonly<Record<'transactions' | 'calls', readonly StoredRow[]>>,
): BlockTraces {
  const ownCalls = rows.transactions.flatMap((row) => {
    const { index, error, output, failing_call: call } = named('transactions', row)
    if (error === null && output === null) return []
    const failure = error === null ? undefined : { error, call: Number(call) }
    return [{ txIndex: Number(index), output: output ?? undefined, ...(failure && { failure }) }]
  })
  const calls = rows.calls.map((row) => {
    const call = named('calls', row)
    return {
      txIndex: Number(call.tx_index),
      ordinal: Number(call.ordinal),
      depth: Number(call.depth),
      type: call.type ?? '',
      reverted: call.reverted === 'true',
      sender: call.sender ?? '',
      recipient: call.recipient ?? undefined,
      value: BigInt(call.value ?? 0),
      gasLimit: BigInt(call.gas_limit ?? 0),
      gasUsed: BigInt(call.gas_used ?? 0),
      input: call.input ?? undefined,
      output: call.output ?? undefined,
      error: call.error ?? undefined,
    }
  })
  return { calls, ownCalls }
}
