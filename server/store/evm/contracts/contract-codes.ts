import { z } from 'zod'
import type { Database, Queryable } from '../../database.ts'
import { bytes, query } from '../../read.ts'
import { bytesList, keyList } from '../../sql-literals.ts'

const creationRow = z.strictObject({ number: z.bigint(), address: bytes, creator: bytes.nullable() })
/** A creation, the last one of its address; `creator` is the contract that made it, if one did. */
export type CreatedContract = Readonly<z.output<typeof creationRow>>

/** The creations from a height on, by height: about `limit`, including all of the last height. */
export const readCreated = query(creationRow, (chain: bigint, from: bigint, limit: number) => [
  `select c.number, c.address, case when c.deployer <> c.origin then c.deployer end as creator from contracts c
   where c.chain = $1 and c.number >= $2
     and not exists (
       select from contracts later
       where later.chain = c.chain and later.address = c.address and later.number > c.number)
   order by c.number fetch first $3 rows with ties`,
  [chain, from, limit],
])

const askedRow = z.strictObject({ address: bytes, created_block: z.bigint(), is_settled: z.boolean() })

/**
 * Those of the creations whose code is not known, or was asked for when a reorg could still replace them, as it can above
 * `settled`.
 */
export async function unknownOf(
  database: Queryable,
  chain: bigint,
  created: readonly CreatedContract[],
  settled: bigint,
): Promise<CreatedContract[]> {
  const asked = await readAsked(
    database,
    chain,
    created.map(({ address }) => address),
  )
  return created.filter(({ address, number }) => {
    const known = asked.get(address.toString('hex'))
    return known?.created_block !== number || !(known.is_settled || number > settled)
  })
}

const readAsked = query(
  askedRow,
  (chain: bigint, addresses: readonly Buffer[]) =>
    addresses.length === 0
      ? undefined
      : [
          `select k.address, k.created_block, k.is_settled from unnest($2::text::bytea[]) as asked (address)
           cross join lateral (
             select * from contract_codes where chain = $1 and address = asked.address limit 1) k`,
          [chain, keyList(addresses)],
        ],
  (rows) => new Map(rows.map((row) => [row.address.toString('hex'), row])),
)

/** Code of a contract; the hash is null if it has none. */
export type KnownCode = Pick<CreatedContract, 'number' | 'address'> & { readonly hash: Buffer | null }

/** Keeps codes of contracts. Above `settled` they are asked for again. */
export async function keepCodes(
  database: Database,
  chain: bigint,
  codes: readonly KnownCode[],
  settled: bigint,
): Promise<void> {
  if (codes.length === 0) return
  const last = new Map(codes.map((code) => [code.address.toString('hex'), code]))
  const rows = [...last.values()]
  await database`
    insert into contract_codes (chain, address, code_hash, created_block, is_settled)
    select ${chain}::bigint, address, nullif(hash, ''::bytea), number, number <= ${settled}::bigint
    from unnest(
      ${bytesList(rows.map(({ address }) => address))}::text::bytea[],
      ${bytesList(rows.map(({ hash }) => hash ?? Buffer.alloc(0)))}::text::bytea[],
      ${`{${rows.map(({ number }) => number).join(',')}}`}::text::bigint[]) as asked (address, hash, number)
    on conflict (chain, address) do update set
      code_hash = excluded.code_hash, created_block = excluded.created_block, is_settled = excluded.is_settled`
}

const madeRow = z.strictObject({
  code_hash: bytes,
  path: z.string(),
  name: z.string(),
  abi: z.string(),
  metadata: z.string(),
  userdoc: z.string(),
  devdoc: z.string(),
  storage_layout: z.string(),
  compiled: z.string(),
})
/** A contract that a verified one can create (table made_contracts). */
export type MadeContract = Readonly<z.output<typeof madeRow>>

/** Keeps what a verified contract can create, instead of what was kept for the same code. */
export async function keepMade(
  sql: Queryable,
  codeHash: Buffer,
  made: readonly MadeContract[],
): Promise<void> {
  await sql`delete from made_contracts where code_hash = ${codeHash}`
  if (made.length > 0) await sql`insert into made_contracts ${sql(made)}`
}

/**
 * What a contract can create, if its sources or those of the same code were verified; of a contract that was itself
 * recognized by its creator, what that creator can create.
 */
export const readMade = query(madeRow, (chain: bigint, creator: Buffer) => [
  `with recursive creators as (
     select $2::bytea as address, 0 as depth
     union
     select v.made_by, depth + 1 from creators c join verified_contracts v on v.chain = $1 and v.address = c.address
     where v.made_by is not null and depth < 8)
   select distinct ${Object.keys(madeRow.shape)
     .map((name) => `m.${name}`)
     .join(', ')}
   from creators c
   cross join lateral (
     select code_hash from contract_codes where chain = $1 and address = c.address and code_hash is not null
     union
     select code_hash from verified_contracts where chain = $1 and address = c.address) k
   join made_contracts m on m.code_hash = k.code_hash
   order by m.path, m.name`,
  [chain, creator],
])

/** The newest contracts that one created; `limit` is at most 1,000. */
export const readCreatedBy = query(
  z.strictObject({ address: bytes }),
  (chain: bigint, creator: Buffer, limit: number) => [
    `select address from contracts where chain = $1 and deployer = $2
     order by number desc, tx_index desc, ordinal desc limit $3`,
    [chain, creator, limit],
  ],
)
