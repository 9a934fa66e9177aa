import * as z from 'zod/mini'
import { chainId, evmAddress, networkName, openEnum, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import {
  channelId,
  deleted,
  fleetId,
  measured,
  memberId,
  name,
  optionalTimestamp,
  ruleId,
  subject,
  timeSpan,
  watchBounds,
  watchStateNames,
} from './fields.ts'
import { severities, watchTag } from './severities.ts'
import { mayBeForChain, watchKindNames, watchKindOf } from './rule-kinds.ts'

const operation = operationsOf(watchTag)
const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00'))

/** Whether the runtime knows a time zone of the IANA database. */
function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/**
 * When a rule does not notify; its states go on. `from` after `to` spans midnight. What still fires at the end is
 * sent then; what was sent before is resolved at once.
 */
const quietHoursFields = {
  from: clockTime,
  to: clockTime,
  timeZone: z
    .string()
    .check(z.maxLength(64), z.refine(isTimeZone, { error: 'must be a name such as Europe/Zurich' })),
  days: z
    .optional(z.array(z.int().check(z.gte(1), z.lte(7))).check(z.minLength(1), z.maxLength(7)))
    .with(z.describe('Days on which the period begins, 1 is Monday; default: all')),
}
export const quietHours = z.object(quietHoursFields)
export type QuietHours = z.infer<typeof quietHours>

const definition = {
  name: z.optional(name).with(z.describe('Default: the title of the kind')),
  kind: z.enum(watchKindNames),
  fleetId: z.optional(fleetId).with(z.describe('For kinds of a fleet; absent for kinds of the service')),
  memberId: z.optional(memberId).with(z.describe('Only this member of the fleet')),
  network: z.optional(networkName).with(z.describe('For kinds of the service: only this network')),
  chainId: z
    .optional(chainId)
    .with(z.describe('For kinds of chains: only this EVM chain; for kinds of an address: its chain')),
  address: z.optional(evmAddress).with(z.describe('For kinds of an address')),
  threshold: z.optional(z.number()).with(z.describe('In the unit of the kind; default: that of the kind')),
  hysteresis: z.optional(z.number().check(z.gte(0))),
  samples: z
    .optional(z.int().check(z.gte(1), z.lte(1_000)))
    .with(z.describe('Number of consecutive samples that must agree')),
  severity: z.optional(z.enum(severities)),
  repeatSeconds: z
    .optional(z.int().check(z.gte(0), z.lte(30 * 86_400)))
    .with(z.describe('Interval at which an open alarm is sent again; 0 for never; default: 4 hours')),
  quietHours: z.optional(z.nullable(z.strictObject(quietHoursFields))),
  channelIds: z.optional(z.array(channelId).check(z.maxLength(20))),
  isEnabled: z.optional(z.boolean()),
}

/** A rule as the caller gives it. Whatever is left out has the default of its kind. */
export const ruleDefinition = z.strictObject(definition).check(
  z.refine((rule) => watchKindOf.get(rule.kind)?.scope !== 'fleet' || rule.fleetId !== undefined, {
    error: 'a rule of this kind needs a fleet',
    path: ['fleetId'],
  }),
  z.refine((rule) => watchKindOf.get(rule.kind)?.scope === 'fleet' || rule.fleetId === undefined, {
    error: 'a rule of this kind is for no fleet',
    path: ['fleetId'],
  }),
  z.refine(({ kind, address }) => (watchKindOf.get(kind)?.scope === 'address') === (address !== undefined), {
    error: 'a rule for an address needs one, and no other rule has one',
    path: ['address'],
  }),
  z.refine(({ kind, chainId }) => watchKindOf.get(kind)?.scope !== 'address' || chainId !== undefined, {
    error: 'a rule for an address needs its chain',
    path: ['chainId'],
  }),
  z.refine(({ kind, chainId }) => chainId === undefined || mayBeForChain(kind), {
    error: 'a rule of this kind is for no chain',
    path: ['chainId'],
  }),
  z.refine(
    ({ kind, threshold }) => {
      const limits = watchKindOf.get(kind)?.threshold
      if (threshold === undefined) return true
      return limits != null && threshold >= limits.min && threshold <= limits.max
    },
    { error: 'out of the bounds of its kind', path: ['threshold'] },
  ),
  z.refine(
    ({ kind, hysteresis }) => {
      const limits = watchKindOf.get(kind)?.hysteresis
      return hysteresis === undefined || hysteresis === 0 || (limits != null && hysteresis <= limits.max)
    },
    { error: 'out of the bounds of its kind', path: ['hysteresis'] },
  ),
)
export type RuleDefinition = z.infer<typeof ruleDefinition>

/** A rule with everything filled in. */
const rule = record({
  ruleId: z.string(),
  name: z.string(),
  kind: openEnum(watchKindNames),
  fleetId: z.optional(z.string()),
  fleetName: z.optional(z.string()),
  memberId: z.optional(z.string()),
  network: z.optional(z.string()),
  chainId: z.optional(z.string()),
  address: z.optional(z.string()),
  threshold: z.optional(z.number()),
  hysteresis: z.number(),
  samples: z.int(),
  severity: openEnum(severities),
  repeatSeconds: z.int(),
  quietHours: z.nullable(quietHours),
  channelIds: z.array(z.string()),
  isEnabled: z.boolean(),
  createdTimestamp: timestamp,
  updatedTimestamp: timestamp,
  states: record({
    ok: z.int(),
    pending: z.int(),
    firing: z.int(),
    unknown: z.int(),
  }).with(z.describe('Number of subjects in each state; `ok` includes resolved ones')),
})
export type WatchRule = z.infer<typeof rule>

/** Only in Ridgeline: every rule, or those of a fleet. */
export const listWatchRules = operation({
  id: 'listWatchRules',
  path: '/v1/watch/rules',
  summary: 'List rules',
  query: z.object({ fleetId: z.optional(fleetId) }),
  response: record({ rules: z.array(rule) }),
})

export const getWatchRule = operation({
  id: 'getWatchRule',
  path: '/v1/watch/rules/{ruleId}',
  summary: 'Get a rule',
  params: z.object({ ruleId }),
  response: rule,
})

export const createWatchRule = operation({
  id: 'createWatchRule',
  method: 'POST',
  path: '/v1/watch/rules',
  summary: 'Create a rule',
  body: ruleDefinition,
  response: rule,
  success: 201,
})

/** Only in Ridgeline: replaces a rule. Its states stay unless the kind, the fleet or the member changes. */
export const updateWatchRule = operation({
  id: 'updateWatchRule',
  method: 'POST',
  path: '/v1/watch/rules/{ruleId}',
  summary: 'Replace a rule',
  params: z.object({ ruleId }),
  body: ruleDefinition,
  response: rule,
})

/** Only in Ridgeline: deletes a rule with its states. Its open alarms are closed without a message. */
export const deleteWatchRule = operation({
  id: 'deleteWatchRule',
  method: 'POST',
  path: '/v1/watch/rules/{ruleId}:delete',
  summary: 'Delete a rule',
  params: z.object({ ruleId }),
  response: deleted,
})

const dryRunStates = z.array(
  record({
    timestamp,
    state: openEnum(watchStateNames),
    value: measured,
  }),
)

/**
 * Only in Ridgeline: when a rule would have fired over the stored samples, by the same evaluation as the runner's. The
 * rule is not stored, and nothing is sent.
 */
export const dryRunWatchRule = operation({
  id: 'dryRunWatchRule',
  method: 'POST',
  path: '/v1/watch/rules:dryRun',
  summary: 'Get when a rule would have fired',
  body: z
    .strictObject({
      rule: ruleDefinition,
      startTimestamp: z.int().check(z.gte(0)),
      endTimestamp: z.int().check(z.gte(0)),
    })
    .check(
      z.refine(
        ({ startTimestamp: from, endTimestamp: to }) => to >= from && to - from <= watchBounds.days * 86_400,
        {
          error: `must be after startTimestamp, by at most ${watchBounds.days} days`,
          path: ['endTimestamp'],
        },
      ),
    ),
  response: record({
    unit: z.string(),
    threshold: z.optional(z.number()),
    firstRoundTimestamp: optionalTimestamp.with(z.describe('The first and the last round of the range')),
    lastRoundTimestamp: optionalTimestamp,
    roundCount: z.int(),
    subjectCount: z.int(),
    alarms: z
      .array(
        record({
          subject,
          openedTimestamp: timestamp,
          resolvedTimestamp: optionalTimestamp.with(z.describe('Absent if it was still open at the end')),
          value: measured.with(z.describe('What was measured when it opened')),
          notifiedTimestamps: z
            .array(timestamp)
            .with(z.describe('Times at which it would have been sent, including repeats')),
        }),
      )
      .with(z.describe('Oldest first, at most 1,000')),
    alarmCount: z.int(),
    series: z
      .array(record({ subject, points: dryRunStates }))
      .with(
        z.describe(
          'For a chart: of at most 12 subjects, those with alarms first, at most 500 points where state or value change',
        ),
      ),
    unknownSpans: z.array(timeSpan).with(z.describe('Periods in which no subject could be evaluated')),
  }),
})
