import * as z from 'zod/mini'
import { openEnum, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { optionalTimestamp, severities, watchTag } from './fields.ts'

const operation = operationsOf(watchTag)

/** Only in Ridgeline: how things stand, small enough to be asked for every few seconds. */
export const getWatchSummary = operation({
  id: 'getWatchSummary',
  path: '/v1/watch/summary',
  summary: 'Get a summary of the watch',
  response: record({
    timestamp,
    mayWrite: z.boolean().with(z.describe('Whether this caller may change fleets, rules and channels')),
    isRunning: z
      .boolean()
      .with(z.describe('Whether rules are being evaluated: there was a round in the last minute')),
    lastRoundTimestamp: optionalTimestamp,
    roundMilliseconds: z.optional(z.number()).with(z.describe('Duration of the last round')),
    fleetCount: z.int(),
    memberCount: z.int(),
    ruleCount: z.int(),
    channelCount: z.int(),
    firing: record({ info: z.int(), warning: z.int(), critical: z.int() }).with(
      z.describe('Open alarms that no silence covers'),
    ),
    silencedCount: z.int(),
    pendingCount: z.int(),
    unknownCount: z.int(),
    waitingDeliveries: z.int(),
    deadDeliveries: z.int(),
    newest: z
      .array(
        record({
          alarmId: z.string(),
          title: z.string(),
          text: z.string(),
          severity: openEnum(severities),
          openedTimestamp: timestamp,
          resolvedTimestamp: optionalTimestamp,
        }),
      )
      .with(z.describe('The ten newest alarms, latest first')),
  }),
})
