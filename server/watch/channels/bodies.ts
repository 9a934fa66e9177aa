import { createHmac } from 'node:crypto'
import { pathOf } from '../../../contract/pages.ts'
import type { ChannelKind } from '../../../contract/watch/channels.ts'
import type { Post } from '../../kernel/guarded-post.ts'
import type { Message } from './message.ts'

/** A channel with its settings and secrets merged. */
export type Target = { readonly kind: string; readonly settings: Readonly<Record<string, unknown>> }

/** What a body is made from besides the message. */
export type Envelope = {
  readonly message: Message
  /** The id of the delivery: the same at every attempt. */
  readonly deliveryId: string
  /** Unix seconds of this attempt. */
  readonly sentTs: number
  /** The origin of the dashboard for links, if it is known. */
  readonly publicUrl: string | undefined
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const icons: Readonly<Record<string, string>> = { critical: '🔴', warning: '🟠', info: '🔵' }
const colours: Readonly<Record<string, number>> = { critical: 0xd13438, warning: 0xd87d4c, info: 0x0462d3 }
const resolvedColour = 0x2f9e44

/** The dashboard's page of alarms, with those of the message's fleet. */
const linkOf = ({ publicUrl, message }: Envelope): string | undefined =>
  publicUrl === undefined ? undefined : `${publicUrl}${pathOf('alarms', { fleet: message.fleetId })}`

/** The first line of a message: what it is about and how it stands. */
export function headline({ event, title, severity }: Message): string {
  if (event === 'resolved') return `✅ Resolved: ${title}`
  if (event === 'test') return `🔔 Test: ${title}`
  return `${icons[severity] ?? ''} ${event === 'repeat' ? 'Still ' : ''}${title}`.trim()
}

/** What is worth knowing beyond the sentence, as label and value. */
function details({ message }: Envelope): [string, string][] {
  const { subject, fleetName, network, severity } = message
  const rows: [string, string | undefined][] = [
    ['Severity', severity],
    ['Fleet', fleetName],
    ['Node', subject.nodeId],
    [subject.kind === 'node' ? 'Id' : 'Subject', subject.id === subject.nodeId ? undefined : subject.id],
    ['Network', network],
    ['Time', new Date(message.timestamp * 1000).toISOString().replace('.000Z', ' UTC').replace('T', ' ')],
  ]
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as [string, string]]))
}

/** The message as plain text, for mail, Telegram and ntfy. */
export function plainText(envelope: Envelope): string {
  const rows = details(envelope).map(([name, value]) => `${name}: ${value}`)
  const link = linkOf(envelope)
  return [envelope.message.text, '', ...rows, ...(link === undefined ? [] : ['', link])].join('\n')
}

const json = { 'content-type': 'application/json' }

/**
 * The signature of a webhook: HMAC-SHA256 of `<timestamp>.<body>` in hex, as in the header
 * `x-ridgeline-signature: v1=…`. The timestamp is that of the attempt, so that an old request can't be replayed.
 */
export const signatureOf = (key: string, timestamp: number, body: string): string =>
  createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')

function webhook(settings: Target['settings'], envelope: Envelope): Post {
  const { message, deliveryId, sentTs } = envelope
  const link = linkOf(envelope)
  const body = JSON.stringify({
    version: 1,
    id: deliveryId,
    ...message,
    ...(link !== undefined && { url: link }),
  })
  const key = text(settings['signingKey'])
  const bearer = text(settings['bearerToken'])
  return {
    url: text(settings['url']),
    headers: {
      ...json,
      'x-ridgeline-timestamp': String(sentTs),
      ...(key !== '' && { 'x-ridgeline-signature': `v1=${signatureOf(key, sentTs, body)}` }),
      ...(bearer !== '' && { authorization: `Bearer ${bearer}` }),
    },
    body,
  }
}

/** Slack's three control characters (api.slack.com, Formatting text). */
const forSlack = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function slack(settings: Target['settings'], envelope: Envelope): Post {
  const { message } = envelope
  const link = linkOf(envelope)
  const title = forSlack(headline(message))
  const fields = details(envelope).map(([name, value]) => ({
    type: 'mrkdwn',
    text: `*${name}*\n${forSlack(value)}`,
  }))
  const body = {
    text: title,
    blocks: [
      {
        type: 'section',
        text: {
          type: 'mrkdwn',
          text: `*${title}*\n${forSlack(message.text)}${link === undefined ? '' : `\n<${link}|Open>`}`,
        },
      },
      { type: 'section', fields },
    ],
  }
  return { url: text(settings['url']), headers: json, body: JSON.stringify(body) }
}

