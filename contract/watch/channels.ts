import * as z from 'zod/mini'
import { openEnum, record, timestamp } from '../base/fields.ts'
import { plainLine } from '../base/plain-text.ts'
import { operationsOf } from '../base/operation.ts'
import { channelId, deleted, name, optionalTimestamp } from './fields.ts'
import { watchTag } from './severities.ts'

const operation = operationsOf(watchTag)

/** The ways out, in the order in which a form offers them. */
export const channelKinds = ['webhook', 'slack', 'discord', 'telegram', 'pagerduty', 'ntfy', 'smtp'] as const
export type ChannelKind = (typeof channelKinds)[number]

const url = z.string().check(
  z.maxLength(2_048),
  z.refine((text) => /^https?:\/\/[^\s\\]+$/.test(text) && URL.canParse(text), {
    error: 'must be an http or https URL',
  }),
  plainLine,
)
const secret = z.string().check(z.minLength(1), z.maxLength(1_024), plainLine)
/** A secret that is sent in a header, which carries visible ASCII alone (RFC 9110, 5.5; RFC 6750, 2.1). */
const headerSecret = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(1_024),
    z.regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters without spaces: a header carries no others'),
  )
const mailbox = z
  .string()
  .check(z.maxLength(320), plainLine, z.regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/, 'must be an e-mail address'))

/** An incoming webhook; its URL is the secret. */
const incomingWebhook = z.strictObject({ url: z.optional(url) })

/**
 * The settings of each kind. `secret` fields are kept but never answered; when a channel is replaced, a secret that is
 * left out stays as it was, unless the channel's destination changes.
 */
export const channelSettings = {
  /** POST of JSON, signed with HMAC-SHA256 by `signingKey`; see docs/watch.md. */
  webhook: z.strictObject({ url, signingKey: z.optional(secret), bearerToken: z.optional(headerSecret) }),
  slack: incomingWebhook,
  discord: incomingWebhook,
  telegram: z.strictObject({
    botToken: z.optional(z.string().check(z.regex(/^\d{1,20}:[\w-]{10,100}$/, 'must be a bot token'))),
    chatId: z.string().check(z.regex(/^(-?\d{1,20}|@\w{1,64})$/, 'must be a chat ID or @name')),
    apiUrl: z.optional(url).with(z.describe('Your own Bot API server')),
  }),
  pagerduty: z.strictObject({
    routingKey: z.optional(
      z.string().check(z.regex(/^[0-9a-zA-Z]{32}$/, 'must be an integration key of 32 characters')),
    ),
    apiUrl: z.optional(url).with(z.describe('https://events.eu.pagerduty.com/v2/enqueue for the EU region')),
  }),
  ntfy: z.strictObject({
    serverUrl: z.optional(url).with(z.describe('Default: https://ntfy.sh')),
    topic: z.string().check(z.regex(/^[\w-]{1,64}$/, 'must be a topic: letters, digits, - and _')),
    accessToken: z.optional(headerSecret),
  }),
  smtp: z.strictObject({
    host: z.string().check(z.regex(/^[0-9A-Za-z.:-]{1,253}$/, 'must be a host name or an address')),
    port: z.int().check(z.gte(1), z.lte(65_535)),
    security: z.enum(['tls', 'starttls', 'none']),
    user: z.optional(z.string().check(z.maxLength(320), plainLine)),
    password: z.optional(secret),
    from: mailbox,
    to: z.array(mailbox).check(z.minLength(1), z.maxLength(20)),
  }),
} as const

/** The fields of each kind that are never answered. */
export const channelSecrets: Readonly<Record<ChannelKind, readonly string[]>> = {
  webhook: ['signingKey', 'bearerToken'],
  slack: ['url'],
  discord: ['url'],
  telegram: ['botToken'],
  pagerduty: ['routingKey'],
  ntfy: ['accessToken'],
  smtp: ['password'],
}

/**
 * The settings of each kind that say where its secrets go, and how. When one of them changes, the secrets must be given
 * again: whoever may change a channel must not learn what it holds by leading it to a host of their own.
 */
