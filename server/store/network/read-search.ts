import { z } from 'zod'
import { chainsParameter, forChains, type ChainScope } from '../chain-reads.ts'
import { query } from '../read.ts'

const blockHit = z.strictObject({
  chain: z.bigint(),
  number: z.bigint(),
  hash: z.string(),
  tx_count: z.number(),
})
export type BlockHit = Readonly<z.output<typeof blockHit>>
const byNumber = forChains(
  ({ among }) => `
  select chain, number, '0x' || encode(hash, 'hex') as hash, tx_count
  from blocks where ${among('chain')} and number = $2`,
)

/** The blocks at a height, on any of the chains. */
export const findBlocksByNumber = query(blockHit, (scope: ChainScope, number: bigint) => [
  byNumber[scope.form],
  [chainsParameter(scope), number],
])

const byHash = forChains(
  ({ among }) => `
  select chain, number, '0x' || encode(hash, 'hex') as hash, tx_count
  from blocks where hash = $2 and ${among('chain')}`,
)

/** The blocks with a hash, on any of the chains. */
export const findBlocksByHash = query(blockHit, (scope: ChainScope, hash: Buffer) => [
  byHash[scope.form],
  [chainsParameter(scope), hash],
])

const transactionsByHash = forChains(
  ({ among }) => `select chain, number from transactions where hash = $2 and ${among('chain')}`,
)

/** The transactions with a hash, on any of the chains. */
export const findTransactions = query(
  z.strictObject({ chain: z.bigint(), number: z.bigint() }),
  (scope: ChainScope, hash: Buffer) => [transactionsByHash[scope.form], [chainsParameter(scope), hash]],
)

const byAddress = forChains(
  ({ asked, chainOf }) => `
  select ${chainOf('asked')} as chain,
    exists (select from contracts c where c.chain = ${chainOf('asked')} and c.address = $2)
      or exists (select from token_facts f where f.chain = ${chainOf('asked')} and f.token = $2) as contract,
    exists (select from seen s where s.chain = ${chainOf('asked')} and s.role in (0, 1, 2) and s.address = $2) as seen
  from ${asked}`,
)

/** For each chain, whether the address is a token or a contract created there, and whether it was active. */
export const findAddress = query(
  z.strictObject({ chain: z.bigint(), contract: z.boolean(), seen: z.boolean() }),
  (scope: ChainScope, address: Buffer) => [byAddress[scope.form], [chainsParameter(scope), address]],
)
