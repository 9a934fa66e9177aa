import {
  rangeTopic,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
} from '../../store/evm/transfer-logs.ts'
/** What a token's log says of one movement; amounts and ids as decimal text. */
export type TokenTransfer = {
  readonly standard: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  readonly token: string
  readonly from: string
  readonly to: string
  readonly logIndex: number
  readonly value: string
  readonly tokenId: string
  /** The last id of a range of ERC-721 tokens (ERC-2309), which begins at `tokenId` and has `value` ids. */
  readonly lastTokenId?: string
}

type Log = {
  readonly index: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/**
 * The movements of a log: one for ERC-20 (3 topics), ERC-721 (4 topics), a range of ERC-721 tokens and TransferSingle;
 * one per id for TransferBatch; none for other logs and malformed ones (docs/metrics.md). Lengths in a log are always
 * validated. For a long batch, only the items `from` to `from + most` are read.
 */
export function tokenTransfers(log: Log, from = 0, max = Number.POSITIVE_INFINITY): TokenTransfer[] {
  const [topic, ...indexed] = log.topics
  const [first, second, third] = indexed
  if (topic === transferTopic && indexed.length === 2 && words(log.data) === 1) {
    return movements(log, 'ERC-20', first, second, [{ value: number(log.data, 0), tokenId: '0' }], from)
  }
  if (topic === transferTopic && indexed.length === 3 && words(log.data) === 0) {
    const tokenId = number(third ?? '0x', 0)
    return movements(log, 'ERC-721', first, second, [{ value: '1', tokenId }], from)
  }
  if (indexed.length !== 3) return []
  if (topic === rangeTopic) return movements(log, 'ERC-721', second, third, idsOfRange(first, log.data), from)
  if (topic === transferSingleTopic && words(log.data) === 2) {
    const moved = [{ tokenId: number(log.data, 0), value: number(log.data, 32) }]
    return movements(log, 'ERC-1155', second, third, moved, from)
  }
  if (topic === transferBatchTopic) {
    return movements(log, 'ERC-1155', second, third, batchItems(log.data, from, max), 0)
  }
  return []
}

type Moved = Pick<TokenTransfer, 'value' | 'tokenId' | 'lastTokenId'>

/** The number of 32-byte words in the data. */
const words = (data: string): number => (data.length - 2) / 64

/** The word at a byte offset, in decimal digits. */
const number = (data: string, offset: number): string =>
  BigInt(`0x${data.slice(2 + offset * 2, 66 + offset * 2)}`).toString()

function movements(
  log: Log,
  standard: TokenTransfer['standard'],
  from: string | undefined,
  to: string | undefined,
  moved: readonly Moved[],
  skipped: number,
): TokenTransfer[] {
  const [sender, recipient] = [addressOf(from), addressOf(to)]
  if (sender === undefined || recipient === undefined) return []
  return moved.slice(skipped).map((one) => ({
    standard,
    token: log.address,
    from: sender,
    to: recipient,
    logIndex: log.index,
    ...one,
  }))
}

/** The ids of a range. One of a single id is a transfer like any other, and one that ends before it begins none. */
function idsOfRange(first: string | undefined, data: string): Moved[] {
  if (first === undefined || words(data) !== 1) return []
  const [from, to] = [BigInt(first), BigInt(data)]
  if (to < from) return []
  const value = `${to - from + 1n}`
  return [{ tokenId: `${from}`, value, ...(to > from && { lastTokenId: `${to}` }) }]
}

/** The address in a topic; undefined if its first twelve bytes are not zero. */
function addressOf(topic: string | undefined): string | undefined {
  return topic?.startsWith('0x000000000000000000000000') ? `0x${topic.slice(26)}` : undefined
}

/** Some of the (id, value) pairs in a batch's data: two lists of equal length inside the data. */
function batchItems(data: string, from: number, max: number): Moved[] {
  const [ids, values] = [listAt(data, 0), listAt(data, 32)]
  if (!ids || !values || ids.length !== values.length) return []
  const items: Moved[] = []
  for (let index = from; index < Math.min(ids.length, from + max); index += 1) {
    items.push({
      tokenId: number(data, ids.start + index * 32),
      value: number(data, values.start + index * 32),
    })
  }
  return items
}

/** Start and length of the list whose offset is stored at a byte offset. */
function listAt(data: string, position: number): { start: number; length: number } | undefined {
  const offset = smallWord(data, position)
  const length = offset === undefined ? undefined : smallWord(data, offset)
  if (offset === undefined || length === undefined) return undefined
  const start = offset + 32
  return start + length * 32 <= (data.length - 2) / 2 ? { start, length } : undefined
}

/** The word at a byte offset; undefined if it is outside the data or too large for an offset or a length. */
function smallWord(data: string, offset: number): number | undefined {
  const text = data.slice(2 + offset * 2, 66 + offset * 2)
  if (text.length < 64 || !text.startsWith('0'.repeat(54))) return undefined
  return Number.parseInt(text.slice(54), 16)
}
