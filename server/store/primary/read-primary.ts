import { z } from 'zod'
import { keyList, numberList } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { bytes, lastIndex, query, read, syncColumns } from '../read.ts'
import { unreachedPrefix } from '../unreached.ts'

const primaryStatusRow = z.strictObject({
  chain: z.number(),
  blockchain_id: bytes.nullable(),
  avax_asset: bytes.nullable(),
  state: z.string().nullable(),
  reason: z.string().nullable(),
  /** Since when it is stopped; meaningful in that state. */
  stopped_ts: z.bigint().nullable(),
  node_height: z.bigint().nullable(),
  node_seen_ts: z.bigint().nullable(),
  has_index: z.boolean().nullable(),
  /** The terms of the L1 validator fee as reported by the node; only for the P-Chain. */
  l1_min_price: z.string().nullable(),
  l1_conversion: z.string().nullable(),
  /** Activation time of Helicon; only for the P-Chain. */
  helicon_ts: z.bigint().nullable(),
  head_height: z.bigint().nullable(),
  head_ts: z.bigint().nullable(),
  supply: z.string().nullable(),
  accrued_fees: z.string().nullable(),
  l1_excess: z.string().nullable(),
  ...syncColumns,
})
/** The state of a primary network chain; the `head_…` columns are null before the first block. */
export type PrimaryStatusRow = Readonly<z.output<typeof primaryStatusRow>>

const standingStatement = `
  select asked.chain, c.blockchain_id, c.avax_asset, coalesce(c.state, u.value::json ->> 'state') as state,
    case when c.chain is null then u.value::json ->> 'reason' else c.reason end as reason, coalesce(c.stopped_ts, (u.value::json ->> 'since')::bigint) as stopped_ts, c.node_height, c.node_seen_ts, c.has_index,
    c.l1_min_price, c.l1_conversion, c.helicon_ts, c.sync_rate, c.sync_bound, c.sync_ts,
    head.height as head_height, head.ts as head_ts, head.supply, head.accrued_fees, head.l1_excess
  from unnest($1::text::smallint[]) with ordinality as asked (chain, place)
  left join primary_chains c on c.chain = asked.chain
  left join service u on u.key = '${unreachedPrefix.primary}' || asked.chain
  left join lateral (
    select height, ts, supply, accrued_fees, l1_excess from primary_blocks b
    where b.chain = asked.chain order by height desc limit 1) head on true
  order by asked.place`

/** The state of the chains with these keys, in their order: a few seeks each. */
export const readPrimaryStatus = query(primaryStatusRow, (chains: readonly number[]) => [
  standingStatement,
  [numberList(chains)],
])

const assetRow = z.strictObject({
  asset: bytes,
  name: z.string(),
  symbol: z.string(),
  denomination: z.number(),
  is_nft: z.boolean(),
  is_variable: z.boolean(),
})
/** Properties of an asset. */
export type AssetRow = Readonly<z.output<typeof assetRow>>

/** The properties of known assets; unknown ones are omitted. */
export const readAssets = query(assetRow, (assets: readonly Buffer[]) => [
  `select asset, name, symbol, denomination, is_nft, is_variable from assets where asset = any($1::text::bytea[])`,
  [keyList(assets)],
])

/** Heights beyond all rows: the bounds of an unbounded scan. */
const lowestHeight = -1n
export const pastAllHeights = 9_223_372_036_854_775_807n

/** The heights of a range: `from` inclusive, `before` exclusive. */
export type HeightRange = { readonly from: bigint; readonly before: bigint }

const heightsStatement = `
  select
    (select height from primary_blocks where chain = $1 and ts <= $2 order by ts desc, height desc limit 1) as last_before,
    (select height from primary_blocks where chain = $1 and ts >= $3 order by ts, height limit 1) as first_from`

const heightsBetweenRow = z.strictObject({
  last_before: z.bigint().nullable(),
  first_from: z.bigint().nullable(),
})

/**
 * The heights of the blocks after `start` and before `end` (Unix seconds, both exclusive). Height -1, the
 * transactions in X-Chain vertices, is included if no block is at or before `start`.
 */
export async function readHeightsBetween(
  database: Queryable,
  chain: number,
  start: number | undefined,
  end: number | undefined,
): Promise<HeightRange> {
  if (start === undefined && end === undefined) return { from: lowestHeight, before: pastAllHeights }
  const [row] = await read(database, heightsBetweenRow, heightsStatement, [
    chain,
    start ?? -1,
    end ?? Number.MAX_SAFE_INTEGER,
  ])
  const after = row?.last_before ?? null
  return {
    from: after === null ? lowestHeight : after + 1n,
    before: row?.first_from ?? pastAllHeights,
  }
}

export const txPlace = z.strictObject({ height: z.bigint(), index: z.number() })
/** A transaction's position in its chain: its block and its index. */
export type TxPlace = Readonly<z.output<typeof txPlace>>

/** The columns of a position, as a page token holds them. */
export const txCursor = { height: 'bigint', index: 'number' } as const

export type Order = 'asc' | 'desc'

/** The position before every transaction in this order. */
export const beforeAllTxs = {
  asc: { height: -2n, index: -2 },
  desc: { height: pastAllHeights, index: lastIndex },
} as const satisfies Record<Order, TxPlace>
