import * as z from 'zod/mini'
import {
  amount,
  networkName,
  openEnum,
  record,
  timestamp,
  wideInteger,
  wholeNumber,
  queryInteger,
} from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { cb58Id, walletAddress } from '../primary/fields.ts'
import { validationStatuses } from '../network/validators.ts'
import {
  comment,
  deleted,
  fleetId,
  label,
  memberId,
  name,
  optionalTimestamp,
  subjectKinds,
  watchBounds,
} from './fields.ts'
import { severities, watchTag } from './severities.ts'

const operation = operationsOf(watchTag)
const fleetParams = z.object({ fleetId })

/** A fleet in a list. */
const fleet = record({
  fleetId: z.string(),
  network: z.string(),
  name: z.string(),
  description: z.string(),
  createdTimestamp: timestamp,
  memberCount: z.int(),
  ruleCount: z.int(),
  firingCount: z.int().with(z.describe('Open alarms of its rules')),
  unknownCount: z.int().with(z.describe('Subjects of its rules that cannot be evaluated now')),
  feedPath: z
    .optional(z.string())
    .with(
      z.describe(
        'The path of its Atom feed of alarms. It works without a key, so it is sent only to callers who may write',
      ),
    ),
})
export type WatchFleet = z.infer<typeof fleet>

/** What the members of a fleet add up to, as far as a list shows it. Amounts in nAVAX. */
const fleetSums = {
  connectedCount: z.int(),
  disconnectedCount: z.int(),
  unknownCount: z.int().with(z.describe('Members whose connection is unknown')),
  amountStaked: amount.with(z.describe('Own stake of the validations that are active')),
  amountDelegated: amount,
  firstEndTimestamp: optionalTimestamp.with(z.describe('When the first of the active validations ends')),
}
const listedFleet = record({ ...fleet.shape, sums: record(fleetSums) })
export type ListedWatchFleet = z.infer<typeof listedFleet>

/** Only in Ridgeline: every fleet of this service, in the order in which they were created, with its sums. */
export const listWatchFleets = operation({
  id: 'listWatchFleets',
  path: '/v1/watch/fleets',
  summary: 'List fleets',
  query: z.object({ network: z.optional(networkName) }),
  response: record({ fleets: z.array(listedFleet) }),
})

const member = { memberId, label: z.optional(label) }
const givenMember = z.strictObject(member)

const sources = {
  text: z
    .optional(z.string().check(z.maxLength(watchBounds.paste)))
    .with(
      z.describe(
        'Pasted text: every node ID and validation ID in it is added, with the rest of its line as the label. ' +
          'Lines that are not understood are answered in notUnderstood',
      ),
    ),
  members: z
    .optional(z.array(givenMember).check(z.maxLength(watchBounds.members)))
    .with(z.describe('A list of members')),
  rewardAddresses: z
    .optional(z.array(walletAddress).check(z.maxLength(64)))
    .with(z.describe('The validators whose rewards these addresses receive now')),
  subnetId: z.optional(cb58Id).with(z.describe('The validators of an L1 with a weight now')),
}

const added = record({
  addedCount: z.int(),
  presentCount: z.int().with(z.describe('Number of IDs that were members already')),
  unknown: z
    .array(z.string())
    .with(z.describe('Up to 100 added IDs that have never validated on this network')),
  notUnderstood: z
    .array(record({ line: z.int(), text: z.string(), reason: z.string() }))
    .with(
      z.describe(
        'Up to 100 lines of the pasted text without an ID, or with a wrong one: their number from 1, beginning, and why',
      ),
    ),
})

const addedFleet = record({ fleet, ...added.shape })

export const createWatchFleet = operation({
  id: 'createWatchFleet',
  method: 'POST',
  path: '/v1/watch/fleets',
  summary: 'Create a fleet',
  body: z.strictObject({ network: networkName, name, description: z.optional(comment), ...sources }),
  response: addedFleet,
  success: 201,
})

