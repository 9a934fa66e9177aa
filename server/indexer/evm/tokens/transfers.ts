import {
  rangeTopic,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
} from '../../../store/evm/transfer-logs.ts'
import { readWrap } from '../../../store/evm/wraps.ts'

/** The number of the ERC whose events a token emits, as in the `kind` columns. */
export type TokenKind = 20 | 721 | 1155

/** The token id (decimal text) that represents a whole contract. */
export const wholeContract = '-1'

/**
 * The moved amount of one token id. ERC-20 has no ids; ERC-721 moves one piece, or a range of ids from this one on, which
 * counts as one movement (`isRange`).
 */
type Moved = { readonly id: string; readonly value: bigint }

/** Sender and recipient as 0x text, and the number of movements: a batch may have many or none. */
export type TransferParties = {
  readonly kind: TokenKind
  readonly from: string
  readonly to: string
  readonly count: number
}

/** A transfer with its movements in order. A batch may contain an id twice. `token` is the contract. */
export type Transfer = TransferParties & {
  readonly token: string
  readonly moved: readonly Moved[]
  /** A deposit into a wrapper, or a withdrawal: it moves like a transfer from or to nobody, and is none. */
  readonly isWrap?: true
}

/** Whether a movement is of several ids in a row; `value` is their number. */
export const isRange = (kind: TokenKind, { value }: Moved): boolean => kind === 721 && value > 1n

/** A deposit into a wrapper of the native token, or a withdrawal (`store/evm/wraps.ts`); undefined for other logs. */
export function wrapOf(token: string, topics: readonly string[], data: string): Transfer | undefined {
  const wrap = readWrap({ topics, data })
  if (!wrap) return undefined
  const { from, to, value } = wrap
  return { token, kind: 20, from, to, count: 1, moved: [{ id: wholeContract, value }], isWrap: true }
}

/** A movement and the index of its transaction. */
export type PlacedTransfer = { readonly txIndex: number; readonly transfer: Transfer }

const word = 64

/**
 * Reads a log as a token transfer: ERC-20 has 3 topics and one word of data, ERC-721 has 4 topics and no
 * data, ERC-1155 has 4 topics and well-formed data, a range of ERC-721 tokens (ERC-2309) has 4 topics and its last id as
 * data. Returns `malformed` for a log that has a transfer's event
 * but not its form, and undefined for any other event. `data` is 0x text.
 */
export function readTransfer(
  topics: readonly string[],
  data: string,
): TransferParties | 'malformed' | undefined {
  const [event, first, second, third] = topics
  if (event === transferTopic) {
    if (topics.length === 3 && data.length === 2 + word) return parties(20, first, second, 1)
    return topics.length === 4 && data === '0x' ? parties(721, first, second, 1) : 'malformed'
  }
  if (event === rangeTopic) {
    return rangeOf(topics, data) ? parties(721, second, third, 1) : 'malformed'
  }
  if (event === transferSingleTopic) {
    return topics.length === 4 && data.length === 2 + 2 * word ? parties(1155, second, third, 1) : 'malformed'
  }
  if (event === transferBatchTopic) {
    const lists = topics.length === 4 ? batchLists(data) : undefined
    return lists ? parties(1155, second, third, lists.length) : 'malformed'
  }
  return undefined
}

/** Like `readTransfer`, with the movements; undefined also for a malformed log. */
export function readMovements(token: string, topics: readonly string[], data: string): Transfer | undefined {
  const transfer = readTransfer(topics, data)
  if (typeof transfer !== 'object') return undefined
  return { token, ...transfer, moved: movedBy(transfer.kind, topics, data) }
}

function parties(
  kind: TokenKind,
  from: string | undefined,
  to: string | undefined,
  count: number,
): TransferParties | 'malformed' {
  const sender = addressOf(from)
  const receiver = addressOf(to)
  return sender === undefined || receiver === undefined
    ? 'malformed'
    : { kind, from: sender, to: receiver, count }
}

/** The movements of a well-formed transfer. */
function movedBy(kind: TokenKind, topics: readonly string[], data: string): Moved[] {
  if (kind === 20) return [{ id: wholeContract, value: BigInt(data) }]
  if (kind === 721) {
    const range = topics[0] === rangeTopic ? rangeOf(topics, data) : undefined
    return [range ?? { id: BigInt(topics[3] ?? 0).toString(), value: 1n }]
  }
  if (topics[0] === transferSingleTopic) return [movedAt(data, 0, 32)]
  const lists = batchLists(data)
  if (!lists) return []
  return Array.from({ length: lists.length }, (_, index) =>
    movedAt(data, lists.ids + index * 32, lists.values + index * 32),
  )
}

/** The ids of a range: the first, and how many; undefined if it is malformed or ends before it begins. */
function rangeOf(topics: readonly string[], data: string): Moved | undefined {
  if (topics.length !== 4 || data.length !== 2 + word) return undefined
  const first = BigInt(topics[1] ?? 0)
  const value = BigInt(data) - first + 1n
  return value > 0n ? { id: first.toString(), value } : undefined
}

/** The address in a topic; undefined if its first twelve bytes are not zero. */
export function addressOf(topic: string | undefined): string | undefined {
  return topic?.startsWith('0x000000000000000000000000') === true ? `0x${topic.slice(26)}` : undefined
}

/**
 * The offsets of two word lists of equal length inside the data. Batches need no cap: each movement takes at
 * least 32 bytes that the transaction paid for, and a run of blocks ends early when it contains many
 * movements.
 */
function batchLists(data: string): { ids: number; values: number; length: number } | undefined {
  const ids = listAt(data, 0)
  const values = listAt(data, 1)
  if (!ids || !values || ids.length !== values.length) return undefined
  return { ids: ids.start, values: values.start, length: ids.length }
}

function movedAt(data: string, idOffset: number, valueOffset: number): Moved {
  return { id: wordAt(data, idOffset).toString(), value: wordAt(data, valueOffset) }
}

/** A word at a byte offset. The caller guarantees that it lies inside the data. */
function wordAt(data: string, offset: number): bigint {
  return BigInt(`0x${data.slice(2 + offset * 2, 2 + offset * 2 + word)}`)
}

function listAt(data: string, position: number): { start: number; length: number } | undefined {
  const size = (data.length - 2) / 2
  const offset = smallWord(data, position * 32)
  if (offset === undefined) return undefined
  const length = smallWord(data, offset)
  const start = offset + 32
  return length !== undefined && start + length * 32 <= size ? { start, length } : undefined
}

/** The word at a byte offset; undefined if it is outside the data or too large for an offset or a length. */
function smallWord(data: string, offset: number): number | undefined {
  const text = data.slice(2 + offset * 2, 2 + offset * 2 + word)
  if (text.length < word || !text.startsWith('0'.repeat(54))) return undefined
  return Number.parseInt(text.slice(54), 16)
}
