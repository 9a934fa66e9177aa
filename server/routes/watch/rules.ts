import {
  createWatchRule,
  deleteWatchRule,
  dryRunWatchRule,
  getWatchRule,
  listWatchRules,
  updateWatchRule,
  type RuleDefinition,
  type WatchRule,
} from '../../../contract/watch/rules.ts'
import { watchKindOf } from '../../../contract/watch/rule-kinds.ts'
import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { findNetwork } from '../../primary/served-network.ts'
import type { Queryable } from '../../store/database.ts'
import { readMembers, readRules, type RuleRow } from '../../store/watch/read-rules.ts'
import { readStateCounts } from '../../store/watch/read-watch.ts'
import { dryRun } from '../../watch/dry-run.ts'
import { memberOf } from '../../watch/rules.ts'
import type { WatchAccess } from './access.ts'
import { optional, ruleAnswer, unitOf } from './answers.ts'
import { findFleet } from './fleets.ts'
import { dropStates, insertRule, replaceRule, ruleOfDefinition } from './rule-rows.ts'

async function findRule(sql: Queryable, rule: string): Promise<RuleRow> {
  const [row] = await readRules(sql, { rule })
  if (!row) throw notFound(`there is no rule ${rule}`)
  return row
}

async function countsByRule(sql: Queryable): Promise<(rule: string) => ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>()
  for (const { rule, state, count } of await readStateCounts(sql)) {
    const counts = found.get(rule) ?? new Map<string, number>()
    found.set(rule, counts.set(state, Number(count)))
  }
  return (rule) => found.get(rule) ?? new Map()
}

/** Operations on rules (contract/watch/rules.ts). */
export function watchRuleRoutes(context: RouteContext, access: WatchAccess): Implementation[] {
  const { config, chains, store, clock } = context

  const answer = async (sql: Queryable, rule: string): Promise<WatchRule> =>
    ruleAnswer(await findRule(sql, rule), (await countsByRule(sql))(rule))

  /** The P-Chain of the rule's network. Throws a 404 if its fleet or network does not exist. */
  const chainOf = async (sql: Queryable, given: RuleDefinition): Promise<number | undefined> => {
    if (given.fleetId !== undefined) return (await findFleet(sql, given.fleetId)).chain
    return given.network === undefined ? undefined : findNetwork(config, given.network).p
  }

  /** The only EVM chain of the rule. Throws a 404 if it is not served here. */
  const evmChainOf = ({ chainId }: RuleDefinition): bigint | undefined =>
    chainId === undefined ? undefined : chains.find(chainId).key

  return [
    access.reads(listWatchRules, async ({ query }) => {
      const { database } = store.get()
      const counts = await countsByRule(database)
      const rows = await readRules(database, query.fleetId === undefined ? {} : { fleet: query.fleetId })
      return { rules: rows.map((row) => ruleAnswer(row, counts(row.rule))) }
    }),

    access.reads(getWatchRule, async ({ params }) => {
      return answer(store.get().database, params.ruleId)
    }),

    access.writes(createWatchRule, async ({ body }) => {
      return store.write(async (sql) => {
        const rule = await insertRule(sql, body, await chainOf(sql, body), evmChainOf(body), clock())
        return answer(sql, rule)
      })
    }),

    access.writes(updateWatchRule, async ({ params, body }) => {
      return store.write(async (sql) => {
        // Before anything else, so that a round and a change of its rule never overlap.
        await sql`select from watch_rules where rule = ${params.ruleId} for update`
        const before = await findRule(sql, params.ruleId)
        await replaceRule(sql, before, body, await chainOf(sql, body), evmChainOf(body), clock())
        return answer(sql, params.ruleId)
      })
    }),

    access.writes(deleteWatchRule, async ({ params }) => {
      return store.write(async (sql) => {
        await sql`select from watch_rules where rule = ${params.ruleId} for update`
        const { rule } = await findRule(sql, params.ruleId)
        await dropStates(sql, rule, clock(), 'ruleDeleted')
        await sql`delete from watch_silences where rule = ${rule}`
        await sql`delete from watch_rules where rule = ${rule}`
        return { id: rule }
      })
    }),

    access.reads(dryRunWatchRule, async ({ body }) => {
      const { database } = store.get()
      const chain = await chainOf(database, body.rule)
      const rule = ruleOfDefinition(body.rule, chain, evmChainOf(body.rule))
      const members =
        rule.fleet === undefined ? [] : (await readMembers(database, rule.fleet)).map((row) => memberOf(row))
      const run = await dryRun(database, rule, members, body.startTimestamp, body.endTimestamp)
      return {
        unit: unitOf(watchKindOf.get(rule.kind)?.kind ?? ''),
        ...optional('threshold', rule.threshold),
        ...run,
      }
    }),
  ]
}
