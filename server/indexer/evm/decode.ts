import { BinaryRows } from '../../store/copy-binary.ts'
import { copyBytes, copyOptionalBytes, copyText } from '../../store/copy-text.ts'
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
import { isLastingCreation, type InnerCall } from './traces.ts'
import { toHex } from './verify/trie.ts'
import { readParties } from './tokens/transfer-rows.ts'
import { withdrawalsOf, type CheckedBlock } from './verify/verify-block.ts'

/** The header fields of a block row; hex is 0x text. */
export type BlockHeader = {
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
  /** The atomic transactions of a C-chain block. */
  readonly extData: string | undefined
}

export const childTables = ['transactions', 'logs', 'calls', 'contracts', 'withdrawals'] as const
export type ChildTable = (typeof childTables)[number]

/** The formats of COPY in which the rows of the child tables are: those of the large ones cost less in binary. */
export const copyFormats = {
  transactions: 'binary',
  logs: 'binary',
  calls: 'text',
  contracts: 'text',
  withdrawals: 'text',
} as const satisfies Record<ChildTable, 'binary' | 'text'>

/** Rows of the child tables for COPY, columns as in `copyColumns`. */
export type ChildRows = Readonly<Record<ChildTable, Buffer>>

/**
 * A block ready to be applied: rows that don't depend on earlier blocks, and what the metrics need of it.
 * Amounts are in the smallest unit, times in Unix seconds.
 */
export type DecodedBlock = {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  readonly ts: number
  /**
   * What the transactions used. Of a block that was accepted before it was executed the header has only the
   * sum of what they might have used, so that it is the sum of the receipts.
   */
  readonly gasUsed: number
  /** What such a block settles; undefined for all others. */
  readonly settlement: Settlement | undefined
  readonly header: BlockHeader
  readonly txCount: number
  readonly logCount: number
  /** Gas used times effective gas price, summed. */
  readonly fees: bigint
  /** Effective gas prices, summed. */
  readonly gasPrices: bigint
  readonly maxGasPrice: bigint | undefined
  /** Distinct addresses that sent or received, by transaction or transfer log; without the zero address. */
  readonly parties: ReadonlySet<string>
  readonly senders: ReadonlySet<string>
  readonly deployers: ReadonlySet<string>
  readonly contractCount: number
  /** Whether its inner calls are known: those of a block that can hold none always are. */
  readonly traced: boolean
  readonly malformedTransfers: number
  /** Movements of tokens in the logs; `readTransfers` reads them from the rows. */
  readonly movements: number
  readonly rows: ChildRows
}

export const copyColumns = {
  transactions:
    'chain, number, index, type, status, hash, sender, recipient, created, value, nonce, gas_limit, gas_used, cumulative_gas_used, gas_price, max_fee, max_priority_fee, input',
  logs: 'chain, number, index, tx_index, address, topic0, topic1, topic2, topic3, data',
  calls:
    'chain, number, tx_index, ordinal, depth, type, reverted, sender, recipient, value, gas_limit, gas_used, method, error',
  contracts: 'chain, number, tx_index, ordinal, address, deployer, origin',
  withdrawals: 'chain, number, index, validator, address, amount',
} as const satisfies Record<ChildTable, string>

const zeroAddress = `0x${'0'.repeat(40)}`
/** What a column of type bigint holds. */
const widest = 2n ** 63n - 1n

type Activity = { parties: Set<string>; senders: Set<string> }

/**
 * Turns a checked block, its receipts and its inner calls into rows; without the calls where the node could not
 * trace the block. Strict about the JSON, lenient about what a contract chose: a malformed transfer log is stored,
 * skipped as activity and counted.
 */
export function decodeBlock(
  chain: number,
  block: CheckedBlock,
  calls: readonly InnerCall[] | undefined,
): DecodedBlock {
  const { header, number } = block
  const activity: Activity = { parties: new Set(), senders: new Set() }
  const transactions = new BinaryRows(sizeOfTransactions(block.transactions))
  const logs = new BinaryRows(sizeOfLogs(block.receipts))
  let fees = 0n
  let gasPrices = 0n
  let maxGasPrice: bigint | undefined
  let logCount = 0
  let malformedTransfers = 0
  let movements = 0
  const inner = new InnerRows(chain, number)

  for (const [index, transaction] of block.transactions.entries()) {
    const receipt = block.receipts[index]
    if (!receipt) throw refuse(`block ${number}: receipt ${index} is missing`)
    const row = addTransaction(transactions, transaction, receipt, [chain, number, index])
    inner.origins.push(row.sender)
    fees += row.fee
    gasPrices += row.gasPrice
    if (maxGasPrice === undefined || row.gasPrice > maxGasPrice) maxGasPrice = row.gasPrice
    note(activity, row.sender, row.recipient)
    if (row.created !== undefined && row.succeeded) inner.create(index, -1, row.created, row.sender)
    for (const value of list(receipt['logs'], 'the logs')) {
      addLog(logs, object(value, 'a log'), [chain, number, logCount, index])
      logCount += 1
    }
  }
  const logRows = logs.whole()
  for (const parties of readParties(logRows)) {
    if (parties === 'malformed') malformedTransfers += 1
    else {
      note(activity, parties.from, parties.to)
      movements += parties.count
    }
  }
  for (const call of calls ?? []) inner.add(call)
  return {
    number,
    hash: block.hash,
    parentHash: block.parentHash,
    ts: integer(header['timestamp'], 'the timestamp'),
    gasUsed: block.settlement?.gasUsed ?? integer(header['gasUsed'], 'the gas used'),
    settlement: block.settlement,
    header: readHeader(header),
    txCount: block.transactions.length,
    logCount,
    fees,
    gasPrices,
    maxGasPrice,
    ...activity,
    deployers: inner.deployers,
    contractCount: inner.contractCount,
    traced: calls !== undefined,
    malformedTransfers,
    movements,
    rows: {
      transactions: transactions.whole(),
      logs: logRows,
      ...inner.rows(),
      withdrawals: Buffer.from(withdrawalRows(chain, number, header)),
    },
  }
}