export const channelDestination: Readonly<Record<ChannelKind, readonly string[]>> = {
  webhook: ['url'],
  // Their URL is the secret.
  slack: [],
  discord: [],
  telegram: ['apiUrl'],
  pagerduty: ['apiUrl'],
  ntfy: ['serverUrl'],
  smtp: ['host', 'port', 'security', 'user'],
}

/** The secret without which a channel of the kind can't send. */
export const channelNeeds: Readonly<Partial<Record<ChannelKind, string>>> = {
  slack: 'url',
  discord: 'url',
  telegram: 'botToken',
  pagerduty: 'routingKey',
}

/** A channel as the caller gives it: the settings of its kind below the kind's name. */
export const channelDefinition = z
  .strictObject({
    name,
    kind: z.enum(channelKinds),
    isEnabled: z._default(z.boolean(), true),
    sendsResolved: z
      ._default(z.boolean(), true)
      .with(z.describe('Whether a message is also sent when an alarm ends')),
    webhook: z.optional(channelSettings.webhook),
    slack: z.optional(channelSettings.slack),
    discord: z.optional(channelSettings.discord),
    telegram: z.optional(channelSettings.telegram),
    pagerduty: z.optional(channelSettings.pagerduty),
    ntfy: z.optional(channelSettings.ntfy),
    smtp: z.optional(channelSettings.smtp),
  })
  .check(
    z.refine((channel) => channel[channel.kind] !== undefined, {
      error: 'the settings of this kind are missing, below its name',
      path: ['kind'],
    }),
  )
export type ChannelDefinition = z.infer<typeof channelDefinition>

/** A channel. Secrets are not answered, only the names of those that are set. */
const channel = record({
  channelId: z.string(),
  name: z.string(),
  kind: openEnum(channelKinds),
  isEnabled: z.boolean(),
  sendsResolved: z.boolean(),
  settings: record({}).with(z.describe('The settings of its kind without secrets')),
  setSecrets: z.array(z.string()),
  target: z.string().with(z.describe('Short form of the destination: a host, a topic or e-mail addresses')),
  ruleCount: z.int(),
  createdTimestamp: timestamp,
  updatedTimestamp: timestamp,
  lastDeliveredTimestamp: optionalTimestamp,
  lastFailure: z
    .optional(record({ timestamp, reason: z.string() }))
    .with(z.describe('Only if it is later than the last delivery')),
  pendingCount: z.int(),
  deadCount: z.int(),
})
export type WatchChannel = z.infer<typeof channel>

export const listWatchChannels = operation({
  id: 'listWatchChannels',
  path: '/v1/watch/channels',
  summary: 'List channels',
  response: record({ channels: z.array(channel) }),
})

export const createWatchChannel = operation({
  id: 'createWatchChannel',
  method: 'POST',
  path: '/v1/watch/channels',
  summary: 'Create a channel',
  body: channelDefinition,
  response: channel,
  success: 201,
})

/**
 * Only in Ridgeline: replaces a channel. Secrets that are left out stay, and must be given again when the destination
 * changes; the kind can't change.
 */
export const updateWatchChannel = operation({
  id: 'updateWatchChannel',
  method: 'POST',
  path: '/v1/watch/channels/{channelId}',
  summary: 'Replace a channel',
  params: z.object({ channelId }),
  body: channelDefinition,
  response: channel,
})

/** Only in Ridgeline: deletes a channel, removes it from its rules, and drops what waits for it. */
export const deleteWatchChannel = operation({
  id: 'deleteWatchChannel',
  method: 'POST',
  path: '/v1/watch/channels/{channelId}:delete',
  summary: 'Delete a channel',
  params: z.object({ channelId }),
  response: deleted,
})

/** Only in Ridgeline: sends a test message at once and answers how it went. */
export const testWatchChannel = operation({
  id: 'testWatchChannel',
  method: 'POST',
  path: '/v1/watch/channels/{channelId}:test',
  summary: 'Send a test message',
  params: z.object({ channelId }),
  response: record({
    isDelivered: z.boolean(),
    milliseconds: z.int(),
    reason: z.optional(z.string()).with(z.describe('Why it was not delivered')),
  }),
})
