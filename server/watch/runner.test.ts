import { afterAll, beforeEach, expect, test } from 'vitest'
import { idBytes, insertPrimary, shortBytes } from '../testing/primary-rows.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createDeliver } from './channels/deliver.ts'
import { signatureOf } from './channels/bodies.ts'
import { idFrom } from './ids.ts'
import { runSender } from './sender.ts'
import {
  createFleet,
  createRule,
  createScene,
  createWebhook,
  startReceiver,
  type Scene,
} from './testing/fleet.ts'

let store: TestDatabase | undefined
let scene: Scene

async function fresh(nodes: readonly string[]): Promise<TestDatabase> {
  await scene?.close()
  await store?.drop()
  store = await createTestDatabase()
  scene = await createScene(store.database, nodes)
  return store
}

afterAll(async () => {
  await scene.close()
  await store?.drop()
})

const quiet = { warn: () => undefined, info: () => undefined }

async function states(): Promise<Record<string, string>> {
  const rows = await scene.database<{ subject: string; state: string }[]>`
    select coalesce(m.label, s.subject) as subject, s.state from watch_states s
    left join watch_alarms a on a.alarm = s.alarm
    left join watch_members m on s.subject = 'node:' || m.label
    order by 1`
  return Object.fromEntries(rows.map(({ subject, state }) => [subject, state]))
}

const alarms = () =>
  scene.database<
    { name: string; opened: number; resolved: number | null; reason: string | null; sent: number }[]
  >`
    select subject_name as name, opened_ts::int as opened, resolved_ts::int as resolved, end_reason as reason,
      notifications as sent from watch_alarms order by opened_ts, subject_name`
const outbox = () =>
  scene.database<{ event: string; number: number; status: string }[]>`
    select event, number, status from watch_outbox order by created_ts, number`

beforeEach(async () => {
  await fresh(['alpha', 'beta', 'gamma'])
})