export const updateWatchFleet = operation({
  id: 'updateWatchFleet',
  method: 'POST',
  path: '/v1/watch/fleets/{fleetId}',
  summary: 'Rename a fleet',
  params: fleetParams,
  body: z.strictObject({ name: z.optional(name), description: z.optional(comment) }),
  response: fleet,
})

/** Only in Ridgeline: deletes a fleet with its members, rules and silences. Alarms stay in the history. */
export const deleteWatchFleet = operation({
  id: 'deleteWatchFleet',
  method: 'POST',
  path: '/v1/watch/fleets/{fleetId}:delete',
  summary: 'Delete a fleet',
  params: fleetParams,
  response: deleted,
})

/** Only in Ridgeline: adds members; a label replaces that of a present member. */
export const addWatchMembers = operation({
  id: 'addWatchMembers',
  method: 'POST',
  path: '/v1/watch/fleets/{fleetId}/members',
  summary: 'Add members to a fleet',
  params: fleetParams,
  body: z.strictObject(sources),
  response: added,
})

export const removeWatchMembers = operation({
  id: 'removeWatchMembers',
  method: 'POST',
  path: '/v1/watch/fleets/{fleetId}/members:remove',
  summary: 'Remove members from a fleet',
  params: fleetParams,
  body: z.strictObject({
    memberIds: z.array(memberId).check(z.minLength(1), z.maxLength(watchBounds.members)),
  }),
  response: record({ removedCount: z.int() }),
})

/** A fleet as a file: no ids of this installation, no channels, no secrets. */
const fleetFileFields = {
  ridgelineFleet: z.literal(1),
  network: networkName,
  name,
  description: z._default(comment, ''),
  members: z.array(z.object(member)).check(z.maxLength(watchBounds.members)),
  rules: z
    .array(z.looseObject({ kind: z.string() }))
    .check(z.maxLength(watchBounds.rules))
    .with(z.describe('Rules as for createWatchRule, without fleetId and channelIds')),
}
export const fleetFile = z.object(fleetFileFields)
export type FleetFile = z.infer<typeof fleetFile>

export const exportWatchFleet = operation({
  id: 'exportWatchFleet',
  path: '/v1/watch/fleets/{fleetId}/export',
  summary: 'Get a fleet as a file',
  params: fleetParams,
  response: fleetFile,
})

/** Only in Ridgeline: creates a fleet from a file. Its rules come without channels and notify nobody yet. */
export const importWatchFleet = operation({
  id: 'importWatchFleet',
  method: 'POST',
  path: '/v1/watch/fleets:import',
  summary: 'Create a fleet from a file',
  body: z.strictObject({
    ...fleetFileFields,
    members: z.array(givenMember).check(z.maxLength(watchBounds.members)),
  }),
  response: addedFleet,
  success: 201,
})

/** An alarm that is open at a member, in its row. */
const openAlarm = record({
  alarmId: z.string(),
  ruleId: z.string(),
  ruleName: z.string(),
  severity: openEnum(severities),
  openedTimestamp: timestamp,
  isSilenced: z.boolean(),
})

/**
 * One member of a fleet. Amounts are in nAVAX. What does not apply is absent: an L1 validator has no stake, a node
 * without a validation no uptime.
 */
