import * as z from 'zod/mini'
import { nextPageToken, openEnum, paging, record, timestamp, wholeNumber } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { flag } from '../base/query.ts'
import {
  alarmId,
  comment,
  deliveryId,
  fleetId,
  measured,
  memberId,
  optionalTimestamp,
  ruleId,
  silenceId,
  subject,
  watchStateNames,
} from './fields.ts'
import { severities, watchTag } from './severities.ts'
import { watchKindNames } from './rule-kinds.ts'

const operation = operationsOf(watchTag)
const listed = { min: 1, max: 500, default: 50 }

/** The state of a rule for one subject. */
export const watchState = record({
  ruleId: z.string(),
  ruleName: z.string(),
  kind: openEnum(watchKindNames),
  severity: openEnum(severities),
  fleetId: z.optional(z.string()),
  subject,
  state: openEnum(watchStateNames),
  sinceTimestamp: timestamp,
  value: measured,
  threshold: z.optional(z.number()),
  unit: z.string(),
  text: z.string().with(z.describe('What was measured, in a sentence')),
  sampledTimestamp: optionalTimestamp.with(z.describe('Time of the newest sample that was evaluated')),
  alarmId: z.optional(z.string()).with(z.describe('The alarm that is open')),
  isSilenced: z.boolean(),
})

/** Only in Ridgeline: the present state of every rule for each of its subjects, the worst first. At most 5,000. */
export const listWatchStates = operation({
  id: 'listWatchStates',
  path: '/v1/watch/states',
  summary: 'List the states of rules',
  query: z.object({
    fleetId: z.optional(fleetId),
    ruleId: z.optional(ruleId),
    state: z.optional(z.enum(watchStateNames)),
  }),
  response: record({ states: z.array(watchState) }),
})

/** An alarm of the history. */
export const alarm = record({
  alarmId: z.string(),
  ruleId: z.string(),
  ruleName: z.string(),
  kind: openEnum(watchKindNames),
  severity: openEnum(severities),
  fleetId: z.optional(z.string()),
  fleetName: z.optional(z.string()),
  network: z.optional(z.string()),
  subject,
  title: z.string().with(z.describe('What happened, in a few words: "Not connected: gamma"')),
  text: z.string().with(z.describe('What was measured, in a sentence')),
  unit: z.string(),
  value: measured.with(z.describe('What was measured when it opened')),
  threshold: z.optional(z.number()),
  openedTimestamp: timestamp,
  resolvedTimestamp: optionalTimestamp,
  resolvedValue: measured,
  endReason: z
    .optional(openEnum(['resolved', 'event', 'ruleDeleted', 'ruleDisabled', 'subjectGone']))
    .with(z.describe('Why the alarm is closed; events are closed from the start')),
  txHash: z.optional(z.string()).with(z.describe('The transaction of an event such as a delegation')),
  isSilenced: z.boolean(),
  lastNotifiedTimestamp: optionalTimestamp,
  notificationCount: z.int().with(z.describe('Number of messages, including repeats')),
})
export type WatchAlarm = z.infer<typeof alarm>

export const listWatchAlarms = operation({
  id: 'listWatchAlarms',
  path: '/v1/watch/alarms',
  summary: 'List alarms, latest first',
  query: z.object({
    ...paging(listed),
    fleetId: z.optional(fleetId),
    ruleId: z.optional(ruleId),
    memberId: z.optional(memberId),
    severity: z.optional(z.enum(severities)),
    isOpen: z.optional(flag),
    startTimestamp: z.optional(wholeNumber).with(z.describe('Opened after this time')),
    endTimestamp: z.optional(wholeNumber).with(z.describe('Opened before this time')),
  }),
  response: record({ nextPageToken, alarms: z.array(alarm) }),
})

/** What became of a message. `dropped`: its channel was deleted or disabled before it was sent. */
export const deliveryStatuses = ['waiting', 'delivered', 'dead', 'dropped'] as const

