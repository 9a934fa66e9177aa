import { z } from 'zod'
import { primarySubnetId } from '../../primary/chains.ts'
import { bytes, query } from '../read.ts'
import { keyList, pairLists } from '../sql-literals.ts'
import { observationColumns, observationFields, observationJoins } from './observations.ts'

const memberRow = z.strictObject({
  node: bytes,
  tx_id: bytes.nullable(),
  weight: z.string().nullable(),
  delegated: z.string().nullable(),
  delegators: z.number().nullable(),
  start_ts: z.bigint().nullable(),
  end_ts: z.bigint().nullable(),
  ended_ts: z.bigint().nullable(),
  outcome: z.string().nullable(),
  shares: z.number().nullable(),
  compound_shares: z.number().nullable(),
  next_period: z.bigint().nullable(),
  potential_reward: z.string().nullable(),
  ...observationFields,
})
/** A node with its latest validation of the primary network. */
export type FleetNodeRow = Readonly<z.output<typeof memberRow>>

/** The nodes of a fleet, those that never validated included. */
export const readFleetNodes = query(memberRow, (chain: number, nodes: readonly Buffer[]) => [
  `select asked.node, s.tx_id, s.weight::text, s.delegated::text, s.delegator_count as delegators, s.start_ts, s.end_ts,
     s.ended_ts, s.outcome, s.shares, s.compound_shares, s.next_period, s.potential_reward::text,
     ${observationColumns}
   from unnest($2::text::bytea[]) as asked (node)
   left join lateral (
     select * from stakers where chain = $1 and node = asked.node and not is_delegator and subnet = $3
     order by height desc, index desc limit 1) s on true
   ${observationJoins}`,
  [chain, keyList(nodes), primarySubnetId],
])

const sumsRow = z.strictObject({
  fleet: z.string(),
  connected: z.bigint(),
  disconnected: z.bigint(),
  unknown: z.bigint(),
  staked: z.string(),
  delegated: z.string(),
  first_end: z.bigint().nullable(),
})
/** What the members of a fleet add up to. */
export type FleetSumsRow = Readonly<z.output<typeof sumsRow>>

/** The sums of all fleets of a network, as those of their pages: one statement, however many fleets there are. */
export const readFleetSums = query(sumsRow, (chain: number) => [
  `with head as materialized (
     select coalesce((select ts from primary_blocks where chain = $1 order by height desc limit 1), 0) as ts),
   rows as (
     select asked.fleet, length(asked.id) = 20 as is_node,
       coalesce(case when s.ended_ts is null then sample.connected end, contact.connected) as connected,
       case when s.ended_ts is null and s.start_ts <= head.ts then s.weight end as staked,
       case when s.ended_ts is null and s.start_ts <= head.ts then s.end_ts end as end_ts,
       case when s.ended_ts is null then s.delegated end as delegated
     from head cross join (
       select m.fleet, m.id, case when length(m.id) = 20 then m.id else v.node end as node
       from watch_members m left join l1_validators v on v.chain = $1 and v.validation_id = m.id
       where m.chain = $1) asked
     left join lateral (
       select * from stakers where chain = $1 and node = asked.node and not is_delegator and subnet = $2
       order by height desc, index desc limit 1) s on true
     ${observationJoins})
   select fleet::text, count(*) filter (where connected) as connected,
     count(*) filter (where not connected) as disconnected, count(*) filter (where connected is null) as unknown,
     coalesce(sum(staked) filter (where is_node), 0)::text as staked,
     coalesce(sum(delegated) filter (where is_node), 0)::text as delegated,
     min(end_ts) filter (where is_node) as first_end
   from rows group by fleet`,
  [chain, primarySubnetId],
])

/** The last uptime of each day of nodes: one seek in the index for each node and day. */
export const readUptimeDays = query(
  z.strictObject({ node: bytes, day: z.number(), uptime: z.number() }),
  (
    chain: number,
    validations: readonly { readonly node: Buffer; readonly txId: Buffer }[],
    firstDay: number,
    days: number,
  ) => [
    `select asked.node, d.day, s.uptime::float8 as uptime
     from unnest($2::text::bytea[], $3::text::bytea[]) as asked (node, tx_id)
     cross join generate_series(0, $5::int - 1) as d (day)
     cross join lateral (
       select uptime from uptime_samples
       where chain = $1 and node = asked.node and tx_id = asked.tx_id
         and ts >= $4::bigint + d.day * 86400 and ts < $4::bigint + (d.day + 1) * 86400
       order by ts desc limit 1) s`,
    [chain, ...pairLists(validations.map(({ node, txId }) => [node, txId])), firstDay, days],
  ],
)

/** The samples without a connection after a time, each with the time of the next sample. */
export const readDownSamples = query(
  z.strictObject({ node: bytes, from_ts: z.bigint(), to_ts: z.bigint().nullable() }),
  (chain: number, validations: readonly { readonly node: Buffer; readonly txId: Buffer }[], from: number) => [
    `select s.node, s.ts as from_ts, next.ts as to_ts
     from unnest($2::text::bytea[], $3::text::bytea[]) as asked (node, tx_id)
     join uptime_samples s on s.chain = $1 and s.node = asked.node and s.tx_id = asked.tx_id and s.ts >= $4
       and not s.connected
     left join lateral (
       select ts from uptime_samples n where n.chain = $1 and n.node = s.node and n.tx_id = s.tx_id and n.ts > s.ts
       order by ts limit 1) next on true
     order by s.node, s.ts`,
    [chain, ...pairLists(validations.map(({ node, txId }) => [node, txId])), from],
  ],
)