test('a node that goes offline fires once through a webhook, and resolves once', async () => {
  const receiver = await startReceiver()
  const { database } = scene
  const fleet = await createFleet(database, ['alpha', 'beta'])
  const hook = await createWebhook(database, receiver.url)
  await createRule(database, { kind: 'notConnected', fleet, samples: 2, channels: [hook] })
  const end = new AbortController()
  const deliver = createDeliver({ hosts: [receiver.host] }, 2_000)
  const sending = runSender(
    { database, deliver, logger: quiet, publicUrl: undefined, clock: () => scene.now, attempts: 5, idle: 20 },
    end.signal,
  )
  try {
    await scene.poll({ alpha: true, beta: true })
    await scene.tick()
    expect(Object.values(await states())).toEqual(['ok', 'ok'])
    await scene.poll({ alpha: false, beta: true })
    await scene.tick()
    // Without a new answer of the node, the same sample does not count again.
    await scene.tick()
    await scene.tick()
    expect(await alarms()).toEqual([])
    await scene.poll({ alpha: false, beta: true })
    await scene.tick()
    const opened = scene.now
    expect(await alarms()).toEqual([{ name: 'alpha', opened, resolved: null, reason: null, sent: 1 }])
    await expect.poll(() => receiver.received.length).toBe(1)
    await scene.poll({ alpha: true, beta: true })
    await scene.tick()
    await scene.poll({ alpha: true, beta: true })
    await scene.tick()
    expect(await alarms()).toEqual([
      { name: 'alpha', opened, resolved: scene.now, reason: 'resolved', sent: 1 },
    ])
    await expect.poll(() => receiver.received.length).toBe(2)
    for (let more = 0; more < 5; more += 1) {
      await scene.poll({ alpha: true, beta: true })
      await scene.tick()
    }
    const [first, second] = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
    expect(first).toMatchObject({ event: 'firing', title: 'notConnected: alpha', severity: 'critical' })
    expect(second).toMatchObject({ event: 'resolved', alarmId: first?.['alarmId'] })
    expect(new Set(receiver.received.map(({ key }) => key)).size).toBe(2)
    const [got] = receiver.received
    const signed = signatureOf('test-key', Number(got?.headers['x-ridgeline-timestamp']), got?.body ?? '')
    expect(got?.headers['x-ridgeline-signature']).toBe(`v1=${signed}`)
    expect((await outbox()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  } finally {
    end.abort()
    await sending
    await receiver.close()
  }
})

test('a node that is silent makes everything unknown, and resolves no alarm', async () => {
  const { database } = scene
  const fleet = await createFleet(database, ['alpha', 'beta'])
  await createRule(database, { kind: 'notConnected', fleet })
  await createRule(database, { kind: 'nodeSilent', threshold: 60 })
  await scene.poll({ alpha: false, beta: true })
  await scene.tick()
  expect((await alarms()).map(({ name }) => name)).toEqual(['alpha'])
  for (let round = 0; round < 8; round += 1) await scene.tick()
  const silent = await scene.database<{ subject: string; state: string }[]>`
    select subject, state from watch_states order by subject`
  expect(silent.map(({ state }) => state)).toEqual(['firing', 'unknown', 'unknown'])
  expect((await alarms()).map(({ name, resolved }) => [name, resolved])).toEqual([
    ['alpha', null],
    [null, null],
  ])
  await scene.poll({ alpha: false, beta: true })
  await scene.tick()
  const back = await scene.database<{ state: string }[]>`select state from watch_states order by subject`
  expect(back.map(({ state }) => state).toSorted()).toEqual(['firing', 'ok', 'resolved'])
})

test('a restart continues where the last process ended', async () => {
  const { database } = scene
  const fleet = await createFleet(database, ['alpha'])
  await createRule(database, { kind: 'notConnected', fleet, samples: 3 })
  for (let sample = 0; sample < 3; sample += 1) {
    await scene.poll({ alpha: false })
    await scene.tick()
    scene.restart()
    await scene.tick()
  }
  expect(await alarms()).toHaveLength(1)
  scene.restart()
  await scene.poll({ alpha: false })
  await scene.tick()
  expect(await alarms()).toHaveLength(1)
})

test('jumps of the clock open and resolve nothing', async () => {
  const { database } = scene
  const fleet = await createFleet(database, ['alpha', 'beta'])
  await createRule(database, { kind: 'notConnected', fleet, samples: 2 })
  await createRule(database, { kind: 'nodeSilent', threshold: 60 })
  // The store replaces samples from the future by its own clock, which no test can set: ours is never before it.
  scene.now = Math.floor(Date.now() / 1000) + 100
  await scene.poll({ alpha: true, beta: true })
  await scene.tick()
  for (const jump of [86_400, -80_000, 3_600, -3_600, 90_000]) {
    scene.now += jump
    await scene.tick()
    await scene.poll({ alpha: true, beta: true })
    await scene.tick()
  }
  expect(await alarms()).toEqual([])
  // And an outage after a jump back is found all the same.
  scene.now -= 7_200
  for (let sample = 0; sample < 2; sample += 1) {
    await scene.tick(1)
    await scene.poll({ alpha: false, beta: true })
    await scene.tick()
  }
  expect((await alarms()).map(({ name }) => name)).toEqual(['alpha'])
})

test('a silence holds the message back, and the end of it sends what still fires', async () => {
  const { database } = scene
  const fleet = await createFleet(database, ['alpha'])
  const hook = await createWebhook(database, 'http://127.0.0.1:9/')
  const rule = await createRule(database, { kind: 'notConnected', fleet, channels: [hook] })
  await database`
    insert into watch_silences values (${idFrom('silence')}, ${fleet}, null, null, '', 0, 0, ${scene.now + 25})`
  await scene.poll({ alpha: false })
  await scene.tick()
  expect(await alarms()).toHaveLength(1)
  expect(await outbox()).toEqual([])
  await scene.tick(20)
  expect(await outbox()).toEqual([{ event: 'firing', number: 0, status: 'waiting' }])
  // A disabled rule closes its alarm, and says nothing.
  await database`update watch_rules set enabled = false where rule = ${rule}`
  await scene.tick()
  expect((await alarms()).map(({ reason }) => reason)).toEqual(['ruleDisabled'])
  expect(await outbox()).toHaveLength(1)
  expect(await states()).toEqual({})
})

test('a delegation fires once, and not those from before the rule', async () => {
  const { database } = scene
  const fleet = await createFleet(database, ['alpha'])
  const hook = await createWebhook(database, 'http://127.0.0.1:9/')
  await createRule(database, { kind: 'delegationAdded', fleet, channels: [hook] })
  const delegate = (height: number) =>
    insertPrimary(database, 'stakers', [
      {
        chain: 11,
        height,
        tx_id: idBytes(`d ${height}`),
        node: shortBytes('alpha'),
        is_delegator: true,
        start_ts: 0,
        end_ts: 9e9,
        weight: '25500000000',
      },
    ])
  const grow = async (height: number): Promise<void> => {
    await insertPrimary(database, 'primary_blocks', [
      { chain: 11, height, ts: scene.now, id: idBytes(`b ${height}`), parent_id: idBytes(`b ${height - 1}`) },
    ])
    await database`update primary_chains set node_height = ${height}`
  }
  await delegate(4)
  await scene.tick()
  expect(await alarms()).toEqual([])
  await delegate(6)
  await grow(6)
  await scene.tick()
  scene.restart()
  await scene.tick()
  const rows = await database`select text, end_reason as reason from watch_alarms`
  expect([...rows]).toEqual([{ text: 'A delegation of 25.5 AVAX was added.', reason: 'event' }])
  expect(await outbox()).toEqual([{ event: 'firing', number: 0, status: 'waiting' }])
})
