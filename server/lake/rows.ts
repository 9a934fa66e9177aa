import { hasFailed, narrow, readHeader, typeOf, type DecodedBlock } from '../indexer/evm/decode.ts'
import { blobType } from '../indexer/evm/envelope.ts'
import type { FetchedBlock } from '../indexer/evm/fetch.ts'
import { readMovements } from '../indexer/evm/tokens/transfers.ts'
import { isLastingCreation, ownCallsOf, type InnerCall } from '../indexer/evm/traces.ts'
import { withdrawalsOf, type CheckedBlock } from '../indexer/evm/verify/verify-block.ts'
import { hex, integer, list, object, optionalHex, quantity, refuse, type JsonObject } from '../kernel/json.ts'
import { nodeNameReasons } from '../store/evm/read-node-name.ts'
import { transferTopics } from '../store/evm/transfer-logs.ts'
import { extraOf, headerOf, signatureOf } from './remaining-fields.ts'
import type { LakeTable } from './tables.ts'

/** Rows of a block as text, one line each, with the columns of `lakeTables`. */
type BlockRows = Readonly<Record<LakeTable, string>>

export type Value = string | number | bigint | boolean | null | undefined

/** Null in the rows; quoted text never means null. */
export const nullText = '\\N'

/** One row: columns end with a tab. Only text that a node or a contract chose needs quotes; see `quoted`. */
export function line(...values: Value[]): string {
  let row = ''
  for (const value of values) row += `${row === '' ? '' : '\t'}${value ?? nullText}`
  return `${row}\n`
}

/** Text with any characters, in quotes. NUL can't be stored by every engine, and is replaced. */
export const quoted = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : `"${text.replaceAll('\0', '\uFFFD').replaceAll('"', '""')}"`

/** Rows as UTF-8. */
export const bytesOfRows = <Table extends string>(rows: Readonly<Record<Table, string>>) =>
  Object.fromEntries(
    Object.entries<string>(rows).map(([table, text]) => [table, Buffer.from(text)]),
  ) as Record<Table, Buffer>

/** Length of the longest quantity that every JavaScript number of that length represents exactly: 52 bits. */
const exactLength = 2 + 13

/** A quantity as decimal text. */
function amount(value: unknown, what: string): string {
  if (typeof value === 'string' && value.length <= exactLength) return `${integer(value, what)}`
  return `${quantity(value, what)}`
}

const optionalAmount = (value: unknown, what: string): string | undefined =>
  value === undefined || value === null ? undefined : amount(value, what)

/** An amount of gas, which fits a bigint column of the store. */
const gas = (value: unknown, what: string): bigint => narrow(quantity(value, what))

/** A block that passed every check, as the lake has it. */
export type LakeBlock = Pick<
  DecodedBlock,
  'number' | 'hash' | 'parentHash' | 'ts' | 'settlement' | 'traced' | 'movements'
> & {
  readonly rows: BlockRows
  /** The rows of each table, counted where the block lists them. */
  readonly counts: Readonly<Record<LakeTable, number>>
}

/**
 * Decodes a block that passed every check. `chain` is the EVM chain id. Like `decodeBlock` it refuses what only a
 * malformed answer has: logs that are not numbered, or values out of range.
 */
export function rowsOfBlock(chain: number, { checked, traces }: FetchedBlock): LakeBlock {
  const { number, hash, parentHash, header, receipts, settlement } = checked
  const ts = integer(header['timestamp'], 'the timestamp')
  let transactions = ''
  let contracts = ''
  let fees = 0n
  const logs = new LogRows(number, ts)
  const origins: string[] = []
  const counts = { contracts: 0, calls: traces?.calls.length ?? 0 }
  const ownCall = ownCallsOf(traces)
  for (const [index, transaction] of checked.transactions.entries()) {
    const receipt = object(receipts[index], 'a receipt')
    const ownLogs = list(receipt['logs'], 'the logs')
    for (const log of ownLogs) logs.add(index, object(log, 'a log'))
    const sender = hex(transaction['from'], 'a sender', 20)
    origins.push(sender)
    const recipient = optionalHex(transaction['to'], 'a recipient', 20)
    const created =
      recipient === undefined ? optionalHex(receipt['contractAddress'], 'a contract', 20) : undefined
    const succeeded = !hasFailed(receipt)
    const name = checked.proven.names.get(index)
    const { output, failure } = ownCall(index, succeeded) ?? {}
    if (created !== undefined && succeeded) {
      contracts += line(number, index, -1, ts, created, sender, sender)
      counts.contracts += 1
    }
    const gasUsed = gas(receipt['gasUsed'], 'gas used')
    const price = quantity(receipt['effectiveGasPrice'] ?? transaction['gasPrice'] ?? '0x0', 'a gas price')
    fees += gasUsed * price
    transactions += line(
      number,
      index,
      ts,
      typeOf(transaction),
      succeeded ? 1 : 0,
      hex(transaction['hash'], 'a hash', 32),
      sender,
      recipient,
      created,
      amount(transaction['value'], 'a value'),
      amount(transaction['nonce'], 'a nonce'),
      amount(transaction['gas'], 'a gas limit'),
      gasUsed,
      gas(receipt['cumulativeGasUsed'], 'cumulative gas used'),
      price,
      optionalAmount(transaction['maxFeePerGas'], 'a fee'),
      optionalAmount(transaction['maxPriorityFeePerGas'], 'a fee'),
      ownLogs.length,
      hex(transaction['input'], 'an input'),
      ...signatureOf(transaction),
      name && nodeNameReasons[name],
      quoted(extraOf(chain, transaction, receipt)),
      quoted(failure?.error),
      output,
      failure?.call,
      ...(typeOf(transaction) === blobType
        ? [
            optionalAmount(receipt['blobGasUsed'], 'blob gas used'),
            optionalAmount(receipt['blobGasPrice'], 'a blob gas price'),
          ]
        : [undefined, undefined]),
    )
  }
  let callRows = ''
  for (const call of traces?.calls ?? []) {
    const { txIndex, ordinal, recipient, sender } = call
    const origin = origins[txIndex]
    if (origin === undefined) throw refuse(`block ${number}: a call belongs to no transaction`)
    callRows += callRow(number, ts, call)
    if (!isLastingCreation(call)) continue
    contracts += line(number, txIndex, ordinal, ts, recipient, sender, origin)
    counts.contracts += 1
  }
  const withdrawals = withdrawalsOf(header)
  const traced = traces !== undefined
  return {
    number,
    hash,
    parentHash,
    ts,
    settlement,
    traced,
    movements: logs.movements,
    rows: {
      blocks: blockRow(checked, { ts, traced, fees, logs: logs.count }),
      transactions,
      logs: logs.rows,
      token_transfers: logs.transfers,
      calls: callRows,
      contracts: inOrder(contracts),
      withdrawals: withdrawals.map((withdrawal) => withdrawalRow(number, ts, withdrawal)).join(''),
    },
    counts: {
      ...counts,
      blocks: 1,
      transactions: checked.transactions.length,
      logs: logs.count,
      token_transfers: logs.movements,
      withdrawals: withdrawals.length,
    },
  }
}

