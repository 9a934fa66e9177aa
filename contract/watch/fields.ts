import * as z from 'zod/mini'
import { openEnum, record, timestamp } from '../base/fields.ts'
import { plainLine } from '../base/plain-text.ts'

/** What this service makes ids of: the version does not matter to callers. */
const uuid = z
  .string()
  .check(z.regex(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'must be an ID of this service, a UUID'))

export const fleetId = uuid.with(z.describe('A fleet'))
export const ruleId = uuid.with(z.describe('A rule'))
export const channelId = uuid.with(z.describe('A channel'))
export const silenceId = uuid.with(z.describe('A silence'))
export const alarmId = uuid.with(z.describe('An alarm'))
export const deliveryId = uuid.with(z.describe('A delivery: one event of one alarm through one channel'))

/** What one installation keeps at most. */
export const watchBounds = {
  fleets: 100,
  members: 2_000,
  rules: 500,
  channels: 100,
  silences: 500,
  /** Characters of a pasted text. */
  paste: 262_144,
  /** Days that a dry run covers, and that rounds are kept. */
  days: 40,
} as const

/**
 * The states of a rule for one subject. `pending`: the condition holds, for fewer samples than the rule needs.
 * `unknown`: there is no recent data; an alarm that is open stays open.
 */
export const watchStateNames = ['ok', 'pending', 'firing', 'resolved', 'unknown'] as const
export type WatchStateName = (typeof watchStateNames)[number]

export const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(80), plainLine)
export const label = z.string().check(z.trim(), z.maxLength(80), plainLine)
export const comment = z.string().check(z.trim(), z.maxLength(500), plainLine)

/** A member of a fleet: a validator of the primary network, or an L1 validator by its validation id. */
export const memberId = z
  .string()
  .check(
    z.regex(
      /^(NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}|[1-9A-HJ-NP-Za-km-z]{33,52})$/,
      'must be a node ID or a validation ID',
    ),
  )

export const subjectKinds = [
  'node',
  'l1Validator',
  'subnet',
  'chain',
  'network',
  'service',
  'address',
] as const

/** The subject of a rule: a member, the subnet of members, a part of this service, or an address. */
export const subject = record({
  kind: openEnum(subjectKinds),
  id: z
    .string()
    .with(
      z.describe(
        'A node ID, validation ID, subnet ID, chain ID or network; `service` for the service, `43113:0x…` for an address',
      ),
    ),
  name: z.optional(z.string()).with(z.describe('The label of a member, or the name of a chain')),
  nodeId: z.optional(z.string()).with(z.describe('Of an L1 validator')),
})
export type WatchSubject = z.infer<typeof subject>

/** A measured value in the unit of the rule's kind; absent while it is unknown. */
export const measured = z.optional(z.number())

/** A span of time. */
export const timeSpan = record({ fromTimestamp: timestamp, toTimestamp: timestamp })

export const optionalTimestamp = z.optional(timestamp)

/** The answer of an operation that deletes. */
export const deleted = record({ id: z.string() })
