import {
  depositTopic,
  transferTopic,
  transferTopics,
  withdrawalTopic,
} from '../../../store/evm/transfer-logs.ts'
import { withoutCovered } from '../../../store/evm/wraps.ts'
import { addressText } from './address-texts.ts'
import { bytesOfHex } from '../verify/rlp.ts'
import {
  addressOf,
  readMovements,
  type PlacedTransfer,
  readTransfer,
  wrapOf,
  type Transfer,
  type TransferParties,
  wholeContract,
} from './transfers.ts'

/** Bytes of a log's row before its address: two bigint and two integer columns. */
const beforeAddress = 2 + 2 * (4 + 8) + 2 * (4 + 4)
const addressSize = 20
/** The index of a log's transaction is the last column before its address. */
const txIndexAt = (logs: Buffer, row: number): number => logs.readInt32BE(row + beforeAddress - 4)
const wordSize = 32
/** Offset of the topics behind the address. Each topic column is a length followed by a word. */
const afterAddress = beforeAddress + 4 + addressSize
const wordColumn = 4 + wordSize
/** Bytes of an ERC-20 transfer's row: three topics, a null fourth topic, and one word of data. */
const erc20Row = afterAddress + 3 * wordColumn + 4 + wordColumn
const transferWord = Buffer.from(bytesOfHex(transferTopic))

/**
 * The token transfers in a block's rows of `logs` (COPY's binary format), in order, and the deposits and withdrawals of
 * wrappers that no transfer tells of. They are read when the block is applied, because transfers kept as objects while
 * the block waits would take more memory than everything else.
 */
export function readTransfers({ logs }: { readonly logs: Buffer }): Transfer[] {
  let hasWraps = false
  const transfers = readRows(logs, transferOfErc20, ({ address, topics, data }) => {
    const wrap = wrapOf(address, topics, data)
    hasWraps ||= wrap !== undefined
    return wrap ?? readMovements(address, topics, data)
  })
  if (!hasWraps) return transfers
  // Few blocks have one, so only these are read again with their transactions.
  const placed = readRows(
    logs,
    (rows, row): PlacedTransfer => ({ txIndex: txIndexAt(rows, row), transfer: transferOfErc20(rows, row) }),
    ({ address, topics, data, txIndex }) => {
      const transfer = wrapOf(address, topics, data) ?? readMovements(address, topics, data)
      return transfer && { txIndex, transfer }
    },
  )
  return withoutCovered(placed)
}

/**
 * Token, sender and recipient of each transfer, in order. For a log that moves nothing, because it is an empty
 * batch or only looks like a transfer, what lists find it by: the contract, and every address in a topic; the same for
 * a deposit into a wrapper and a withdrawal.
 */
export function readParties(logs: Buffer): (TokenParties | Unmoved)[] {
  return readRows<TokenParties | Unmoved>(logs, partiesOfErc20, ({ address, topics, data }) => {
    const wrap = wrapOf(address, topics, data)
    // Its parties are active by their transaction.
    if (wrap) return { parties: undefined, named: [address, wrap.from, wrap.to] }
    const parties = readTransfer(topics, data)
    if (parties === undefined) return undefined
    if (parties !== 'malformed' && parties.count > 0) return { token: address, ...parties }
    const named = topics.slice(1).flatMap((topic) => addressOf(topic) ?? [])
    return { parties, named: [address, ...named] }
  })
}

type TokenParties = TransferParties & { readonly token: string }
/** Without parties, the log is not a transfer at all. */
type Unmoved = {
  readonly parties: TransferParties | 'malformed' | undefined
  readonly named: readonly string[]
}

