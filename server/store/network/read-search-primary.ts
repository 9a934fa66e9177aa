import { z } from 'zod'
import { keyList, numberList } from '../sql-literals.ts'
import { bytes, query, queryOne } from '../read.ts'

/** The blocks at a height, on any of the chains. */
export const findPrimaryBlocks = query(
  z.strictObject({
    chain: z.number(),
    height: z.bigint(),
    id: bytes,
    tx_count: z.number(),
  }),
  (chains: readonly number[], height: bigint) => [
    `select chain, height, id, tx_count from primary_blocks
     where chain = any($1::text::smallint[]) and height = $2 order by chain`,
    [numberList(chains), height],
  ],
)

export const idHit = z.strictObject({
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
  -- Accepted history repeats some transactions (docs/indexer.md): the first place counts.
  select 'primaryTransaction', chain, min(height)::text from primary_transactions
  where id = $2 and chain = any($1::text::smallint[]) group by chain
  union all
  select 'primaryBlock', chain, height::text from primary_blocks
  where id = $2 and chain = any($1::text::smallint[])
  union all
  select 'vertex', chain, height::text from vertices where id = $2 and chain = any($1::text::smallint[])`

/** All objects on the chains with an id. */
export const findById = query(idHit, (chains: readonly number[], id: Buffer) => [
  idStatement,
  [numberList(chains), id],
])

/** The chains on which an address was active or owned something. */
export const findWallet = query(
  z.strictObject({ chain: z.number() }),
  (chains: readonly number[], address: Buffer) => [
    `select asked.chain from unnest($1::text::smallint[]) as asked (chain)
     where exists (select from primary_address_transactions t where t.address = $2 and t.chain = asked.chain)
       or exists (select from utxos u where u.owner = $2 and u.home = asked.chain)`,
    [numberList(chains), address],
  ],
  (rows) => rows.map(({ chain }) => chain),
)

/** Whether a node is or was a validator of anything. */
export const findNode = queryOne(
  z.strictObject({ validates: z.boolean(), validated: z.boolean() }),
  (chain: number, node: Buffer) => [
    `select
     exists (select from stakers where chain = $1 and node = $2 and not is_delegator and ended_ts is null)
       or exists (select from l1_validators where chain = $1 and node = $2 and weight > 0) as validates,
     exists (select from stakers where chain = $1 and node = $2 and not is_delegator)
       or exists (select from l1_validators where chain = $1 and node = $2) as validated`,
    [chain, node],
  ],
  (row) => row ?? { validates: false, validated: false },
)

const namedChainRow = z.strictObject({
  chain: z.number(),
  height: z.bigint(),
  index: z.number(),
  blockchain_id: bytes,
  subnet: bytes,
  name: z.string(),
})
export type NamedChainRow = Readonly<z.output<typeof namedChainRow>>

/** The most blockchains of a network that are searched by name. */
const maxNamed = 20_000

/** The names of a network's blockchains after a position, in order of creation. */
export const readBlockchainNames = query(
  namedChainRow,
  (chain: number, past: { readonly height: bigint; readonly index: number }) => [
    `select chain, height, index, blockchain_id, subnet, name from blockchains
     where chain = $1 and (height, index) > ($2, $3) order by height, index limit ${maxNamed}`,
    [chain, past.height, past.index],
  ],
)

/** Those of the subnets that exist, and whether each was converted to an L1. The primary network is none. */
export const findSubnets = query(
  z.strictObject({ chain: z.number(), subnet: bytes, converted: z.boolean() }),
  (chains: readonly number[], subnets: readonly Buffer[]) =>
    subnets.length > 0
      ? [
          `select s.chain, s.subnet, s.conversion_tx is not null as converted
     from (select distinct subnet from unnest($2::text::bytea[]) as named (subnet)) wanted
     cross join unnest($1::text::smallint[]) as asked (chain)
     join subnets s on s.chain = asked.chain and s.subnet = wanted.subnet
     where wanted.subnet <> decode(repeat('00', 32), 'hex')`,
          [numberList(chains), keyList(subnets)],
        ]
      : undefined,
)
