import * as z from 'zod/mini'
import { openEnum, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { severities, watchTag } from './severities.ts'

const operation = operationsOf(watchTag)

/** Only in Ridgeline: how things stand, small enough to be asked for every few seconds. */
export const getWatchSummary = operation({
  id: 'getWatchSummary',
  path: '/v1/watch/summary',
  summary: 'Get a summary of the watch',
  response: record({
    timestamp,
    mayWrite: z.boolean(),
    isRunning: z.boolean(),
    lastRoundTimestamp: z.optional(timestamp),
    roundMilliseconds: z.optional(z.number()),
    fleetCount: z.int(),
    memberCount: z.int(),
    ruleCount: z.int(),
    channelCount: z.int(),
    firing: record({ info: z.int(), warning: z.int(), critical: z.int() }),
    silencedCount: z.int(),
    pendingCount: z.int(),
    unknownCount: z.int(),
    waitingDeliveries: z.int(),
    deadDeliveries: z.int(),
    newest: z.array(
      record({
        alarmId: z.string(),
        title: z.string(),
        text: z.string(),
        severity: openEnum(severities),
        openedTimestamp: timestamp,
        resolvedTimestamp: z.optional(timestamp),
      }),
    ),
  }),
})
