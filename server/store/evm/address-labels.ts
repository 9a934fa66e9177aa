import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { bytes, query, queryOne } from '../read.ts'
import { byteaList, numberList } from '../sql-literals.ts'

const labelRow = z.strictObject({
  chain: z.bigint(),
  address: bytes,
  name: z.string().nullable(),
  abi: z.string().nullable(),
  given_by: z.string(),
  given_ts: z.bigint(),
})
/** What was said of an address (table address_labels). */
export type LabelRow = Readonly<z.output<typeof labelRow>>

const columns = Object.keys(labelRow.shape).join(', ')

/** The label of an address. */
export const readLabel = queryOne(labelRow, (chain: bigint, address: Buffer) => [
  `select ${columns} from address_labels where chain = $1 and address = $2`,
  [chain, address],
])

/** The labels of those of the addresses that have one, with or without an ABI, by 0x text. */
export const readLabels = query(
  labelRow,
  (chain: bigint, addresses: readonly string[]) =>
    addresses.length === 0
      ? undefined
      : [
          `select ${columns} from unnest($2::text::bytea[]) as asked (of)
         cross join lateral (select * from address_labels where chain = $1 and address = asked.of limit 1) l`,
          [chain, byteaList(addresses)],
        ],
  (rows): ReadonlyMap<string, LabelRow> =>
    new Map(rows.map((row) => [`0x${row.address.toString('hex')}`, row])),
)

/** Labels of chains whose name begins with a text (lower case), by name; `limit` is at most 100. */
export const readLabelsNamed = query(labelRow, (chains: readonly bigint[], text: string, limit: number) => [
  `select ${columns} from address_labels
     where lower(name) ~>=~ $2 and lower(name) ~<~ ($2 || chr(1114111)) and chain = any ($1::text::bigint[])
     order by lower(name) using ~<~, chain, address limit $3`,
  [numberList(chains), text, limit],
])

/** The labels of chains that have an ABI, the newest first. */
export const readLabelsWithAbi = query(labelRow, (chains: readonly bigint[], limit: number) => [
  `select ${columns} from address_labels where abi is not null and chain = any ($1::text::bigint[])
   order by given_ts desc, chain, address limit $2`,
  [numberList(chains), limit],
])

/** The most labels of all chains. */
const maxLabels = 100_000

/** Keeps a label instead of an earlier one. Returns false if there are too many already. */
export async function keepLabel(sql: Queryable, row: LabelRow): Promise<boolean> {
  const [counted] = await sql<{ count: number }[]>`select count(*)::float8 as count from address_labels`
  if (counted && counted.count >= maxLabels) return false
  await sql`
    insert into address_labels ${sql(row)}
    on conflict (chain, address) do update set ${sql(row, 'name', 'abi', 'given_by', 'given_ts')}`
  return true
}

/** Forgets a label. */
export async function dropLabel(sql: Queryable, chain: bigint, address: Buffer): Promise<void> {
  await sql`delete from address_labels where chain = ${chain} and address = ${address}`
}
