import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testToken } from '../../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { nodeText, startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'
import { startReceiver } from '../../watch/testing/fleet.ts'

/** What is kept of the bodies of the watch, and what is refused with which reason. */
let testDatabase: TestDatabase
let network: PrimaryService
let now: number

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  network = await startPrimaryService(testDatabase.database)
  now = network.service.now
})
afterAll(async () => {
  await network?.service.close()
  await testDatabase?.drop()
})
beforeEach(async () => {
  for (const table of ['fleets', 'members', 'rules', 'channels', 'silences'])
    await testDatabase.database.unsafe(`delete from watch_${table}`)
})

type Row = Record<string, unknown>
type Body = Row & { fleet: { fleetId: string }; members: Row[] }

async function ask(method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { 'x-ridgeline-token': testToken, host: 'localhost' }
  const response = await network.service.app.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: response.statusCode, body: response.json<Body>(), text: response.body }
}
const post = (url: string, payload: object = {}) => ask('POST', url, payload)
const get = (url: string) => ask('GET', url)

const makeFleet = async (more: object = {}): Promise<Body> => {
  const { status, body, text } = await post('/v1/watch/fleets', { network: 'fuji', name: 'Mine', ...more })
  expect(status, text).toBe(201)
  return body
}

const mail = {
  host: 'mail.example',
  port: 587,
  security: 'tls',
  user: 'me',
  from: 'a@example.org',
  to: ['b@example.org'],
}
/** Of each kind with a destination: its settings and secrets, and every change that leads the secrets elsewhere. */
const leading = [
  [
    'webhook',
    { url: 'https://a.example/x' },
    { signingKey: 'K', bearerToken: 'B' },
    [
      { url: 'https://b.example/x' },
      { url: 'http://a.example/x' },
      { url: 'https://a.example/y' },
      { url: 'https://a.example:8443/x' },
    ],
  ],
  ['telegram', { chatId: '-1' }, { botToken: '1:ABCDEFGHIJK' }, [{ apiUrl: 'https://b.example' }]],
  [
    'telegram',
    { chatId: '-1', apiUrl: 'https://a.example' },
    { botToken: '1:ABCDEFGHIJK' },
    [{ apiUrl: 'https://b.example' }, { apiUrl: undefined }],
  ],
  ['pagerduty', {}, { routingKey: '0'.repeat(32) }, [{ apiUrl: 'https://b.example' }]],
  ['ntfy', { topic: 't' }, { accessToken: 'A' }, [{ serverUrl: 'https://b.example' }]],
  [
    'smtp',
    mail,
    { password: 'P' },
    [{ host: 'b.example' }, { port: 25 }, { security: 'none' }, { security: 'starttls' }, { user: 'you' }],
  ],
] as const

test.each(leading)(
  'a changed destination of %s demands its secrets again',
  async (kind, settings, secrets, changes) => {
    const made = await post('/v1/watch/channels', { name: 'a', kind, [kind]: { ...settings, ...secrets } })
    expect(made.status, made.text).toBe(201)
    const path = `/v1/watch/channels/${String(made.body['channelId'])}`
    const stored = async () => {
      const rows = await testDatabase.database`select settings, secrets from watch_channels`
      return rows[0] as { settings: object; secrets: object }
    }
    const before = await stored()
    for (const change of changes) {
      const changed = { ...settings, ...change }
      // Each secret alone is not enough where there are several.
      const names = Object.keys(secrets)
      for (const given of [{}, ...(names.length > 1 ? names.map((name) => ({ [name]: 'new' })) : [])]) {
        const refused = await post(path, { name: 'a', kind, [kind]: { ...changed, ...given } })
        expect([refused.status, refused.body['message']], JSON.stringify(change)).toEqual([
          400,
          names
            .filter((name) => !(name in given))
            .map((name) => expect.stringMatching(`^${kind}\\.${name}: must be given again`) as string),
        ])
        expect(await stored()).toEqual(before)
      }
      const taken = await post(path, { name: 'a', kind, [kind]: { ...changed, ...secrets } })
      expect(taken.status, taken.text).toBe(200)
      await post(path, { name: 'a', kind, [kind]: { ...settings, ...secrets } })
    }
    // What does not lead elsewhere keeps them.
    const kept = await post(path, { name: 'b', kind, isEnabled: false, [kind]: settings })
    expect([kept.status, kept.body['setSecrets']]).toEqual([200, Object.keys(secrets)])
    expect(await stored()).toEqual(before)
  },
)

