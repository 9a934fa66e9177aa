import { transferTopic, transferTopics } from '../../store/transfer-logs.ts'
import { bytesOfHex } from './rlp.ts'
import { readMovements, type Transfer, wholeContract } from './transfers.ts'

/** Bytes of a log's row up to its address: two columns of type bigint and two of type integer. */
const beforeAddress = 2 + 2 * (4 + 8) + 2 * (4 + 4)
const addressSize = 20
const wordSize = 32
/** Where the columns of a word each lie behind the address: its length, then the word. */
const afterAddress = beforeAddress + 4 + addressSize
const wordColumn = 4 + wordSize
/** Bytes of an ERC-20 transfer's row: three topics, none as the fourth, and a word of data. */
const erc20Row = afterAddress + 3 * wordColumn + 4 + wordColumn
const transferWord = Buffer.from(bytesOfHex(transferTopic))

/**
 * The token transfers in a block's rows of `logs` (COPY's binary format), in order. They are read when the block
 * is applied: kept as objects while it waits, they would cost more memory than all else.
 */
export function readTransfers({ logs }: { readonly logs: Buffer }): Transfer[] {
  const transfers: Transfer[] = []
  let token = { at: -1, text: '' }
  let at = 0
  while (at < logs.length) {
    if (isErc20(logs, at)) {
      const address = at + beforeAddress + 4
      // Most logs of a block are of the same few tokens, often one behind the other.
      if (token.at < 0 || !sameBytes(logs, token.at, address, addressSize)) {
        token = { at: address, text: addressText(logs, address) }
      }
      transfers.push({
        token: token.text,
        kind: 20,
        from: addressText(logs, wordAt(at, 1) + wordSize - addressSize),
        to: addressText(logs, wordAt(at, 2) + wordSize - addressSize),
        count: 1,
        moved: [{ id: wholeContract, value: amount(logs, at + erc20Row - wordSize) }],
      })
      at += erc20Row
    } else {
      const { transfer, end } = readAny(logs, at)
      if (transfer) transfers.push(transfer)
      at = end
    }
  }
  return transfers
}

/** Where the word of a topic begins in the row at `row`, when all topics before it are there. */
const wordAt = (row: number, topic: number): number => row + afterAddress + topic * wordColumn + 4

/** Whether the row is exactly that of an ERC-20 transfer, as `readTransfer` would read it. */
function isErc20(logs: Buffer, row: number): boolean {
  return (
    row + erc20Row <= logs.length &&
    logs.readInt32BE(wordAt(row, 0) - 4) === wordSize &&
    sameBytes(logs, wordAt(row, 0), 0, wordSize, transferWord) &&
    logs.readInt32BE(wordAt(row, 1) - 4) === wordSize &&
    logs.readInt32BE(wordAt(row, 2) - 4) === wordSize &&
    logs.readInt32BE(wordAt(row, 3) - 4) === -1 &&
    logs.readInt32BE(wordAt(row, 3)) === wordSize &&
    holdsAddress(logs, wordAt(row, 1)) &&
    holdsAddress(logs, wordAt(row, 2))
  )
}

function sameBytes(logs: Buffer, left: number, right: number, size: number, other = logs): boolean {
  for (let index = 0; index < size; index += 1) {
    if (logs[left + index] !== other[right + index]) return false
  }
  return true
}

/** Whether a word is an address: its first twelve bytes are zero. */
function holdsAddress(logs: Buffer, at: number): boolean {
  return (logs.readInt32BE(at) | logs.readInt32BE(at + 4) | logs.readInt32BE(at + 8)) === 0
}

function addressText(logs: Buffer, at: number): string {
  return `0x${logs.toString('hex', at, at + addressSize)}`
}

function amount(logs: Buffer, at: number): bigint {
  let value = logs.readBigUInt64BE(at)
  for (let from = at + 8; from < at + wordSize; from += 8) {
    const low = logs.readBigUInt64BE(from)
    value = value === 0n ? low : (value << 64n) | low
  }
  return value
}

/** Reads the row of any log, column by column. */
function readAny(logs: Buffer, row: number): { transfer: Transfer | undefined; end: number } {
  let at = row + beforeAddress
  /** Steps over a column; the text of it where it is wanted and not null. */
  const column = (wanted = true): string | undefined => {
    const size = logs.readInt32BE(at)
    at += 4 + Math.max(0, size)
    return wanted && size >= 0 ? `0x${logs.toString('hex', at - size, at)}` : undefined
  }
  const address = column()
  const topics = [column(), column(), column(), column()].filter((topic) => topic !== undefined)
  const data = column(transferTopics.includes(topics[0] ?? ''))
  const transfer =
    address === undefined || data === undefined ? undefined : readMovements(address, topics, data)
  return { transfer, end: at }
}
