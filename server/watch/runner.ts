import type { WatchStateName } from '../../contract/watch/fields.ts'
import { watchKindOf } from '../../contract/watch/rule-kinds.ts'
import type { Database } from '../store/database.ts'
import {
  readMembers,
  readOpenAlarms,
  readRules,
  readRulesForRound,
  readSilences,
  readStates,
  type MemberRow,
  type OpenAlarmRow,
  type StateRow,
} from '../store/watch/read-rules.ts'
import type { Tracked } from './transition.ts'
import type { ActivityEvent, NativeBalance, Round } from './facts.ts'
import { collectFacts, SilenceClock, type Watched } from './collect-facts.ts'
import { maxActivity, readActivityOf } from './activity.ts'
import type { BalanceOwner, ReadBalances } from './balances.ts'
import { readCurrentFacts, type CurrentFacts } from './read-facts.ts'
import { evaluateRound, wantsEvents, type States } from './round.ts'
import { addressId, memberOf, memberText, ruleOf, silenceOf, type Member, type WatchedRule } from './rules.ts'
import { saveRound } from './save.ts'

type RunnerOptions = {
  readonly watched: Watched
  /** Unix seconds. */
  readonly clock: () => number
  /** Milliseconds that never go back. */
  readonly monotonic: () => number
  /** Percent of the disk that is free. */
  readonly diskFree: () => Promise<number | null>
  readonly balances: ReadBalances
  readonly keepDays: number
}

/** What a round did. */
export type RoundReport = { readonly round: number; readonly opened: number; readonly milliseconds: number }

/** Runs statements in one transaction of the connection that holds the lock. */
export type Transaction = <T>(action: (sql: Database) => Promise<T>) => Promise<T>

/** Of the rules, one in so many has its values written in a round although no state changed. */
const valuesEvery = 3
/** Old rounds are deleted in one round of so many. */
const pruneEvery = 360

/**
 * The evaluation of all rules, round by round. The states are in memory, because only one runner holds the lock; what
 * a restart needs is written with the round. A round that fails is rolled back and forgotten: the next one starts from
 * what is stored.
 */
