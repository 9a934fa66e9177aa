import { z } from 'zod'
import { bytesList, numberList } from '../sql-literals.ts'
import type { ByteRange } from '../../../protocol/ids/prefix.ts'
import { chainsParameter, forChains, type ChainScope } from '../chain-reads.ts'
import { bytes, query } from '../read.ts'
import { idHit } from './read-search-primary.ts'

/** The most hits of each kind and chain. */
const max = 5

/** A block or transaction by its hash. */
const hashHit = z.strictObject({
  kind: z.enum(['block', 'transaction']),
  chain: z.bigint(),
  number: z.bigint(),
  hash: bytes,
})

const hashStatement = forChains(
  ({ among }) => `
  (select 'block' as kind, chain, number, hash from blocks
   where hash >= $2 and hash <= $3 and ${among('chain')} order by hash limit ${max})
  union all
  (select 'transaction', chain, number, hash from transactions
   where hash >= $2 and hash <= $3 and ${among('chain')} order by hash limit ${max})`,
)

/** Blocks and transactions of EVM chains whose hash is in a range: an index scan of every partition. */
export const findHashes = query(hashHit, (scope: ChainScope, { first, last }: ByteRange) => [
  hashStatement[scope.form],
  [chainsParameter(scope), first, last],
])

// An address has many rows in seen: each step seeks the next one.
const addressStatement = forChains(
  ({ asked, chainOf }) => `
  with recursive walk as (
    select ${chainOf('asked')} as chain, role, 1 as step, (
      select s.address from seen s where s.chain = ${chainOf('asked')} and s.role = roles.role
        and s.address >= $2 and s.address <= $3 order by s.address limit 1) as address
    from ${asked} cross join (values (0::smallint), (1::smallint), (2::smallint)) roles (role)
    union all
    select chain, role, step + 1, (
      select s.address from seen s where s.chain = ${chainOf('walk')} and s.role = walk.role
        and s.address > walk.address and s.address <= $3 order by s.address limit 1)
    from walk where address is not null and step < ${max}
  )
  select chain, address, bool_or(contract) as contract from (
    select chain, address, false as contract from walk where address is not null
    union all
    select ${chainOf('asked')}, hit.address, true from ${asked} cross join lateral (
      select address from contracts c where c.chain = ${chainOf('asked')} and c.address >= $2 and c.address <= $3
      order by c.address limit ${max}) hit
    union all
    select ${chainOf('asked')}, hit.token, true from ${asked} cross join lateral (
      select token from token_facts f where f.chain = ${chainOf('asked')} and f.token >= $2 and f.token <= $3
      order by f.token limit ${max}) hit
  ) found
  group by chain, address order by address, chain limit ${4 * max}`,
)

/** Active addresses, contracts and tokens of EVM chains in a range. */
export const findAddresses = query(
  z.strictObject({ chain: z.bigint(), address: bytes, contract: z.boolean() }),
  (scope: ChainScope, { first, last }: ByteRange) => [
    addressStatement[scope.form],
    [chainsParameter(scope), first, last],
  ],
)

const prefixHit = z.strictObject({ ...idHit.shape, id: bytes })

/** One kind: its table, column of the id, and detail. */
const idsIn = (kind: string, table: string, column: string, detail: string): string => `
  select '${kind}' as kind, hit.chain, hit.id, hit.detail
  from ranges cross join lateral (
    select chain, ${column} as id, ${detail} as detail from ${table}
    where ${column} >= ranges.first and ${column} <= ranges.last and chain = any($1::text::smallint[])
    order by ${column} limit ${max}) hit`

/** The same by an index that starts with the chain. */
const idsOfChain = (kind: string, table: string, column: string, detail: string): string => `
  select '${kind}' as kind, hit.chain, hit.id, hit.detail
  from ranges cross join asked cross join lateral (
    select chain, ${column} as id, ${detail} as detail from ${table} t
    where t.chain = asked.chain and ${column} >= ranges.first and ${column} <= ranges.last
    order by ${column} limit ${max}) hit`

const idStatement = `
  with ranges as (select * from unnest($2::text::bytea[], $3::text::bytea[]) as r (first, last)),
  asked as (select unnest($1::text::smallint[]) as chain)
  ${[
    idsOfChain('subnet', 'subnets', 'subnet', `''`),
    idsOfChain('blockchain', 'blockchains', 'blockchain_id', 'name'),
    idsIn('l1Validation', 'l1_validators', 'validation_id', 'weight::text'),
    idsIn('primaryTransaction', 'primary_transactions', 'id', 'height::text'),
    idsIn('primaryBlock', 'primary_blocks', 'id', 'height::text'),
    idsIn('vertex', 'vertices', 'id', 'height::text'),
  ].join(' union all ')}`

const rangeLists = (ranges: readonly ByteRange[]): [string, string] => [
  bytesList(ranges.map(({ first }) => first)),
  bytesList(ranges.map(({ last }) => last)),
]

/** Objects of the primary network whose id is in one of the ranges. */
export const findIds = query(prefixHit, (chains: readonly number[], ranges: readonly ByteRange[]) => [
  idStatement,
  [numberList(chains), ...rangeLists(ranges)],
])

const valueRow = z.strictObject({ value: bytes })

/** Distinct values of an indexed column in ranges; `table` and `column` are constants of this file. */
const distinct = (table: string, column: string, where: string): string => `
  with recursive walk as (
    select r.last, 1 as step, (
      select ${column} from ${table} t where ${where} and ${column} >= r.first and ${column} <= r.last
      order by ${column} limit 1) as value
    from unnest($2::text::bytea[], $3::text::bytea[]) as r (first, last)
    union all
    select walk.last, step + 1, (
      select ${column} from ${table} t where ${where} and ${column} > walk.value and ${column} <= walk.last
      order by ${column} limit 1)
    from walk where value is not null and step < ${max}
  )
  select value from walk where value is not null`

const nodeStatement = `
  select distinct value from (
    (${distinct('stakers', 'node', 't.chain = $1')})
    union all
    (${distinct('l1_validators', 'node', 't.chain = $1 and length(node) = 20')})
  ) found order by value limit ${max}`

/** Nodes that validated anything and whose id is in one of the ranges. */
export const findNodes = query(
  valueRow,
  (chain: number, ranges: readonly ByteRange[]) => [nodeStatement, [chain, ...rangeLists(ranges)]],
  (rows) => rows.map(({ value }) => value),
)

const walletStatement = distinct(
  'primary_address_transactions',
  'address',
  'chain = any($1::text::smallint[])',
)

/** Addresses of the primary network that were active on the chains and are in a range. */
export const findWallets = query(
  valueRow,
  (chains: readonly number[], range: ByteRange) => [
    walletStatement,
    [numberList(chains), ...rangeLists([range])],
  ],
  (rows) => rows.map(({ value }) => value),
)
