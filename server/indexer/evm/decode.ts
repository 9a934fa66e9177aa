import { BinaryRows } from '../../store/copy-binary.ts'
import { copyBytes } from '../../store/copy-text.ts'
import { storedColumns, type Table } from '../../store/columns.ts'
import { evmTables } from '../../store/evm/columns.ts'
import {
  hex,
  integer,
  list,
  object,
  optionalHex,
  optionalQuantity,
  quantity,
  refuse,
  type JsonObject,
} from '../../kernel/json.ts'
import { keccak256 } from '../../kernel/keccak.ts'
import { encodeRlp } from './verify/rlp.ts'
import type { Settlement } from './verify/settlement.ts'
import type { NodeName } from './verify/transactions.ts'
import { InnerRows } from './inner-rows.ts'
import { messageLine, messageOfLog } from './messages.ts'
import { ownCallsOf, type BlockTraces, type OwnCall } from './traces.ts'
import { toHex } from './verify/trie.ts'
import { readParties } from './tokens/transfer-rows.ts'
import { authorizationLines, delegatingType, signedAuthorizations } from './authorizations.ts'
import { blobType, envelopeLine, envelopeOf } from './envelope.ts'
import { withdrawalsOf, type CheckedBlock } from './verify/verify-block.ts'

/** The header fields of a block row. Hex values are 0x text. */
type BlockHeader = {
  readonly miner: string
  readonly gasLimit: bigint
  readonly baseFee: bigint | undefined
  readonly blockGasCost: bigint | undefined
  readonly difficulty: bigint
  readonly size: number | undefined
  readonly stateRoot: string
  readonly transactionsRoot: string
  readonly receiptsRoot: string
  readonly extraData: string
  readonly nonce: string | undefined
  /** The atomic transactions of a C-Chain block. */
  readonly extData: string | undefined
}

export const childTables = [
  'transactions',
  'logs',
  'calls',
  'contracts',
  'withdrawals',
  'cross_chain_messages',
  'authorizations',
  'envelopes',
] as const
type ChildTable = (typeof childTables)[number]

/** The COPY format of each child table. The large tables use binary because it is cheaper. */
export const copyFormats = {
  transactions: 'binary',
  logs: 'binary',
  calls: 'text',
  contracts: 'text',
  withdrawals: 'text',
  cross_chain_messages: 'text',
  authorizations: 'text',
  envelopes: 'text',
} as const satisfies Record<ChildTable, 'binary' | 'text'>

/** Rows of the child tables for COPY, with the columns of `copyColumns`. */
export type ChildRows = Readonly<Record<ChildTable, Buffer>>

/**
 * A block ready to be applied: the rows that do not depend on earlier blocks, and the values that the metrics
 * need. Amounts are in the smallest unit, times in Unix seconds.
 */
export type DecodedBlock = {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly ts: number
  /**
   * The gas that the transactions used. If a block was accepted before it was executed, its header only
   * contains the maximum they could use, so this is the sum over the receipts.
   */
  readonly gasUsed: number
  /** What the block settles; undefined for chains without asynchronous execution. */
  readonly settlement: Settlement | undefined
  readonly header: BlockHeader
  readonly txCount: number
  readonly logCount: number
  /** Sum of gas used times effective gas price. */
  readonly fees: bigint
  /** Sum of the effective gas prices. */
  readonly gasPrices: bigint
  readonly maxGasPrice: bigint | undefined
  /** Sum of gas used times what the effective gas price exceeds the header's base fee by. */
  readonly priorityFees: bigint
  readonly failedCount: number
  /**
   * Distinct addresses that sent or received, by transaction or by transfer log, without the zero address.
   */
  readonly parties: ReadonlySet<string>
  readonly senders: ReadonlySet<string>
  readonly deployers: ReadonlySet<string>
  readonly contractCount: number
  /** Addresses whose lists, and token contracts whose transfers, the block is in; without the zero address. */
  readonly addresses: ReadonlySet<string>
  /** Whether the inner calls are known. Always true for a block that cannot contain any. */
  readonly traced: boolean
  readonly malformedTransfers: number
  /** Token movements in the logs; `readTransfers` reads them from the rows. */
  readonly movements: number
  /** Transactions whose hash is only the node's name for them, by index. */
  readonly names: ReadonlyMap<number, NodeName>
  readonly rows: ChildRows
}

const namesOf = (table: Table): string => ['chain', ...Object.keys(storedColumns(table))].join(', ')

