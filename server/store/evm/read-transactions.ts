import type { Database } from '../database.ts'
import {
  digits,
  hex,
  integer,
  joinLines,
  jsonLines,
  object,
  optional,
  readLines,
  word,
  type RowOf,
} from '../json-rows.ts'
import { lastBlock, lastIndex, maxRows } from '../read.ts'
import type { BlockRange } from './read-blocks.ts'

/** The position of a transaction: its block and its index in the block. */
export type Place = { readonly number: bigint; readonly index: number }

/** The columns of a position, as a page token holds them. */
export const placeCursor = { number: 'bigint', index: 'number' } as const

/** The position before the first transaction in an order. */
export const beforeAllPlaces = {
  asc: { number: -1n, index: 0 },
  desc: { number: lastBlock, index: lastIndex },
} as const

/** The displayed fields of a transaction `t` of block `b`, apart from its parties and its method. */
const listed = {
  blockNumber: digits('t.number'),
  blockTimestamp: integer('b.ts'),
  blockHash: hex('b.hash'),
  chainId: digits('t.chain'),
  blockIndex: integer('t.index'),
  txHash: hex('t.hash'),
  txStatus: digits('t.status'),
  txType: integer('t.type'),
  gasLimit: digits('t.gas_limit'),
  gasUsed: digits('t.gas_used'),
  gasPrice: digits('t.gas_price'),
  nonce: digits('t.nonce'),
  value: digits('t.value'),
  blobGasUsed: optional(digits('t.blob_gas_used')),
  blobGasPrice: optional(digits('t.blob_gas_price')),
}

// For a creation, the created contract; empty if the creation failed.
const to = `coalesce('0x' || encode(coalesce(t.recipient, t.created), 'hex'), '')`
const callType = `
  case when t.recipient is null then 'CONTRACT_CREATION'
       when length(t.input) = 0 then 'NATIVE_TRANSFER' else 'CONTRACT_CALL' end`
/** The first four bytes of the input, or fewer if it is shorter. */
const selector = hex('substring(t.input from 1 for 4)')

/** The columns of a transaction `t` of block `b`. */
export const transactionColumns = {
  ...listed,
  sender: hex('t.sender'),
  to: word(to),
  callType: word(callType),
  selector,
  inputSize: integer('length(t.input)'),
}
/** A transaction with everything needed to display its parties and its method. */
export type TransactionRow = Omit<RowOf<typeof transactionColumns>, BlobField> & {
  /** Absent inside of JSON, null in rows of their own. */
  readonly [Name in BlobField]?: string | null
}
type BlobField = 'blobGasUsed' | 'blobGasPrice'

const lines = jsonLines(
  {
    number: ['t.number', BigInt],
    index: ['t.index', Number],
    to: [to, String],
    callType: [callType, String],
    selector: [selector.column, String],
    inputSize: ['length(t.input)', Number],
  },
  { ...listed, from: object({ address: hex('t.sender') }) },
)

/**
 * A row of a list: its JSON, the position for its page token, and the data that determine its method name.
 */
export type ListedTransaction = ReturnType<typeof lines.parse>

// One bound where the scan starts and one where it stops: with two upper bounds, PostgreSQL may start at the
// looser one and scan to the tighter. The literal limits tell a generic plan how few rows there will be;
// without them the plan hashes all blocks, or PostgreSQL plans every request again.
const listStatement = (order: 'asc' | 'desc', conditions: string): string => `
  select ${joinLines(`number ${order}, index ${order}`)}
  from (
    select t.number, t.index, ${lines.line} as line
    from (
      select * from transactions
      where chain = $1
        and ${order === 'asc' ? '(number, index) > ($2, $3) and number < $4' : '(number, index) < ($2, $3) and number >= $4'}
        ${conditions}
      order by number ${order}, index ${order}
      limit ${maxRows}) t
    cross join lateral (select * from blocks where chain = $1 and number = t.number limit 1) b
    order by t.number ${order}, t.index ${order}
    limit $5) page`

/** What a list of transactions is narrowed to; addresses and the method are 0x text. */
type TransactionFilter = {
  readonly txStatus?: '0' | '1' | undefined
  readonly methodHash?: string | undefined
  readonly fromAddress?: string | undefined
  readonly toAddress?: string | undefined
}

/** The conditions of a filter, each as one of the indexes has it, with the values of their placeholders from $6 on. */
function conditionsOf(filter: TransactionFilter): { conditions: string; values: Buffer[] } {
  const values: Buffer[] = []
  const place = (text: string): string => {
    values.push(Buffer.from(text.slice(2), 'hex'))
    return `$${5 + values.length}`
  }
  const { txStatus, methodHash, fromAddress, toAddress } = filter
  const all = [
    ...(txStatus === undefined ? [] : [`status = ${txStatus}`]),
    ...(fromAddress === undefined ? [] : [`sender = ${place(fromAddress)}`]),
    ...(toAddress === undefined ? [] : [`coalesce(recipient, created) = ${place(toAddress)}`]),
    ...(methodHash === undefined
      ? []
      : [
          'recipient is not null and length(input) >= 4',
          `substring(input from 1 for 4) = ${place(methodHash)}`,
        ]),
  ]
  return { conditions: all.map((condition) => `and ${condition}`).join('\n        '), values }
}

/** Transactions of a range of blocks after a position, in order: one range of the primary key, or of a filter's index. */
export function readTransactions(
  database: Database,
  chain: bigint,
  range: BlockRange,
  order: 'asc' | 'desc',
  past: Place,
  limit: number,
  filter: TransactionFilter = {},
): Promise<ListedTransaction[]> {
  const [start, stop] =
    order === 'asc'
      ? [later(past, { number: range.from, index: -1 }), range.before]
      : [earlier(past, { number: range.before, index: 0 }), range.from]
  const { conditions, values } = conditionsOf(filter)
  return readLines(database, lines, listStatement(order, conditions), [
    chain,
    start.number,
    start.index,
    stop,
    limit,
    ...values,
  ])
}

const isBefore = (left: Place, right: Place): boolean =>
  left.number === right.number ? left.index < right.index : left.number < right.number
const earlier = (left: Place, right: Place): Place => (isBefore(left, right) ? left : right)
const later = (left: Place, right: Place): Place => (isBefore(left, right) ? right : left)
