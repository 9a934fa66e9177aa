import { z } from 'zod'
import { keyList } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { bytes, query, queryOne, read } from '../read.ts'
import type { Order } from './read-primary.ts'

const vertexRow = z.strictObject({
  index: z.bigint(),
  ts: z.bigint(),
  id: bytes,
  height: z.bigint(),
  parents: z.array(bytes),
  transactions: z.array(bytes),
  size: z.number(),
  is_stop: z.boolean(),
})
/** A vertex of the X-Chain; `index` is the order of acceptance. */
export type VertexRow = Readonly<z.output<typeof vertexRow>>

const columns = 'index, ts, id, height, parents, transactions, size, is_stop'

/** The vertices before an index, latest first. */
export const readVertices = query(vertexRow, (chain: number, before: bigint, limit: number) => [
  `select ${columns} from vertices where chain = $1 and index < $2 order by index desc limit $3`,
  [chain, before, limit],
])

/** The vertex with an id. */
export const readVertex = queryOne(vertexRow, (chain: number, id: Buffer) => [
  `select ${columns} from vertices where id = $2 and chain = $1`,
  [chain, id],
])

const atHeight = {
  asc: `select ${columns} from vertices where chain = $1 and height = $2 and index > $3 order by index limit $4`,
  desc: `select ${columns} from vertices where chain = $1 and height = $2 and index < $3 order by index desc limit $4`,
}

/** The vertices of one height after an index, in order. */
export const readVerticesAtHeight = query(
  vertexRow,
  (chain: number, height: bigint, past: bigint, order: Order, limit: number) => [
    atHeight[order],
    [chain, height, past, limit],
  ],
)

const fromHeight = `
  select ${columns} from vertices where chain = $1 and height >= $2 order by height, index limit $3`
const latest = `
  select ${columns} from vertices where chain = $1 order by height desc, index desc limit $2`

/**
 * The first vertices from a height on, lowest first; without a height, the highest vertices, also lowest
 * first.
 */
export async function readVertexGraph(
  database: Queryable,
  chain: number,
  from: bigint | undefined,
  limit: number,
): Promise<VertexRow[]> {
  if (from !== undefined) return read(database, vertexRow, fromHeight, [chain, from, limit])
  return (await read(database, vertexRow, latest, [chain, limit])).reverse()
}

/** The lowest and the highest vertex height; undefined if there are none. */
export const readVertexHeights = queryOne(
  z.strictObject({ first: z.bigint().nullable(), last: z.bigint().nullable() }),
  (chain: number) => [
    `select
     (select height from vertices where chain = $1 order by height limit 1) as first,
     (select height from vertices where chain = $1 order by height desc limit 1) as last`,
    [chain],
  ],
  (row) => (row?.first == null || row.last === null ? undefined : { first: row.first, last: row.last }),
)

const holdingRow = vertexRow.pick({ id: true, height: true, ts: true }).extend({ transaction: bytes })

/**
 * The vertices that contain transactions, in order of acceptance. A transaction may be in several vertices.
 */
export const readVerticesOf = query(holdingRow, (chain: number, transactions: readonly Buffer[]) => [
  `select wanted.transaction, found.id, found.height, found.ts
   from unnest($2::text::bytea[]) as wanted (transaction)
   cross join lateral (
     select id, height, ts, index from vertices
     where chain = $1 and transactions @> array[wanted.transaction]
     order by index limit 100
   ) as found
   order by found.index`,
  [chain, keyList(transactions)],
])
