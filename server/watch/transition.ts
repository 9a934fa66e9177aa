import { watchKindOf } from '../../contract/watch/rule-kinds.ts'
import { firstState, step, type SubjectState } from './subject-state.ts'
import type { Round, SubjectFacts } from './facts.ts'
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

const noFacts: SubjectFacts = { nodes: new Map(), l1: new Map(), subnets: new Map(), delegations: [] }

/**
 * One rule, one subject, one round: the judgement, the step of its state, and the messages that follow. Pure: the
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
  const judgement = evaluate(rule, subject, round, facts)
  const { state: stepped, transition } = step(before?.state ?? firstState, judgement, rule.samples, round.ts)
  const state =
    kind?.unit === 'samples' && judgement.kind === 'known' ? { ...stepped, value: stepped.breaches } : stepped
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
  const network = subject.network === undefined ? undefined : round.facts.networks[subject.network]
  const last = before?.state
  if (!network || network.isLate) {
    const text = network ? 'The P-chain’s indexer is behind its node.' : 'The network is not indexed here.'
    const { state } = step(last ?? firstState, { kind: 'unknown', text }, 1, round.ts)
    return { tracked: { state, alarm: undefined }, happenings: [] }
  }
  const from = last === undefined || last.sample < 0 ? network.height : last.sample
  const events = facts.delegations.filter(
    (event) =>
      event.kind === rule.kind &&
      event.nodeId === subject.id &&
      event.height > from &&
      event.height <= network.height,
  )
  const happenings: Happening[] = []
  for (const { txHash, weight } of events) {
    const id = idFrom('alarm', rule.id, subjectKey(subject), rule.kind, txHash)
    const verb = rule.kind === 'delegationAdded' ? 'was added' : 'ended'
    const text = `A delegation of ${avaxText(weight)} AVAX ${verb}.`
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
    sample: Math.max(from, network.height),
    value: events.length,
    text: events.length === 0 ? 'Nothing new.' : `${events.length} new.`,
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
