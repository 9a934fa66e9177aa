import type { Database } from './database.ts'
import { read } from './read.ts'
import type { BlockRange } from './read-blocks.ts'

/** A place in a chain: a transaction by its block and its index in it. */
export type Place = { readonly number: bigint; readonly index: number }

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

const listStatement = (order: 'asc' | 'desc'): string => {
  const past = order === 'asc' ? '>' : '<'
  return `
  select t.number, t.index, '{' || ${transactionFields} || '}' as json
  from (
    select * from transactions
    where chain = $1 and number >= $2 and number < $3
      and number ${past}= $4 and (number, index) ${past} ($4, $5)
    order by number ${order}, index ${order}
    limit $6) t
  join blocks b on b.chain = $1 and b.number = t.number
  order by t.number ${order}, t.index ${order}`
}
const listStatements = { asc: listStatement('asc'), desc: listStatement('desc') }

/** Transactions of a range of blocks past a place, in order: one index range of the primary key. */
export function readTransactions(
  database: Database,
  chain: bigint,
  range: BlockRange,
  order: 'asc' | 'desc',
  past: Place,
  limit: number,
): Promise<TransactionRow[]> {
  return read<TransactionRow>(database, listStatements[order], [
    chain,
    range.from,
    range.before,
    past.number,
    past.index,
    limit,
  ])
}
