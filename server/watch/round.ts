import { watchKindOf } from '../../contract/watch/rule-kinds.ts'
import { noFacts, transition, type Happening, type Tracked } from './transition.ts'
import type { ActivityEvent, Round, SubjectFacts } from './facts.ts'
import { subjectKey, type Subject } from './evaluate.ts'
import { isSilenced, subjectsOf, type L1Ties, type Member, type Silence, type WatchedRule } from './rules.ts'

/** Rule id → subject key → state. Never changed in place. */
export type States = ReadonlyMap<string, ReadonlyMap<string, Tracked>>

/** What a round has to be stored of one subject. */
export type Change = {
  readonly rule: WatchedRule
  readonly subject: Subject
  readonly key: string
  readonly before: Tracked | undefined
  readonly after: Tracked
  readonly happenings: readonly Happening[]
}

/** A state that has no subject any more: its rule was disabled, or its member removed. */
type Dropped = {
  readonly ruleId: string
  readonly key: string
  readonly alarm: string | undefined
  readonly reason: 'ruleDisabled' | 'subjectGone'
}

export type Evaluated = {
  readonly states: States
  readonly changes: readonly Change[]
  readonly dropped: readonly Dropped[]
}

type RoundInput = {
  readonly round: Round
  readonly rules: readonly WatchedRule[]
  readonly membersOf: (fleet: string) => readonly Member[]
  readonly tiesOf: (network: string) => L1Ties
  readonly factsOf: (network: string) => SubjectFacts | undefined
  /** The transactions that a rule of an address is about. */
  readonly activityOf: (rule: WatchedRule) => readonly ActivityEvent[]
  readonly silences: readonly Silence[]
  readonly states: States
}

/** Evaluates every rule for every subject. Pure. */
export function evaluateRound(input: RoundInput): Evaluated {
  const { round, rules, silences } = input
  const states = new Map<string, ReadonlyMap<string, Tracked>>()
  const changes: Change[] = []
  const dropped: Dropped[] = []
  for (const rule of rules) {
    const before = input.states.get(rule.id)
    const after = new Map<string, Tracked>()
    for (const subject of rule.isEnabled ? subjectsOfRule(rule, input) : []) {
      const key = subjectKey(subject)
      const last = before?.get(key)
      const facts =
        subject.kind === 'address'
          ? { ...noFacts, activity: input.activityOf(rule) }
          : subject.network === undefined
            ? undefined
            : input.factsOf(subject.network)
      const silenced = silences.length > 0 && isSilenced(silences, rule, subject, round.ts)
      const { tracked, happenings } = transition(rule, subject, last, round, facts, silenced)
      after.set(key, tracked)
      changes.push({ rule, subject, key, before: last, after: tracked, happenings })
    }
    for (const [key, { alarm }] of before ?? []) {
      const reason = rule.isEnabled ? 'subjectGone' : 'ruleDisabled'
      if (!after.has(key)) dropped.push({ ruleId: rule.id, key, alarm: alarm?.id, reason })
    }
    states.set(rule.id, after)
  }
  return { states, changes, dropped }
}

function subjectsOfRule(
  rule: WatchedRule,
  { round, membersOf, tiesOf }: Pick<RoundInput, 'round' | 'membersOf' | 'tiesOf'>,
): Subject[] {
  const service = { chains: round.facts.chains, networks: Object.keys(round.facts.networks) }
  const members = rule.fleet === undefined ? [] : membersOf(rule.fleet)
  return subjectsOf(rule, members, rule.network === undefined ? [] : tiesOf(rule.network), service)
}

/**
 * Whether a state has to be written at once: what a restart must not forget. Of an open alarm, the samples beyond the
 * threshold only count what was measured: that they go on changes nothing.
 */
export function isTurn({ before, after }: Change): boolean {
  if (!before) return true
  const [left, right] = [before.state, after.state]
  return (
    left.state !== right.state ||
    left.since !== right.since ||
    (left.breaches !== right.breaches && !right.isOpen) ||
    left.clears !== right.clears ||
    left.isOpen !== right.isOpen ||
    before.alarm?.id !== after.alarm?.id
  )
}

/** Whether only what was measured changed: written now and then. */
export function isNewValue({ before, after }: Change): boolean {
  const [left, right] = [before?.state, after.state]
  return left?.value !== right.value || left?.text !== right.text || left?.breaches !== right.breaches
}

/** Whether a rule needs the events of delegations. */
export const wantsEvents = (rule: WatchedRule): boolean =>
  rule.isEnabled && watchKindOf.get(rule.kind)?.fires === 'event'