function blockRow(
  { number, hash, parentHash, header, transactions, receipts, settlement }: CheckedBlock,
  { ts, traced, fees, logs }: { ts: number; traced: boolean; fees: bigint; logs: number },
): string {
  const fields = readHeader(header)
  const gasUsed = settlement?.gasUsed ?? integer(header['gasUsed'], 'the gas used')
  return line(
    number,
    ts,
    hash,
    parentHash,
    fields.miner,
    fields.gasLimit,
    gasUsed,
    fields.baseFee,
    fields.blockGasCost,
    optionalAmount(header['difficulty'], 'the difficulty'),
    fields.size,
    transactions.length,
    logs,
    fees,
    traced,
    fields.stateRoot,
    fields.transactionsRoot,
    fields.receiptsRoot,
    fields.extraData,
    fields.nonce,
    fields.extData,
    quoted(headerOf(header, receipts, gasUsed)),
  )
}

/** The rows of a block's logs, in order, and of the transfers in them. */
class LogRows {
  rows = ''
  transfers = ''
  count = 0
  movements = 0
  readonly #number: number
  readonly #ts: number

  constructor(number: number, ts: number) {
    this.#number = number
    this.#ts = ts
  }

  add(txIndex: number, log: JsonObject): void {
    const index = this.count
    if (integer(log['logIndex'], 'a log index') !== index) throw refuse(`log ${index} of a block is missing`)
    this.count += 1
    const address = hex(log['address'], 'an address', 20)
    const topics = list(log['topics'], 'the topics').map((topic) => hex(topic, 'a topic', 32))
    if (topics.length > 4) throw refuse('a log has more than four topics')
    const data = hex(log['data'], 'the data')
    const [event, first = nullText, second = nullText, third = nullText] = topics
    this.rows += `${this.#number}\t${index}\t${this.#ts}\t${txIndex}\t${address}\t${event ?? nullText}\t${first}\t${second}\t${third}\t${data}\n`
    if (event === undefined || !transferTopics.includes(event)) return
    const transfer = readMovements(address, topics, data)
    if (!transfer) return
    this.movements += transfer.count
    const { token, kind, from, to, moved } = transfer
    for (const [position, { id, value }] of moved.entries()) {
      const tokenId = kind === 20 ? nullText : id
      this.transfers += `${this.#number}\t${index}\t${position}\t${this.#ts}\t${txIndex}\t${token}\t${kind}\t${from}\t${to}\t${tokenId}\t${value}\n`
    }
  }
}

function callRow(number: number, ts: number, call: InnerCall): string {
  return line(
    number,
    call.txIndex,
    call.ordinal,
    ts,
    call.depth,
    quoted(call.type),
    call.reverted,
    call.sender,
    call.recipient,
    call.value,
    call.gasLimit,
    call.gasUsed,
    call.input,
    call.output,
    quoted(call.error),
  )
}

function withdrawalRow(number: number, ts: number, withdrawal: JsonObject): string {
  const index = amount(withdrawal['index'], 'a withdrawal index')
  const validator = amount(withdrawal['validatorIndex'], 'a validator index')
  const address = hex(withdrawal['address'], 'the address of a withdrawal', 20)
  return line(number, index, ts, validator, address, amount(withdrawal['amount'], 'an amount'))
}

/** Sorts the contracts of one block by transaction and ordinal: calls come after all transactions. */
function inOrder(contracts: string): string {
  const rows = contracts.split('\n').slice(0, -1)
  if (rows.length < 2) return contracts
  const key = (row: string) => row.split('\t', 3).map(Number)
  rows.sort((left, right) => {
    const [, tx = 0, ordinal = 0] = key(left)
    const [, otherTx = 0, otherOrdinal = 0] = key(right)
    return tx - otherTx || ordinal - otherOrdinal
  })
  return `${rows.join('\n')}\n`
}
