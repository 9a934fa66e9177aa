import type { Queryable } from '../database.ts'
import { lastBlock, lastIndex, lineBreak, mostRows, readLines } from '../read.ts'
import type { BlockRange } from './read-blocks.ts'

// Word for word the predicate of the partial indexes of migration 0002.
const moves = `(value > 0 or type in ('CREATE', 'CREATE2', 'SELFDESTRUCT'))`

/**
 * SQL for the calls that move value or create, made by or to an address, within bounds and in order: one
 * range each of two partial indexes.
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
           method, error, '${side}' as side
         from calls where chain = $1 and ${side} = ${address} and ${moves} and ${bounds} ${sort} limit ${cap}) range
       ${sort} limit ${limit})`,
  )
}

/** The JSON of a call `k`. Its type and error may be any text: they are escaped. */
export const callFields = `
  '"number":"' || k.number || '","tx":' || k.tx_index || ',"ordinal":' || k.ordinal || ',"depth":' || k.depth
  || ',"type":' || to_json(k.type) || ',"reverted":' || k.reverted
  || ',"from":"0x' || encode(k.sender, 'hex') || '"' || coalesce(',"to":"0x' || encode(k.recipient, 'hex') || '"', '')
  || ',"value":"' || k.value || '","gasLimit":"' || k.gas_limit || '","gasUsed":"' || k.gas_used || '"'
  || coalesce(',"method":"0x' || encode(k.method, 'hex') || '"', '') || coalesce(',"error":' || to_json(k.error), '')`

/** A call inside a transaction. Amounts are decimal text. */
export type AddressCall = {
  readonly number: bigint
  readonly tx: number
  readonly ordinal: number
  readonly depth: number
  readonly type: string
  readonly reverted: boolean
  readonly from: string
  readonly to?: string
  readonly value: string
  readonly gasLimit: string
  readonly gasUsed: string
  readonly method?: string
  readonly error?: string
}

/** A call with its block and transaction. */
export type PlacedCall = AddressCall & {
  readonly ts: number
  readonly blockHash: string
  readonly txHash: string
}

/** A place in a chain: a call by its block, its transaction's index and its position in that. */
export type CallPlace = { readonly number: bigint; readonly tx: number; readonly ordinal: number }

/** The columns of a call's place, as a page token holds them. */
export const callCursor = { number: 'bigint', tx: 'number', ordinal: 'number' } as const
/** The place before every call of a walk, latest first. */
export const beforeAllCalls: CallPlace = { number: lastBlock, tx: lastIndex, ordinal: lastIndex }

const branches = callBranches('desc', mostRows, {
  address: '$2',
  bounds: '(number, tx_index, ordinal) < ($3, $4, $5) and number >= $6',
  limit: '$7',
})

const statement = `
  select string_agg(page.json, ${lineBreak} order by page.number desc, page.tx_index desc, page.ordinal desc) as lines
  from (
    select k.number, k.tx_index, k.ordinal, '{' || ${callFields} || ',"ts":' || b.ts
      || ',"blockHash":"0x' || encode(b.hash, 'hex') || '","txHash":"0x' || encode(t.hash, 'hex') || '"}' as json
    from (
      select distinct on (number, tx_index, ordinal) * from (${branches.join(' union all ')}) either
      order by number desc, tx_index desc, ordinal desc
      limit $7) k
    cross join lateral (select ts, hash from blocks where chain = $1 and number = k.number limit 1) b
    cross join lateral (
      select hash from transactions where chain = $1 and number = k.number and index = k.tx_index limit 1) t
  ) page`

/**
 * The calls that move value or create, made by or to an address, latest first: those of the range before a
 * place. `limit` is at most 101.
 */
export async function readInternalCalls(
  database: Queryable,
  chain: bigint,
  address: Buffer,
  range: BlockRange,
  past: CallPlace,
  limit: number,
): Promise<PlacedCall[]> {
  const start = past.number < range.before ? past : { number: range.before, tx: 0, ordinal: -1 }
  const lines = await readLines(database, statement, [
    chain,
    address,
    start.number,
    start.tx,
    start.ordinal,
    range.from,
    limit,
  ])
  return lines.map((line) => readCall(JSON.parse(line) as PlacedCall))
}

/** A call's JSON with its height as a bigint. */
export function readCall<Call extends AddressCall>(call: Call): Call {
  return { ...call, number: BigInt(call.number) }
}
