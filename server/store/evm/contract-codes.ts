import { z } from 'zod'
import type { Database, Queryable } from '../database.ts'
import { bytes, query } from '../read.ts'
import { bytesList } from '../sql-literals.ts'

const unknownCode = z.strictObject({ number: z.bigint(), address: bytes, creator: bytes.nullable() })
/**
 * A creation whose code is not known, or was asked for when a reorg could still replace the creation; `creator` is the
 * contract that made it, if one did.
 */
export type UnknownCode = Readonly<z.output<typeof unknownCode>>

/**
 * The creations from a height on whose code is to be asked for, by height: about `limit`, including all of the last
 * height. Above `settled` a reorg may replace them.
 */
export const readUnknownCodes = query(
  unknownCode,
  (chain: bigint, from: bigint, settled: bigint, limit: number) => [
    `select c.number, c.address, case when c.deployer <> c.origin then c.deployer end as creator from contracts c
     where c.chain = $1 and c.number >= $2
       and not exists (
         select from contract_codes k
         where k.chain = c.chain and k.address = c.address and k.created_block = c.number
           and (k.is_settled or c.number > $3))
       and not exists (
         select from contracts later
         where later.chain = c.chain and later.address = c.address and later.number > c.number)
     order by c.number fetch first $4 rows with ties`,
    [chain, from, settled, limit],
  ],
)

/** Code of a contract; the hash is null if it has none. */
export type KnownCode = Pick<UnknownCode, 'number' | 'address'> & { readonly hash: Buffer | null }

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

const createdRow = z.strictObject({ address: bytes })

/** The newest contracts that one created and that have no verified sources of their own. */
export const readUnverifiedMade = query(createdRow, (chain: bigint, creator: Buffer, limit: number) => [
  `select c.address from contracts c
   where c.chain = $1 and c.deployer = $2
     and not exists (select from verified_contracts v where v.chain = c.chain and v.address = c.address)
   order by c.number desc, c.tx_index desc, c.ordinal desc limit $3`,
  [chain, creator, limit],
])
