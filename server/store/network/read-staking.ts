import { z } from 'zod'
import { keyList } from '../sql-literals.ts'
import { primarySubnetId } from '../../primary/chains.ts'
import { bytes, query } from '../read.ts'

/** A sample of a validator's uptime: percent of its validation, as seen by the node. */
const uptimeRow = z.strictObject({
  ts: z.bigint(),
  tx_id: bytes,
  uptime: z.number(),
  connected: z.boolean(),
})

// Walks down from hour to hour: the newest sample before the last found hour, over all validations of the
// node.
const uptimeStatement = `
  with recursive validations as materialized (
    select tx_id from stakers where chain = $1 and node = $2 and not is_delegator
    union
    select validation_id from l1_validators where chain = $1 and node = $2
  ), walk as (
    select found.*, 1 as step from (
      select s.* from validations v cross join lateral (
        select ts, tx_id, uptime::float8 as uptime, connected from uptime_samples
        where chain = $1 and node = $2 and tx_id = v.tx_id and ts < $3 and ts > $4 order by ts desc limit 1) s
      order by s.ts desc, s.tx_id limit 1) found
    union all
    select found.*, walk.step + 1 from walk cross join lateral (
      select s.* from validations v cross join lateral (
        select ts, tx_id, uptime::float8 as uptime, connected from uptime_samples
        where chain = $1 and node = $2 and tx_id = v.tx_id and ts < walk.ts - walk.ts % 3600 and ts > $4
        order by ts desc limit 1) s
      order by s.ts desc, s.tx_id limit 1) found
    where walk.step < $5
  )
  select ts, tx_id, uptime, connected from walk order by ts desc`

/** The last sample of each hour with samples of a node, between two times, latest first. */
export const readUptime = query(
  uptimeRow,
  (chain: number, node: Buffer, after: number, before: number, limit: number) => [
    uptimeStatement,
    [chain, node, before, after, limit],
  ],
)

/** A time at which a node's stake changed, and the new stake. */
const stakePointRow = z.strictObject({
  ts: z.bigint(),
  staked: z.string(),
  delegated: z.string(),
  delegators: z.string(),
})

// Each stake is added at its start and subtracted at its end; one removed before its start never counted. For
// an auto-renewed validator, each period counts with its own weight; finished periods are in another table.
const stakeStatement = `
  with each as (
    select is_delegator, weight, start_ts, ended_ts from stakers
    where chain = $1 and node = $2 and subnet = $3 and start_ts <= $4 and (ended_ts is null or ended_ts > start_ts)
      and (compound_shares is null or ended_ts is null)
    union all
    select false, weight, start_ts, end_ts from staking_cycles where chain = $1 and node = $2
  ), steps as (
    select start_ts as ts, is_delegator, weight, 1 as one from each
    union all
    select ended_ts, is_delegator, -weight, -1 from each where ended_ts is not null
  ), moments as (
    select ts, coalesce(sum(weight) filter (where not is_delegator), 0) as staked,
      coalesce(sum(weight) filter (where is_delegator), 0) as delegated,
      coalesce(sum(one) filter (where is_delegator), 0) as delegators
    from steps group by ts
  ), points as (
    select ts, sum(staked) over (order by ts) as staked, sum(delegated) over (order by ts) as delegated,
      sum(delegators) over (order by ts) as delegators
    from moments
  )
  select ts, staked::text, delegated::text, delegators::text from points
  where ts > $5 and ts < $6 order by ts limit $7`

/** A node's stake on the primary network each time it changed, up to the chain time. */
export const readStakeHistory = query(
  stakePointRow,
  (chain: number, node: Buffer, time: number, after: number, before: number, limit: number) => [
    stakeStatement,
    [chain, node, primarySubnetId, time, after, before, limit],
  ],
)

/** The newest sample and the newest block of each of some nodes. */
const lastSeenRow = z.strictObject({
  node: bytes,
  connected: z.boolean().nullable(),
  sampled_ts: z.bigint().nullable(),
  block_height: z.bigint().nullable(),
  block_ts: z.bigint().nullable(),
})

const lastSeenStatement = `
  select asked.node, sample.connected, sample.sampled_ts, block.height as block_height, block.ts as block_ts
  from unnest($2::text::bytea[]) as asked (node)
  left join lateral (
    select s.connected, s.ts as sampled_ts from (
      select distinct tx_id from stakers where chain = $1 and node = asked.node and not is_delegator and ended_ts is null
      union
      select v.validation_id from l1_validators v where v.chain = $1 and v.node = asked.node and v.weight > 0) v
    cross join lateral (
      select connected, ts from uptime_samples
      where chain = $1 and node = asked.node and tx_id = v.tx_id order by ts desc limit 1) s
    order by s.ts desc limit 1) sample on true
  left join lateral (
    select height, ts from primary_blocks
    where chain = $1 and proposer_node = asked.node order by height desc limit 1) block on true`

/** When nodes were last seen, and their last proposed P-Chain blocks. */
export const readNodeLastSeen = query(lastSeenRow, (chain: number, nodes: readonly Buffer[]) => [
  lastSeenStatement,
  [chain, keyList(nodes)],
])

const memberRow = z.strictObject({
  node: bytes,
  /** For an L1 validator. */
  validation_id: bytes.nullable(),
  weight: z.string(),
  is_active: z.boolean(),
  connected: z.boolean().nullable(),
})
/** A member of a subnet's validator set. Weights are text. */
export type MemberRow = Readonly<z.output<typeof memberRow>>

// A node's uptime is the same for whatever it validates: its newest sample is from this entry or from its
// primary network validation.
const membersStatement = `
  with members as (
    select node, validation_id, validation_id as tx_id, weight, end_fee is not null as is_active
    from l1_validators where chain = $1 and subnet = $2 and weight > 0
    union all
    select node, null, tx_id, weight + delegated, true
    from stakers
    where chain = $1 and is_delegator = false and ended_ts is null and subnet = $2 and start_ts <= $3
  ), at_primary as (
    select distinct on (node) node, tx_id from stakers
    where chain = $1 and is_delegator = false and ended_ts is null and subnet = $4 and $2 <> $4
    order by node
  )
  select m.node, m.validation_id, m.weight::text as weight, m.is_active,
    case when other.ts > coalesce(own.ts, 0) then other.connected else own.connected end as connected
  from members m
  left join at_primary on at_primary.node = m.node
  left join lateral (
    select connected, ts from uptime_samples
    where chain = $1 and node = m.node and tx_id = m.tx_id order by ts desc limit 1) own on true
  left join lateral (
    select connected, ts from uptime_samples
    where chain = $1 and node = m.node and tx_id = at_primary.tx_id order by ts desc limit 1) other on true
  order by m.weight desc, m.node`

/**
 * The members of a subnet or an L1 at the chain time, highest weight first; delegations count for their
 * validator.
 */
export const readMembers = query(memberRow, (chain: number, subnet: Buffer, time: number) => [
  membersStatement,
  [chain, subnet, time, primarySubnetId],
])

/** An L1 validation of a node that has a weight. */
const feedL1Row = z.strictObject({
  node: bytes,
  validation_id: bytes,
  subnet: bytes,
  weight: z.string(),
  end_fee: z.string().nullable(),
})

/** The L1 validations of nodes that have a weight. */
export const readL1Validations = query(feedL1Row, (chain: number, nodes: readonly Buffer[]) => [
  `select node, validation_id, subnet, weight, end_fee from l1_validators
   where chain = $1 and node = any($2::text::bytea[]) and weight > 0 order by height, index, ordinal`,
  [chain, keyList(nodes)],
])
