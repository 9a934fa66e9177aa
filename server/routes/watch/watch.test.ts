import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiNetwork, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import {
  idText,
  nodeText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'
import { testConfig, testToken } from '../../testing/config.ts'
import { startTestService } from '../../testing/service.ts'

let testDatabase: TestDatabase
let network: PrimaryService
let now: number
const day = 86_400

const key = 'a-key-of-the-watch-0123456789'
const reader = 'a-key-without-privilege-01234'

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const { database } = testDatabase
  network = await startPrimaryService(database, {
    apiKeys: [
      { name: 'watcher', key, privileges: ['watch'] },
      { name: 'reader', key: reader },
    ],
  })
  now = network.service.now
  await insertPrimary(database, 'primary_blocks', [
    {
      chain: 11,
      height: 9,
      ts: now,
      id: idBytes('b9'),
      parent_id: idBytes('b8'),
      accrued_fees: '1000',
      l1_excess: '0',
      proposer_node: shortBytes('alpha'),
    },
    {
      chain: 11,
      height: 8,
      ts: now - 10,
      id: idBytes('b8'),
      parent_id: idBytes('b7'),
      proposer_node: shortBytes('beta'),
    },
  ])
  await database`update primary_chains set l1_min_price = 512, l1_conversion = 1000000, node_height = 9 where chain = 11`
  await insertPrimary(
    database,
    'stakers',
    ['alpha', 'beta'].map((node, index) => ({
      chain: 11,
      height: 1,
      index,
      tx_id: idBytes(`tx ${node}`),
      node: shortBytes(node),
      shares: 20_000,
      start_ts: now - 10 * day,
      end_ts: now + 10 * day,
      potential_reward: '1000000000',
      reward_addresses: [shortBytes('owner')],
    })),
  )
  await insertPrimary(database, 'l1_validators', [
    {
      chain: 11,
      height: 2,
      ts: now - day,
      validation_id: idBytes('v1'),
      tx_id: idBytes('v1 tx'),
      subnet: idBytes('l1'),
      node: shortBytes('delta'),
      end_fee: String(1000 + 512 * 3_600),
    },
  ])
  // Alpha: connected ten days ago, down for six hours yesterday, up since.
  const midnight = now - (now % day)
  await insertPrimary(database, 'uptime_samples', [
    {
      chain: 11,
      node: shortBytes('alpha'),
      tx_id: idBytes('tx alpha'),
      ts: midnight - 2 * day,
      uptime: 99,
      connected: true,
    },
    {
      chain: 11,
      node: shortBytes('alpha'),
      tx_id: idBytes('tx alpha'),
      ts: midnight - day,
      uptime: 98,
      connected: false,
    },
    {
      chain: 11,
      node: shortBytes('alpha'),
      tx_id: idBytes('tx alpha'),
      ts: midnight - day + 6 * 3_600,
      uptime: 90,
      connected: true,
    },
  ])
  await database`
    insert into network_samples (chain, hour, ts)
    select 11, hour, hour from generate_series(${midnight - day}::bigint, ${midnight - 1}::bigint, 3600) as hour`
  await database`insert into watch_polls values (11, 5, ${now}, 2, 2, '{"avalanchego/1.14.0": 3, "avalanchego/1.13.0": 2}')`
})
afterAll(async () => {
  await network.service.close()
  await testDatabase.drop()
})
beforeEach(async () => {
  const { database } = testDatabase
  for (const table of ['fleets', 'members', 'rules', 'channels', 'silences', 'alarms', 'states', 'outbox']) {
    await database.unsafe(`delete from watch_${table}`)
  }
})

type Headers = Record<string, string>
type Row = Record<string, unknown>
type Body = {
  [field: string]: unknown
  fleet: { fleetId: string; feedPath: string }
  fleets: Row[]
  members: Row[]
  rules: Row[]
  channels: Row[]
  silences: Row[]
  alarms: Row[]
  changes: Row[]
}
const asOperator: Headers = { 'x-ridgeline-token': testToken, host: 'localhost' }