test('a channel that nothing would be sent to is refused with the reason', async () => {
  const receiver = await startReceiver()
  const port = new URL(receiver.url).port
  const refused = async (kind: string, settings: object) => {
    const { status, body } = await post('/v1/watch/channels', { name: 'x', kind, [kind]: settings })
    return [status, body['message']]
  }
  try {
    const reason = `Port ${port} is not allowed. Allowed: 80, 443, 8080, 8443, and those of the hosts in watch.hosts`
    expect(await refused('webhook', { url: receiver.url })).toEqual([400, [`webhook.url: ${reason}`]])
    expect(await refused('slack', { url: receiver.url })).toEqual([400, [`slack.url: ${reason}`]])
    expect(await refused('ntfy', { serverUrl: receiver.url, topic: 't' })).toEqual([
      400,
      [`ntfy.serverUrl: ${reason}`],
    ])
    const isPrivate = '127.0.0.1 is not a public address; the operator may list the host in watch.hosts'
    expect(await refused('webhook', { url: 'http://127.0.0.1/x' })).toEqual([
      400,
      [`webhook.url: ${isPrivate}`],
    ])
    expect(
      await refused('telegram', { apiUrl: 'http://127.0.0.1', botToken: '1:ABCDEFGHIJK', chatId: '1' }),
    ).toEqual([400, [`telegram.apiUrl: ${isPrivate}`]])
    expect(await refused('smtp', { ...mail, host: '127.0.0.1' })).toEqual([400, [`smtp.host: ${isPrivate}`]])
    expect(await refused('webhook', { url: 'https://me:secret@a.example/' })).toEqual([
      400,
      ['webhook.url: its URL carries credentials'],
    ])
    expect((await refused('webhook', { url: 'http://localhost/x' }))[1]).toEqual([
      expect.stringContaining('the name localhost leads to'),
    ])
    expect(receiver.received).toEqual([])
  } finally {
    await receiver.close()
  }
})

test('names and secrets hold no character that hides, breaks a line or turns it, or that a header cannot carry', async () => {
  const fleet = (name: string) => post('/v1/watch/fleets', { network: 'fuji', name })
  for (const mark of [
    '\0',
    '\r',
    '\n',
    '\t',
    '\u001b',
    '\u0085',
    '\u2028',
    '\u202e',
    '\u2066',
    '\u200b',
    '\u200d',
    '\ufeff',
    '\u00ad',
    '\ud800',
    '\u{e0041}',
  ]) {
    const text = `a${mark}b`
    const shown = JSON.stringify(text)
    expect((await fleet(text)).status, shown).toBe(400)
    const members = [{ memberId: nodeText('alpha'), label: text }]
    expect((await post('/v1/watch/fleets', { network: 'fuji', name: 'x', members })).status, shown).toBe(400)
    expect(
      (await post('/v1/watch/fleets', { network: 'fuji', name: 'x', description: text })).status,
      shown,
    ).toBe(400)
    expect((await post('/v1/watch/rules', { kind: 'diskFull', name: text })).status, shown).toBe(400)
    expect((await post('/v1/watch/silences', { endTimestamp: now + 60, comment: text })).status, shown).toBe(
      400,
    )
    const url = 'https://a.example/'
    for (const settings of [{ url, signingKey: text }, { url, bearerToken: text }, { url: `${url}${text}` }])
      expect(
        (await post('/v1/watch/channels', { name: 'x', kind: 'webhook', webhook: settings })).status,
        shown,
      ).toBe(400)
    for (const field of ['user', 'password', 'from'] as const)
      expect(
        (
          await post('/v1/watch/channels', {
            name: 'x',
            kind: 'smtp',
            smtp: { ...mail, [field]: field === 'from' ? `${text}@example.org` : text },
          })
        ).status,
        shown,
      ).toBe(400)
    // A paste is cleaned: it comes from a page or a table. What no text holds is refused there, too.
    if (mark === '\0' || mark === '\ud800') continue
    const pasted = await makeFleet({
      text: `${nodeText('alpha')} x${mark === '\n' || mark === '\r' ? ' ' : mark}y`,
    })
    const page = await get(`/v1/watch/fleets/${pasted.fleet.fleetId}`)
    expect(page.body.members[0]?.['label'], shown).toMatch(/^x ?y$/)
    await post(`/v1/watch/fleets/${pasted.fleet.fleetId}:delete`)
  }
  for (const token of ['é', 'a b', '鍵'])
    expect(
      (
        await post('/v1/watch/channels', {
          name: 'x',
          kind: 'ntfy',
          ntfy: { topic: 't', accessToken: token },
        })
      ).status,
    ).toBe(400)
  // What people write stays.
  for (const name of ['Zürich 鍵', '👨‍👩‍👧 family', 'می‌خواهم', 'क्‍ष', 'é'])
    expect((await fleet(name)).body.fleet, name).toMatchObject({ name })
})