function discord(settings: Target['settings'], envelope: Envelope): Post {
  const { message } = envelope
  const link = linkOf(envelope)
  const body = {
    // Names that people choose must not mention everybody.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: headline(message).slice(0, 256),
        description: message.text.slice(0, 4_000),
        color: message.event === 'resolved' ? resolvedColour : (colours[message.severity] ?? colours['info']),
        fields: details(envelope).map(([name, value]) => ({
          name,
          value: value.slice(0, 1_000),
          inline: true,
        })),
        timestamp: new Date(message.timestamp * 1000).toISOString(),
        ...(link !== undefined && { url: link }),
      },
    ],
  }
  return { url: text(settings['url']), headers: json, body: JSON.stringify(body) }
}

function telegram(settings: Target['settings'], envelope: Envelope): Post {
  const base = text(settings['apiUrl']) || 'https://api.telegram.org'
  const body = {
    chat_id: settings['chatId'],
    text: `${headline(envelope.message)}\n\n${plainText(envelope)}`.slice(0, 4_096),
    disable_notification: envelope.message.severity === 'info' || envelope.message.event === 'resolved',
    link_preview_options: { is_disabled: true },
  }
  return {
    url: `${base.replace(/\/+$/, '')}/bot${text(settings['botToken'])}/sendMessage`,
    headers: json,
    body: JSON.stringify(body),
  }
}

/** PagerDuty Events API v2. The alarm is the key of the incident, so that repeats join it and the end closes it. */
function pagerduty(settings: Target['settings'], envelope: Envelope): Post {
  const { message, deliveryId } = envelope
  const link = linkOf(envelope)
  const body = {
    routing_key: settings['routingKey'],
    event_action: message.event === 'resolved' ? 'resolve' : 'trigger',
    dedup_key: message.event === 'test' ? deliveryId : message.alarmId,
    client: 'Ridgeline',
    ...(link !== undefined && { client_url: link }),
    payload: {
      summary: `${message.title}. ${message.text}`.slice(0, 1_024),
      source: message.subject.nodeId ?? message.subject.id,
      severity: message.severity,
      timestamp: new Date(message.timestamp * 1000).toISOString(),
      component: message.kind,
      group: message.fleetName,
      custom_details: Object.fromEntries(details(envelope)),
    },
  }
  return {
    url: text(settings['apiUrl']) || 'https://events.pagerduty.com/v2/enqueue',
    headers: json,
    body: JSON.stringify(body),
  }
}

const ntfyPriority: Readonly<Record<string, number>> = { critical: 5, warning: 4, info: 3 }

function ntfy(settings: Target['settings'], envelope: Envelope): Post {
  const { message } = envelope
  const link = linkOf(envelope)
  const token = text(settings['accessToken'])
  const body = {
    topic: settings['topic'],
    title: headline(message),
    message: plainText(envelope),
    priority: message.event === 'resolved' ? 3 : (ntfyPriority[message.severity] ?? 3),
    ...(link !== undefined && { click: link }),
  }
  return {
    url: `${(text(settings['serverUrl']) || 'https://ntfy.sh').replace(/\/+$/, '')}/`,
    headers: { ...json, ...(token !== '' && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  }
}

const makers = { webhook, slack, discord, telegram, pagerduty, ntfy } as const satisfies Partial<
  Record<ChannelKind, (settings: Target['settings'], envelope: Envelope) => Post>
>

/** Where a channel that is sent over HTTP leads to; undefined for others. Its path may be a secret. */
export function urlOf({ kind, settings }: Target): string | undefined {
  const own = text(settings['url']) || text(settings['apiUrl']) || text(settings['serverUrl'])
  return kind === 'smtp' || own === '' ? undefined : own
}

/** The request of a channel that is sent over HTTP; undefined for others. */
export function postOf({ kind, settings }: Target, envelope: Envelope): Post | undefined {
  const make = (makers as Readonly<Record<string, (typeof makers)['webhook'] | undefined>>)[kind]
  const post = make?.(settings, envelope)
  return post && { ...post, headers: { ...post.headers, 'idempotency-key': envelope.deliveryId } }
}
