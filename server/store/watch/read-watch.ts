import { z } from 'zod'
import { query, queryOne } from '../read.ts'
import { stateColumns, stateFields } from './read-rules.ts'

const fleetRow = z.strictObject({
  fleet: z.string(),
  chain: z.number(),
  name: z.string(),
  description: z.string(),
  feed_token: z.string(),
  created_ts: z.bigint(),
  members: z.bigint(),
  rules: z.bigint(),
  firing: z.bigint(),
  unknown: z.bigint(),
})
export type FleetRow = Readonly<z.output<typeof fleetRow>>

/** The fleets in the order in which they were created; of a network, with an id or by the token of the feed. */
export const readFleets = query(
  fleetRow,
  (filter: { readonly chain?: number; readonly fleet?: string; readonly token?: string } = {}) => [
    `select f.fleet::text, f.chain, f.name, f.description, f.feed_token, f.created_ts,
       (select count(*) from watch_members m where m.chain = f.chain and m.fleet = f.fleet) as members,
       (select count(*) from watch_rules r where r.fleet = f.fleet) as rules,
       (select count(*) from watch_alarms a join watch_rules r on r.rule = a.rule
         where r.fleet = f.fleet and a.resolved_ts is null) as firing,
       (select count(*) from watch_states s join watch_rules r on r.rule = s.rule
         where r.fleet = f.fleet and s.state = 'unknown') as unknown
     from watch_fleets f
     where ($1::int is null or f.chain = $1) and ($2::text is null or f.fleet = $2::uuid)
       and ($3::text is null or f.feed_token = $3)
     order by f.created_ts, f.name`,
    [filter.chain ?? null, filter.fleet ?? null, filter.token ?? null],
  ],
)

/** How many subjects of each rule are in which state. */
export const readStateCounts = query(
  z.strictObject({ rule: z.string(), state: z.string(), count: z.bigint() }),
  () => ['select rule::text, state, count(*) from watch_states group by rule, state', []],
)

/** The states of rules, the worst first. At most 5,000. */
export const readStatesOfRules = query(
  z.strictObject({
    ...stateFields,
    rule_name: z.string(),
    kind: z.string(),
    severity: z.string(),
    fleet: z.string().nullable(),
    threshold: z.number().nullable(),
    silenced: z.boolean(),
  }),
  (filter: {
    readonly fleet?: string | undefined
    readonly rule?: string | undefined
    readonly state?: string | undefined
  }) => [
    `select ${stateColumns}, r.name as rule_name, r.kind, r.severity, r.fleet::text, r.threshold,
       coalesce(a.silenced, false) as silenced
     from watch_states s join watch_rules r on r.rule = s.rule left join watch_alarms a on a.alarm = s.alarm
     where ($1::text is null or r.fleet = $1::uuid) and ($2::text is null or s.rule = $2::uuid)
       and ($3::text is null or s.state = $3)
     order by array_position(array['firing', 'pending', 'unknown', 'resolved', 'ok'], s.state),
       array_position(array['critical', 'warning', 'info'], r.severity), s.since desc, s.rule, s.subject limit 5000`,
    [filter.fleet ?? null, filter.rule ?? null, filter.state ?? null],
  ],
)

const alarmRow = z.strictObject({
  alarm: z.string(),
  rule: z.string(),
  rule_name: z.string(),
  kind: z.string(),
  severity: z.string(),
  chain: z.number().nullable(),
  fleet: z.string().nullable(),
  fleet_name: z.string().nullable(),
  subject: z.string(),
  subject_name: z.string().nullable(),
  subject_node: z.string().nullable(),
  title: z.string(),
  text: z.string(),
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  tx_hash: z.string().nullable(),
  opened_ts: z.bigint(),
  resolved_ts: z.bigint().nullable(),
  resolved_value: z.number().nullable(),
  end_reason: z.string().nullable(),
  silenced: z.boolean(),
  notified_ts: z.bigint().nullable(),
  notifications: z.number(),
})
export type AlarmRow = Readonly<z.output<typeof alarmRow>>

type AlarmFilter = {
  readonly fleet?: string | undefined
  readonly rule?: string | undefined
  /** The text of the id of a member: the subject, or its node. */
  readonly member?: string | undefined
  readonly severity?: string | undefined
  readonly isOpen?: boolean | undefined
  readonly after?: number | undefined
  readonly before?: number | undefined
}

/** Alarms before a position, the newest first. */
export const readAlarms = query(
  alarmRow,
  (filter: AlarmFilter, past: { readonly ts: bigint; readonly id: string }, limit: number) => [
    `select alarm::text, rule::text, rule_name, kind, severity, chain, fleet::text, fleet_name, subject, subject_name,
       subject_node, title, text, value, threshold, tx_hash, opened_ts, resolved_ts, resolved_value, end_reason, silenced,
       notified_ts, notifications
     from watch_alarms
     where (opened_ts, alarm) < ($1, $2::uuid) and ($4::text is null or fleet = $4::uuid)
       and ($5::text is null or rule = $5::uuid)
       and ($6::text is null or subject_node = $6 or subject = 'l1Validator:' || $6)
       and ($7::text is null or severity = $7) and ($8::boolean is null or (resolved_ts is null) = $8)
       and ($9::bigint is null or opened_ts > $9) and ($10::bigint is null or opened_ts < $10)
     order by opened_ts desc, alarm desc limit $3`,
    [
      past.ts,
      past.id,
      limit,
      filter.fleet ?? null,
      filter.rule ?? null,
      filter.member ?? null,
      filter.severity ?? null,
      filter.isOpen ?? null,
      filter.after ?? null,
      filter.before ?? null,
    ],
  ],
)

