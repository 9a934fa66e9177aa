import { z } from 'zod'
import { keyList } from '../sql-literals.ts'
import { primarySubnetId } from '../../primary/chains.ts'
import { bytes, query, queryOne } from '../read.ts'
import { txPlace, type Order, type TxPlace } from '../primary/read-primary.ts'

const blockchainRow = txPlace.extend({
  ts: z.bigint(),
  blockchain_id: bytes,
  subnet: bytes,
  vm: bytes,
  name: z.string(),
  evm_chain_id: z.string().nullable(),
  genesis_size: z.number(),
})
/** A blockchain of the network; `genesis_size` in bytes. */
export type BlockchainRow = Readonly<z.output<typeof blockchainRow>>

const blockchainSummaryRow = blockchainRow.extend({
  is_l1: z.boolean(),
  validators: z.bigint(),
})
/** A blockchain with the current state of its subnet. */
export type BlockchainSummaryRow = Readonly<z.output<typeof blockchainSummaryRow>>

const columns = `
  b.height, b.index, b.ts, b.blockchain_id, b.subnet, b.vm, b.name, b.evm_chain_id, length(b.genesis) as genesis_size`

const listStatement = (order: Order, narrowed: string): string => `
  select ${columns} from blockchains b
  where b.chain = $1 and (b.height, b.index) ${order === 'asc' ? '>' : '<'} ($2, $3) and ${narrowed}
  order by b.height ${order}, b.index ${order} limit $4`

const summaryOf = (inner: string): string => `
  select c.*, coalesce(s.conversion_tx is not null, false) as is_l1,
    case when s.conversion_tx is not null
      then (select count(*) from l1_validators v where v.chain = $1 and v.subnet = c.subnet and v.weight > 0)
      else (select count(*) from stakers k where k.chain = $1 and k.is_delegator = false and k.ended_ts is null
              and k.subnet = c.subnet and k.start_ts <= $5) end as validators
  from (${inner}) c
  left join subnets s on s.chain = $1 and s.subnet = c.subnet`

const any = '$6::bytea is null'
const ofSubnet = 'b.subnet = $6'
const plain = { asc: listStatement('asc', 'true'), desc: listStatement('desc', 'true') }
const summaries = (order: Order, narrowed: string): string =>
  `${summaryOf(listStatement(order, narrowed))} order by c.height ${order}, c.index ${order}`
const summaryLists = {
  asc: { any: summaries('asc', any), subnet: summaries('asc', ofSubnet) },
  desc: { any: summaries('desc', any), subnet: summaries('desc', ofSubnet) },
}

/** The blockchains after a position, in order. */
export const readBlockchains = query(
  blockchainRow,
  (chain: number, past: TxPlace, order: Order, limit: number) => [
    plain[order],
    [chain, past.height, past.index, limit],
  ],
)

/** The same with the state of their subnets at the chain time, optionally of one subnet. */
export const readBlockchainSummaries = query(
  blockchainSummaryRow,
  (chain: number, time: number, subnet: Buffer | undefined, past: TxPlace, order: Order, limit: number) => {
    const statement = summaryLists[order][subnet ? 'subnet' : 'any']
    return [statement, [chain, past.height, past.index, limit, time, subnet ?? null]]
  },
)

/** One blockchain by its id, with the state of its subnet at the chain time. */
export const readBlockchain = queryOne(blockchainSummaryRow, (chain: number, time: number, id: Buffer) => [
  summaryOf(`
      select ${columns} from blockchains b
      where b.chain = $1 and b.blockchain_id = $6 and $2::int is null and $3::int is null and $4::int is null`),
  [chain, null, null, null, time, id],
])

/** The geneses of some blockchains, by id in hex. */
export const readGeneses = query(
  z.strictObject({ blockchain_id: bytes, genesis: bytes }),
  (chain: number, ids: readonly Buffer[]) => [
    `select blockchain_id, genesis from blockchains where chain = $1 and blockchain_id = any($2::text::bytea[])`,
    [chain, keyList(ids)],
  ],
  (rows) => new Map(rows.map((row) => [row.blockchain_id.toString('hex'), row.genesis])),
)

const subnetRow = txPlace.extend({
  ts: z.bigint(),
  subnet: bytes,
  owner_threshold: z.number().nullable(),
  owner_locktime: z.string().nullable(),
  owner_addresses: z.array(bytes).nullable(),
  conversion_tx: bytes.nullable(),
  manager_chain: bytes.nullable(),
  manager_address: bytes.nullable(),
})
/** The current state of a subnet. */
export type SubnetRow = Readonly<z.output<typeof subnetRow>>

// The primary network is a subnet without a creating transaction: it comes with the genesis block and has no
// owner.
const subnets = (order: Order): string => `
  select * from (
    select height, index, ts, subnet, owner_threshold, owner_locktime, owner_addresses, conversion_tx, manager_chain,
      manager_address
    from subnets where chain = $1
    union all
    select height, -1, ts, $5::bytea, 0, 0, '{}', null, null, null
    from primary_blocks where chain = $1 and height = 0
  ) each
  where (height, index) ${order === 'asc' ? '>' : '<'} ($2, $3)
  order by height ${order}, index ${order} limit $4`
const subnetsIn = { asc: subnets('asc'), desc: subnets('desc') }

/** The subnets after a position, in order; the primary network comes first. */
export const readSubnets = query(subnetRow, (chain: number, past: TxPlace, order: Order, limit: number) => [
  subnetsIn[order],
  [chain, past.height, past.index, limit, primarySubnetId],
])

/** The blockchains of some subnets, in order of creation. */
export const readBlockchainsOf = query(blockchainRow, (chain: number, subnetIds: readonly Buffer[]) => [
  `select ${columns} from blockchains b
   where b.chain = $1 and b.subnet = any($2::text::bytea[]) order by b.height, b.index`,
  [chain, keyList(subnetIds)],
])
