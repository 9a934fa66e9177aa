import { readMovements } from '../indexer/evm/tokens/transfers.ts'
import { transferTopics } from '../store/evm/transfer-logs.ts'
import type { FetchedBlock } from '../indexer/evm/fetch.ts'
import { isLastingCreation, type InnerCall } from '../indexer/evm/traces.ts'
import { hex, integer, list, object, optionalHex, quantity, type JsonObject } from '../kernel/json.ts'
import { withdrawalsOf } from '../indexer/evm/verify/verify-block.ts'
import { extraOf, headerOf, signatureOf } from './remaining-fields.ts'
import type { LakeTable } from './tables.ts'

/** Rows of a block as text, one line each, with the columns of `lakeTables`. */
export type BlockRows = Readonly<Record<LakeTable, string>>

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

/** A quantity as decimal text. */
const amount = (value: unknown, what: string): string => quantity(value, what).toString()

const optionalAmount = (value: unknown, what: string): string | undefined =>
  value === undefined || value === null ? undefined : amount(value, what)

/** The rows of a block that passed every check. `chain` is the EVM chain id. */
export function rowsOfBlock(chain: number, { checked, calls, decoded }: FetchedBlock): BlockRows {
  const { number, ts } = decoded
  let transactions = ''
  let logs = ''
  let transfers = ''
  let contracts = ''
  const origins: string[] = []
  for (const [index, transaction] of checked.transactions.entries()) {
    const receipt = object(checked.receipts[index], 'a receipt')
    const found = logRows(number, ts, index, receipt)
    logs += found.logs
    transfers += found.transfers
    const sender = hex(transaction['from'], 'a sender', 20)
    origins.push(sender)
    const recipient = optionalHex(transaction['to'], 'a recipient', 20)
    const created = recipient === undefined ? optionalHex(receipt['contractAddress'], 'a contract', 20) : null
    const succeeded = receipt['status'] === undefined || quantity(receipt['status'], 'a status') === 1n
    if (created && succeeded) contracts += line(number, index, -1, ts, created, sender, sender)
    transactions += line(
      number,
      index,
      ts,
      transaction['type'] === undefined ? 0 : integer(transaction['type'], 'a type'),
      succeeded ? 1 : 0,
      hex(transaction['hash'], 'a hash', 32),
      sender,
      recipient,
      created,
      amount(transaction['value'], 'a value'),
      amount(transaction['nonce'], 'a nonce'),
      amount(transaction['gas'], 'a gas limit'),
      amount(receipt['gasUsed'], 'gas used'),
      amount(receipt['cumulativeGasUsed'], 'cumulative gas used'),
      amount(receipt['effectiveGasPrice'] ?? transaction['gasPrice'] ?? '0x0', 'a gas price'),
      optionalAmount(transaction['maxFeePerGas'], 'a fee'),
      optionalAmount(transaction['maxPriorityFeePerGas'], 'a fee'),
      list(receipt['logs'], 'the logs').length,
      hex(transaction['input'], 'an input'),
      ...signatureOf(transaction),
      quoted(extraOf(chain, transaction, receipt)),
    )
  }
  let callRows = ''
  for (const call of calls ?? []) {
    callRows += callRow(number, ts, call)
    if (!isLastingCreation(call)) continue
    const { txIndex, ordinal, recipient, sender } = call
    contracts += line(number, txIndex, ordinal, ts, recipient, sender, origins[txIndex])
  }
  return {
    blocks: blockRow({ checked, calls, decoded }),
    transactions,
    logs,
    token_transfers: transfers,
    calls: callRows,
    contracts: inOrder(contracts),
    withdrawals: withdrawalsOf(checked.header)
      .map((withdrawal) => withdrawalRow(number, ts, withdrawal))
      .join(''),
  }
}

function blockRow({ checked: { header }, decoded, checked }: FetchedBlock): string {
  const { header: fields } = decoded
  return line(
    decoded.number,
    decoded.ts,
    decoded.hash,
    decoded.parentHash,
    fields.miner,
    fields.gasLimit,
    decoded.gasUsed,
    fields.baseFee,
    fields.blockGasCost,
    optionalAmount(header['difficulty'], 'the difficulty'),
    fields.size,
    decoded.txCount,
    decoded.logCount,
    decoded.fees,
    decoded.traced,
    fields.stateRoot,
    fields.transactionsRoot,
    fields.receiptsRoot,
    fields.extraData,
    fields.nonce,
    fields.extData,
    quoted(headerOf(header, checked.receipts, decoded.gasUsed)),
  )
}

function logRows(number: number, ts: number, txIndex: number, receipt: JsonObject) {
  let logs = ''
  let transfers = ''
  for (const value of list(receipt['logs'], 'the logs')) {
    const log = object(value, 'a log')
    const index = integer(log['logIndex'], 'a log index')
    const address = hex(log['address'], 'an address', 20)
    const topics = list(log['topics'], 'the topics').map((topic) => hex(topic, 'a topic', 32))
    const data = hex(log['data'], 'the data')
    const [topic0, topic1, topic2, topic3] = topics
    logs += line(number, index, ts, txIndex, address, topic0, topic1, topic2, topic3, data)
    if (topic0 === undefined || !transferTopics.includes(topic0)) continue
    const transfer = readMovements(address, topics, data)
    for (const [position, { id, value: moved }] of (transfer?.moved ?? []).entries()) {
      const { token, kind, from, to } = transfer ?? {}
      const tokenId = kind === 20 ? null : id
      transfers += line(number, index, position, ts, txIndex, token, kind, from, to, tokenId, moved)
    }
  }
  return { logs, transfers }
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
    call.method,
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
