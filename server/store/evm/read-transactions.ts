import type { Database } from '../database.ts'
import { lastBlock, lastIndex, lineBreak, mostRows, readLines } from '../read.ts'
import type { BlockRange } from './read-blocks.ts'

/** A place in a chain: a transaction by its block and its index in it. */
export type Place = { readonly number: bigint; readonly index: number }

/** The columns of a place, as a page token holds them. */
export const placeCursor = { number: 'bigint', index: 'number' } as const

/** The place before every transaction of a walk in this order. */
export const beforeAllPlaces = {
  asc: { number: -1n, index: 0 },
  desc: { number: lastBlock, index: lastIndex },
} as const

/** A row of a list: its JSON as the interface has it, and the place that its page token needs. */
export type TransactionRow = Place & { readonly json: string }

/**
 * The JSON of a transaction `t` of block `b`, joined as text: every value is digits or hex. The name of
 * the method is put in later, from the four bytes that stand here.
 */
export const transactionFields = `
  '"blockNumber":"' || t.number || '","blockTimestamp":' || b.ts || ',"blockHash":"0x' || encode(b.hash, 'hex')
  || '","chainId":"' || t.chain || '","blockIndex":' || t.index || ',"txHash":"0x' || encode(t.hash, 'hex')
  || '","txStatus":"' || t.status || '","txType":' || t.type || ',"gasLimit":"' || t.gas_limit
  || '","gasUsed":"' || t.gas_used || '","gasPrice":"' || t.gas_price || '","nonce":"' || t.nonce
  || '","from":{"address":"0x' || encode(t.sender, 'hex')
  || '"},"to":{"address":"' || coalesce('0x' || encode(coalesce(t.recipient, t.created), 'hex'), '')
  || '"},"method":{"callType":"'
  || case when t.recipient is null then 'CONTRACT_CREATION'
          when length(t.input) = 0 then 'NATIVE_TRANSFER' else 'CONTRACT_CALL' end
  || '","methodHash":"0x' || encode(substring(t.input from 1 for 4), 'hex') || '"},"value":"' || t.value || '"'`

// One bound where the scan starts and one where it stops: with two upper bounds PostgreSQL may start at
// the looser and walk to the tighter. The limits that are no parameters tell a generic plan how few rows
// there will be: without them it hashes all blocks, or is thrown away and each request plans anew.
const listStatement = (order: 'asc' | 'desc'): string => `
  select string_agg(page.json, ${lineBreak} order by page.number ${order}, page.index ${order}) as lines
  from (
    select t.number, t.index, '{' || ${transactionFields} || '}' as json
    from (
      select * from transactions
      where chain = $1
        and ${order === 'asc' ? '(number, index) > ($2, $3) and number < $4' : '(number, index) < ($2, $3) and number >= $4'}
      order by number ${order}, index ${order}
      limit ${mostRows}) t
    cross join lateral (select * from blocks where chain = $1 and number = t.number limit 1) b
    order by t.number ${order}, t.index ${order}
    limit $5) page`
const listStatements = { asc: listStatement('asc'), desc: listStatement('desc') }

/** Transactions of a range of blocks past a place, in order: one index range of the primary key. */
export async function readTransactions(
  database: Database,
  chain: bigint,
  range: BlockRange,
  order: 'asc' | 'desc',
  past: Place,
  limit: number,
): Promise<TransactionRow[]> {
  const [start, stop] =
    order === 'asc'
      ? [later(past, { number: range.from, index: -1 }), range.before]
      : [earlier(past, { number: range.before, index: 0 }), range.from]
  const lines = await readLines(database, listStatements[order], [
    chain,
    start.number,
    start.index,
    stop,
    limit,
  ])
  return lines.map((json) => ({ json, ...placeOf(json) }))
}

function placeOf(json: string): Place {
  const [, number = '0', index] = /"blockNumber":"(\d+)".*?"blockIndex":(\d+)/.exec(json) ?? []
  return { number: BigInt(number), index: Number(index) }
}

const isBefore = (left: Place, right: Place): boolean =>
  left.number === right.number ? left.index < right.index : left.number < right.number
const earlier = (left: Place, right: Place): Place => (isBefore(left, right) ? left : right)
const later = (left: Place, right: Place): Place => (isBefore(left, right) ? right : left)