export class WatchRunner {
  readonly #options: RunnerOptions
  readonly #silences = new SilenceClock()
  #states: States | undefined
  #revisions = new Map<string, string>()
  /** The texts of the members' ids by their bytes: their checksums cost more than everything else about a member. */
  #texts = new Map<string, string>()
  #last = -1

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  async round(transaction: Transaction): Promise<RoundReport> {
    const { clock, monotonic, diskFree, balances } = this.#options
    const started = monotonic()
    const free = await diskFree()
    // Nodes are not asked while a transaction holds the rules.
    const owners = await transaction(readBalanceOwners)
    const held = owners.length === 0 ? {} : await balances(owners)
    try {
      return await transaction((sql) => this.#evaluate(sql, clock(), free, held, started))
    } catch (error) {
      this.#states = undefined
      throw error
    }
  }

  async #evaluate(
    sql: Database,
    now: number,
    free: number | null,
    balances: Readonly<Record<string, NativeBalance>>,
    started: number,
  ): Promise<RoundReport> {
    const { watched, monotonic, keepDays } = this.#options
    const rules = (await readRulesForRound(sql)).map(ruleOf)
    const members = this.#membersByFleet(await readMembers(sql))
    const states = await this.#load(sql, rules)
    if (this.#last < 0) this.#last = await lastRound(sql)
    const facts = await collectFacts(sql, watched, this.#silences, now, monotonic(), free, balances)
    const round: Round = { round: this.#last + 1, ts: now, facts }
    const current = await readFactsOfRules(sql, round, rules, members, states)
    const activity = await readActivityOfRules(sql, round, rules, states)
    const silences = (await readSilences(sql, now)).map(silenceOf)
    const evaluated = evaluateRound({
      round,
      rules,
      membersOf: (fleet) => members.get(fleet) ?? [],
      tiesOf: (network) => current.get(network)?.ties ?? [],
      factsOf: (network) => current.get(network)?.facts,
      activityOf: ({ id }) => activity.get(id) ?? [],
      silences,
      states,
    })
    const milliseconds = monotonic() - started
    const due = rules.filter((_rule, place) => (place + round.round) % valuesEvery === 0)
    await saveRound(sql, round, evaluated, milliseconds, new Set(due.map(({ id }) => id)))
    if (round.round % pruneEvery === 0) {
      await sql`delete from watch_rounds where ts < ${now - keepDays * 86_400}`
    }
    // The transaction commits after this; if it fails, `round` forgets the states.
    this.#states = evaluated.states
    this.#revisions = new Map(rules.map((rule) => [rule.id, rule.revision]))
    this.#last = round.round
    const opened = evaluated.changes
      .flatMap(({ happenings }) => happenings)
      .filter(({ kind }) => kind === 'opened')
    return { round: round.round, opened: opened.length, milliseconds: monotonic() - started }
  }

  #membersByFleet(rows: readonly MemberRow[]): Map<string, Member[]> {
    const before = this.#texts
    this.#texts = new Map()
    const textOf = (id: Buffer): string => {
      const key = id.toString('hex')
      const text = before.get(key) ?? memberText(id)
      this.#texts.set(key, text)
      return text
    }
    const found = new Map<string, Member[]>()
    for (const row of rows) {
      const member = memberOf(row, textOf)
      const list = found.get(row.fleet)
      if (list) list.push(member)
      else found.set(row.fleet, [member])
    }
    return found
  }

  /** The states of the rules: those in memory, except of rules that were created or redefined since. */
  async #load(sql: Database, rules: readonly WatchedRule[]): Promise<States> {
    const known = this.#states
    if (!known) this.#last = -1
    const stale = rules.filter(({ id, revision }) => !known?.has(id) || this.#revisions.get(id) !== revision)
    const loaded =
      known === undefined
        ? await readStates(sql)
        : stale.length === 0
          ? []
          : await readStates(
              sql,
              stale.map(({ id }) => id),
            )
    const alarms = loaded.some(({ alarm }) => alarm !== null) ? await readOpenAlarms(sql) : []
    const stored = trackedOf(loaded, alarms)
    const fresh = new Set(stale.map(({ id }) => id))
    return new Map(
      rules.map(({ id }) => [
        id,
        fresh.has(id) ? (stored.get(id) ?? new Map()) : (known?.get(id) ?? new Map()),
      ]),
    )
  }
}

async function lastRound(sql: Database): Promise<number> {
  const [row] = await sql<{ round: bigint | null }[]>`select max(round) as round from watch_rounds`
  return row?.round == null ? 0 : Number(row.round)
}

/** States with their open alarms, by rule and subject. */
function trackedOf(
  rows: readonly StateRow[],
  alarms: readonly OpenAlarmRow[],
): Map<string, Map<string, Tracked>> {
  const open = new Map(alarms.map((row) => [row.alarm, row]))
  const found = new Map<string, Map<string, Tracked>>()
  for (const row of rows) {
    const alarm = row.alarm === null ? undefined : open.get(row.alarm)
    const tracked: Tracked = {
      state: {
        state: row.state as WatchStateName,
        since: Number(row.since),
        sample: Number(row.sample),
        breaches: row.breaches,
        clears: row.clears,
        isOpen: alarm !== undefined,
        value: row.value ?? undefined,
        text: row.text,
      },
      alarm: alarm && {
        id: alarm.alarm,
        lastTs: alarm.notified_ts === null ? undefined : Number(alarm.notified_ts),
        count: alarm.notifications,
        isSilenced: alarm.silenced,
      },
    }
    const ofRule = found.get(row.rule) ?? new Map<string, Tracked>()
    ofRule.set(row.subject, tracked)
    found.set(row.rule, ofRule)
  }
  return found
}

/** The facts of each network that enabled rules need. */
async function readFactsOfRules(
  sql: Database,
  { facts }: Round,
  rules: readonly WatchedRule[],
  members: ReadonlyMap<string, readonly Member[]>,
  states: States,
): Promise<Map<string, CurrentFacts>> {
  const found = new Map<string, CurrentFacts>()
  for (const [network, { chain, height }] of Object.entries(facts.networks)) {
    const ours = rules.filter((rule) => rule.isEnabled && rule.chain === chain && rule.fleet !== undefined)
    if (ours.length === 0) continue
    const fleets = new Set(ours.flatMap(({ fleet }) => (fleet === undefined ? [] : [fleet])))
    const everyone = [...fleets].flatMap((fleet) => members.get(fleet) ?? [])
    const cursors = ours
      .filter(wantsEvents)
      .flatMap(({ id }) => [...(states.get(id)?.values() ?? [])].map(({ state }) => state.sample))
      .filter((sample) => sample >= 0)
    const needs = {
      subnets: ours.some(({ kind }) => kind === 'quorumNear'),
      delegationsAfter: cursors.length === 0 ? undefined : cursors.reduce((a, b) => Math.min(a, b)),
    }
    found.set(network, await readCurrentFacts(sql, chain, everyone, height, needs))
  }
  return found
}

/** The addresses of which enabled rules want to know the balance. */
async function readBalanceOwners(sql: Database): Promise<BalanceOwner[]> {
  const rules = (await readRules(sql)).map(ruleOf)
  const owners = new Map<string, BalanceOwner>()
  for (const { kind, isEnabled, evmChain, address } of rules)
    if (
      isEnabled &&
      watchKindOf.get(kind)?.unit === 'nativeTokens' &&
      evmChain !== undefined &&
      address !== undefined
    )
      owners.set(addressId(evmChain, address), { evmChain, address })
  return [...owners.values()]
}

/** The new transactions of the addresses that enabled rules are about, by the id of the rule. */
async function readActivityOfRules(
  sql: Database,
  { facts }: Round,
  rules: readonly WatchedRule[],
  states: States,
): Promise<Map<string, ActivityEvent[]>> {
  const found = new Map<string, ActivityEvent[]>()
  for (const rule of rules) {
    const upTo = facts.chains[rule.evmChain ?? '']?.height
    const [tracked] = states.get(rule.id)?.values() ?? []
    const after = tracked?.state.sample ?? -1
    if (!rule.isEnabled || rule.address === undefined || !wantsEvents(rule)) continue
    if (upTo !== undefined && after >= 0 && after < upTo)
      found.set(rule.id, await readActivityOf(sql, rule, after, upTo, maxActivity))
  }
  return found
}