async function ask(method: 'GET' | 'POST', url: string, payload?: object, headers: Headers = asOperator) {
  const response = await network.service.app.inject({ method, url, headers, ...(payload && { payload }) })
  const isJson = String(response.headers['content-type']).startsWith('application/json')
  return {
    status: response.statusCode,
    body: (isJson ? response.json() : {}) as Body,
    text: response.body,
  }
}
const post = (url: string, payload: object = {}, headers?: Headers) => ask('POST', url, payload, headers)
const get = (url: string, headers?: Headers) => ask('GET', url, undefined, headers)

const makeFleet = async (more: object = {}) => {
  const { status, body } = await post('/v1/watch/fleets', { network: 'fuji', name: 'Mine', ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

test('only the operator and keys with the privilege change anything; callers from elsewhere do not even read', async () => {
  const payload = { network: 'fuji', name: 'Mine' }
  const status = async (headers: Headers) => (await post('/v1/watch/fleets', payload, headers)).status
  expect(await status({ host: 'localhost' })).toBe(401)
  expect(await status({ ...asOperator, 'x-ridgeline-token': `${testToken}x` })).toBe(401)
  expect(await status({ ...asOperator, origin: 'https://evil.example' })).toBe(403)
  expect(await status({ 'x-service-api-key': reader, host: 'elsewhere.example' })).toBe(403)
  expect((await get('/v1/watch/fleets')).body.fleets).toEqual([])
  expect(await status({ 'x-service-api-key': key, host: 'elsewhere.example' })).toBe(201)
  expect((await get('/v1/watch/fleets', { host: 'localhost' })).status).toBe(401)
  expect((await get('/v1/watch/fleets', { host: 'localhost', origin: 'https://evil.example' })).status).toBe(
    401,
  )
  expect((await get('/v1/watch/fleets', { host: 'elsewhere.example' })).status).toBe(401)
  expect(
    (await get('/v1/watch/fleets', { host: 'elsewhere.example', 'x-service-api-key': reader })).status,
  ).toBe(403)
  expect((await get('/v1/watch/fleets')).body.fleets[0]).toHaveProperty('feedPath')
  expect((await get('/v1/watch/summary')).body).toMatchObject({ mayWrite: true, fleetCount: 1 })
})

test('where the watch is open, strangers read, but neither change it nor learn the paths of feeds', async () => {
  const { database } = testDatabase
  const config = testConfig({ networks: [fujiNetwork], watch: { publicRead: true } })
  const open = await startTestService(database, { config })
  try {
    await makeFleet()
    const read = async (path: string) => (await open.app.inject(`/v1/watch/${path}`)).json<Body>()
    expect((await read('fleets')).fleets[0]).not.toHaveProperty('feedPath')
    expect(await read('summary')).toMatchObject({ mayWrite: false, fleetCount: 1 })
  } finally {
    await open.close()
  }
})

test('a fleet comes from a paste, a reward address and an L1, and goes through a file', async () => {
  const text = `first: ${nodeText('alpha')}\n${nodeText('nobody')}, "The new one"\nno ID here\n`
  const { fleet, ...added } = await makeFleet({
    text,
    rewardAddresses: [walletText('owner')],
    subnetId: idText('l1'),
  })
  expect(added).toEqual({
    addedCount: 4,
    presentCount: 0,
    unknown: [nodeText('nobody')],
    notUnderstood: [{ line: 3, text: 'no ID here', reason: 'no ID in it' }],
  })
  const page = await get(`/v1/watch/fleets/${fleet.fleetId}?days=3`)
  expect(page.status, page.text).toBe(200)
  expect(page.body.members.map((row) => [row['memberId'], row['label']])).toEqual([
    [nodeText('alpha'), 'first'],
    [nodeText('nobody'), 'The new one'],
    [nodeText('beta'), undefined],
    [idText('v1'), undefined],
  ])
  const [alpha, nobody, , l1] = page.body.members
  expect(alpha).toMatchObject({
    validationStatus: 'active',
    uptimePerformance: 90,
    uptimeRequirement: 80,
    isConnected: true,
    potentialReward: '1000000000',
    earnedReward: '500000000',
    // Ten of twenty days are over with 90 %: 70 % of the rest make 80.
    neededUptime: 70,
    uptimeByDay: [99, 90, null],
    // Six of the 24 sampled hours of yesterday.
    connectedByDay: [null, 75, null],
  })
  expect(nobody).not.toHaveProperty('validationStatus')
  expect(l1).toMatchObject({
    kind: 'l1Validator',
    nodeId: nodeText('delta'),
    remainingBalance: String(512 * 3_600),
    secondsRemaining: 3_600,
  })
  expect(page.body).toMatchObject({
    majorityVersion: 'avalanchego/1.14.0',
    isStale: false,
    sums: { memberCount: 4, activeCount: 3, amountStaked: '4000000000000', potentialReward: '2000000000' },
  })
  // The list has the sums of the page; a fleet without members has nothing to add up.
  const empty = await makeFleet({ name: 'Zero' })
  const listed = await get('/v1/watch/fleets')
  expect(listed.body.fleets.map((each) => each['sums'])).toEqual([
    {
      connectedCount: 1,
      disconnectedCount: 0,
      unknownCount: 3,
      amountStaked: '4000000000000',
      amountDelegated: '0',
      firstEndTimestamp: now + 10 * day,
    },
    { connectedCount: 0, disconnectedCount: 0, unknownCount: 0, amountStaked: '0', amountDelegated: '0' },
  ])
  expect(page.body['sums']).toMatchObject(listed.body.fleets[0]?.['sums'] as object)
  await post(`/v1/watch/fleets/${empty.fleet.fleetId}:delete`)
  const rule = await post('/v1/watch/rules', { kind: 'stakeEnds', fleetId: fleet.fleetId, threshold: 3_600 })
  expect(rule.body).toMatchObject({
    name: 'Stake ends soon',
    samples: 1,
    severity: 'warning',
    repeatSeconds: 14_400,
  })
  const file = (await get(`/v1/watch/fleets/${fleet.fleetId}/export`)).body
  const copy = await post('/v1/watch/fleets:import', { ...file, name: 'Copy' })
  expect(copy.body).toMatchObject({ addedCount: 4, fleet: { ruleCount: 1, name: 'Copy' } })
  const again = (await get(`/v1/watch/fleets/${copy.body.fleet.fleetId}/export`)).body
  expect(again).toEqual({ ...file, name: 'Copy' })
  const removed = await post(`/v1/watch/fleets/${fleet.fleetId}/members:remove`, {
    memberIds: [nodeText('beta')],
  })
  expect(removed.body).toEqual({ removedCount: 1 })
  expect((await post(`/v1/watch/fleets/${fleet.fleetId}:delete`)).body).toEqual({ id: fleet.fleetId })
  expect((await get(`/v1/watch/fleets/${fleet.fleetId}`)).status).toBe(404)
  expect((await get('/v1/watch/rules')).body.rules).toHaveLength(1)
})

test('rules are bound by their kind', async () => {
  const { fleet } = await makeFleet()
  const refused = async (rule: object) => {
    const { status, body } = await post('/v1/watch/rules', rule)
    expect(status).toBe(400)
    return body['message']
  }
  expect(await refused({ kind: 'notConnected' })).toEqual(['fleetId: a rule of this kind needs a fleet'])
  expect(await refused({ kind: 'diskFull', fleetId: fleet.fleetId })).toHaveLength(1)
  expect(await refused({ kind: 'diskFull', threshold: 101 })).toEqual([
    'threshold: out of the bounds of its kind',
  ])
  expect(await refused({ kind: 'nothing' })).toHaveLength(1)
  expect(
    await refused({ kind: 'diskFull', quietHours: { from: '25:00', to: '07:00', timeZone: 'Mars/Base' } }),
  ).toHaveLength(2)
  const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
  expect(await refused({ kind: 'addressSends' })).toHaveLength(2)
  expect(await refused({ kind: 'addressSends', address })).toEqual([
    'chainId: a rule for an address needs its chain',
  ])
  expect(await refused({ kind: 'chainQuiet', chainId: '43113', address })).toEqual([
    'address: a rule for an address needs one, and no other rule has one',
  ])
  expect(await refused({ kind: 'diskFull', chainId: '43113' })).toEqual([
    'chainId: a rule of this kind is for no chain',
  ])
  const elsewhere = await post('/v1/watch/rules', { kind: 'addressSends', chainId: '999', address })
  expect(elsewhere.status).toBe(404)
  const sends = await post('/v1/watch/rules', { kind: 'addressSends', chainId: '43113', address })
  expect(sends.body).toMatchObject({ chainId: '43113', address: address.toLowerCase(), samples: 1 })
  const held = { kind: 'addressBalanceLow', chainId: '43113', address, threshold: 0.5 }
  expect((await post(`/v1/watch/rules/${sends.body['ruleId'] as string}`, held)).body).toMatchObject({
    ...held,
    address: address.toLowerCase(),
  })
  const made = await post('/v1/watch/rules', {
    kind: 'diskFull',
    quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Zurich' },
  })
  expect(made.status).toBe(201)
  const id = made.body['ruleId'] as string
  const changed = await post(`/v1/watch/rules/${id}`, {
    kind: 'diskFull',
    threshold: 20,
    isEnabled: false,
    quietHours: null,
  })
  expect(changed.body).toMatchObject({ ruleId: id, threshold: 20, isEnabled: false, quietHours: null })
  expect((await post(`/v1/watch/rules/${id}:delete`)).body).toEqual({ id })
  expect((await get(`/v1/watch/rules/${id}`)).status).toBe(404)
})

test('no answer and no line of the log holds a secret, and an update keeps what is left out', async () => {
  const secret = 'T0PS3CRET'
  const channels = [
    {
      name: 'a',
      kind: 'webhook',
      webhook: { url: 'https://hooks.example/x', signingKey: secret, bearerToken: secret },
    },
    { name: 'b', kind: 'slack', slack: { url: `https://hooks.slack.example/${secret}` } },
    { name: 'c', kind: 'telegram', telegram: { botToken: `1:${secret}AAAAAAA`, chatId: '-100' } },
    { name: 'd', kind: 'pagerduty', pagerduty: { routingKey: `${secret}${'0'.repeat(23)}` } },
    { name: 'e', kind: 'ntfy', ntfy: { topic: 'nodes', accessToken: secret } },
    {
      name: 'f',
      kind: 'smtp',
      smtp: {
        host: 'mail.example',
        port: 587,
        security: 'starttls',
        user: 'me',
        password: secret,
        from: 'a@example.org',
        to: ['b@example.org'],
      },
    },
  ]
  for (const channel of channels) {
    const made = await post('/v1/watch/channels', channel)
    expect(made.status, made.text).toBe(201)
    expect(made.text).not.toContain(secret)
  }
  const listed = await get('/v1/watch/channels')
  expect(listed.text).not.toContain(secret)
  expect(listed.body.channels.map((each) => [each['kind'], each['setSecrets'], each['target']])).toEqual([
    ['webhook', ['signingKey', 'bearerToken'], 'hooks.example'],
    ['slack', ['url'], 'hooks.slack.example'],
    ['telegram', ['botToken'], 'chat -100'],
    ['pagerduty', ['routingKey'], 'events.pagerduty.com'],
    ['ntfy', ['accessToken'], 'ntfy.sh/nodes'],
    ['smtp', ['password'], 'b@example.org'],
  ])
  const [, slack] = listed.body.channels
  const renamed = await post(`/v1/watch/channels/${String(slack?.['channelId'])}`, {
    name: 'new',
    kind: 'slack',
    slack: {},
  })
  expect(renamed.body).toMatchObject({ name: 'new', setSecrets: ['url'], target: 'hooks.slack.example' })
  expect((await post('/v1/watch/channels', { name: 'x', kind: 'slack', slack: {} })).body['message']).toEqual(
    ['slack.url: is required'],
  )
  expect(network.service.log()).not.toContain(secret)
})

test('silences have an end and can be ended', async () => {
  const { fleet } = await makeFleet()
  expect((await post('/v1/watch/silences', { endTimestamp: now + 60 })).status).toBe(400)
  expect((await post('/v1/watch/silences', { fleetId: fleet.fleetId, endTimestamp: now - 1 })).status).toBe(
    400,
  )
  const made = await post('/v1/watch/silences', {
    fleetId: fleet.fleetId,
    memberId: nodeText('alpha'),
    endTimestamp: now + 60,
    comment: 'upgrade',
  })
  expect(made.body).toMatchObject({ isActive: true, fleetName: 'Mine', memberId: nodeText('alpha') })
  expect((await post(`/v1/watch/silences/${made.body['silenceId']}:end`)).body).toMatchObject({
    isActive: false,
    endTimestamp: now,
  })
  expect((await get('/v1/watch/silences')).body.silences).toEqual([])
  expect((await get('/v1/watch/silences?includesEnded=true')).body.silences).toHaveLength(1)
})

test('alarms are listed page by page, and in a feed that needs its token', async () => {
  const { fleet } = await makeFleet({ name: 'A & B' })
  await testDatabase.database`
    insert into watch_alarms (alarm, rule, rule_name, kind, severity, chain, fleet, fleet_name, subject, subject_node, channels,
      title, text, value, opened_ts, silenced)
    select md5(n::text)::uuid, md5('rule')::uuid, 'Rule', 'notConnected', 'critical', 11, ${fleet.fleetId}::uuid, 'A & B',
      ${`node:${nodeText('alpha')}`}, ${nodeText('alpha')}, '{}', 'Title <' || n || '>', 'Text', n, ${now} + n / 2, false
    from generate_series(1, 5) n`
  const seen: number[] = []
  for (let next = ''; ;) {
    const { status, body, text } = await get(`/v1/watch/alarms?pageSize=2&fleetId=${fleet.fleetId}${next}`)
    expect(status, text).toBe(200)
    seen.push(...body.alarms.map((each) => Number(each['value'])))
    if (body['nextPageToken'] === undefined) break
    next = `&pageToken=${body['nextPageToken']}`
  }
  expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5])
  expect(seen.at(-1)).toBe(1)
  expect((await get(`/v1/watch/alarms?memberId=${nodeText('beta')}`)).body.alarms).toEqual([])
  expect((await get('/v1/watch/alarms?isOpen=false')).body.alarms).toEqual([])
  const atom = await get(fleet.feedPath, { host: 'elsewhere.example' })
  expect(atom.status, atom.text).toBe(200)
  expect(atom.text).toContain('<title>Alarms of A &amp; B</title>')
  expect(atom.text.match(/<entry>/g)).toHaveLength(5)
  expect(atom.text).toContain('Title &lt;5&gt;')
  // Who asks does not choose where links lead, but a name of this machine is one of ours.
  expect(atom.text).not.toContain('elsewhere.example')
  expect(atom.text).toContain('<link href="/alarms')
  const own = await get(fleet.feedPath, { host: 'localhost:4400' })
  expect(own.text).toContain('<link href="http://localhost:4400/alarms')
  const rss = await get(fleet.feedPath.replace('.atom', '.rss'), { host: 'elsewhere.example' })
  expect(rss.text.match(/<item>/g)).toHaveLength(5)
  expect((await get(fleet.feedPath.replace(/feeds\/.{4}/, 'feeds/AAAA'))).status).toBe(404)
})

test('the outlook of a validation follows from its uptime, its stake and its blocks', async () => {
  const { status, body, text } = await get(`/v1/networks/fuji/validators/${nodeText('alpha')}/outlook`)
  expect(status, text).toBe(200)
  expect(body).toMatchObject({
    uptime: {
      uptimePerformance: 90,
      requirement: 80,
      highest: 95,
      lowest: 45,
      needed: 70,
      isReachable: true,
      spareSeconds: 3 * day,
    },
    reward: { potential: '1000000000', ifItStopsNow: '0', delegationFees: '0' },
    proposals: { blockCount: 2, proposedCount: 1, expectedCount: 1, low: 0, high: 2 },
  })
  expect((await get(`/v1/networks/fuji/validators/${nodeText('nobody')}/outlook`)).status).toBe(404)
})

test('what changed in a fleet includes outages, and says so in order', async () => {
  const { fleet } = await makeFleet({ text: nodeText('alpha') })
  const { body, status, text } = await get(
    `/v1/watch/fleets/${fleet.fleetId}/changes?startTimestamp=${now - 3 * day}`,
  )
  expect(status, text).toBe(200)
  expect(body.changes.map((each) => each['kind'])).toEqual(['connected', 'disconnected'])
  expect(body['isComplete']).toBe(true)
})
