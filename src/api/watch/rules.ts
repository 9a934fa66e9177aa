import { callWithToken } from '../call-with-token.ts'
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
import { watchKey } from './call.ts'

export type DryRun = ResponseOf<typeof dryRunWatchRule>

/** Every rule, or those of a fleet. */
export const rulesQuery = (fleetId?: string) =>
  queryOptions({
    queryKey: [watchKey, 'rules', fleetId ?? 'all'],
    queryFn: async () =>
      (await callWithToken(listWatchRules, fleetId === undefined ? {} : { query: { fleetId } })).rules,
    refetchInterval: 15_000,
  })

export const ruleQuery = (ruleId: string) =>
  queryOptions({
    queryKey: [watchKey, 'rule', ruleId],
    queryFn: () => callWithToken(getWatchRule, { params: { ruleId } }),
  })

/** Creates a rule, or replaces one. */
export const saveRule = (ruleId: string | undefined, body: RuleDefinition, signal: AbortSignal) =>
  ruleId === undefined
    ? callWithToken(createWatchRule, { body, signal })
    : callWithToken(updateWatchRule, { params: { ruleId }, body, signal })

export const deleteRule = (ruleId: string, signal: AbortSignal) =>
  callWithToken(deleteWatchRule, { params: { ruleId }, signal })

/** When a rule would have fired; it is not stored. */
export const dryRun = (body: BodyOf<typeof dryRunWatchRule>, signal: AbortSignal) =>
  callWithToken(dryRunWatchRule, { body, signal })
