import { z } from 'zod'
import { chainsParameter, forChains, type ChainScope } from '../chain-reads.ts'
import { primarySubnetId } from '../../primary/chains.ts'
import { bytes, query } from '../read.ts'
import { bytesList, keyList, numberList } from '../sql-literals.ts'
import { unreachedPrefix } from '../unreached.ts'
import { observationColumns, observationFields, observationJoins } from './observations.ts'

const networkRow = z.strictObject({
  chain: z.number(),
  polls: z.bigint(),
  sampled_ts: z.bigint().nullable(),
  validators: z.number().nullable(),
  connected: z.number().nullable(),
  versions: z.record(z.string(), z.number()).nullable(),
  height: z.bigint().nullable(),
  chain_ts: z.bigint().nullable(),
  accrued_fees: z.string().nullable(),
  l1_excess: z.string().nullable(),
  l1_min_price: z.string().nullable(),
  l1_conversion: z.string().nullable(),
  helicon_ts: z.bigint().nullable(),
})
/** The state of a network: the P-Chain's head and the last answer of the node. */
export type WatchNetworkRow = Readonly<z.output<typeof networkRow>>

/** The networks by the keys of their P-Chains, also those whose node has never answered. */
export const readWatchNetworks = query(networkRow, (chains: readonly number[]) => [
  `select asked.chain, coalesce(p.polls, 0) as polls, p.ts as sampled_ts, p.validators, p.connected, p.versions,
     head.height, head.ts as chain_ts, head.accrued_fees::text, head.l1_excess::text,
     c.l1_min_price::text, c.l1_conversion::text, c.helicon_ts
   from unnest($1::text::smallint[]) as asked (chain) left join primary_chains c on c.chain = asked.chain
   left join watch_polls p on p.chain = asked.chain
   left join lateral (select height, ts, accrued_fees, l1_excess from primary_blocks b
     where b.chain = asked.chain order by height desc limit 1) head on true`,
  [numberList(chains)],
])

/** How many of the latest blocks tell which share of them has a known proposer. */
const latestBlocks = 1_000

/** What decides how often validators of a network propose. */
const proposingRow = z.strictObject({ chain: z.number(), stake: z.string(), share: z.number() })

/** The whole stake of networks, and which share of their latest blocks has a known proposer. */
export const readProposing = query(proposingRow, (chains: readonly number[]) => [
  `select c.chain, (select coalesce(sum(weight + delegated), 0) from stakers s
       where s.chain = c.chain and not is_delegator and ended_ts is null and subnet = $2)::text as stake,
     coalesce((select count(proposer_node)::float8 / nullif(count(*), 0) from (
       select proposer_node from primary_blocks b where b.chain = c.chain order by height desc
       limit ${latestBlocks}) latest), 0) as share
   from primary_chains c where c.chain = any($1::text::smallint[])`,
  [numberList(chains), primarySubnetId],
])

const headRow = z.strictObject({
  chain: z.bigint(),
  state: z.string(),
  reason: z.string().nullable(),
  node_height: z.bigint().nullable(),
  node_seen_ts: z.bigint().nullable(),
  height: z.bigint().nullable(),
  ts: z.bigint().nullable(),
})
/** How far a chain is indexed, and what its node last said. */
export type HeadRow = Readonly<z.output<typeof headRow>>

/** The heads of the primary network's chains, also of those whose node has never answered; their keys are negative here. */
export const readPrimaryHeads = query(headRow, (chains: readonly number[]) => [
  `select -asked.chain::bigint as chain, coalesce(c.state, u.value::json ->> 'state', 'waiting') as state,
     case when c.chain is null then u.value::json ->> 'reason' else c.reason end as reason,
     c.node_height, c.node_seen_ts, head.height, head.ts
   from unnest($1::text::smallint[]) as asked (chain) left join primary_chains c on c.chain = asked.chain
   left join service u on u.key = '${unreachedPrefix.primary}' || asked.chain
   left join lateral (
     select height, ts from primary_blocks b where b.chain = asked.chain order by height desc limit 1) head on true
   where c.chain is not null or u.key is not null`,
  [numberList(chains)],
])

const evmHeads = forChains(
  ({ among, chainOf }) => `
  select c.chain, c.state, c.reason, c.node_block as node_height, c.node_seen_ts, head.number as height, head.ts
  from chains c left join lateral (
    select number, ts from blocks b where b.chain = ${chainOf('c')} order by number desc limit 1) head on true
  where ${among('c.chain')}`,
)

/** EVM chains whose node has never answered, with the reason (server/store/unreached.ts). */
export const readUnreachedChains = query(
  z.strictObject({ chain: z.bigint(), state: z.string().nullable(), reason: z.string().nullable() }),
  () => [
    `select substr(key, ${unreachedPrefix.evm.length + 1})::bigint as chain, value::json ->> 'state' as state,
       value::json ->> 'reason' as reason
     from service where starts_with(key, $1)`,
    [unreachedPrefix.evm],
  ],
)

