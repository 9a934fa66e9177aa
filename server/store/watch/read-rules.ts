import { z } from 'zod'
import { bytes, query } from '../read.ts'
import { textList } from '../sql-literals.ts'

const ruleRow = z.strictObject({
  rule: z.string(),
  chain: z.number().nullable(),
  fleet: z.string().nullable(),
  fleet_name: z.string().nullable(),
  member: bytes.nullable(),
  evm_chain: z.bigint().nullable(),
  address: bytes.nullable(),
  kind: z.string(),
  name: z.string(),
  threshold: z.number().nullable(),
  hysteresis: z.number(),
  samples: z.number(),
  severity: z.string(),
  repeat_seconds: z.number(),
  /** Quiet hours as in the contract. */
  quiet: z.unknown(),
  /** The ids of channels, separated by commas. */
  channels: z.string(),
  enabled: z.boolean(),
  revision: z.bigint(),
  created_ts: z.bigint(),
  updated_ts: z.bigint(),
})
/** A rule with the name of its fleet. */
export type RuleRow = Readonly<z.output<typeof ruleRow>>

const ruleColumns = `
  r.rule::text, r.chain, r.fleet::text, f.name as fleet_name, r.member, r.evm_chain, r.address, r.kind, r.name, r.threshold, r.hysteresis,
  r.samples, r.severity, r.repeat_seconds, r.quiet, array_to_string(r.channels, ',') as channels, r.enabled, r.revision,
  r.created_ts, r.updated_ts`

/** Every rule, or those of a fleet or with an id, in the order in which they were created. */
export const readRules = query(
  ruleRow,
  (filter: { readonly fleet?: string; readonly rule?: string } = {}) => [
    `select ${ruleColumns} from watch_rules r left join watch_fleets f on f.fleet = r.fleet
     where ($1::text is null or r.fleet = $1::uuid) and ($2::text is null or r.rule = $2::uuid)
     order by r.created_ts, r.rule`,
    [filter.fleet ?? null, filter.rule ?? null],
  ],
)

/** The same, locked against changes until the transaction ends. */
export const readRulesForRound = query(ruleRow, () => [
  `select ${ruleColumns} from watch_rules r left join watch_fleets f on f.fleet = r.fleet
   order by r.created_ts, r.rule for share of r`,
  [],
])

const memberRow = z.strictObject({ chain: z.number(), fleet: z.string(), id: bytes, label: z.string() })
/** A member of a fleet: 20 bytes of a node, or 32 of an L1 validation. */
export type MemberRow = Readonly<z.output<typeof memberRow>>

/** The members of all fleets or of one, in the order in which they were added. */
export const readMembers = query(memberRow, (fleet?: string) => [
  `select chain, fleet::text, id, label from watch_members where $1::text is null or fleet = $1::uuid
   order by fleet, position, id`,
  [fleet ?? null],
])

/** What the state of a rule for a subject has for every reader. */
export const stateFields = {
  rule: z.string(),
  subject: z.string(),
  state: z.string(),
  since: z.bigint(),
  value: z.number().nullable(),
  text: z.string(),
  sampled_ts: z.bigint().nullable(),
  alarm: z.string().nullable(),
}
/** The columns of `stateFields`, of `watch_states s`. */
export const stateColumns =
  's.rule::text, s.subject, s.state, s.since, s.value, s.text, s.sampled_ts, s.alarm::text'

const stateRow = z.strictObject({
  ...stateFields,
  sample: z.bigint(),
  breaches: z.number(),
  clears: z.number(),
})
/** The state of a rule for a subject. */
export type StateRow = Readonly<z.output<typeof stateRow>>

/** The states of rules; of all when no ids are given. */
export const readStates = query(stateRow, (rules?: readonly string[]) => [
  `select ${stateColumns}, s.sample, s.breaches, s.clears
   from watch_states s where $1::text is null or s.rule = any($1::text::uuid[])`,
  [rules === undefined ? null : textList(rules)],
])

const openAlarmRow = z.strictObject({
  alarm: z.string(),
  rule: z.string(),
  subject: z.string(),
  silenced: z.boolean(),
  notified_ts: z.bigint().nullable(),
  notifications: z.number(),
})
/** An alarm that is open, as far as the runner needs it. */
export type OpenAlarmRow = Readonly<z.output<typeof openAlarmRow>>

export const readOpenAlarms = query(openAlarmRow, () => [
  `select alarm::text, rule::text, subject, silenced, notified_ts, notifications
   from watch_alarms where resolved_ts is null`,
  [],
])

const silenceRow = z.strictObject({
  silence: z.string(),
  fleet: z.string().nullable(),
  fleet_name: z.string().nullable(),
  rule: z.string().nullable(),
  rule_name: z.string().nullable(),
  member: bytes.nullable(),
  comment: z.string(),
  created_ts: z.bigint(),
  start_ts: z.bigint(),
  end_ts: z.bigint(),
})
export type SilenceRow = Readonly<z.output<typeof silenceRow>>

/** The silences that end after a time, latest first. */
export const readSilences = query(silenceRow, (endsAfter: number, silence?: string) => [
  `select s.silence::text, s.fleet::text, f.name as fleet_name, s.rule::text, r.name as rule_name, s.member, s.comment,
     s.created_ts, s.start_ts, s.end_ts
   from watch_silences s left join watch_fleets f on f.fleet = s.fleet left join watch_rules r on r.rule = s.rule
   where s.end_ts > $1 and ($2::text is null or s.silence = $2::uuid)
   order by s.created_ts desc, s.silence limit 1000`,
  [endsAfter, silence ?? null],
])

const channelRow = z.strictObject({
  channel: z.string(),
  name: z.string(),
  kind: z.string(),
  enabled: z.boolean(),
  sends_resolved: z.boolean(),
  settings: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.unknown()),
  created_ts: z.bigint(),
  updated_ts: z.bigint(),
})
/** A channel with its secrets: never to be answered or logged. */
export type ChannelRow = Readonly<z.output<typeof channelRow>>

/** All channels, or one, in the order in which they were created. */
export const readChannels = query(channelRow, (channel?: string) => [
  `select channel::text, name, kind, enabled, sends_resolved, settings, secrets, created_ts, updated_ts
   from watch_channels where $1::text is null or channel = $1::uuid order by created_ts, name, channel`,
  [channel ?? null],
])
