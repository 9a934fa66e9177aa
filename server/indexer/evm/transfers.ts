/** The event signatures of token transfers. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const transferSingleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
export const transferBatchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

export const transferTopics: readonly string[] = [transferTopic, transferSingleTopic, transferBatchTopic]

/** The number of the ERC whose events a token emits: the `kind` columns. */
export type TokenKind = 20 | 721 | 1155

/** The token id, as decimal text, that stands for a whole contract. */
export const wholeContract = '-1'

/** How much of which token id was moved: ERC-20 has no ids, ERC-721 moves one piece. */
export type Moved = { readonly id: string; readonly value: bigint }

/**
 * What a transfer log says; addresses are 0x text. One entry of `moved` is one movement: a batch may have
 * many, the same id twice, or none.
 */
export type Transfer = {
  readonly token: string
  readonly kind: TokenKind
  readonly from: string
  readonly to: string
  readonly moved: readonly Moved[]
}

const word = 64

/**
 * Reads a log of a contract as a token transfer: ERC-20 has 3 topics and one word of data, ERC-721 has 4
 * topics and no data, ERC-1155 has 4 topics and well-formed data. Says when a log claims to be a transfer
 * and isn't one; undefined for any other event. `token` is the contract, `data` is 0x text.
 */
export function readTransfer(
  token: string,
  topics: readonly string[],
  data: string,
): Transfer | 'malformed' | undefined {
  const [event, first, second, third] = topics
  if (event === transferTopic) {
    if (topics.length === 3 && data.length === 2 + word) {
      return transfer(token, 20, first, second, [{ id: wholeContract, value: BigInt(data) }])
    }
    if (topics.length === 4 && third !== undefined && data === '0x') {
      return transfer(token, 721, first, second, [{ id: BigInt(third).toString(), value: 1n }])
    }
    return 'malformed'
  }
  if (event === transferSingleTopic) {
    if (topics.length !== 4 || data.length !== 2 + 2 * word) return 'malformed'
    return transfer(token, 1155, second, third, [moved(data, 0, 32)])
  }
  if (event === transferBatchTopic) {
    const batch = topics.length === 4 ? readBatch(data) : undefined
    return batch ? transfer(token, 1155, second, third, batch) : 'malformed'
  }
  return undefined
}

function transfer(
  token: string,
  kind: TokenKind,
  from: string | undefined,
  to: string | undefined,
  all: readonly Moved[],
): Transfer | 'malformed' {
  const sender = addressOf(from)
  const receiver = addressOf(to)
  if (sender === undefined || receiver === undefined) return 'malformed'
  return { token, kind, from: sender, to: receiver, moved: all }
}

function addressOf(topic: string | undefined): string | undefined {
  return topic?.startsWith('0x000000000000000000000000') === true ? `0x${topic.slice(26)}` : undefined
}

/**
 * Two lists of words, of equal length, inside the data. There is no cap of their own: a movement takes at
 * least 32 bytes that the transaction paid for, and what waits is bounded by the size of its blocks.
 */
function readBatch(data: string): Moved[] | undefined {
  const ids = listAt(data, 0)
  const values = listAt(data, 1)
  if (!ids || !values || ids.length !== values.length) return undefined
  return Array.from({ length: ids.length }, (_, index) =>
    moved(data, ids.start + index * 32, values.start + index * 32),
  )
}

function moved(data: string, idOffset: number, valueOffset: number): Moved {
  return { id: wordAt(data, idOffset).toString(), value: wordAt(data, valueOffset) }
}

/** A word at a byte offset that is known to be inside the data. */
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

/** The word at a byte offset, when it is there and small enough for an offset or a length. */
function smallWord(data: string, offset: number): number | undefined {
  const text = data.slice(2 + offset * 2, 2 + offset * 2 + word)
  if (text.length < word || !text.startsWith('0'.repeat(54))) return undefined
  return Number.parseInt(text.slice(54), 16)
}