/** The heads of EVM chains. */
export const readEvmHeads = query(headRow, (scope: ChainScope) => [
  evmHeads[scope.form],
  [chainsParameter(scope)],
])

const nodeRow = z.strictObject({
  place: z.number(),
  tx_id: bytes.nullable(),
  start_ts: z.bigint().nullable(),
  end_ts: z.bigint().nullable(),
  shares: z.number().nullable(),
  compound_shares: z.number().nullable(),
  next_period: z.bigint().nullable(),
  stake: z.string().nullable(),
  proposed_height: z.bigint().nullable(),
  ...observationFields,
})
/**
 * A node with its present validation of the primary network, its newest sample, and what peers show of it. `stake` includes
 * delegations; `proposed_height` is the height of its last block, or of its validation's beginning if that is higher.
 */
export type WatchNodeRow = Readonly<z.output<typeof nodeRow>>

/** The nodes, those without a validation included, in any order: `place` counts the given ones from 1. */
export const readWatchNodes = query(nodeRow, (chain: number, nodes: readonly Buffer[]) => [
  `select asked.place::integer, s.tx_id, s.start_ts, s.end_ts, s.shares, s.compound_shares, s.next_period, s.stake::text,
     greatest(s.height, last.height) as proposed_height, ${observationColumns}
   from unnest($2::text::bytea[]) with ordinality as asked (node, place)
   left join lateral (
     select tx_id, start_ts, end_ts, shares, compound_shares, next_period, weight + delegated as stake, height
     from stakers
     where chain = $1 and node = asked.node and not is_delegator and ended_ts is null and subnet = $3
     order by height desc, index desc limit 1) s on true
   left join lateral (
     select height from primary_blocks where chain = $1 and proposer_node = asked.node
     order by height desc limit 1) last on true
   ${observationJoins}`,
  [chain, bytesList(nodes), primarySubnetId],
])

const l1Row = z.strictObject({
  validation_id: bytes,
  node: bytes,
  subnet: bytes,
  weight: z.string(),
  end_fee: z.string().nullable(),
})
/** An L1 validator as it stands now. */
export type WatchL1Row = Readonly<z.output<typeof l1Row>>

/** The L1 validators with these ids, and those of these nodes that have a weight. */
export const readWatchL1 = query(
  l1Row,
  (chain: number, validations: readonly Buffer[], nodes: readonly Buffer[]) => [
    `select validation_id, node, subnet, weight::text, end_fee::text from l1_validators
     where chain = $1 and (validation_id = any($2::text::bytea[])
       or (node = any($3::text::bytea[]) and weight > 0))`,
    [chain, keyList(validations), keyList(nodes)],
  ],
)

/** A validator of an L1: its weight, and whether the node is connected to it. */
const weightRow = z.strictObject({
  subnet: bytes,
  weight: z.string(),
  is_active: z.boolean(),
  connected: z.boolean().nullable(),
})

/** The validators of L1s that have a weight. */
export const readSubnetWeights = query(weightRow, (chain: number, subnets: readonly Buffer[]) => [
  `select v.subnet, v.weight::text, v.end_fee is not null as is_active, coalesce(sample.connected, contact.connected) as connected
   from l1_validators v
   left join lateral (
     select l.connected from stakers s join latest_samples l on l.chain = $1 and l.tx_id = s.tx_id
     where s.chain = $1 and s.node = v.node and not s.is_delegator and s.ended_ts is null and s.subnet = $3
     order by s.height desc limit 1) sample on true
   left join lateral (
     select p.connected from peer_connections p where p.chain = $1 and p.node = v.node order by p.ts desc limit 1
   ) contact on true
   where v.chain = $1 and v.subnet = any($2::text::bytea[]) and v.weight > 0`,
  [chain, keyList(subnets), primarySubnetId],
])

/** Delegations to nodes that were added or ended after one height and up to another, in order. */
export const readDelegationEvents = query(
  z.strictObject({
    is_end: z.boolean(),
    node: bytes,
    height: z.bigint(),
    tx_id: bytes,
    weight: z.string(),
  }),
  (chain: number, nodes: readonly Buffer[], after: number, upTo: number) => [
    `select * from (
       select false as is_end, node, height, tx_id, weight::text from stakers
       where chain = $1 and height > $3 and height <= $4 and is_delegator and node = any($2::text::bytea[])
       union all
       select true, node, ended_height, tx_id, weight::text from stakers
       where chain = $1 and ended_height > $3 and ended_height <= $4 and is_delegator
         and ended_height is not null and node = any($2::text::bytea[])) events
     order by height, is_end, tx_id`,
    [chain, keyList(nodes), after, upTo],
  ],
)
