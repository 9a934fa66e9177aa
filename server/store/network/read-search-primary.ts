import { z } from 'zod'
import type { Database } from '../database.ts'
import { bytes, read } from '../read.ts'
import { numberList } from '../primary/read-primary.ts'

const primaryBlockHit = z.strictObject({
  chain: z.number(),
  height: z.bigint(),
  id: bytes,
  tx_count: z.number(),
})
export type PrimaryBlockHit = Readonly<z.output<typeof primaryBlockHit>>

/** The blocks at a height, on any of the chains. */
export function findPrimaryBlocks(
  database: Database,
  chains: readonly number[],
  height: bigint,
): Promise<PrimaryBlockHit[]> {
  return read(
    database,
    primaryBlockHit,
    `select chain, height, id, tx_count from primary_blocks
     where chain = any($1::text::smallint[]) and height = $2 order by chain`,
    [numberList(chains), height],
  )
}

const idHit = z.strictObject({
  kind: z.enum(['subnet', 'blockchain', 'l1Validation', 'primaryTransaction', 'primaryBlock', 'vertex']),
  chain: z.number(),
  detail: z.string(),
})
/** An object with a 32-byte id; `detail` is a height, a name, or empty. */
export type IdHit = Readonly<z.output<typeof idHit>>

const idStatement = `
  select 'subnet' as kind, chain, '' as detail from subnets
  where chain = any($1::text::smallint[]) and subnet = $2
  union all
  select 'blockchain', chain, name from blockchains
  where chain = any($1::text::smallint[]) and blockchain_id = $2
  union all
  select 'l1Validation', chain, weight::text from l1_validators
  where validation_id = $2 and chain = any($1::text::smallint[])
  union all
  select 'primaryTransaction', chain, height::text from primary_transactions
  where id = $2 and chain = any($1::text::smallint[])
  union all
  select 'primaryBlock', chain, height::text from primary_blocks
  where id = $2 and chain = any($1::text::smallint[])
  union all
  select 'vertex', chain, height::text from vertices where id = $2 and chain = any($1::text::smallint[])`

/** All objects on the chains with an id. */
export function findById(database: Database, chains: readonly number[], id: Buffer): Promise<IdHit[]> {
  return read(database, idHit, idStatement, [numberList(chains), id])
}

const walletRow = z.strictObject({ chain: z.number() })

/** The chains on which an address was active or owned something. */
export async function findWallet(
  database: Database,
  chains: readonly number[],
  address: Buffer,
): Promise<number[]> {
  const rows = await read(
    database,
    walletRow,
    `select asked.chain from unnest($1::text::smallint[]) as asked (chain)
     where exists (select from primary_address_transactions t where t.address = $2 and t.chain = asked.chain)
       or exists (select from utxos u where u.owner = $2 and u.home = asked.chain)`,
    [numberList(chains), address],
  )
  return rows.map(({ chain }) => chain)
}

const nodeHit = z.strictObject({ validates: z.boolean(), validated: z.boolean() })
export type NodeHit = Readonly<z.output<typeof nodeHit>>

/** Whether a node is or was a validator of anything. */
export async function findNode(database: Database, chain: number, node: Buffer): Promise<NodeHit> {
  const [row] = await read(
    database,
    nodeHit,
    `select
       exists (select from stakers where chain = $1 and node = $2 and not is_delegator and ended_ts is null)
         or exists (select from l1_validators where chain = $1 and node = $2 and weight > 0) as validates,
       exists (select from stakers where chain = $1 and node = $2 and not is_delegator)
         or exists (select from l1_validators where chain = $1 and node = $2) as validated`,
    [chain, node],
  )
  return row ?? { validates: false, validated: false }
}

const namedChainHit = z.strictObject({ chain: z.number(), blockchain_id: bytes, name: z.string() })
export type NamedChainHit = Readonly<z.output<typeof namedChainHit>>

/** Blockchains whose name contains a text, ignoring case, newest first. */
export function findBlockchainsNamed(
  database: Database,
  chains: readonly number[],
  part: string,
  limit: number,
): Promise<NamedChainHit[]> {
  return read(
    database,
    namedChainHit,
    `select chain, blockchain_id, name from blockchains
     where chain = any($1::text::smallint[]) and position(lower($2) in lower(name)) > 0
     order by height desc, index desc limit $3`,
    [numberList(chains), part, limit],
  )
}
