import { z } from 'zod'
import type { Database } from '../database.ts'
import {
  columnsOf,
  digits,
  flag,
  hex,
  integer,
  joinLines,
  jsonLines,
  list,
  optional,
  readLines,
  rowOf,
} from '../json-rows.ts'
import { maxRows, queryOne } from '../read.ts'

/** A half-open range of heights, `from` ≤ height < `before`. */
export type BlockRange = { from: bigint; before: bigint }

/** The displayed fields of a block `b`. */
const listed = {
  chainId: digits('b.chain'),
  blockNumber: digits('b.number'),
  blockTimestamp: integer('b.ts'),
  blockHash: hex('b.hash'),
  parentHash: hex('b.parent_hash'),
  txCount: integer('b.tx_count'),
  baseFee: digits('coalesce(b.base_fee, 0)'),
  gasUsed: digits('b.gas_used'),
  gasLimit: digits('b.gas_limit'),
  gasCost: digits('coalesce(b.block_gas_cost, 0)'),
  feesSpent: digits('b.fees'),
  cumulativeTransactions: digits('b.cum_txs'),
  miner: hex('b.miner'),
  logCount: integer('b.log_count'),
  blockSizeBytes: optional(integer('b.size')),
}

const lines = jsonLines({ number: ['b.number', BigInt] }, listed)

// The inner limit is a literal, so that a generic plan expects few rows.
const listStatement = (order: 'asc' | 'desc'): string => `
  select ${joinLines(`number ${order}`)}
  from (
    select b.number, ${lines.line} as line
    from (
      select * from blocks where chain = $1 and number >= $2 and number < $3
      order by number ${order}
      limit ${maxRows}) b
    order by b.number ${order}
    limit $4) page`
const listStatements = { asc: listStatement('asc'), desc: listStatement('desc') }

/** The blocks of a range in height order: one range of the primary key for every page. */
export function readBlocks(
  database: Database,
  chain: bigint,
  range: BlockRange,
  order: 'asc' | 'desc',
  limit: number,
): Promise<ReturnType<typeof lines.parse>[]> {
  return readLines(database, lines, listStatements[order], [chain, range.from, range.before, limit])
}

const detailed = {
  ...listed,
  stateRoot: hex('b.state_root'),
  transactionsRoot: hex('b.transactions_root'),
  receiptsRoot: hex('b.receipts_root'),
  extraData: hex('b.extra_data'),
  nonce: optional(hex('b.nonce')),
  difficulty: digits('b.difficulty'),
  isFinalized: optional(
    flag(
      'b.number <= (select greatest(c.finalized_block, c.node_finalized) from chains c where c.chain = $1)',
    ),
  ),
  settledHeight: optional(digits('b.settled_height')),
  settledBy: optional(
    digits(`case when b.settled_height is not null then (
      select n.number from blocks n
      where n.chain = $1 and n.number > b.number and n.settled_height >= b.number order by n.number limit 1) end`),
  ),
  withdrawals: list(
    {
      index: digits('w.index'),
      validatorIndex: digits('w.validator'),
      address: hex('w.address'),
      amount: digits('w.amount'),
    },
    'withdrawals w where w.chain = $1 and w.number = $2',
    'w.index',
  ),
  nextBlockNumber: optional(
    digits(
      'select n.number from blocks n where n.chain = $1 and n.number > b.number order by n.number limit 1',
    ),
  ),
}
const detailedRow = rowOf(detailed)
const detailsStatement = `select ${columnsOf(detailed)} from blocks b where b.chain = $1 and b.number = $2`

/** One block with its header; undefined if the chain has no block at this height. */
export const readBlock = queryOne(detailedRow, (chain: bigint, number: bigint) => [
  detailsStatement,
  [chain, number],
])

/** The height and time (Unix seconds) of the highest block below a height; undefined if there is none. */
export const readHighestBlock = queryOne(
  z.strictObject({ number: z.bigint(), ts: z.bigint() }),
  (chain: bigint, before: bigint) => [
    'select number, ts from blocks where chain = $1 and number < $2 order by number desc limit 1',
    [chain, before],
  ],
)

const heightRow = z.strictObject({ number: z.bigint() })
/** The height of the block with a hash; undefined if the canonical chain has no such block. */
export const readBlockNumber = queryOne(
  heightRow,
  (chain: bigint, hash: Buffer) => [
    'select number from blocks where hash = $2 and chain = $1 limit 1',
    [chain, hash],
  ],
  (row) => row?.number,
)

/** The hash of the block at a height, as 0x text; undefined if there is none. */
export const readBlockHash = queryOne(
  z.strictObject({ hash: z.string() }),
  (chain: bigint, number: bigint) => [
    `select '0x' || encode(hash, 'hex') as hash from blocks where chain = $1 and number = $2`,
    [chain, number],
  ],
  (row) => row?.hash,
)

/**
 * The height of the first block at or after a time (`from`), or strictly after it; undefined if there is
 * none. Timestamps never decrease along a chain, so a range of times is a range of heights.
 */
export const readHeightAt = queryOne(
  heightRow,
  (chain: bigint, time: number, bound: 'from' | 'after') => [
    'select number from blocks where chain = $1 and ts >= $2 order by ts, number limit 1',
    [chain, bound === 'from' ? time : time + 1],
  ],
  (row) => row?.number,
)
