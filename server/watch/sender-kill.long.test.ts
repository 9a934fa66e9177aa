import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import {
  createFleet,
  createRule,
  createScene,
  createWebhook,
  startReceiver,
  type Receiver,
} from './testing/fleet.ts'

let store: TestDatabase
let receiver: Receiver
beforeEach(async () => {
  store = await createTestDatabase()
  receiver = await startReceiver()
})
afterEach(async () => {
  await receiver.close()
  await store.drop()
})

const now = (): number => Math.floor(Date.now() / 1000)

const isNoneWaiting = async (): Promise<boolean> =>
  (await store.database`select from watch_outbox where status = 'waiting'`).length === 0

test('kill -9 at random moments of 200 alarms loses none and doubles none', async () => {
  const nodes = Array.from({ length: 200 }, (_, index) => `node ${index}`)
  // Others stay up: a node that sees almost no validator is cut off, and its samples count for nothing.
  const others = Array.from({ length: 60 }, (_, index) => `other ${index}`)
  const scene = await createScene(store.database, [...nodes, ...others])
  scene.now = now()
  await store.database`update primary_chains set node_seen_ts = ${scene.now + 3_600}`
  const fleet = await createFleet(store.database, nodes)
  const hook = await createWebhook(store.database, receiver.url)
  await createRule(store.database, { kind: 'notConnected', fleet, channels: [hook] })
  // Slow enough that a kill finds messages on their way.
  receiver.answer = (_request, response) =>
    void setTimeout(() => response.writeHead(204).end(), Math.random() * 60)
  const down = new Set<string>()
  const poll = async (): Promise<void> => {
    scene.now = Math.max(scene.now + 1, now())
    await scene.poll(Object.fromEntries([...nodes, ...others].map((node) => [node, !down.has(node)])))
  }
  await poll()
  const program = fileURLToPath(new URL('testing/watch-process.ts', import.meta.url))
  const begin = (): ChildProcess =>
    fork(program, [store.url, receiver.host], {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, NODE_ENV: 'test' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
  const keys = (): number => new Set(receiver.received.map(({ key }) => key)).size
  const keysAfterPoll = async (): Promise<number> => {
    await poll()
    return keys()
  }
  let child = begin()
  let kills = 0
  try {
    while (down.size < nodes.length) {
      for (const node of nodes.filter((each) => !down.has(each)).slice(0, 20)) down.add(node)
      await poll()
      const before = keys()
      await expect.poll(keysAfterPoll, { interval: 500 }).toBeGreaterThan(before)
      await sleep(Math.random() * 300)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      kills += 1
      child = begin()
    }
    await expect.poll(keysAfterPoll, { interval: 1_000 }).toBe(200)
    await expect.poll(isNoneWaiting, { interval: 100 }).toBe(true)
  } finally {
    child.kill('SIGKILL')
  }
  const alarms = await store.database<{ subject: string; count: number }[]>`
    select subject, count(*)::int as count from watch_alarms group by subject`
  expect(alarms).toHaveLength(200)
  expect(alarms.every(({ count }) => count === 1)).toBe(true)
  // What a receiver keeps that recognises the key: each alarm once.
  const kept = new Map(
    receiver.received.map(({ key, body }) => [key, (JSON.parse(body) as { title: string }).title]),
  )
  expect(new Set(kept.values()).size).toBe(200)
  expect(kept.size).toBe(200)
  expect(kills).toBe(10)
  // Never again after a recorded success: more attempts than one only where a kill left a message unrecorded.
  expect(receiver.received.length - 200).toBeLessThanOrEqual(kills * 8)
  await scene.close()
})
