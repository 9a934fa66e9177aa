import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WatchStateName, WatchSubject } from '../../contract/watch/fields.ts'
import { badRequest } from '../kernel/http-errors.ts'
import type { Queryable } from '../store/database.ts'
import { readRoundsAfter, readRoundSpan } from '../store/watch/read-history.ts'
import type { Tracked } from './transition.ts'
import type { ActivityEvent, Round, RoundFacts } from './facts.ts'
import { readActivityOf } from './activity.ts'
import { readHistory, type History } from './history.ts'
import type { Subject } from './evaluate.ts'
import { evaluateRound, type Change, type States } from './round.ts'
import type { Member, WatchedRule } from './rules.ts'

type DryAlarm = {
  readonly subject: WatchSubject
  readonly openedTimestamp: number
  resolvedTimestamp?: number
  readonly value?: number
  readonly notifiedTimestamps: number[]
}

type Point = { readonly timestamp: number; readonly state: WatchStateName; readonly value?: number }

type DryRun = {
  readonly firstRoundTimestamp?: number
  readonly lastRoundTimestamp?: number
  readonly roundCount: number
  readonly subjectCount: number
  readonly alarms: DryAlarm[]
  readonly alarmCount: number
  readonly series: { readonly subject: WatchSubject; readonly points: Point[] }[]
  readonly unknownSpans: { readonly fromTimestamp: number; readonly toTimestamp: number }[]
}

const maxAlarms = 1_000
const maxSeries = 12
const maxPoints = 500
/** Rounds that are read at once. */
const chunk = 2_000
/** The most steps of one dry run: a few seconds of work. */
const maxSteps = 3_000_000
/** The most transactions of an address in one dry run. */
const maxTransactions = 20_000

/**
 * Evaluates a rule over the stored rounds of a time, as the runner would have, from the state before any round. Throws
 * a 400 if there are more rounds and subjects, or transactions of an address, than one request may cost.
 */
export async function dryRun(
  sql: Queryable,
  rule: WatchedRule,
  members: readonly Member[],
  from: number,
  to: number,
): Promise<DryRun> {
  const span = await readRoundSpan(sql, from, to)
  const roundCount = Number(span.count)
  if (roundCount * Math.max(1, members.length) > maxSteps) {
    throw badRequest(['endTimestamp: too long for so many members; choose a shorter time or one member'])
  }
  const enabled = { ...rule, isEnabled: true }
  const run = new Recorder()
  let history: History | undefined
  let activity: readonly ActivityEvent[] | undefined
  let states: States = new Map()
  let after = -1n
  for (;;) {
    if (roundCount === 0) break
    const rows = await readRoundsAfter(sql, from, to, after, chunk)
    const rounds = rows.map((row): Round => ({
      round: Number(row.round),
      ts: Number(row.ts),
      facts: row.facts as RoundFacts,
    }))
    const network = rule.network
    if (!history && network !== undefined && rule.chain !== undefined && members.length > 0) {
      const first = rounds[0]?.facts.networks[network]
      const last = (await readRoundsAfter(sql, from, to, BigInt(span.last_round ?? 0n) - 1n, 1))[0]
      const lastFacts = (last?.facts as RoundFacts | undefined)?.networks[network]
      history = await readHistory(
        sql,
        rule.chain,
        members,
        {
          fromTs: first?.sampledTs ?? from,
          toTs: Math.max(to, lastFacts?.sampledTs ?? to),
          fromHeight: first?.height ?? 0,
          toHeight: lastFacts?.height ?? 0,
        },
        {
          subnets: rule.kind === 'quorumNear',
          delegations: rule.kind.startsWith('delegation'),
          proposals: rule.kind === 'noProposals',
        },
      )
    }
    if (!activity && rule.evmChain !== undefined && rule.address !== undefined) {
      const [last] = await readRoundsAfter(sql, from, to, BigInt(span.last_round ?? 0n) - 1n, 1)
      const heightOf = (facts: unknown): number | undefined =>
        (facts as RoundFacts | undefined)?.chains[rule.evmChain ?? '']?.height
      // Rounds of earlier versions have no heights: such a time is unknown.
      const first = rounds.map(({ facts }) => heightOf(facts)).find((height) => height !== undefined)
      activity = await readActivityOf(sql, rule, first ?? 0, heightOf(last?.facts) ?? 0, maxTransactions)
      if (activity.length >= maxTransactions)
        throw badRequest(['endTimestamp: too long for so many transactions; choose a shorter time'])
    }
    for (const round of rounds) {
      const facts = network === undefined ? undefined : round.facts.networks[network]
      const now = facts && history?.at(facts)
      const evaluated = evaluateRound({
        round,
        rules: [enabled],
        membersOf: () => members,
        tiesOf: () => history?.ties ?? [],
        factsOf: () => now,
        activityOf: () => activity ?? [],
        silences: [],
        states,
      })
      states = evaluated.states
      run.record(round, evaluated.changes)
    }
    after = rows.at(-1)?.round ?? after
    if (rows.length < chunk) break
    await nextTurn()
  }
  return {
    ...(span.first_ts !== null && { firstRoundTimestamp: Number(span.first_ts) }),
    ...(span.last_ts !== null && { lastRoundTimestamp: Number(span.last_ts) }),
    roundCount,
    ...run.result(),
  }
}

