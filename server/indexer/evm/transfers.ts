/** The event signatures of token transfers. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const transferSingleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
export const transferBatchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

export const transferTopics: readonly string[] = [transferTopic, transferSingleTopic, transferBatchTopic]

/** Who sent and who received, as 0x text; or that the log claims to be a transfer and isn't one. */
export type Transfer = { readonly from: string; readonly to: string } | 'malformed' | undefined

const word = 64

/**
 * Reads a log as a token transfer: ERC-20 has 3 topics and one word of data, ERC-721 has 4 topics and no
 * data, ERC-1155 has 4 topics and well-formed data. Undefined for any other event. `data` is 0x text.
 */
export function readTransfer(topics: readonly string[], data: string): Transfer {
  const [event, first, second, third] = topics
  if (event === transferTopic) {
    const erc20 = topics.length === 3 && data.length === 2 + word
    const erc721 = topics.length === 4 && data === '0x'
    return erc20 || erc721 ? parties(first, second) : 'malformed'
  }
  if (event === transferSingleTopic) {
    return topics.length === 4 && data.length === 2 + 2 * word ? parties(second, third) : 'malformed'
  }
  if (event === transferBatchTopic) {
    return topics.length === 4 && isBatch(data) ? parties(second, third) : 'malformed'
  }
  return undefined
}

function parties(from: string | undefined, to: string | undefined): Transfer {
  const sender = addressOf(from)
  const receiver = addressOf(to)
  return sender === undefined || receiver === undefined ? 'malformed' : { from: sender, to: receiver }
}

function addressOf(topic: string | undefined): string | undefined {
  return topic?.startsWith('0x000000000000000000000000') === true ? `0x${topic.slice(26)}` : undefined
}

/** Two lists of words, of equal length, inside the data. */
function isBatch(data: string): boolean {
  const ids = listLength(data, 0)
  return ids !== undefined && ids === listLength(data, 1)
}

function listLength(data: string, position: number): number | undefined {
  const size = (data.length - 2) / 2
  const offset = smallWord(data, position * 32)
  if (offset === undefined) return undefined
  const length = smallWord(data, offset)
  return length !== undefined && offset + 32 + length * 32 <= size ? length : undefined
}

/** The word at a byte offset, when it is there and small enough for an offset or a length. */
function smallWord(data: string, offset: number): number | undefined {
  const text = data.slice(2 + offset * 2, 2 + offset * 2 + word)
  if (text.length < word || !text.startsWith('0'.repeat(54))) return undefined
  return Number.parseInt(text.slice(54), 16)
}