test('unknown fields of a body are refused by name', async () => {
  const webhook = { url: 'https://a.example/', signingkey: 'x' }
  const { fleet } = await makeFleet()
  const wrong: [string, object, string][] = [
    ['channels', { name: 'x', kind: 'webhook', webhook }, 'signingkey'],
    ['channels', { name: 'x', kind: 'smtp', smtp: { ...mail, pasword: 'x' } }, 'pasword'],
    [
      'channels',
      { name: 'x', kind: 'slack', slack: { url: 'https://a.example/' }, enabled: false },
      'enabled',
    ],
    ['fleets', { network: 'fuji', name: 'x', mebers: [] }, 'mebers'],
    [
      'fleets',
      { network: 'fuji', name: 'x', members: [{ memberId: nodeText('alpha'), lable: 'x' }] },
      'lable',
    ],
    [`fleets/${fleet.fleetId}`, { names: 'x' }, 'names'],
    [`fleets/${fleet.fleetId}/members`, { texts: 'x' }, 'texts'],
    [`fleets/${fleet.fleetId}/members:remove`, { memberIds: [nodeText('alpha')], all: true }, 'all'],
    [
      'fleets:import',
      { ridgelineFleet: 1, network: 'fuji', name: 'x', members: [], rules: [], ruls: [] },
      'ruls',
    ],
    [
      'fleets:import',
      {
        ridgelineFleet: 1,
        network: 'fuji',
        name: 'x',
        members: [],
        rules: [{ kind: 'notConnected', treshold: 1 }],
      },
      'treshold',
    ],
    ['rules', { kind: 'diskFull', treshold: 20 }, 'treshold'],
    [
      'rules',
      { kind: 'diskFull', quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC', day: [1] } },
      'day',
    ],
    ['rules:dryRun', { rule: { kind: 'diskFull', sample: 1 }, startTimestamp: 0, endTimestamp: 1 }, 'sample'],
    ['silences', { endTimestamp: now + 60, member: 'x' }, 'member'],
  ]
  for (const [path, body, field] of wrong) {
    const { status, text } = await post(`/v1/watch/${path}`, body)
    expect([status, text], path).toEqual([400, expect.stringContaining(`\\"${field}\\"`)])
  }
})

test('a paste answers the lines that it did not understand', async () => {
  const good = nodeText('alpha')
  const text = [
    good,
    '',
    'NodeID-xyz',
    good.replace('NodeID-', 'nodeid-'),
    good.slice('NodeID-'.length),
    `${good.slice(0, -1)}${good.endsWith('1') ? '2' : '1'}`,
    `beta;${nodeText('beta')}`,
    '---',
    `${good} ${nodeText('gamma')}`,
    'x'.repeat(45),
  ].join('\r\n')
  const { addedCount, notUnderstood } = await makeFleet({ text })
  expect(addedCount).toBe(3)
  const lines = notUnderstood as { line: number; text: string; reason: string }[]
  expect(lines.map(({ line }) => line)).toEqual([3, 4, 5, 6, 10])
  expect(lines.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^NodeID-xyz: /),
    expect.stringContaining('a node ID begins with NodeID-'),
    'no ID in it',
    expect.stringMatching(/^NodeID-/),
    expect.stringMatching(/^x{45}: /),
  ])
})