export const copyColumns = {
  transactions: namesOf(evmTables.transactions),
  logs: namesOf(evmTables.logs),
  calls: namesOf(evmTables.calls),
  contracts: namesOf(evmTables.contracts),
  withdrawals: namesOf(evmTables.withdrawals),
  cross_chain_messages: 'chain, number, index, ts, direction, peer',
  authorizations: 'chain, number, tx_index, index, authority, address, nonce',
  envelopes: 'chain, number, tx_index, fields',
} as const satisfies Record<ChildTable, string>

const zeroAddress = `0x${'0'.repeat(40)}`
/** The largest value of a bigint column. */
const widest = 2n ** 63n - 1n

type Activity = { parties: Set<string>; senders: Set<string> }

/**
 * Converts a checked block, its receipts and its traces into rows. `traces` is undefined if the node could not
 * trace the block. Malformed JSON is refused, but contracts choose the contents of logs: a
 * malformed transfer log is stored, ignored as activity, and counted.
 */
export function decodeBlock(
  chain: number,
  block: CheckedBlock,
  traces: BlockTraces | undefined,
): DecodedBlock {
  const { header, number } = block
  const activity: Activity = { parties: new Set(), senders: new Set() }
  const transactions = new BinaryRows(sizeOfTransactions(block.transactions))
  const logs = new BinaryRows(sizeOfLogs(block.receipts))
  let fees = 0n
  let gasPrices = 0n
  let priorityFees = 0n
  let failedCount = 0
  const rowHeader = readHeader(header)
  const baseFee = rowHeader.baseFee ?? 0n
  let maxGasPrice: bigint | undefined
  let logCount = 0
  let malformedTransfers = 0
  let movements = 0
  let messages = ''
  let authorizations = ''
  let envelopes = ''
  const ts = integer(header['timestamp'], 'the timestamp')
  const inner = new InnerRows(chain, number)
  const ownCall = ownCallsOf(traces)

  for (const [index, transaction] of block.transactions.entries()) {
    const receipt = block.receipts[index]
    if (!receipt) throw refuse(`block ${number}: receipt ${index} is missing`)
    const row = addTransaction(transactions, { transaction, receipt, ownCall }, [chain, number, index])
    inner.origins.push(row.sender)
    fees += row.fee
    gasPrices += row.gasPrice
    // The base fee in the header of an asynchronous block is an upper bound, which a price may be below.
    if (row.gasPrice > baseFee) priorityFees += (row.gasPrice - baseFee) * row.gasUsed
    if (!row.succeeded) failedCount += 1
    if (maxGasPrice === undefined || row.gasPrice > maxGasPrice) maxGasPrice = row.gasPrice
    note(activity, row.sender, row.recipient)
    envelopes += envelopeLine([chain, number, index], envelopeOf(transaction))
    if (typeOf(transaction) === delegatingType) {
      const signed = signedAuthorizations(chain, transaction['authorizationList'])
      authorizations += authorizationLines([chain, number, index], signed)
      for (const { authority } of signed) inner.addresses.add(authority)
    }
    if (row.created !== undefined) inner.addresses.add(row.created)
    if (row.created !== undefined && row.succeeded) inner.create(index, -1, row.created, row.sender)
    for (const value of list(receipt['logs'], 'the logs')) {
      const log = object(value, 'a log')
      const topics = list(log['topics'], 'the topics')
      addLog(logs, log, topics, [chain, number, logCount, index])
      const message = messageOfLog(log, topics)
      if (message) messages += messageLine([chain, number, logCount, ts], message)
      logCount += 1
    }
  }
  const logRows = logs.whole()
  for (const found of readParties(logRows)) {
    if ('token' in found) {
      note(activity, found.from, found.to)
      inner.addresses.add(found.token)
      movements += found.count
      continue
    }
    for (const address of found.named) inner.addresses.add(address)
    if (found.parties === 'malformed') malformedTransfers += 1
    else if (found.parties) note(activity, found.parties.from, found.parties.to)
  }
  for (const call of traces?.calls ?? []) inner.add(call)
  for (const address of activity.parties) inner.addresses.add(address)
  inner.addresses.delete(zeroAddress)
  return {
    number,
    hash: block.hash,
    parentHash: block.parentHash,
    ts,
    gasUsed: block.settlement?.gasUsed ?? integer(header['gasUsed'], 'the gas used'),
    settlement: block.settlement,
    header: rowHeader,
    txCount: block.transactions.length,
    logCount,
    fees,
    gasPrices,
    maxGasPrice,
    priorityFees,
    failedCount,
    ...activity,
    deployers: inner.deployers,
    contractCount: inner.contractCount,
    addresses: inner.addresses,
    traced: traces !== undefined,
    malformedTransfers,
    movements,
    names: block.proven.names,
    rows: {
      transactions: transactions.whole(),
      logs: logRows,
      ...inner.rows(),
      withdrawals: Buffer.from(withdrawalRows(chain, number, header)),
      cross_chain_messages: Buffer.from(messages),
      authorizations: Buffer.from(authorizations),
      envelopes: Buffer.from(envelopes),
    },
  }
}

