import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ResponseOf } from '../../../contract/base/operation.ts'
import {
  createWatchRule,
  deleteWatchRule,
  dryRunWatchRule,
  getWatchRule,
  listWatchRules,
  updateWatchRule,
  type RuleDefinition,
} from '../../../contract/watch/rules.ts'
import { watchCall, watchKey } from './call.ts'

export type DryRun = ResponseOf<typeof dryRunWatchRule>

/** Every rule, or those of a fleet. */
export const rulesQuery = (fleetId?: string) =>
  queryOptions({
    queryKey: [watchKey, 'rules', fleetId ?? 'all'],
    queryFn: async () =>
      (await watchCall(listWatchRules, fleetId === undefined ? {} : { query: { fleetId } })).rules,
    refetchInterval: 15_000,
  })

export const ruleQuery = (ruleId: string) =>
  queryOptions({
    queryKey: [watchKey, 'rule', ruleId],
    queryFn: () => watchCall(getWatchRule, { params: { ruleId } }),
  })

/** Creates a rule, or replaces one. */
export const saveRule = (ruleId: string | undefined, body: RuleDefinition, signal: AbortSignal) =>
  ruleId === undefined
    ? watchCall(createWatchRule, { body, signal })
    : watchCall(updateWatchRule, { params: { ruleId }, body, signal })

export const deleteRule = (ruleId: string, signal: AbortSignal) =>
  watchCall(deleteWatchRule, { params: { ruleId }, signal })

/** When a rule would have rung; it is not stored. */
export const dryRun = (body: BodyOf<typeof dryRunWatchRule>, signal: AbortSignal) =>
  watchCall(dryRunWatchRule, { body, signal })
