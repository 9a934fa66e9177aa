import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { bytes, query, queryOne } from '../read.ts'
import { oddColumn, oddRows } from './odd-history.ts'
import { type HeightRange, type Order } from './read-primary.ts'

const primaryBlockRow = z.strictObject({
  height: z.bigint(),
  ts: z.bigint(),
  id: bytes,
  parent_id: bytes,
  type: z.number().nullable(),
  size: z.number(),
  tx_count: z.number(),
  supply: z.string().nullable(),
  accrued_fees: z.string().nullable(),
  active_l1_validators: z.number().nullable(),
  proposer_id: bytes.nullable(),
  proposer_parent_id: bytes.nullable(),
  proposer_node: bytes.nullable(),
  proposer_p_height: z.bigint().nullable(),
  proposer_ts: z.bigint().nullable(),
  transactions: z.array(bytes),
  odd: oddRows,
})
/** A block of a primary network chain. Numerics are text; the proposer's fields are null if unknown. */
export type PrimaryBlockRow = Readonly<z.output<typeof primaryBlockRow>>

const columns = `
  b.height, b.ts, b.id, b.parent_id, b.type, b.size, b.tx_count, b.supply, b.accrued_fees, b.active_l1_validators,
  b.proposer_id, b.proposer_parent_id, b.proposer_node, b.proposer_p_height, b.proposer_ts,
  array(select t.id from primary_transactions t where t.chain = b.chain and t.height = b.height order by t.index)
    as transactions, ${oddColumn('-1', 'b')} as odd`

const listStatement = (order: Order, condition = ''): string => `
  select ${columns} from (
    select * from primary_blocks where chain = $1 and height >= $2 and height < $3 ${condition}
    order by height ${order} limit $4) b
  order by b.height ${order}`

const lists = { asc: listStatement('asc'), desc: listStatement('desc') }
const byNode = listStatement('desc', 'and proposer_node = $5')

/** The blocks of a range of heights, in order. `limit` is at most 101. */
export const readPrimaryBlocks = query(
  primaryBlockRow,
  (chain: number, range: HeightRange, order: Order, limit: number) => [
    lists[order],
    [chain, range.from, range.before, limit],
  ],
)

/** The blocks of a range that a node proposed, latest first. */
export const readNodeBlocks = query(
  primaryBlockRow,
  (chain: number, node: Buffer, range: HeightRange, limit: number) => [
    byNode,
    [chain, range.from, range.before, limit, node],
  ],
)

/** The block at a height. */
export async function readPrimaryBlock(
  database: Queryable,
  chain: number,
  height: bigint,
): Promise<PrimaryBlockRow | undefined> {
  const [row] = await readPrimaryBlocks(database, chain, { from: height, before: height + 1n }, 'desc', 1)
  return row
}

/** The height of a block by its id; undefined if the chain has no such block. */
export const readHeightOfBlock = queryOne(
  z.strictObject({ height: z.bigint() }),
  (chain: number, id: Buffer) => [
    `select height from primary_blocks where id = $2 and chain = $1`,
    [chain, id],
  ],
  (row) => row?.height,
)
