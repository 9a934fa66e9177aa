import { watchKindOf } from '../../contract/watch/rule-kinds.ts'
import { firstState, step, type SubjectState } from './subject-state.ts'
import type { ActivityEvent, Round, SubjectFacts } from './facts.ts'
import { maxActivity } from './activity.ts'
import { lateAfter } from './collect-facts.ts'
import { idFrom } from './ids.ts'
import { evaluate, subjectKey, type Subject } from './evaluate.ts'
import { nextMessage, quietEnd } from './notify.ts'
import type { WatchedRule } from './rules.ts'

/** An alarm that is open, and what was sent of it. */
export type OpenAlarm = {
  readonly id: string
  readonly lastTs: number | undefined
  readonly count: number
  readonly isSilenced: boolean
}

/** The state of a rule for a subject, with its open alarm. */
export type Tracked = { readonly state: SubjectState; readonly alarm: OpenAlarm | undefined }

/** Something that a round has to store. A message is one row of the outbox for each channel of the rule. */
export type Happening =
  | { readonly kind: 'opened'; readonly alarm: OpenAlarm }
  | { readonly kind: 'ended'; readonly alarm: OpenAlarm; readonly reason: 'resolved' | 'subjectGone' }
  | { readonly kind: 'event'; readonly alarm: OpenAlarm; readonly text: string; readonly txHash: string }
  /** What is known of the alarm's messages changed. */
  | { readonly kind: 'marked'; readonly alarm: OpenAlarm }
  | {
      readonly kind: 'message'
      readonly alarm: OpenAlarm
      readonly event: 'firing' | 'repeat' | 'resolved'
      readonly number: number
      /** Unix seconds before which it is not sent. */
      readonly notBefore: number
      readonly text: string
    }

type Advance = { readonly tracked: Tracked; readonly happenings: readonly Happening[] }

export const noFacts: SubjectFacts = { nodes: new Map(), l1: new Map(), subnets: new Map(), delegations: [] }

/**
 * One rule, one subject, one round: the evaluation, the step of its state, and the messages that follow. Pure: the
 * runner stores what it returns, the dry run counts it.
 */
export function transition(
  rule: WatchedRule,
  subject: Subject,
  before: Tracked | undefined,
  round: Round,
  facts: SubjectFacts = noFacts,
  isSilenced = false,
): Advance {
  const kind = watchKindOf.get(rule.kind)
  if (kind?.fires === 'event') return advanceEvents(rule, subject, before, round, facts, isSilenced)
  const evaluation = evaluate(rule, subject, round, facts)
  const { state: stepped, transition } = step(before?.state ?? firstState, evaluation, rule.samples, round.ts)
  const state =
    kind?.unit === 'samples' && evaluation.kind === 'known'
      ? { ...stepped, value: stepped.breaches }
      : stepped
  const happenings: Happening[] = []
  let alarm = before?.alarm
  if (transition === 'opened') {
    const id = idFrom('alarm', rule.id, subjectKey(subject), round.round)
    alarm = { id, lastTs: undefined, count: 0, isSilenced }
    happenings.push({ kind: 'opened', alarm })
  }
  if (alarm && (transition === 'resolved' || transition === 'gone')) {
    happenings.push({ kind: 'ended', alarm, reason: transition === 'gone' ? 'subjectGone' : 'resolved' })
    if (alarm.count > 0) {
      const { count: number } = alarm
      happenings.push({
        kind: 'message',
        alarm,
        event: 'resolved',
        number,
        notBefore: round.ts,
        text: state.text,
      })
    }
    return { tracked: { state, alarm: undefined }, happenings }
  }
  if (alarm) {
    const after = notify(rule, alarm, round, isSilenced, state.text, happenings)
    if (after !== alarm && transition !== 'opened') happenings.push({ kind: 'marked', alarm: after })
    alarm = after
  }
  // The row of a new alarm is written as it is at the end of its round.
  return {
    tracked: { state, alarm },
    happenings: happenings.map((each) => (each.kind === 'opened' && alarm ? { ...each, alarm } : each)),
  }
}

function notify(
  rule: WatchedRule,
  alarm: OpenAlarm,
  round: Round,
  isSilenced: boolean,
  text: string,
  happenings: Happening[],
): OpenAlarm {
  const message = nextMessage(alarm, rule, isSilenced, round.ts)
  if (message === 'restart') return { ...alarm, lastTs: round.ts, isSilenced }
  if (message === undefined) return alarm.isSilenced === isSilenced ? alarm : { ...alarm, isSilenced }
  const { count: number } = alarm
  const after = { ...alarm, isSilenced, lastTs: round.ts, count: number + 1 }
  happenings.push({ kind: 'message', alarm: after, event: message, number, notBefore: round.ts, text })
  return after
}