/** The hours from a time on in which the node was asked. */
export const readSampledHours = query(
  z.strictObject({ hour: z.bigint() }),
  (chain: number, from: number) => [
    'select hour from network_samples where chain = $1 and hour >= $2',
    [chain, from],
  ],
  (rows) => rows.map(({ hour }) => Number(hour)),
)

const openRow = z.strictObject({
  alarm: z.string(),
  rule: z.string(),
  rule_name: z.string(),
  severity: z.string(),
  subject: z.string(),
  subject_node: z.string().nullable(),
  opened_ts: z.bigint(),
  silenced: z.boolean(),
})
export type FleetAlarmRow = Readonly<z.output<typeof openRow>>

export const readFleetAlarms = query(openRow, (fleet: string) => [
  `select alarm::text, rule::text, rule_name, severity, subject, subject_node, opened_ts, silenced
   from watch_alarms where fleet = $1::uuid and resolved_ts is null order by opened_ts desc`,
  [fleet],
])

const idRow = z.strictObject({ id: bytes })

/** The nodes that validate the primary network now and whose rewards these addresses receive. */
export const readNodesOfAddresses = query(
  idRow,
  (chain: number, addresses: readonly Buffer[]) => [
    `select distinct node as id from stakers where chain = $1 and not is_delegator and ended_ts is null and subnet = $3
     and reward_addresses && $2::text::bytea[] order by node`,
    [chain, keyList(addresses), primarySubnetId],
  ],
  (rows) => rows.map(({ id }) => id),
)

/** The validations of an L1 that have a weight, the heaviest first. */
export const readValidationsOfSubnet = query(
  idRow,
  (chain: number, subnet: Buffer) => [
    `select validation_id as id from l1_validators where chain = $1 and subnet = $2 and weight > 0
     order by weight desc, validation_id`,
    [chain, subnet],
  ],
  (rows) => rows.map(({ id }) => id),
)

/** Those of the ids that the P-Chain knows: nodes with a validation, and L1 validations. */
export const readKnownIds = query(
  idRow,
  (chain: number, ids: readonly Buffer[]) => [
    `select asked.id from unnest($2::text::bytea[]) as asked (id)
     where exists (select from stakers s where s.chain = $1 and s.node = asked.id and not s.is_delegator)
       or exists (select from l1_validators v where v.chain = $1 and (v.validation_id = asked.id or v.node = asked.id))`,
    [chain, keyList(ids)],
  ],
  (rows) => rows.map(({ id }) => id),
)

/** Something that happened to a node or an L1 validator. */
const changeRow = z.strictObject({
  ts: z.bigint(),
  kind: z.string(),
  node: bytes,
  validation: bytes.nullable(),
  amount: z.string().nullable(),
  weight: z.string().nullable(),
  tx_id: bytes.nullable(),
})

/**
 * What happened to nodes and L1 validators after a time, latest first. Changes of a connection are the samples that
 * differ from the one before.
 */
export const readChanges = query(
  changeRow,
  (chain: number, nodes: readonly Buffer[], validations: readonly Buffer[], after: number, limit: number) => [
    `with nodes as materialized (select unnest($2::text::bytea[]) as node),
     stakes as materialized (
       select s.* from nodes join stakers s on s.chain = $1 and s.node = nodes.node and s.subnet = $6
         and (s.start_ts > $4 or s.ended_ts > $4)),
     sampled as (
       select s.node, s.ts, s.connected, lag(s.connected) over (partition by s.tx_id order by s.ts) as before
       from nodes cross join lateral (
         select tx_id from stakers where chain = $1 and node = nodes.node and not is_delegator and subnet = $6
         order by height desc, index desc limit 1) v
       join uptime_samples s on s.chain = $1 and s.node = nodes.node and s.tx_id = v.tx_id and s.ts > $4 - 7200)
     select * from (
       select start_ts as ts, case when is_delegator then 'delegationAdded' else 'validationStarted' end as kind,
         node, null::bytea as validation, weight::text as amount, null as weight, tx_id
       from stakes where start_ts > $4
       union all
       select ended_ts, case when is_delegator then 'delegationEnded' else 'validationEnded' end, node, null, weight::text,
         null, tx_id
       from stakes where ended_ts > $4
       union all
       select r.ts, 'rewarded', r.node, null, r.amount::text, null, r.staking_tx
       from nodes join rewards r on r.chain = $1 and r.node = nodes.node and r.ts > $4
       union all
       select ts, case when connected then 'connected' else 'disconnected' end, node, null, null, null, null
       from sampled where before is not null and before <> connected and ts > $4
       union all
       select c.ts, case when c.type is null then 'l1Deactivated' when c.balance_change > 0 then 'l1BalanceAdded'
           else 'l1WeightChanged' end, v.node, c.validation_id,
         case when balance_change > 0 then balance_change::text end, c.weight::text, c.tx_id
       from unnest($3::text::bytea[]) as asked (id)
       join l1_validator_changes c on c.validation_id = asked.id and c.chain = $1 and c.ts > $4
       join l1_validators v on v.validation_id = asked.id and v.chain = $1) changes
     order by ts desc, kind, node limit $5`,
    [chain, keyList(nodes), keyList(validations), after, limit, primarySubnetId],
  ],
)
