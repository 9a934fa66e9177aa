import {
  columnsOf,
  digits,
  flag,
  hex,
  hexList,
  integer,
  list,
  nullable,
  optional,
  rowOf,
  text,
  type RowOf,
} from '../json-rows.ts'
import { query, queryOne } from '../read.ts'
import { callFields } from './read-address-calls.ts'
import { transactionColumns } from './read-transactions.ts'

/** One transaction with all its contents. */
const details = {
  ...transactionColumns,
  input: hex('t.input'),
  baseFeePerGas: digits('coalesce(b.base_fee, 0)'),
  maxFeePerGas: optional(digits('t.max_fee')),
  maxPriorityFeePerGas: optional(digits('t.max_priority_fee')),
  cumulativeGasUsed: digits('t.cumulative_gas_used'),
  contractAddress: optional(hex('t.created')),
  txFee: digits('t.gas_used * t.gas_price + coalesce(t.blob_gas_used * t.blob_gas_price, 0)'),
  isFinalized: optional(flag('b.number <= greatest(c.finalized_block, c.node_finalized)')),
  /** Whether a later block has settled its block; null if the block settles itself. */
  isSettled: optional(
    flag(`case when b.settled_height is not null then b.number <= (
      select h.settled_height from blocks h where h.chain = $1 order by h.number desc limit 1) end`),
  ),
  blockTxCount: integer('b.tx_count'),
  /** Whether its inner calls are not stored: the node could not trace its block, or they were dropped. */
  untraced: flag(`(t.number < c.traces_from) is true or exists (
    select from trace_gaps g where g.chain = $1 and not g.filled
      and t.number between g.first_block and g.last_block)`),
  /**
   * Why it failed, by the stored trace: the text of its own call, what that returned, and the ordinal of the call in which
   * the failure began, -1 for its own; see server/store/schema/evm-blocks.ts.
   */
  error: optional(text('t.error')),
  output: optional(hex('t.output')),
  failingCall: optional(integer('t.failing_call')),
  /** The lowest kept block, if what belongs to its block was dropped. */
  tracesFrom: optional(digits('case when t.number < c.traces_from then c.traces_from end')),
  logsFrom: optional(digits('case when t.number < c.logs_from then c.logs_from end')),
  logs: list(
    {
      index: integer('l.index'),
      address: hex('l.address'),
      topics: hexList(['l.topic0', 'l.topic1', 'l.topic2', 'l.topic3']),
      data: hex('l.data'),
    },
    'logs l where l.chain = $1 and l.number = t.number and l.tx_index = t.index',
    'l.index',
  ),
  calls: list(
    callFields,
    'calls k where k.chain = $1 and k.number = t.number and k.tx_index = t.index',
    'k.ordinal',
  ),
}
const detailsRow = rowOf(details)
/** One transaction with all its contents. */
export type StoredTransaction = RowOf<typeof details>

// One statement is one snapshot: two reads could mix two blocks if a reorg comes between them.
const statement = `
  select ${columnsOf(details)}
  from transactions t
  join blocks b on b.chain = $1 and b.number = t.number
  left join chains c on c.chain = $1
  where t.hash = $2 and t.chain = $1`

/** A transaction by its hash; undefined if the canonical chain has none. */
export const readTransaction = queryOne(detailsRow, (chain: bigint, hash: Buffer) => [
  statement,
  [chain, hash],
])

const nonceStep = { nonce: nullable(digits('step.nonce')) }

/**
 * What may raise an account's nonce in a block before the authorizations of the transaction at an index, in order: each
 * transaction that it sent, with null, and its authorizations in earlier transactions, with the nonce that they are for.
 */
export const readNonceSteps = query(
  rowOf(nonceStep),
  (chain: bigint, account: Buffer, number: bigint, index: number) => [
    `select ${columnsOf(nonceStep)} from (
       select index as tx_index, -1 as place, null::numeric as nonce from transactions
       where chain = $1 and number = $2 and index <= $3 and sender = $4
       union all select tx_index, index, nonce from authorizations
       where chain = $1 and number = $2 and tx_index < $3 and authority = $4) step
     order by step.tx_index, step.place`,
    [chain, number, index, account],
  ],
)
