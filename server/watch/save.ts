import type { Queryable } from '../store/database.ts'
import type { OpenAlarm } from './transition.ts'
import type { Round } from './facts.ts'
import { idFrom } from './ids.ts'
import { messageOf, titleOf } from './message.ts'
import { isNewValue, isTurn, type Change, type Evaluated } from './round.ts'

/** Runs a statement on rows given as JSON: one statement for any number of them. */
async function withRows(sql: Queryable, statement: string, rows: readonly object[]): Promise<void> {
  if (rows.length > 0) await sql.unsafe(statement, [JSON.stringify(rows)], { prepare: true })
}

const stateStatement = `
  insert into watch_states (rule, subject, state, since, value, text, sampled_ts, sample, breaches, clears, alarm)
  select rule, subject, state, since, value, text, sampled_ts, sample, breaches, clears, alarm
  from json_populate_recordset(null::watch_states, $1::text::json)
  on conflict (rule, subject) do update set state = excluded.state, since = excluded.since, value = excluded.value,
    text = excluded.text, sampled_ts = excluded.sampled_ts, sample = excluded.sample, breaches = excluded.breaches,
    clears = excluded.clears, alarm = excluded.alarm`

const alarmStatement = `
  insert into watch_alarms (alarm, rule, rule_name, kind, severity, chain, fleet, fleet_name, subject, subject_name,
    subject_node, channels, title, text, value, threshold, tx_hash, opened_ts, resolved_ts, end_reason, silenced,
    notified_ts, notifications)
  select alarm, rule, rule_name, kind, severity, chain, fleet, fleet_name, subject, subject_name, subject_node,
    channels, title, text, value, threshold, tx_hash, opened_ts, resolved_ts, end_reason, silenced, notified_ts,
    notifications
  from json_populate_recordset(null::watch_alarms, $1::text::json)
  on conflict (alarm) do nothing`

const endStatement = `
  update watch_alarms a set resolved_ts = e.ts, resolved_value = e.value, end_reason = e.reason
  from json_to_recordset($1::text::json) as e (alarm uuid, ts bigint, value double precision, reason text)
  where a.alarm = e.alarm and a.resolved_ts is null`

const markStatement = `
  update watch_alarms a set silenced = m.silenced, notified_ts = m.notified_ts, notifications = m.notifications
  from json_to_recordset($1::text::json)
    as m (alarm uuid, silenced boolean, notified_ts bigint, notifications integer)
  where a.alarm = m.alarm`

// The channels of the rule that exist, are enabled, and want to hear of an end. A row that is there already is the same
// message.
const outboxStatement = `
  insert into watch_outbox (delivery, alarm, channel, event, number, message, created_ts, next_ts)
  select m.delivery, m.alarm, m.channel, m.event, m.number, m.message, m.created_ts,
    case when m.wait > 0 then extract(epoch from clock_timestamp()) + m.wait else 0 end
  from json_to_recordset($1::text::json) as m (delivery uuid, alarm uuid, channel uuid, event text, number integer,
    message jsonb, created_ts bigint, wait double precision)
  join watch_channels c on c.channel = m.channel and c.enabled and (m.event <> 'resolved' or c.sends_resolved)
  on conflict do nothing`

const dropStatement = `
  delete from watch_states s using json_to_recordset($1::text::json) as d (rule uuid, subject text)
  where s.rule = d.rule and s.subject = d.subject`

/**
 * Stores a round: the round itself, changed states, alarms and messages, in the caller's transaction. Of the rules `due`,
 * values that changed without a change of state are written, too.
 */
