import { z } from 'zod'
import { chainsParameter, forChains, type ChainScope } from '../chain-reads.ts'
import type { Database } from '../database.ts'
import { read } from '../read.ts'

const blockHit = z.strictObject({
  chain: z.bigint(),
  number: z.bigint(),
  hash: z.string(),
  tx_count: z.number(),
})
export type BlockHit = Readonly<z.output<typeof blockHit>>
const transactionHit = z.strictObject({ chain: z.bigint(), number: z.bigint() })
type TransactionHit = Readonly<z.output<typeof transactionHit>>
const addressHit = z.strictObject({ chain: z.bigint(), contract: z.boolean(), seen: z.boolean() })
type AddressHit = Readonly<z.output<typeof addressHit>>

const byNumber = forChains(
  ({ among }) => `
  select chain, number, '0x' || encode(hash, 'hex') as hash, tx_count
  from blocks where ${among('chain')} and number = $2`,
)

/** The blocks at a height, on any of the chains. */
export function findBlocksByNumber(
  database: Database,
  scope: ChainScope,
  number: bigint,
): Promise<BlockHit[]> {
  return read(database, blockHit, byNumber[scope.form], [chainsParameter(scope), number])
}

const byHash = forChains(
  ({ among }) => `
  select chain, number, '0x' || encode(hash, 'hex') as hash, tx_count
  from blocks where hash = $2 and ${among('chain')}`,
)

/** The blocks with a hash, on any of the chains. */
export function findBlocksByHash(database: Database, scope: ChainScope, hash: Buffer): Promise<BlockHit[]> {
  return read(database, blockHit, byHash[scope.form], [chainsParameter(scope), hash])
}

const transactionsByHash = forChains(
  ({ among }) => `select chain, number from transactions where hash = $2 and ${among('chain')}`,
)

/** The transactions with a hash, on any of the chains. */
export function findTransactions(
  database: Database,
  scope: ChainScope,
  hash: Buffer,
): Promise<TransactionHit[]> {
  return read(database, transactionHit, transactionsByHash[scope.form], [chainsParameter(scope), hash])
}

const byAddress = forChains(
  ({ asked, chainOf }) => `
  select ${chainOf('asked')} as chain,
    exists (select from contracts c where c.chain = ${chainOf('asked')} and c.address = $2)
      or exists (select from token_facts f where f.chain = ${chainOf('asked')} and f.token = $2) as contract,
    exists (select from seen s where s.chain = ${chainOf('asked')} and s.role in (0, 1, 2) and s.address = $2) as seen
  from ${asked}`,
)

/** For each chain, whether the address is a token or a contract created there, and whether it was active. */
export function findAddress(database: Database, scope: ChainScope, address: Buffer): Promise<AddressHit[]> {
  return read(database, addressHit, byAddress[scope.form], [chainsParameter(scope), address])
}
