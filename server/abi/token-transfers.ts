import { decodeAbiParameters, type AbiParameter, type Hex } from 'viem'

/** What a token's log says of one movement; amounts and ids as decimal text. */
export type TokenTransfer = {
  readonly standard: 'ERC-20' | 'ERC-721' | 'ERC-1155'
  readonly token: string
  readonly from: string
  readonly to: string
  readonly logIndex: number
  readonly value: string
  readonly tokenId: string
}

type Log = {
  readonly index: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const transferSingle = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const transferBatch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

const uint = { type: 'uint256' } as const
const uints = { type: 'uint256[]' } as const

/**
 * The movements of a log: one for ERC-20 (3 topics), ERC-721 (4 topics) and TransferSingle, one an id for
 * TransferBatch; none for any other log and for one that is malformed (metrics.md). A log's own lengths
 * are never trusted.
 */
export function tokenTransfers(log: Log): TokenTransfer[] {
  const [topic, ...indexed] = log.topics
  if (topic === transfer && indexed.length === 2 && words(log.data) === 1) {
    const value = decode([uint], log.data)?.[0]
    return value === undefined ? [] : movement(log, 'ERC-20', indexed[0], indexed[1], [{ value, id: 0n }])
  }
  if (topic === transfer && indexed.length === 3 && words(log.data) === 0) {
    return movement(log, 'ERC-721', indexed[0], indexed[1], [{ value: 1n, id: BigInt(indexed[2] ?? 0) }])
  }
  if (indexed.length !== 3) return []
  if (topic === transferSingle && words(log.data) === 2) {
    const values = decode([uint, uint], log.data)
    if (!values) return []
    return movement(log, 'ERC-1155', indexed[1], indexed[2], [{ id: values[0], value: values[1] }])
  }
  if (topic === transferBatch) {
    const lists = decode([uints, uints], log.data)
    if (!lists) return []
    const [ids, values] = lists
    if (ids.length !== values.length) return []
    const moved = ids.map((id, index) => ({ id, value: values[index] ?? 0n }))
    return movement(log, 'ERC-1155', indexed[1], indexed[2], moved)
  }
  return []
}

/** How many words of 32 bytes the data holds. */
const words = (data: string): number => (data.length - 2) / 64

function movement(
  log: Log,
  standard: TokenTransfer['standard'],
  from: string | undefined,
  to: string | undefined,
  moved: readonly { value: bigint; id: bigint }[],
): TokenTransfer[] {
  const [sender, recipient] = [addressOf(from), addressOf(to)]
  if (sender === undefined || recipient === undefined) return []
  return moved.map(({ value, id }) => ({
    standard,
    token: log.address,
    from: sender,
    to: recipient,
    logIndex: log.index,
    value: value.toString(),
    tokenId: id.toString(),
  }))
}

/** The address in a topic; undefined when the twelve bytes before it are not empty. */
function addressOf(topic: string | undefined): string | undefined {
  return topic?.startsWith('0x000000000000000000000000') ? `0x${topic.slice(26)}` : undefined
}

function decode<const Types extends readonly AbiParameter[]>(types: Types, data: string) {
  try {
    return decodeAbiParameters(types, data as Hex)
  } catch {
    // Too short, or offsets that lead nowhere: not a transfer.
    return undefined
  }
}