export async function saveRound(
  sql: Queryable,
  round: Round,
  { changes, dropped }: Evaluated,
  milliseconds: number,
  due: ReadonlySet<string>,
): Promise<void> {
  await sql`
    insert into watch_rounds (round, ts, facts, milliseconds)
    values (${round.round}, ${round.ts}, ${JSON.stringify(round.facts)}::text::jsonb, ${milliseconds})`
  await withRows(
    sql,
    stateStatement,
    changes
      .filter((each) => isTurn(each) || (due.has(each.rule.id) && isNewValue(each)))
      .map((each) => stateOf(each, round)),
  )
  const happened = changes.filter(({ happenings }) => happenings.length > 0)
  await withRows(
    sql,
    alarmStatement,
    happened.flatMap((each) => newAlarms(each, round)),
  )
  const ended = happened.flatMap(({ happenings, after }) =>
    happenings.flatMap((each) =>
      each.kind === 'ended'
        ? [{ alarm: each.alarm.id, ts: round.ts, value: after.state.value ?? null, reason: each.reason }]
        : [],
    ),
  )
  const lost = dropped.flatMap(({ alarm, reason }) =>
    alarm === undefined ? [] : [{ alarm, ts: round.ts, value: null, reason }],
  )
  await withRows(sql, endStatement, [...ended, ...lost])
  const marked = happened.flatMap(({ happenings }) =>
    happenings.flatMap((each) => (each.kind === 'marked' ? [marksOf(each.alarm)] : [])),
  )
  await withRows(sql, markStatement, marked)
  await withRows(
    sql,
    outboxStatement,
    happened.flatMap((each) => messagesOf(each, round)),
  )
  await withRows(
    sql,
    dropStatement,
    dropped.map(({ ruleId, key }) => ({ rule: ruleId, subject: key })),
  )
}

function stateOf({ rule, subject, key, after: { state, alarm } }: Change, { facts }: Round): object {
  const network = subject.network === undefined ? undefined : facts.networks[subject.network]
  return {
    rule: rule.id,
    subject: key,
    state: state.state,
    since: state.since,
    value: state.value ?? null,
    text: state.text,
    sampled_ts: network?.sampledTs ?? null,
    sample: state.sample,
    breaches: state.breaches,
    clears: state.clears,
    alarm: alarm?.id ?? null,
  }
}

const marksOf = (alarm: OpenAlarm) => ({
  alarm: alarm.id,
  silenced: alarm.isSilenced,
  notified_ts: alarm.lastTs ?? null,
  notifications: alarm.count,
})

function newAlarms({ rule, subject, key, after, happenings }: Change, round: Round): object[] {
  return happenings.flatMap((each) => {
    if (each.kind !== 'opened' && each.kind !== 'event') return []
    const isEvent = each.kind === 'event'
    return [
      {
        rule: rule.id,
        rule_name: rule.name,
        kind: rule.kind,
        severity: rule.severity,
        chain: rule.chain ?? null,
        fleet: rule.fleet ?? null,
        fleet_name: rule.fleetName ?? null,
        subject: key,
        subject_name: subject.name ?? null,
        subject_node: subject.nodeId ?? null,
        channels: rule.channels,
        title: titleOf(rule, subject),
        text: isEvent ? each.text : after.state.text,
        value: isEvent ? null : (after.state.value ?? null),
        threshold: rule.threshold ?? null,
        tx_hash: isEvent ? each.txHash : null,
        opened_ts: round.ts,
        resolved_ts: isEvent ? round.ts : null,
        end_reason: isEvent ? 'event' : null,
        ...marksOf(each.alarm),
      },
    ]
  })
}

function messagesOf({ rule, subject, after, happenings }: Change, round: Round): object[] {
  return happenings.flatMap((each) => {
    if (each.kind !== 'message') return []
    const { alarm, event, number, text, notBefore } = each
    const message = messageOf(rule, subject, event, alarm.id, {
      text,
      value: after.state.value,
      ts: round.ts,
    })
    return rule.channels.map((channel) => ({
      delivery: idFrom('delivery', alarm.id, channel, event, number),
      alarm: alarm.id,
      channel,
      event,
      number,
      message,
      created_ts: round.ts,
      wait: notBefore - round.ts,
    }))
  })
}
