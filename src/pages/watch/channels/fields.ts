import {
  channelDefinition,
  channelKinds,
  channelNeeds,
  channelSecrets,
  type ChannelDefinition,
  type ChannelKind,
  type WatchChannel,
} from '../../../../contract/watch/channels.ts'

/** How a field is given. `secret` fields are written, never read back. */
type FieldForm = 'text' | 'secret' | 'number' | 'list' | 'security'

export type ChannelField = {
  readonly name: string
  readonly label: string
  readonly form: FieldForm
  readonly placeholder?: string
  readonly note?: string
}

export const kindLabels: Readonly<Record<ChannelKind, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  pagerduty: 'PagerDuty',
  ntfy: 'ntfy',
  smtp: 'E-mail',
}

/** What a kind is for, and where its settings are found, in a sentence. */
export const kindNotes: Readonly<Record<ChannelKind, string>> = {
  webhook: 'A POST of JSON to a URL of yours, signed if there is a signing key.',
  slack: 'An incoming webhook of a Slack app; its URL is the secret.',
  discord: 'A webhook of a Discord channel (Edit channel, Integrations); its URL is the secret.',
  telegram: 'A bot of yours (made with @BotFather) that writes into a chat it is in.',
  pagerduty: 'An integration of the type Events API v2; resolved alarms resolve its incidents.',
  ntfy: 'A topic of ntfy.sh or of your own server: the quickest way to a ringing phone.',
  smtp: 'Mail by an SMTP server.',
}

export const channelFields: Readonly<Record<ChannelKind, readonly ChannelField[]>> = {
  webhook: [
    { name: 'url', label: 'URL', form: 'text', placeholder: 'https://example.org/alarms' },
    { name: 'signingKey', label: 'Signing key', form: 'secret', note: 'For HMAC-SHA256; optional' },
    { name: 'bearerToken', label: 'Bearer token', form: 'secret', note: 'Sent as authorization; optional' },
  ],
  slack: [
    { name: 'url', label: 'Webhook URL', form: 'secret', placeholder: 'https://hooks.slack.com/services/…' },
  ],
  discord: [
    { name: 'url', label: 'Webhook URL', form: 'secret', placeholder: 'https://discord.com/api/webhooks/…' },
  ],
  telegram: [
    { name: 'botToken', label: 'Bot token', form: 'secret', placeholder: '123456:ABC…' },
    {
      name: 'chatId',
      label: 'Chat',
      form: 'text',
      placeholder: '-1001234567890',
      note: 'A chat ID or @name',
    },
    { name: 'apiUrl', label: 'Bot API server', form: 'text', note: 'Only for a server of your own' },
  ],
  pagerduty: [
    { name: 'routingKey', label: 'Integration key', form: 'secret', note: '32 characters' },
    {
      name: 'apiUrl',
      label: 'Events URL',
      form: 'text',
      note: 'Only for the EU region: https://events.eu.pagerduty.com/v2/enqueue',
    },
  ],
  ntfy: [
    {
      name: 'topic',
      label: 'Topic',
      form: 'text',
      placeholder: 'my-validators-7f3a',
      note: 'Whoever knows it reads it',
    },
    { name: 'serverUrl', label: 'Server', form: 'text', placeholder: 'https://ntfy.sh' },
    { name: 'accessToken', label: 'Access token', form: 'secret', note: 'Optional' },
  ],
  smtp: [
    { name: 'host', label: 'Server', form: 'text', placeholder: 'smtp.example.org' },
    { name: 'port', label: 'Port', form: 'number', placeholder: '465' },
    { name: 'security', label: 'Encryption', form: 'security' },
    { name: 'user', label: 'User', form: 'text', note: 'Optional' },
    { name: 'password', label: 'Password', form: 'secret', note: 'Optional' },
    { name: 'from', label: 'From', form: 'text', placeholder: 'ridgeline@example.org' },
    {
      name: 'to',
      label: 'To',
      form: 'list',
      placeholder: 'me@example.org',
      note: 'Up to 20, separated by commas',
    },
  ],
}

