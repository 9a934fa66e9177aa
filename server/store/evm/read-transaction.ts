import type { Database } from '../database.ts'
import { read } from '../read.ts'
import { transactionFields } from './read-transactions.ts'

/** A log of a transaction; bytes as 0x text, absent topics left out. */
export type StoredLog = {
  readonly index: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A call made inside a transaction; amounts as decimal text. */
export type StoredCall = {
  readonly depth: number
  readonly type: string
  readonly reverted: boolean
  readonly sender: string
  readonly recipient: string | null
  readonly value: string
  readonly gas_limit: string
  readonly gas_used: string
  readonly method: string | null
  readonly error: string | null
}

/** One transaction with all that happened in it. */
export type StoredTransaction = {
  /** What a list shows of it, as JSON. */
  readonly json: string
  readonly input: string
  readonly calls_contract: boolean
  readonly base_fee: string
  readonly max_fee: string | null
  readonly max_priority_fee: string | null
  readonly cumulative_gas_used: string
  readonly created: string | null
  readonly fee: string
  readonly finalized: boolean | null
  /** Whether a later block has settled its block; null where that settles itself. */
  readonly settled: boolean | null
  readonly block_tx_count: number
  /** Whether the node could not trace its block. */
  readonly untraced: boolean
  readonly logs: readonly StoredLog[]
  readonly calls: readonly StoredCall[]
}

// One statement, one snapshot: a reorg between two reads would mix two blocks.
const statement = `
  select '{' || ${transactionFields} || '}' as json,
    '0x' || encode(t.input, 'hex') as input,
    t.recipient is not null and length(t.input) > 0 as calls_contract,
    coalesce(b.base_fee, 0)::text as base_fee, t.max_fee, t.max_priority_fee,
    t.cumulative_gas_used::text as cumulative_gas_used,
    '0x' || encode(t.created, 'hex') as created,
    (t.gas_used * t.gas_price)::text as fee,
    b.number <= c.finalized_block as finalized,
    case when b.settled_height is not null then b.number <= (
      select h.settled_height from blocks h where h.chain = $1 order by h.number desc limit 1) end as settled,
    b.tx_count as block_tx_count,
    exists (
      select from trace_gaps g where g.chain = $1 and not g.filled
        and t.number between g.first_block and g.last_block) as untraced,
    coalesce((
      select json_agg(json_build_object(
        'index', l.index, 'address', '0x' || encode(l.address, 'hex'),
        'topics', array_remove(array[
          '0x' || encode(l.topic0, 'hex'), '0x' || encode(l.topic1, 'hex'),
          '0x' || encode(l.topic2, 'hex'), '0x' || encode(l.topic3, 'hex')], null),
        'data', '0x' || encode(l.data, 'hex')) order by l.index)
      from logs l where l.chain = $1 and l.number = t.number and l.tx_index = t.index), '[]') as logs,
    coalesce((
      select json_agg(json_build_object(
        'depth', k.depth, 'type', k.type, 'reverted', k.reverted,
        'sender', '0x' || encode(k.sender, 'hex'), 'recipient', '0x' || encode(k.recipient, 'hex'),
        'value', k.value::text, 'gas_limit', k.gas_limit::text, 'gas_used', k.gas_used::text,
        'method', '0x' || encode(k.method, 'hex'), 'error', k.error) order by k.ordinal)
      from calls k where k.chain = $1 and k.number = t.number and k.tx_index = t.index), '[]') as calls
  from transactions t
  join blocks b on b.chain = $1 and b.number = t.number
  left join chains c on c.chain = $1
  where t.hash = $2 and t.chain = $1`

/** A transaction by its hash; undefined when the canonical chain has none. */
export async function readTransaction(
  database: Database,
  chain: bigint,
  hash: Buffer,
): Promise<StoredTransaction | undefined> {
  const [row] = await read<StoredTransaction>(database, statement, [chain, hash])
  return row
}