/** The rows of a block's inner calls and of the contracts that were created in it. */
export class InnerRows {
  /** Who signed each of the block's transactions; to be complete before calls are added. */
  readonly origins: string[]
  /** Who created contracts that lasted, without the zero address. */
  readonly deployers = new Set<string>()
  contractCount = 0
  readonly #number: number
  readonly #position: string
  #calls = ''
  #contracts = ''

  constructor(chain: number, number: number, origins: string[] = []) {
    this.#number = number
    this.origins = origins
    this.#position = `${chain}\t${number}\t`
  }

  /** A contract that lasted: by a call (its ordinal), or by the transaction itself (-1). */
  create(txIndex: number, ordinal: number, address: string, deployer: string): void {
    const origin = this.origins[txIndex]
    if (origin === undefined) throw refuse(`block ${this.#number}: a call belongs to no transaction`)
    this.#contracts += `${this.#position}${txIndex}\t${ordinal}\t${copyBytes(address)}\t${copyBytes(deployer)}\t${copyBytes(origin)}\n`
    this.contractCount += 1
    if (deployer !== zeroAddress) this.deployers.add(deployer)
  }

  /** A call, and the contract that it created. */
  add(call: InnerCall): void {
    this.#calls += `${this.#position}${callColumns(call)}\n`
    if (isLastingCreation(call)) this.create(call.txIndex, call.ordinal, call.recipient, call.sender)
  }

  /** All of them for COPY, columns as in `copyColumns`. */
  rows(): Pick<ChildRows, 'calls' | 'contracts'> {
    return { calls: Buffer.from(this.#calls), contracts: Buffer.from(this.#contracts) }
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

/** Adds the row of a transaction, and says what the block needs of it. `place`: chain, block and index. */
function addTransaction(
  rows: BinaryRows,
  transaction: JsonObject,
  receipt: JsonObject,
  [chain, number, index]: readonly [number, number, number],
) {
  const sender = hex(transaction['from'], 'a sender', 20)
  const recipient = optionalHex(transaction['to'], 'a recipient', 20)
  const created =
    recipient === undefined ? optionalHex(receipt['contractAddress'], 'a contract', 20) : undefined
  const succeeded = receipt['status'] === undefined || quantity(receipt['status'], 'a status') === 1n
  const type = transaction['type'] === undefined ? 0 : integer(transaction['type'], 'a type')
  if (type > 0x7f) throw refuse('a transaction type is out of range')
  const gasUsed = narrow(quantity(receipt['gasUsed'], 'gas used'))
  const gasPrice = quantity(receipt['effectiveGasPrice'] ?? transaction['gasPrice'] ?? '0x0', 'a gas price')
  rows.row(18)
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
  return { sender, recipient, created, succeeded, gasPrice, fee: gasUsed * gasPrice }
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

/** About the bytes of a transaction's row besides its input: eighteen columns with their lengths. */
const transactionRowBytes = 2 + 18 * 4 + 4 * 8 + 2 * 4 + 32 + 3 * 20 + 6 * 28

function sizeOfTransactions(transactions: readonly JsonObject[]): number {
  return transactions.reduce((sum, { input }) => sum + transactionRowBytes + bytesOfText(input), 0)
}

/** About the bytes of a column that is given as hex text. */
function bytesOfText(text: unknown): number {
  return typeof text === 'string' ? text.length >> 1 : 0
}

/** Adds the row of a log. `place`: chain, block, log and transaction. */
function addLog(rows: BinaryRows, log: JsonObject, place: readonly [number, number, number, number]): void {
  const [chain, number, index, txIndex] = place
  if (integer(log['logIndex'], 'a log index') !== index) throw refuse(`log ${index} of a block is missing`)
  const topics = list(log['topics'], 'the topics')
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
/** Bytes of a log's row besides its data: ten columns with their lengths. */
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

function callColumns(call: InnerCall): string {
  return [
    call.txIndex,
    call.ordinal,
    call.depth,
    copyText(call.type),
    call.reverted ? 't' : 'f',
    copyBytes(call.sender),
    copyOptionalBytes(call.recipient),
    call.value,
    call.gasLimit,
    call.gasUsed,
    copyOptionalBytes(call.method),
    copyText(call.error),
  ].join('\t')
}

function readHeader(header: JsonObject): BlockHeader {
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

/** What the headers of blocks without atomic transactions have, and those of the first blocks of all. */
const noExtData = new Set([
  '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  `0x${'0'.repeat(64)}`,
])

/** The block's atomic transactions, held against the hash in the header where it has one. */
function readExtData(header: JsonObject): string | undefined {
  const data = optionalHex(header['blockExtraData'], 'the extra data of a block') ?? '0x'
  const promised = optionalHex(header['extDataHash'], 'the hash of the extra data', 32)
  if (promised !== undefined && !noExtData.has(promised) && toHex(keccak256(encodeRlp(data))) !== promised) {
    throw refuse('the extra data of a block has another hash than its header says')
  }
  return data === '0x' ? undefined : data
}

function narrow(value: bigint): bigint {
  if (value > widest) throw refuse('an amount of gas is out of range')
  return value
}