/**
 * What happened for a rule of events, up to a height of the chain; or why nobody knows. `count` is how often: the
 * transactions of an address in one round are one event, however many they are.
 */
type Events =
  | {
      readonly height: number
      readonly after: (
        from: number,
      ) => readonly { readonly txHash: string; readonly text: string; readonly count: number }[]
    }
  | { readonly unknown: string }

function eventsOf(rule: WatchedRule, subject: Subject, round: Round, facts: SubjectFacts): Events {
  if (subject.kind === 'address') {
    const chain = round.facts.chains[rule.evmChain ?? '']
    if (chain?.height === undefined) return { unknown: 'The chain is not indexed here.' }
    const { height, state, lag } = chain
    if (state !== 'live' || (lag ?? 0) > lateAfter)
      return { unknown: 'The chain’s indexer is behind its node.' }
    return {
      height,
      after: (from) => {
        const events = (facts.activity ?? []).filter((event) => event.height > from && event.height <= height)
        const last = events.at(-1)
        return last
          ? [
              {
                txHash: last.txHash,
                text: activityText(rule.kind, events.length, last),
                count: events.length,
              },
            ]
          : []
      },
    }
  }
  const network = subject.network === undefined ? undefined : round.facts.networks[subject.network]
  if (!network) return { unknown: 'The network is not indexed here.' }
  if (network.isLate) return { unknown: 'The P-Chain’s indexer is behind its node.' }
  const { height } = network
  return {
    height,
    after: (from) =>
      facts.delegations
        .filter(
          (event) =>
            event.kind === rule.kind &&
            event.nodeId === subject.id &&
            event.height > from &&
            event.height <= height,
        )
        .map(({ txHash, weight }) => {
          const verb = rule.kind === 'delegationAdded' ? 'was added' : 'ended'
          return { txHash, text: `A delegation of ${avaxText(weight)} AVAX ${verb}.`, count: 1 }
        }),
  }
}

function activityText(kind: string, count: number, { height }: ActivityEvent): string {
  const block = `block ${height.toLocaleString('en-US')}`
  const verb = kind === 'addressSends' ? 'sent' : 'received funds by'
  if (count === 1) return `It ${verb} a transaction in ${block}.`
  if (count >= maxActivity) return `It ${verb} at least ${maxActivity.toLocaleString('en-US')} transactions.`
  return `It ${verb} ${count} transactions, the last in ${block}.`
}

/**
 * Rules of events: `sample` is the height up to which events were seen. The first round only takes the height, so that
 * a new rule does not report what happened before it.
 */
function advanceEvents(
  rule: WatchedRule,
  subject: Subject,
  before: Tracked | undefined,
  round: Round,
  facts: SubjectFacts,
  isSilenced: boolean,
): Advance {
  const last = before?.state
  const found = eventsOf(rule, subject, round, facts)
  if ('unknown' in found) {
    const { state } = step(last ?? firstState, { kind: 'unknown', text: found.unknown }, 1, round.ts)
    return { tracked: { state, alarm: undefined }, happenings: [] }
  }
  const { height } = found
  const from = last === undefined || last.sample < 0 ? height : last.sample
  const events = found.after(from)
  const count = events.reduce((sum, event) => sum + event.count, 0)
  const happenings: Happening[] = []
  for (const { txHash, text } of events) {
    const id = idFrom('alarm', rule.id, subjectKey(subject), rule.kind, txHash)
    const alarm = isSilenced
      ? { id, lastTs: undefined, count: 0, isSilenced }
      : { id, lastTs: round.ts, count: 1, isSilenced }
    happenings.push({ kind: 'event', alarm, text, txHash })
    if (!isSilenced) {
      const notBefore = quietEnd(rule.quiet, round.ts)
      happenings.push({ kind: 'message', alarm, event: 'firing', number: 0, notBefore, text })
    }
  }
  const state: SubjectState = {
    ...firstState,
    state: 'ok',
    since: last?.state === 'ok' ? last.since : round.ts,
    // After a reorg the head may be lower; what comes back was seen.
    sample: Math.max(from, height),
    value: count,
    text: count === 0 ? 'Nothing new.' : `${count} new.`,
  }
  return { tracked: { state, alarm: undefined }, happenings }
}

/** nAVAX as AVAX, without trailing zeros. */
function avaxText(amount: string): string {
  const padded = amount.padStart(10, '0')
  const whole = padded.slice(0, -9).replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const rest = padded.slice(-9).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}