/** Reads the transfers from rows. Nearly all are ERC-20, which are read directly at their fixed offsets. */
function readRows<Found>(
  logs: Buffer,
  readErc20: (logs: Buffer, row: number) => Found,
  readOther: (log: LogTexts) => Found | undefined,
): Found[] {
  const all: Found[] = []
  let at = 0
  while (at < logs.length) {
    if (isErc20(logs, at)) {
      all.push(readErc20(logs, at))
      at += erc20Row
    } else {
      const { log, end } = readLog(logs, at)
      const found = log && readOther(log)
      if (found) all.push(found)
      at = end
    }
  }
  return all
}

function transferOfErc20(logs: Buffer, row: number): Transfer {
  return {
    ...partiesOfErc20(logs, row),
    moved: [{ id: wholeContract, value: amount(logs, row + erc20Row - wordSize) }],
  }
}

function partiesOfErc20(logs: Buffer, row: number): TokenParties {
  return {
    token: addressText(logs, row + beforeAddress + 4),
    kind: 20,
    from: addressText(logs, wordAt(row, 1) + wordSize - addressSize),
    to: addressText(logs, wordAt(row, 2) + wordSize - addressSize),
    count: 1,
  }
}

/** Offset of a topic's word in the row at `row`, provided that all earlier topics are present. */
const wordAt = (row: number, topic: number): number => row + afterAddress + topic * wordColumn + 4

/** Whether the row is exactly an ERC-20 transfer, by the same rule as `readTransfer`. */
function isErc20(logs: Buffer, row: number): boolean {
  return (
    row + erc20Row <= logs.length &&
    logs.readInt32BE(wordAt(row, 0) - 4) === wordSize &&
    isTransferWord(logs, wordAt(row, 0)) &&
    logs.readInt32BE(wordAt(row, 1) - 4) === wordSize &&
    logs.readInt32BE(wordAt(row, 2) - 4) === wordSize &&
    logs.readInt32BE(wordAt(row, 3) - 4) === -1 &&
    logs.readInt32BE(wordAt(row, 3)) === wordSize &&
    holdsAddress(logs, wordAt(row, 1)) &&
    holdsAddress(logs, wordAt(row, 2))
  )
}

function isTransferWord(logs: Buffer, at: number): boolean {
  for (let index = 0; index < wordSize; index += 1) {
    if (logs[at + index] !== transferWord[index]) return false
  }
  return true
}

/** Whether a word is an address: its first twelve bytes are zero. */
function holdsAddress(logs: Buffer, at: number): boolean {
  return (logs.readInt32BE(at) | logs.readInt32BE(at + 4) | logs.readInt32BE(at + 8)) === 0
}

function amount(logs: Buffer, at: number): bigint {
  let value = logs.readBigUInt64BE(at)
  for (let from = at + 8; from < at + wordSize; from += 8) {
    const low = logs.readBigUInt64BE(from)
    value = value === 0n ? low : (value << 64n) | low
  }
  return value
}

type LogTexts = {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly txIndex: number
}

/** The events that are read: transfers, and those of wrappers. */
const readTopics = new Set([...transferTopics, depositTopic, withdrawalTopic])

/**
 * Reads the row of any log, column by column, and returns the offset of the next row. If the event is not a
 * transfer, no texts are built.
 */
function readLog(logs: Buffer, row: number): { readonly log: LogTexts | undefined; readonly end: number } {
  let at = row + afterAddress
  /** Skips a column. Returns its text if `wanted` is set and the column is not null. */
  const column = (wanted: boolean): string | undefined => {
    const size = logs.readInt32BE(at)
    at += 4 + Math.max(0, size)
    return wanted && size >= 0 ? `0x${logs.toString('hex', at - size, at)}` : undefined
  }
  const event = column(true)
  const isTransfer = event !== undefined && readTopics.has(event)
  const topics = [event, column(isTransfer), column(isTransfer), column(isTransfer)].filter(
    (topic) => topic !== undefined,
  )
  const data = column(isTransfer)
  const log =
    data === undefined
      ? undefined
      : { address: addressText(logs, row + beforeAddress + 4), topics, data, txIndex: txIndexAt(logs, row) }
  return { log, end: at }
}
