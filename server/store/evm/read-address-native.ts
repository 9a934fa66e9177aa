import type { Queryable } from '../database.ts'
import { columnsOf, rowOf } from '../json-rows.ts'
import { lastIndex, maxRows, read } from '../read.ts'
import { readByPartition } from './read-address-partitions.ts'
import type { BlockRange } from './read-blocks.ts'
import { transactionColumns, type Place, type TransactionRow } from './read-transactions.ts'

/** The two parties of a transaction; a created contract counts as the recipient. */
const sides = ['sender', 'coalesce(recipient, created)'] as const

/**
 * SQL for the positions of the transactions that an address sent or received, in order: two index ranges. Heights have
 * bounds of their own beside those of positions, as in every statement of an address: by these, PostgreSQL leaves out
 * partitions before it opens them. The upper one has the operator of the position, because with another one the scan would
 * begin at the end of the position's block.
 */
export function nativeBranches(
  order: 'asc' | 'desc',
  cap: number,
  parameters: { address: string; number: string; index: string; stop: string; limit: string },
): string[] {
  const { address, number, index, stop, limit } = parameters
  const bounds =
    order === 'desc'
      ? `(number, index) < (${number}, ${index}) and number >= ${stop} and number < ${number} + 1`
      : `(number, index) > (${number}, ${index}) and number >= ${number} and number < ${stop}`
  return sides.map(
    (side) => `
      (select number, index from (
         select number, index from transactions where chain = $1 and ${side} = ${address} and ${bounds}
         order by number ${order}, index ${order}
         limit ${cap}) range
       order by number ${order}, index ${order}
       limit ${limit})`,
  )
}

const [sent, received] = nativeBranches('desc', maxRows, {
  address: '$2',
  number: '$3',
  index: '$4',
  stop: '$5',
  limit: '$6',
})

const transactionRow = rowOf(transactionColumns)
const statement = `
  select ${columnsOf(transactionColumns)}
  from (
    select number, index from (${sent} union ${received}) either
    order by number desc, index desc
    limit $6) place
  cross join lateral (
    select * from transactions
    where chain = $1 and number = place.number and number between $5 and $3 and index = place.index limit 1) t
  cross join lateral (
    select * from blocks where chain = $1 and number = t.number and number between $5 and $3 limit 1) b
  order by t.number desc, t.index desc`

/**
 * The transactions that an address sent or received, in a range before a position, latest first. A
 * transaction to itself appears once. `limit` is at most 101.
 */
export function readNativeTransactions(
  database: Queryable,
  chain: bigint,
  address: Buffer,
  range: BlockRange,
  past: Place,
  limit: number,
): Promise<TransactionRow[]> {
  const list = { chain, address, range, past, last: { index: lastIndex } }
  return readByPartition(database, list, limit, ({ number, index }, from, left) =>
    read(database, transactionRow, statement, [chain, address, number, index, from, left]),
  )
}
