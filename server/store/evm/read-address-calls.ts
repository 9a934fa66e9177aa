import type { Queryable } from '../database.ts'
import {
  columnsOf,
  digits,
  flag,
  height,
  hex,
  integer,
  nullable,
  rowOf,
  text,
  type Fields,
  type RowOf,
} from '../json-rows.ts'
import { lastBlock, lastIndex, maxRows, read } from '../read.ts'
import { listedCalls } from './listed-calls.ts'
import { readByPartition } from './read-address-partitions.ts'
import type { BlockRange } from './read-blocks.ts'

const moves = listedCalls()

/**
 * SQL for the calls that an address made or received and that move value or create a contract, in order. Each
 * side is one range of a partial index.
 */
export function callBranches(
  order: 'asc' | 'desc',
  cap: number,
  parameters: { address: string; bounds: string; limit: string },
): string[] {
  const { address, bounds, limit } = parameters
  const sort = `order by number ${order}, tx_index ${order}, ordinal ${order}`
  return ['sender', 'recipient'].map(
    (side) => `
      (select * from (
         select number, tx_index, ordinal, depth, type, reverted, sender, recipient, value, gas_limit, gas_used,
           input, error, '${side}' as side
         from calls where chain = $1 and ${side} = ${address} and ${moves} and ${bounds} ${sort} limit ${cap}) range
       ${sort} limit ${limit})`,
  )
}

/** The displayed fields of a call `k`; the recipient is null for a failed creation. */
export const callFields = {
  depth: integer('k.depth'),
  type: text('k.type'),
  reverted: flag('k.reverted'),
  from: hex('k.sender'),
  to: nullable(hex('k.recipient')),
  value: digits('k.value'),
  gasLimit: digits('k.gas_limit'),
  gasUsed: digits('k.gas_used'),
  /** The selector; null if its input has none. */
  method: nullable(hex('case when length(k.input) >= 4 then substr(k.input, 1, 4) end')),
  error: nullable(text('k.error')),
} satisfies Fields

/** A call inside a transaction. Amounts are decimal text. */
export type Call = RowOf<typeof callFields>

const placedFields = {
  number: height('k.number'),
  tx: integer('k.tx_index'),
  ordinal: integer('k.ordinal'),
  ...callFields,
  ts: integer('b.ts'),
  blockHash: hex('b.hash'),
  txHash: hex('t.hash'),
  /** Of the call in which the transaction failed. */
  output: nullable(hex('case when k.ordinal = t.failing_call then t.output end')),
}
const placedRow = rowOf(placedFields)
/** A call with its place, its block and its transaction. */
type PlacedCall = RowOf<typeof placedFields>

/** The position of a call: its block, the index of its transaction, and its order in that transaction. */
type CallPlace = { readonly number: bigint; readonly tx: number; readonly ordinal: number }

/** The columns of a call's position, as a page token holds them. */
export const callCursor = { number: 'bigint', tx: 'number', ordinal: 'number' } as const
/** The position before the latest call. */
export const beforeAllCalls: CallPlace = { number: lastBlock, tx: lastIndex, ordinal: lastIndex }

const branches = callBranches('desc', maxRows, {
  address: '$2',
  bounds: '(number, tx_index, ordinal) < ($3, $4, $5) and number >= $6 and number < $3 + 1',
  limit: '$7',
})

const statement = `
  select ${columnsOf(placedFields)}
  from (
    select distinct on (number, tx_index, ordinal) * from (${branches.join(' union all ')}) either
    order by number desc, tx_index desc, ordinal desc
    limit $7) k
  cross join lateral (
    select ts, hash from blocks where chain = $1 and number = k.number and number between $6 and $3 limit 1) b
  cross join lateral (
    select hash, output, failing_call from transactions
    where chain = $1 and number = k.number and number between $6 and $3 and index = k.tx_index limit 1) t
  order by k.number desc, k.tx_index desc, k.ordinal desc`

/**
 * The calls that an address made or received and that move value or create a contract, in a range of blocks
 * before a position, latest first. `limit` is at most 101.
 */
export function readInternalCalls(
  database: Queryable,
  chain: bigint,
  address: Buffer,
  range: BlockRange,
  past: CallPlace,
  limit: number,
): Promise<PlacedCall[]> {
  const list = { chain, address, range, past, last: { tx: lastIndex, ordinal: lastIndex } }
  return readByPartition(database, list, limit, ({ number, tx, ordinal }, from, left) =>
    read(database, placedRow, statement, [chain, address, number, tx, ordinal, from, left]),
  )
}