const subjectOf = ({ kind, id, name, nodeId }: Subject): WatchSubject => ({
  kind,
  id,
  ...(name !== undefined && { name }),
  ...(nodeId !== undefined && { nodeId }),
})

/** Collects what fired, and the lines of the chart. */
class Recorder {
  readonly #alarms: DryAlarm[] = []
  #alarmCount = 0
  readonly #open = new Map<string, DryAlarm>()
  readonly #lines = new Map<
    string,
    { subject: Subject; points: Point[]; last: Tracked | undefined; fired: boolean }
  >()
  readonly #unknown: { fromTimestamp: number; toTimestamp: number }[] = []
  #isUnknown = false

  record(round: Round, changes: readonly Change[]): void {
    for (const change of changes) this.#recordChange(round, change)
    const isUnknown = changes.length > 0 && changes.every(({ after }) => after.state.state === 'unknown')
    const last = this.#unknown.at(-1)
    if (isUnknown && this.#isUnknown && last) last.toTimestamp = round.ts
    else if (isUnknown) this.#unknown.push({ fromTimestamp: round.ts, toTimestamp: round.ts })
    else if (this.#isUnknown && last) last.toTimestamp = round.ts
    this.#isUnknown = isUnknown
  }

  #recordChange({ ts }: Round, { subject, key, after, happenings }: Change): void {
    const { state } = after
    const line = this.#lines.get(key) ?? { subject, points: [], last: undefined, fired: false }
    this.#lines.set(key, line)
    if (line.last?.state.state !== state.state || line.last.state.value !== state.value) {
      line.points.push({
        timestamp: ts,
        state: state.state,
        ...(state.value !== undefined && { value: state.value }),
      })
      if (line.points.length > 2 * maxPoints) line.points = thin(line.points)
    }
    line.last = after
    for (const each of happenings) {
      if (each.kind === 'opened' || each.kind === 'event') {
        line.fired = true
        const value = each.kind === 'opened' && state.value !== undefined ? { value: state.value } : {}
        const alarm: DryAlarm = {
          subject: subjectOf(subject),
          openedTimestamp: ts,
          ...value,
          notifiedTimestamps: [],
        }
        if (each.kind === 'event') alarm.resolvedTimestamp = ts
        this.#open.set(each.alarm.id, alarm)
        this.#alarmCount += 1
        if (this.#alarms.length < maxAlarms) this.#alarms.push(alarm)
      } else if (each.kind === 'ended') {
        const alarm = this.#open.get(each.alarm.id)
        if (alarm) alarm.resolvedTimestamp = ts
      } else if (each.kind === 'message' && each.event !== 'resolved') {
        this.#open.get(each.alarm.id)?.notifiedTimestamps.push(Math.max(ts, each.notBefore))
      }
    }
  }

  result() {
    const lines = [...this.#lines.values()].toSorted(
      (left, right) => Number(right.fired) - Number(left.fired),
    )
    return {
      subjectCount: this.#lines.size,
      alarms: this.#alarms,
      alarmCount: this.#alarmCount,
      series: lines.slice(0, maxSeries).map(({ subject, points }) => ({
        subject: subjectOf(subject),
        points: points.length > maxPoints ? thin(points) : points,
      })),
      unknownSpans: this.#unknown.slice(0, maxAlarms),
    }
  }
}

/** Half of the points: every change of state, and of the values between them every second. */
function thin(points: readonly Point[]): Point[] {
  let kept = 0
  return points.filter((point, place) => {
    const isTurn = place === 0 || place === points.length - 1 || points[place - 1]?.state !== point.state
    kept += 1
    return isTurn || kept % 2 === 0
  })
}
