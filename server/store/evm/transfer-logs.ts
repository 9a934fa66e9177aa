/** Topic 0 of token transfer events, as 0x text. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
export const transferSingleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
export const transferBatchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** `ConsecutiveTransfer(uint256 indexed, uint256, address indexed, address indexed)` of ERC-2309: a range of NFTs. */
export const rangeTopic = '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d'

export const transferTopics: readonly string[] = [
  transferTopic,
  transferSingleTopic,
  transferBatchTopic,
  rangeTopic,
]

/**
 * Topic 0 of `Deposit(address indexed, uint256)` and `Withdrawal(address indexed, uint256)`: what a wrapper of the native
 * token emits instead of a transfer from and to nobody.
 */
export const depositTopic = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
export const withdrawalTopic = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

const sqlOf = (topic: string): string => String.raw`'\x${topic.slice(2)}'`
const transfer = sqlOf(transferTopic)
const single = sqlOf(transferSingleTopic)
const batch = sqlOf(transferBatchTopic)
const range = sqlOf(rangeTopic)

/** SQL for logs with the shape of a deposit or a withdrawal: the predicate of the index logs_wraps. */
export const wrapLogs = `topic0 in (${sqlOf(depositTopic)}, ${sqlOf(withdrawalTopic)})
  and topic1 is not null and topic2 is null and length(data) = 32`

/**
 * SQL conditions for transfers among `logs`. They are the predicates of the indexes logs_token, logs_erc20_from and so on,
 * which serve no other condition.
 */
export const transferLogs = {
  any: `topic0 in (${transfer}, ${single}, ${batch}, ${range})`,
  'ERC-20': `topic0 = ${transfer} and topic2 is not null and topic3 is null and length(data) = 32`,
  'ERC-721': `topic0 = ${transfer} and topic3 is not null and length(data) = 0`,
  'ERC-1155': `topic0 in (${single}, ${batch}) and topic3 is not null`,
  /** Of ranges of ERC-721 tokens. */
  ranges: `topic0 = ${range} and topic3 is not null and length(data) = 32`,
  /** All with their parties in the last two topics. */
  partiesLast: `topic0 in (${single}, ${batch}, ${range}) and topic3 is not null`,
} as const