const deliveryRow = z.strictObject({
  delivery: z.string(),
  alarm: z.string(),
  alarm_title: z.string().nullable(),
  channel: z.string(),
  channel_name: z.string().nullable(),
  channel_kind: z.string().nullable(),
  event: z.string(),
  status: z.string(),
  created_ts: z.bigint(),
  attempts: z.number(),
  next_ts: z.number(),
  ended_ts: z.bigint().nullable(),
  last_reason: z.string().nullable(),
})
export type DeliveryRow = Readonly<z.output<typeof deliveryRow>>

/** Messages before a position, the newest first. */
export const readDeliveries = query(
  deliveryRow,
  (
    filter: {
      readonly status?: string | undefined
      readonly alarm?: string | undefined
      readonly delivery?: string | undefined
    },
    past: { readonly ts: bigint; readonly id: string },
    limit: number,
  ) => [
    `select o.delivery::text, o.alarm::text, a.title as alarm_title, o.channel::text, c.name as channel_name,
       c.kind as channel_kind, o.event, o.status, o.created_ts, o.attempts, o.next_ts, o.ended_ts, o.last_reason
     from watch_outbox o left join watch_alarms a on a.alarm = o.alarm left join watch_channels c on c.channel = o.channel
     where (o.created_ts, o.delivery) < ($1, $2::uuid) and ($4::text is null or o.status = $4)
       and ($5::text is null or o.alarm = $5::uuid) and ($6::text is null or o.delivery = $6::uuid)
     order by o.created_ts desc, o.delivery desc limit $3`,
    [past.ts, past.id, limit, filter.status ?? null, filter.alarm ?? null, filter.delivery ?? null],
  ],
)

const channelUseRow = z.strictObject({
  channel: z.string(),
  rules: z.bigint(),
  waiting: z.bigint(),
  dead: z.bigint(),
  delivered_ts: z.bigint().nullable(),
  failed_ts: z.bigint().nullable(),
  failed_reason: z.string().nullable(),
})
export type ChannelUseRow = Readonly<z.output<typeof channelUseRow>>

/** How each channel is used, and how sending through it goes. */
export const readChannelUse = query(channelUseRow, () => [
  `select c.channel::text, (select count(*) from watch_rules r where c.channel = any(r.channels)) as rules,
     (select count(*) from watch_outbox o where o.channel = c.channel and o.status = 'waiting') as waiting,
     (select count(*) from watch_outbox o where o.channel = c.channel and o.status = 'dead') as dead,
     (select max(ended_ts) from watch_outbox o where o.channel = c.channel and o.status = 'delivered') as delivered_ts,
     failed.last_ts as failed_ts, failed.last_reason as failed_reason
   from watch_channels c left join lateral (
     select last_ts, last_reason from watch_outbox o
     where o.channel = c.channel and o.status in ('waiting', 'dead') and o.last_reason is not null
     order by last_ts desc limit 1) failed on true`,
  [],
])

/** How everything stands, in one row. */
export const readSummary = queryOne(
  z.strictObject({
    fleets: z.bigint(),
    members: z.bigint(),
    rules: z.bigint(),
    channels: z.bigint(),
    pending: z.bigint(),
    unknown: z.bigint(),
    waiting: z.bigint(),
    dead: z.bigint(),
    info: z.bigint(),
    warning: z.bigint(),
    critical: z.bigint(),
    silenced: z.bigint(),
    round_ts: z.bigint().nullable(),
    round_ms: z.number().nullable(),
  }),
  () => [
    `select (select count(*) from watch_fleets) as fleets, (select count(*) from watch_members) as members,
       (select count(*) from watch_rules) as rules, (select count(*) from watch_channels) as channels,
       (select count(*) from watch_states where state = 'pending') as pending,
       (select count(*) from watch_states where state = 'unknown') as unknown,
       (select count(*) from watch_outbox where status = 'waiting') as waiting,
       (select count(*) from watch_outbox where status = 'dead') as dead,
       count(*) filter (where not silenced and severity = 'info') as info,
       count(*) filter (where not silenced and severity = 'warning') as warning,
       count(*) filter (where not silenced and severity = 'critical') as critical,
       count(*) filter (where silenced) as silenced,
       (select ts from watch_rounds order by round desc limit 1) as round_ts,
       (select milliseconds::float8 from watch_rounds order by round desc limit 1) as round_ms
     from watch_alarms where resolved_ts is null`,
    [],
  ],
  (row) => {
    if (!row) throw new Error('a count has no row')
    return row
  },
)

/** How many subjects of each enabled rule are in which state, without a row for each subject. */
export const readRuleFigures = query(
  z.strictObject({
    rule: z.string(),
    name: z.string(),
    kind: z.string(),
    severity: z.string(),
    ok: z.bigint(),
    pending: z.bigint(),
    firing: z.bigint(),
    unknown: z.bigint(),
  }),
  () => [
    `select r.rule::text, r.name, r.kind, r.severity,
       count(*) filter (where s.state in ('ok', 'resolved')) as ok, count(*) filter (where s.state = 'pending') as pending,
       count(*) filter (where s.state = 'firing') as firing, count(*) filter (where s.state = 'unknown') as unknown
     from watch_rules r left join watch_states s on s.rule = r.rule
     where r.enabled group by r.rule order by r.created_ts, r.rule`,
    [],
  ],
)