function withdrawalRows(chain: number, number: number, header: JsonObject): string {
  const lines = withdrawalsOf(header).map(({ index, validatorIndex, address, amount }) => {
    const recipient = copyBytes(hex(address, 'the address of a withdrawal', 20))
    const numbers = [quantity(index, 'a withdrawal index'), quantity(validatorIndex, 'a validator index')]
    return `${chain}\t${number}\t${numbers.join('\t')}\t${recipient}\t${quantity(amount, 'the amount of a withdrawal')}\n`
  })
  return lines.join('')
}

function note({ parties, senders }: Activity, from: string, to: string | undefined): void {
  if (from !== zeroAddress) {
    parties.add(from)
    senders.add(from)
  }
  if (to !== undefined && to !== zeroAddress) parties.add(to)
}

/**
 * Adds the row of a transaction and returns the values that the block needs. The last parameter is chain,
 * block and index.
 */
function addTransaction(
  rows: BinaryRows,
  {
    transaction,
    receipt,
    ownCall,
  }: { transaction: JsonObject; receipt: JsonObject; ownCall: ReturnType<typeof ownCallsOf> },
  [chain, number, index]: readonly [number, number, number],
) {
  const sender = hex(transaction['from'], 'a sender', 20)
  const recipient = optionalHex(transaction['to'], 'a recipient', 20)
  const created =
    recipient === undefined ? optionalHex(receipt['contractAddress'], 'a contract', 20) : undefined
  const succeeded = !hasFailed(receipt)
  const type = typeOf(transaction)
  const gasUsed = narrow(quantity(receipt['gasUsed'], 'gas used'))
  const gasPrice = quantity(receipt['effectiveGasPrice'] ?? transaction['gasPrice'] ?? '0x0', 'a gas price')
  rows.row(23)
  rows.bigint(chain)
  rows.bigint(number)
  rows.integer(index)
  rows.smallint(type)
  rows.smallint(succeeded ? 1 : 0)
  rows.hex(transaction['hash'], 'a hash', 32)
  rows.hex(sender, 'a sender', 20)
  addAddress(rows, recipient, 'a recipient')
  addAddress(rows, created, 'a contract')
  rows.numeric(quantity(transaction['value'], 'a value'))
  rows.numeric(quantity(transaction['nonce'], 'a nonce'))
  rows.numeric(quantity(transaction['gas'], 'a gas limit'))
  rows.bigint(gasUsed)
  rows.bigint(narrow(quantity(receipt['cumulativeGasUsed'], 'cumulative gas used')))
  rows.numeric(gasPrice)
  addFee(rows, transaction['maxFeePerGas'])
  addFee(rows, transaction['maxPriorityFeePerGas'])
  rows.hex(transaction['input'], 'an input')
  addOwnCall(rows, ownCall(index, succeeded))
  addBlobs(rows, type, receipt)
  return { sender, recipient, created, succeeded, gasPrice, gasUsed, fee: gasUsed * gasPrice }
}

/** Whether a transaction failed; receipts from before Byzantium do not tell. */
export const hasFailed = (receipt: JsonObject): boolean =>
  receipt['status'] !== undefined && quantity(receipt['status'], 'a status') !== 1n

function addBlobs(rows: BinaryRows, type: number, receipt: JsonObject): void {
  // Some nodes write zeros into the receipts of all transactions.
  const used = type === blobType ? optionalQuantity(receipt['blobGasUsed'], 'blob gas used') : undefined
  if (used === undefined) rows.null()
  else rows.bigint(narrow(used))
  addFee(rows, type === blobType ? receipt['blobGasPrice'] : undefined)
}

function addOwnCall(rows: BinaryRows, own: OwnCall | undefined): void {
  const { output, failure } = own ?? {}
  if (failure === undefined) rows.null()
  else rows.raw(Buffer.from(failure.error))
  if (output === undefined) rows.null()
  else rows.hex(output, 'an output')
  if (failure === undefined) rows.null()
  else rows.integer(failure.call)
}

