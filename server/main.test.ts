import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { programFile } from './kernel/programs/program-file.ts'
import { freePort } from './testing/proxies.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'

type Message = { type: string; url?: string; message?: string; exitCode?: number }

let store: TestDatabase
let folder: string
const children: ChildProcess[] = []

beforeAll(async () => {
  store = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-main-'))
  await writeFile(
    join(folder, 'config.json'),
    JSON.stringify({ chains: [{ evmChainId: 5, name: 'Five', rpcUrl: 'http://127.0.0.1:9' }] }),
  )
})
afterAll(async () => {
  await store.drop()
  await rm(folder, { recursive: true })
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const { path: program, isSource } = programFile('server', 'main.ts', import.meta.url)

/** Starts the program as the launcher does, or without the channel to it. */
function run(
  env: Record<string, string> = {},
  args: readonly string[] = ['--role', 'api'],
  channel: 'ipc' | 'pipe' = 'ipc',
) {
  const child = spawn(process.execPath, [...(isSource ? ['--import', 'tsx'] : []), program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', channel],
    env: {
      PATH: process.env['PATH'] ?? '',
      RIDGELINE_CONFIG: join(folder, 'config.json'),
      RIDGELINE_HOME: folder,
      DATABASE_URL: store.url,
      PORT: '0',
      ...env,
    },
  })
  children.push(child)
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  return {
    child,
    errors: () => errors,
    message: once(child, 'message').then(([message]) => message as Message),
    exit: once(child, 'exit').then(([code]) => code as number | null),
  }
}

test('says where it listens, and ends with 0 on a signal', async () => {
  const { child, message, exit } = run()
  const { type, url } = await message
  expect(type).toBe('listening')
  expect((await fetch(new URL('/health', url))).status).toBe(200)
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
})

test('stays without a parent, as under systemd or Docker, whatever it listens on first', async () => {
  const ports = { PORT: String(await freePort()), HEALTH_PORT: String(await freePort()) }
  const { child, exit } = run(ports, ['--role', 'api'], 'pipe')
  const ended = exit.then((code) => Promise.reject(new Error(`it ended with ${code}`)))
  for (const port of Object.values(ports)) {
    const ask = () => fetch(`http://127.0.0.1:${port}/health`).then(({ status }) => status, String)
    await Promise.race([expect.poll(ask).toBe(200), ended])
  }
  child.kill('SIGTERM')
  await expect(ended).rejects.toThrow('it ended with 0')
})

test('a connection that is lost in a transaction costs the request, and not the process', async () => {
  const { child, message, exit } = run()
  const { url } = await message
  const ask = async () => (await fetch(new URL('/v1/search?query=token', url))).status
  // It listens before it has read the version of the store.
  await expect.poll(ask).toBe(200)
  const holder = await store.database.reserve()
  await holder`begin`
  await holder`lock table tokens in access exclusive mode`
  const statuses: number[] = []
  const end = async (): Promise<number> => {
    const rows = await store.database`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and xact_start < query_start`
    return rows.length
  }
  // A search waits for a fraction of a second only.
  let ended = 0
  while (ended === 0) {
    const asked = ask().then((status) => statuses.push(status))
    for (let is = await isPending(asked); is && ended === 0; is = await isPending(asked)) ended = await end()
    await asked
  }
  expect(statuses.at(-1)).toBe(503)
  await holder`rollback`
  holder.release()
  expect(await ask()).toBe(200)
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
})

const isPending = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => false), new Promise<boolean>((resolve) => setImmediate(resolve, true))])

test('an indexer serves its counters on a port of its own, where others serve them beside the rest', async () => {
  const port = await freePort()
  const { child, exit, errors } = run({ METRICS_PORT: String(port) }, ['--role', 'indexer'])
  const scrape = async (): Promise<string> =>
    fetch(`http://127.0.0.1:${port}/metrics`).then(
      (answer) => answer.text(),
      () => errors(),
    )
  // The chain's node does not exist, so each request fails.
  await expect.poll(scrape).toMatch(/^ridgeline_indexer\{chain="5",name="rpcErrors\.network"\} [1-9]/m)
  expect((await fetch(`http://127.0.0.1:${port}/v1/status`)).status).toBe(404)
  child.kill('SIGTERM')
  expect(await exit).toBe(0)
  const api = run({ METRICS_PORT: String(port) }, ['--role', 'api'])
  expect(await api.message).toMatchObject({
    type: 'failed',
    exitCode: 2,
    message: expect.stringContaining('METRICS_PORT'),
  })
})

test('ends when the program that started it is gone', async () => {
  const { child, message, exit } = run()
  await message
  child.disconnect()
  expect(await exit).toBe(0)
})

test.each([
  [{ PORT: 'many' }, ['--role', 'api'], 'PORT: got "many"; allowed: an integer from 0 to 65535'],
  [{}, ['--role', 'boss'], '--role: got "boss"; allowed: all, api, indexer'],
  [{ RIDGELINE_CONFIG: '/nothing/here.json' }, [], 'allowed: a readable JSON file'],
])('a setting that cannot be used is named, and the exit code is 2: %j %j', async (env, args, expected) => {
  const { message, exit, errors } = run(env, args)
  expect(await message).toMatchObject({
    type: 'failed',
    exitCode: 2,
    message: expect.stringContaining(expected),
  })
  expect(await exit).toBe(2)
  expect(errors()).toContain(expected)
})

test('a port in use ends it with 2', async () => {
  const first = run()
  const { port } = new URL((await first.message).url ?? '')
  const second = run({ PORT: port })
  expect(await second.message).toMatchObject({
    type: 'failed',
    exitCode: 2,
    message: `port ${port} of 127.0.0.1 is in use: choose another with PORT=${Number(port) + 10}`,
  })
  expect(await second.exit).toBe(2)
})