const fleetRow = record({
  memberId: z.string(),
  kind: openEnum(subjectKinds),
  nodeId: z.string(),
  label: z.optional(z.string()),
  validationStatus: z.optional(openEnum(validationStatuses)),
  txHash: z.optional(z.string()).with(z.describe('The validation that the row shows')),
  amountStaked: z.optional(amount),
  amountDelegated: z.optional(amount),
  delegatorCount: z.optional(z.int()),
  startTimestamp: optionalTimestamp,
  endTimestamp: optionalTimestamp,
  renewsItself: z.optional(z.boolean()),
  uptimePerformance: z.optional(z.number()),
  uptimeRequirement: z.optional(z.number()),
  neededUptime: z
    .optional(z.number())
    .with(
      z.describe(
        'The uptime from now to the end that is needed to meet the requirement; above 100 it cannot be met',
      ),
    ),
  isConnected: z.optional(z.boolean()).with(z.describe('Absent if there is no recent sample')),
  sampledTimestamp: optionalTimestamp.with(z.describe('Time of the newest sample')),
  clientVersion: z.optional(z.string()).with(z.describe('As reported by the peer; absent if unknown')),
  potentialReward: z.optional(amount).with(z.describe('Paid at the end if the requirement is met')),
  earnedReward: z
    .optional(amount)
    .with(z.describe('The share of the potential reward for the time that has passed; paid at the end')),
  uptimeByDay: z
    .array(z.nullable(z.number()))
    .with(z.describe('The uptime at the end of each UTC day, oldest first; null without samples')),
  connectedByDay: z
    .array(z.nullable(z.number()))
    .with(z.describe('Percent of the sampled time of each UTC day with a connection; null without samples')),
  subnetId: z.optional(z.string()).with(z.describe('Of an L1 validator')),
  weight: z.optional(wideInteger),
  isActive: z.optional(z.boolean()),
  remainingBalance: z.optional(amount),
  secondsRemaining: z
    .optional(z.int())
    .with(z.describe('Time until the balance is used up at the present fee')),
  alarms: z.array(openAlarm),
  states: record({ pending: z.int(), firing: z.int(), unknown: z.int() }),
})
export type WatchFleetRow = z.infer<typeof fleetRow>

/** Only in Ridgeline: a fleet with one row for each member, in the order in which they were added, and their sums. */
export const getWatchFleet = operation({
  id: 'getWatchFleet',
  path: '/v1/watch/fleets/{fleetId}',
  summary: 'Get a fleet with its members',
  params: fleetParams,
  query: z.object({
    days: z._default(
      queryInteger({ min: 1, max: 90 }).with(z.describe('Number of days of uptime, including today')),
      30,
    ),
  }),
  response: record({
    fleet,
    timestamp: timestamp.with(z.describe('The chain time of these figures')),
    sampledTimestamp: optionalTimestamp,
    isStale: z.boolean().with(z.describe('Whether connections and uptimes are too old to be used')),
    firstDay: timestamp.with(z.describe('The start of the first day of `uptimeByDay`')),
    majorityVersion: z
      .optional(z.string())
      .with(z.describe('The newest version that at least half of the peers run')),
    sums: record({
      memberCount: z.int(),
      activeCount: z.int(),
      ...fleetSums,
      delegatorCount: z.int(),
      potentialReward: amount,
      earnedReward: amount,
      remainingBalance: amount,
    }),
    members: z.array(fleetRow),
  }),
})

/** What may happen to a member, as `listWatchChanges` names it. */
export const fleetChangeKinds = [
  'connected',
  'disconnected',
  'validationStarted',
  'validationEnded',
  'delegationAdded',
  'delegationEnded',
  'rewarded',
  'l1WeightChanged',
  'l1BalanceAdded',
  'l1Deactivated',
  'alarmOpened',
  'alarmResolved',
] as const

export const listWatchChanges = operation({
  id: 'listWatchChanges',
  path: '/v1/watch/fleets/{fleetId}/changes',
  summary: 'List what changed in a fleet',
  params: fleetParams,
  query: z.object({
    startTimestamp: z
      .optional(wholeNumber)
      .with(z.describe('Unix seconds; default: 24 hours ago, at most 7 days ago')),
  }),
  response: record({
    fromTimestamp: timestamp,
    changes: z
      .array(
        record({
          timestamp,
          kind: openEnum(fleetChangeKinds),
          memberId: z.string(),
          nodeId: z.string(),
          label: z.optional(z.string()),
          amount: z.optional(amount).with(z.describe('nAVAX of a delegation, a reward or a top-up')),
          weight: z.optional(wideInteger),
          txHash: z.optional(z.string()),
          alarmId: z.optional(z.string()),
          ruleName: z.optional(z.string()),
          severity: z.optional(openEnum(severities)),
        }),
      )
      .with(z.describe('At most 500')),
    isComplete: z.boolean().with(z.describe('false if there were more than 500')),
  }),
})