/** A transaction's type; 0 if the node does not list it. */
export function typeOf({ type }: JsonObject): number {
  const listed = type === undefined ? 0 : integer(type, 'a type')
  if (listed > 0x7f) throw refuse('a transaction type is out of range')
  return listed
}

function addAddress(rows: BinaryRows, address: string | undefined, what: string): void {
  if (address === undefined) rows.null()
  else rows.hex(address, what, 20)
}

function addFee(rows: BinaryRows, given: unknown): void {
  const fee = optionalQuantity(given, 'a fee')
  if (fee === undefined) rows.null()
  else rows.numeric(fee)
}

/** Approximate size of a transaction's row without its input: 23 columns with their lengths. */
const transactionRowBytes = 2 + 23 * 4 + 4 * 8 + 2 * 4 + 32 + 3 * 20 + 6 * 28

function sizeOfTransactions(transactions: readonly JsonObject[]): number {
  return transactions.reduce((sum, { input }) => sum + transactionRowBytes + bytesOfText(input), 0)
}

/** Approximate size of a column that is given as hex text. */
function bytesOfText(text: unknown): number {
  return typeof text === 'string' ? text.length >> 1 : 0
}

/** Adds the row of a log. `place` is chain, block, log index and transaction index. */
function addLog(
  rows: BinaryRows,
  log: JsonObject,
  topics: readonly unknown[],
  place: readonly [number, number, number, number],
): void {
  const [chain, number, index, txIndex] = place
  if (integer(log['logIndex'], 'a log index') !== index) throw refuse(`log ${index} of a block is missing`)
  if (topics.length > 4) throw refuse('a log has more than four topics')
  rows.row(10)
  rows.bigint(chain)
  rows.bigint(number)
  rows.integer(index)
  rows.integer(txIndex)
  rows.hex(log['address'], 'an address', 20)
  for (const position of topicPositions) {
    const topic = topics[position]
    if (topic === undefined) rows.null()
    else rows.hex(topic, 'a topic', 32)
  }
  rows.hex(log['data'], 'the data')
}

const topicPositions = [0, 1, 2, 3] as const
/** Size of a log's row without its data: ten columns with their lengths. */
const logRowBytes = 2 + 10 * 4 + 2 * 8 + 2 * 4 + 20 + 4 * 32

function sizeOfLogs(receipts: readonly JsonObject[]): number {
  let size = 0
  for (const receipt of receipts) {
    for (const value of list(receipt['logs'], 'the logs')) {
      size += logRowBytes + bytesOfText(object(value, 'a log')['data'])
    }
  }
  return size
}

/** Reads the header fields of a block row, and checks the extra data against its hash. */
export function readHeader(header: JsonObject): BlockHeader {
  const size = optionalQuantity(header['size'], 'the size')
  return {
    miner: hex(header['miner'], 'the miner', 20),
    gasLimit: quantity(header['gasLimit'], 'the gas limit'),
    baseFee: optionalQuantity(header['baseFeePerGas'], 'the base fee'),
    blockGasCost: optionalQuantity(header['blockGasCost'], 'the block gas cost'),
    difficulty: optionalQuantity(header['difficulty'], 'the difficulty') ?? 0n,
    size: size === undefined || size > 0x7fffffffn ? undefined : Number(size),
    stateRoot: hex(header['stateRoot'], 'the state root', 32),
    transactionsRoot: hex(header['transactionsRoot'], 'the transactions root', 32),
    receiptsRoot: hex(header['receiptsRoot'], 'the receipts root', 32),
    extraData: hex(header['extraData'], 'the extra data'),
    nonce: optionalHex(header['nonce'], 'the nonce', 8),
    extData: readExtData(header),
  }
}

/** The `extDataHash` of blocks without atomic transactions, and of the earliest blocks. */
const noExtData = new Set([
  '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  `0x${'0'.repeat(64)}`,
])

/** Reads the block's atomic transactions and checks them against the hash in the header if there is one. */
function readExtData(header: JsonObject): string | undefined {
  const data = optionalHex(header['blockExtraData'], 'the extra data of a block') ?? '0x'
  const promised = optionalHex(header['extDataHash'], 'the hash of the extra data', 32)
  if (promised !== undefined && !noExtData.has(promised) && toHex(keccak256(encodeRlp(data))) !== promised) {
    throw refuse('the extra data of a block does not match the hash in its header')
  }
  return data === '0x' ? undefined : data
}

/** An amount of gas, if it fits a bigint column; otherwise throws a refusal. */
export function narrow(value: bigint): bigint {
  if (value > widest) throw refuse('an amount of gas is out of range')
  return value
}
