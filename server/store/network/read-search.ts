import { z } from 'zod'
import type { Database } from '../database.ts'
import { read } from '../read.ts'
import { numberList } from '../sql-literals.ts'

const blockHit = z.strictObject({
  chain: z.bigint(),
  number: z.bigint(),
  hash: z.string(),
  tx_count: z.number(),
})
export type BlockHit = Readonly<z.output<typeof blockHit>>
const transactionHit = z.strictObject({ chain: z.bigint(), number: z.bigint() })
export type TransactionHit = Readonly<z.output<typeof transactionHit>>
const addressHit = z.strictObject({ chain: z.bigint(), contract: z.boolean(), seen: z.boolean() })
export type AddressHit = Readonly<z.output<typeof addressHit>>

/** The blocks at a height, on any of the chains. */
export function findBlocksByNumber(
  database: Database,
  chains: readonly bigint[],
  number: bigint,
): Promise<BlockHit[]> {
  return read(
    database,
    blockHit,
    `select chain, number, '0x' || encode(hash, 'hex') as hash, tx_count
     from blocks where chain = any($1::text::bigint[]) and number = $2`,
    [numberList(chains), number],
  )
}

/** The blocks with a hash, on any of the chains. */
export function findBlocksByHash(
  database: Database,
  chains: readonly bigint[],
  hash: Buffer,
): Promise<BlockHit[]> {
  return read(
    database,
    blockHit,
    `select chain, number, '0x' || encode(hash, 'hex') as hash, tx_count
     from blocks where hash = $2 and chain = any($1::text::bigint[])`,
    [numberList(chains), hash],
  )
}

/** The transactions with a hash, on any of the chains. */
export function findTransactions(
  database: Database,
  chains: readonly bigint[],
  hash: Buffer,
): Promise<TransactionHit[]> {
  return read(
    database,
    transactionHit,
    `select chain, number from transactions where hash = $2 and chain = any($1::text::bigint[])`,
    [numberList(chains), hash],
  )
}

/** For each chain, whether the address is a token or a contract created there, and whether it was active. */
export function findAddress(
  database: Database,
  chains: readonly bigint[],
  address: Buffer,
): Promise<AddressHit[]> {
  return read(
    database,
    addressHit,
    `select asked.chain,
       exists (select from contracts c where c.chain = asked.chain and c.address = $2)
         or exists (select from token_facts f where f.chain = asked.chain and f.token = $2) as contract,
       exists (select from seen s where s.chain = asked.chain and s.role in (0, 1, 2) and s.address = $2) as seen
     from unnest($1::text::bigint[]) as asked (chain)`,
    [numberList(chains), address],
  )
}
