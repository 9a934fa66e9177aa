import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { bytes, queryOne, read } from '../read.ts'
import { numberList } from '../sql-literals.ts'
import type { SumColumn } from './sums.ts'

/**
 * The columns of a block row from which metrics are computed: the sums, the maxima of its day so far, and its
 * height.
 */
export type EdgeColumn =
  | SumColumn
  | 'number'
  | 'day_max_tps_txs'
  | 'day_max_tps_seconds'
  | 'day_max_gps_gas'
  | 'day_max_gps_seconds'
  | 'day_max_gas_price'

/** The block at the boundary of a period, with the requested columns. */
export type EdgeRow = { readonly ts: bigint; readonly hash?: Buffer | undefined } & {
  readonly [Column in EdgeColumn]?: bigint | string | null
}
const edgeRow: z.ZodType<EdgeRow> = z
  .object({ ts: z.bigint(), hash: bytes.optional() })
  .catchall(z.union([z.bigint(), z.string(), z.null()]))
const noEdge = z.object({ ts: z.null() })

/** The time range of a chain's series. */
const seriesBounds = z.strictObject({
  /** Unix seconds of the first block with a nonzero timestamp, and of the head; null without blocks. */
  first_ts: z.bigint().nullable(),
  last_ts: z.bigint().nullable(),
})

const boundsStatement = `
  select first.ts as first_ts, head.ts as last_ts
  from (select) asked
  left join lateral (
    select ts from blocks where chain = $1 and ts > 0 order by ts, number limit 1) first on true
  left join lateral (
    select ts from blocks where chain = $1 order by number desc limit 1) head on true`

/** The bounds of a chain's series. */
export const readSeriesBounds = queryOne(
  seriesBounds,
  (chain: bigint) => [boundsStatement, [chain]],
  (row) => row ?? { first_ts: null, last_ts: null },
)

/**
 * For each of the times, the last block before it (undefined if there is none); then the chain's first block
 * with a nonzero timestamp. One index seek each, all in one snapshot.
 */
export async function readEdges(
  database: Queryable,
  chain: bigint,
  columns: readonly (EdgeColumn | 'hash')[],
  times: readonly number[],
): Promise<{ edges: (EdgeRow | undefined)[]; first: EdgeRow | undefined }> {
  const list = ['ts', ...columns].join(', ')
  const rows = await read(
    database,
    z.union([edgeRow, noEdge]),
    `select edge.* from unnest($2::text::bigint[]) with ordinality as asked (ts, place)
     left join lateral (
       select ${list} from blocks b where b.chain = $1 and b.ts < asked.ts
       order by b.ts desc, b.number desc limit 1) edge on true
     order by asked.place`,
    [chain, numberList(times)],
  )
  const [first] = await read(
    database,
    edgeRow,
    `select ${list} from blocks where chain = $1 and ts > 0 order by ts, number limit 1`,
    [chain],
  )
  return { edges: rows.map((row) => (row.ts === null ? undefined : row)), first }
}
