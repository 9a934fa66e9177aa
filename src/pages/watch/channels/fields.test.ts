import { expect, test } from 'vitest'
import { channelKinds, channelSecrets, channelSettings } from '../../../../contract/watch/channels.ts'
import {
  channelFields,
  channelOf,
  draftOfChannel,
  newChannel,
  refusedFields,
  type ChannelDraft,
} from './fields.ts'

const of = (kind: ChannelDraft['kind'], fields: ChannelDraft['fields']): ChannelDraft => ({
  ...newChannel(kind),
  name: 'Pager',
  fields: { ...newChannel(kind).fields, ...fields },
})

test('the form has every setting of every kind, and the secrets as secrets', () => {
  for (const kind of channelKinds) {
    const fields = channelFields[kind]
    expect(fields.map(({ name }) => name).toSorted(), kind).toEqual(
      Object.keys(channelSettings[kind].shape).toSorted(),
    )
    expect(
      fields.filter(({ form }) => form === 'secret').map(({ name }) => name),
      kind,
    ).toEqual(channelSecrets[kind])
  }
})

test('a mail channel is sent with its port as a number and its receivers as a list', () => {
  expect(
    channelOf(
      of('smtp', {
        host: 'smtp.example.org',
        from: 'a@example.org',
        to: 'b@example.org, c@example.org',
        password: '',
      }),
      [],
    ),
  ).toEqual({
    channel: {
      name: 'Pager',
      kind: 'smtp',
      isEnabled: true,
      sendsResolved: true,
      smtp: {
        host: 'smtp.example.org',
        port: 465,
        security: 'tls',
        from: 'a@example.org',
        to: ['b@example.org', 'c@example.org'],
      },
    },
  })
})

test('a secret that a kind needs must be given once, and may be left out from then on', () => {
  const draft = of('telegram', { chatId: '-100123' })
  expect(channelOf(draft, [])).toEqual({ wrong: { botToken: 'Needed to send.' } })
  expect(channelOf(draft, ['botToken'])).toMatchObject({ channel: { telegram: { chatId: '-100123' } } })
  expect(channelOf(draft, ['botToken'])).not.toHaveProperty('channel.telegram.botToken')
  expect(channelOf(of('slack', {}), [])).toEqual({ wrong: { url: 'Needed to send.' } })
})

test('what is wrong stands at its field', () => {
  expect(channelOf(of('webhook', { url: 'ftp://example.org' }), [])).toEqual({
    wrong: { url: 'must be an http or https URL.' },
  })
  expect(channelOf(of('ntfy', { topic: 'a b' }), [])).toHaveProperty('wrong.topic')
  expect(channelOf(of('ntfy', {}), [])).toEqual({ wrong: { topic: 'Needed to send.' } })
  expect(channelOf(of('smtp', { host: 'h', port: 'x', from: 'a@b', to: 'nobody' }), [])).toEqual({
    wrong: { port: expect.any(String), to: 'must be an e-mail address.' },
  })
  expect(channelOf({ ...of('ntfy', { topic: 't' }), name: ' ' }, [])).toEqual({
    wrong: { name: 'Give it a name.' },
  })
})

test('a channel of the service fills the form without its secrets', () => {
  const draft = draftOfChannel({
    channelId: '1',
    name: 'Mail',
    kind: 'smtp',
    isEnabled: false,
    sendsResolved: true,
    settings: { host: 'h', port: 25, security: 'none', from: 'a@b', to: ['c@d', 'e@f'] },
    setSecrets: ['password'],
    target: 'c@d',
    ruleCount: 0,
    createdTimestamp: 1,
    updatedTimestamp: 1,
    pendingCount: 0,
    deadCount: 0,
  })
  expect(draft).toEqual({
    name: 'Mail',
    kind: 'smtp',
    isEnabled: false,
    sendsResolved: true,
    fields: { host: 'h', port: '25', security: 'none', user: '', password: '', from: 'a@b', to: 'c@d, e@f' },
  })
})

test('what the service refuses is said at its field, with the whole reason', () => {
  const reason =
    'Port 4799 is not allowed. Allowed: 80, 443, 8080, 8443, and those of the hosts in watch.hosts'
  expect(refusedFields('webhook', new Error(`webhook.url: ${reason}`))).toEqual({ url: reason })
  expect(refusedFields('smtp', new Error(`webhook.url: ${reason}`))).toEqual({})
  expect(refusedFields('webhook', new Error('name: there are at most 20 channels'))).toEqual({})
  expect(refusedFields('webhook', null)).toEqual({})
})