/** What the form of a channel holds; `fields` are texts by name. */
export type ChannelDraft = {
  readonly name: string
  readonly kind: ChannelKind
  readonly isEnabled: boolean
  readonly sendsResolved: boolean
  readonly fields: Readonly<Record<string, string>>
}

export const newChannel = (kind: ChannelKind): ChannelDraft => ({
  name: '',
  kind,
  isEnabled: true,
  sendsResolved: true,
  fields: kind === 'smtp' ? { port: '465', security: 'tls' } : {},
})

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'string' || typeof value === 'number'
      ? String(value)
      : ''

/** A channel of the service as a draft; its secrets are not known, so their fields are empty. */
export function draftOfChannel({
  name,
  kind,
  isEnabled,
  sendsResolved,
  settings,
}: WatchChannel): ChannelDraft {
  const known = channelKinds.find((each) => each === kind) ?? 'webhook'
  const given: Readonly<Record<string, unknown>> = settings
  return {
    name,
    kind: known,
    isEnabled,
    sendsResolved,
    fields: Object.fromEntries(channelFields[known].map((field) => [field.name, textOf(given[field.name])])),
  }
}

function valueOf({ form }: ChannelField, text: string): unknown {
  if (form === 'number') return /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return form === 'list' ? text.split(/[\s,;]+/).filter((part) => part !== '') : text
}

/** What is wrong with a draft: by the name of a field, or `name` for the channel's own. */
type ChannelWrong = Readonly<Record<string, string>>

/**
 * The channel that a draft says, as the service takes it. Empty fields are left out; a secret that is left out stays as
 * it was, so one that the kind needs must be given unless `setSecrets` has it.
 */
export function channelOf(
  draft: ChannelDraft,
  setSecrets: readonly string[],
): { channel: ChannelDefinition } | { wrong: ChannelWrong } {
  const { kind, name } = draft
  const entries = channelFields[kind].flatMap((field): [string, unknown][] => {
    const text = (draft.fields[field.name] ?? '').trim()
    return text === '' ? [] : [[field.name, valueOf(field, text)]]
  })
  const settings = Object.fromEntries(entries)
  const needed = channelNeeds[kind]
  const wrong = new Map<string, string>()
  if (needed !== undefined && settings[needed] === undefined && !setSecrets.includes(needed))
    wrong.set(needed, 'Needed to send.')
  if (name.trim() === '') wrong.set('name', 'Give it a name.')
  const { success, data, error } = channelDefinition.safeParse({
    name: name.trim() || '-',
    kind,
    isEnabled: draft.isEnabled,
    sendsResolved: draft.sendsResolved,
    [kind]: settings,
  })
  for (const issue of error?.issues ?? []) {
    const [, field] = issue.path
    const key = typeof field === 'string' ? field : 'name'
    if (!wrong.has(key)) wrong.set(key, settings[key] === undefined ? 'Needed to send.' : `${issue.message}.`)
  }
  return success && wrong.size === 0 ? { channel: data } : { wrong: Object.fromEntries(wrong) }
}

/** Whether a secret is set at the service. */
export const isSet = (kind: ChannelKind, name: string, setSecrets: readonly string[]): boolean =>
  channelSecrets[kind].includes(name) && setSecrets.includes(name)

/** What the service refused of a channel, by field: its errors begin with the kind and the name of one. */
export function refusedFields(kind: ChannelKind, error: Error | null): ChannelWrong {
  const lines = (error?.message ?? '').matchAll(/(?:^|; |\n)(\w+)\.(\w+): ([^\n]*?)(?=; \w+\.\w+: |\n|$)/g)
  return Object.fromEntries(
    [...lines].flatMap(([, of, name = '', reason = '']) =>
      of === kind && channelFields[kind].some((field) => field.name === name) ? [[name, reason]] : [],
    ),
  )
}