export const delivery = record({
  deliveryId: z.string().with(z.describe('Also the idempotency key that is sent to the receiver')),
  alarmId: z.string(),
  alarmTitle: z.string(),
  channelId: z.string(),
  channelName: z.string(),
  channelKind: z.string(),
  event: openEnum(['firing', 'repeat', 'resolved']),
  status: openEnum(deliveryStatuses),
  createdTimestamp: timestamp,
  attemptCount: z.int(),
  nextAttemptTimestamp: optionalTimestamp,
  deliveredTimestamp: optionalTimestamp,
  lastReason: z.optional(z.string()).with(z.describe('Why the last attempt failed')),
})
export type WatchDelivery = z.infer<typeof delivery>

/** Only in Ridgeline: what was sent, waits or failed for good, latest first. */
export const listWatchDeliveries = operation({
  id: 'listWatchDeliveries',
  path: '/v1/watch/deliveries',
  summary: 'List messages, latest first',
  query: z.object({
    ...paging(listed),
    status: z.optional(z.enum(deliveryStatuses)),
    alarmId: z.optional(alarmId),
  }),
  response: record({ nextPageToken, deliveries: z.array(delivery) }),
})

/** Only in Ridgeline: tries a dead message again, under the same idempotency key. */
export const retryWatchDelivery = operation({
  id: 'retryWatchDelivery',
  method: 'POST',
  path: '/v1/watch/deliveries/{deliveryId}:retry',
  summary: 'Try a dead message again',
  params: z.object({ deliveryId }),
  response: delivery,
})

/** A silence: what it covers fires, is shown and kept in the history, but is not sent. */
export const silence = record({
  silenceId: z.string(),
  fleetId: z.optional(z.string()),
  fleetName: z.optional(z.string()),
  ruleId: z.optional(z.string()),
  ruleName: z.optional(z.string()),
  memberId: z.optional(z.string()),
  comment: z.string(),
  createdTimestamp: timestamp,
  startTimestamp: timestamp,
  endTimestamp: timestamp,
  isActive: z.boolean(),
})

export const listWatchSilences = operation({
  id: 'listWatchSilences',
  path: '/v1/watch/silences',
  summary: 'List silences that have not ended',
  query: z.object({ includesEnded: z._default(flag, false) }),
  response: record({ silences: z.array(silence) }),
})

/** Only in Ridgeline: silences a fleet, a rule or a member, or what is in all that are given, until an end. */
export const createWatchSilence = operation({
  id: 'createWatchSilence',
  method: 'POST',
  path: '/v1/watch/silences',
  summary: 'Silence a fleet, a rule or a member',
  body: z
    .strictObject({
      fleetId: z.optional(fleetId),
      ruleId: z.optional(ruleId),
      memberId: z.optional(memberId),
      comment: z.optional(comment),
      startTimestamp: z.optional(z.int().check(z.gte(0))).with(z.describe('Default: now')),
      endTimestamp: z.int().check(z.gte(0)),
    })
    .check(
      z.refine(
        (body) => body.fleetId !== undefined || body.ruleId !== undefined || body.memberId !== undefined,
        {
          error: 'one of fleetId, ruleId and memberId is needed',
          path: ['fleetId'],
        },
      ),
    ),
  response: silence,
  success: 201,
})

/** Only in Ridgeline: ends a silence now. What still fires is sent. */
export const endWatchSilence = operation({
  id: 'endWatchSilence',
  method: 'POST',
  path: '/v1/watch/silences/{silenceId}:end',
  summary: 'End a silence',
  params: z.object({ silenceId }),
  response: silence,
})

/** The media types of the feeds of alarms. */
export const watchFeedTypes = { atom: 'application/atom+xml', rss: 'application/rss+xml' } as const
export const watchFeedFormats = ['atom', 'rss'] as const

/** Only in Ridgeline: the newest alarms of a fleet for feed readers; the token in the path is the key. */
export const getWatchFeed = operation({
  id: 'getWatchFeed',
  path: '/v1/watch/feeds/{feedToken}/alarms.{format}',
  summary: 'Get the alarms of a fleet as a feed',
  params: z.object({
    feedToken: z.string().check(z.regex(/^[\w-]{32,64}$/, 'must be the token of a fleet’s feed')),
    format: z.enum(watchFeedFormats),
  }),
  response: z.unknown(),
  mediaTypes: Object.values(watchFeedTypes),
})
