import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createDeliver } from './channels/deliver.ts'
import { idFrom } from './ids.ts'
import { pauseBefore, runSender, type SenderOptions } from './sender.ts'
import { createWebhook, startReceiver, type Receiver } from './testing/fleet.ts'

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

const quiet = { warn: () => undefined, info: () => undefined }
const now = (): number => Math.floor(Date.now() / 1000)

async function enqueue(channel: string, name: string): Promise<string> {
  const delivery = idFrom('test', name)
  const message = {
    event: 'firing',
    alarmId: idFrom('alarm', name),
    title: `Not connected: ${name}`,
    text: 'The node has no connection to it.',
    severity: 'critical',
    kind: 'notConnected',
    ruleId: idFrom('rule'),
    ruleName: 'Not connected',
    subject: { kind: 'node', id: name },
    unit: 'samples',
    timestamp: now(),
  }
  await store.database`
    insert into watch_outbox (delivery, alarm, channel, event, number, message, created_ts, next_ts)
    values (${delivery}, ${message.alarmId}, ${channel}, 'firing', 0, ${JSON.stringify(message)}::text::jsonb, ${now()}, 0)`
  return delivery
}

const rows = () =>
  store.database<{ status: string; attempts: number; reason: string | null }[]>`
    select status, attempts, last_reason as reason from watch_outbox order by created_ts, delivery`

/** Runs a sender until the condition holds. */
async function sendUntil(
  condition: () => Promise<boolean>,
  more: Partial<SenderOptions> & { timeoutMs?: number } = {},
) {
  const end = new AbortController()
  const deliver = createDeliver({ hosts: [receiver.host] }, more.timeoutMs ?? 5_000)
  const running = runSender(
    {
      database: store.database,
      deliver,
      logger: quiet,
      publicUrl: undefined,
      clock: now,
      attempts: 4,
      idle: 20,
      haste: 0.01,
      ...more,
    },
    end.signal,
  )
  try {
    await expect.poll(condition, { interval: 50 }).toBe(true)
  } finally {
    end.abort()
    await running
  }
}
const allEnded = async (): Promise<boolean> => (await rows()).every(({ status }) => status !== 'waiting')

test('a receiver that fails and recovers gets the message under one key', async () => {
  const hook = await createWebhook(store.database, receiver.url)
  const key = await enqueue(hook, 'alpha')
  receiver.answer = (_request, response, count) => void response.writeHead(count < 3 ? 500 : 200).end()
  await sendUntil(allEnded)
  expect(receiver.received.map((each) => each.key)).toEqual([key, key, key])
  expect(await rows()).toEqual([{ status: 'delivered', attempts: 3, reason: null }])
})

test('a message is dead after its last attempt, and at once if nothing can change', async () => {
  const hook = await createWebhook(store.database, receiver.url)
  await enqueue(hook, 'alpha')
  receiver.answer = (_request, response) => void response.writeHead(503).end()
  await sendUntil(allEnded)
  expect(await rows()).toEqual([{ status: 'dead', attempts: 4, reason: 'it answered 503' }])
  await store.database`delete from watch_outbox`
  await enqueue(hook, 'beta')
  receiver.answer = (_request, response) => void response.writeHead(410).end()
  await sendUntil(allEnded)
  expect(await rows()).toEqual([{ status: 'dead', attempts: 1, reason: 'it answered 410' }])
})

test('a receiver that hangs holds up nobody else', async () => {
  const hook = await createWebhook(store.database, receiver.url)
  for (const name of ['hang', 'b', 'c', 'd']) await enqueue(hook, name)
  receiver.answer = ({ body }, response) => {
    if (!body.includes('Not connected: hang')) response.writeHead(204).end()
  }
  await sendUntil(allEnded, { timeoutMs: 1_500, attempts: 1 })
  expect((await rows()).map(({ status }) => status).toSorted()).toEqual([
    'dead',
    'delivered',
    'delivered',
    'delivered',
  ])
  expect((await rows()).find(({ status }) => status === 'dead')?.reason).toBe('no answer within 1.5 s')
})

test('neither a redirect nor a name leads to a private address', async () => {
  const hidden = await startReceiver()
  try {
    const hook = await createWebhook(store.database, receiver.url)
    await enqueue(hook, 'alpha')
    receiver.answer = (_request, response) => void response.writeHead(307, { location: hidden.url }).end()
    const direct = await createWebhook(store.database, hidden.url, 'direct')
    await enqueue(direct, 'beta')
    const named = await createWebhook(store.database, 'http://localhost/', 'named')
    await enqueue(named, 'gamma')
    await sendUntil(allEnded, { attempts: 2 })
    expect(hidden.received).toEqual([])
    expect((await rows()).map(({ reason }) => reason).toSorted()).toEqual([
      expect.stringContaining('is not allowed. Allowed: 80, 443, 8080, 8443'),
      expect.stringContaining('redirects are not followed'),
      expect.stringContaining('the name localhost leads to'),
    ])
  } finally {
    await hidden.close()
  }
})

test('the pause doubles, has jitter, and respects what the receiver asks for', () => {
  expect([1, 2, 3, 20].map((attempt) => pauseBefore(attempt, undefined, () => 0))).toEqual([1, 2, 4, 450])
  expect([1, 2, 3, 20].map((attempt) => pauseBefore(attempt, undefined, () => 1))).toEqual([2, 4, 8, 900])
  expect(pauseBefore(1, 120, () => 0)).toBe(120)
  expect(pauseBefore(1, 1e9, () => 0)).toBe(900)
})

test('a mail arrives with a Message-ID that follows from the delivery', async () => {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'me' && password === 'secret' ? done(null, { user: 'me' }) : done(new Error('wrong')),
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => {
        mails.push(text)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo
  try {
    const channel = idFrom('mail')
    const settings = {
      host: '127.0.0.1',
      port,
      security: 'none',
      user: 'me',
      from: 'watch@example.org',
      to: ['ops@example.org'],
    }
    await store.database`
      insert into watch_channels values (${channel}, 'mail', 'smtp', true, true, ${JSON.stringify(settings)}::text::jsonb,
        '{"password": "secret"}', ${now()}, ${now()})`
    const key = await enqueue(channel, 'alpha')
    await sendUntil(allEnded, { deliver: createDeliver({ hosts: ['127.0.0.1'] }, 5_000) })
    expect(await rows()).toEqual([{ status: 'delivered', attempts: 1, reason: null }])
    expect(mails).toHaveLength(1)
    expect(mails[0]).toContain(`Message-ID: <${key}@example.org>`)
    expect(mails[0]).toContain('The node has no connection to it.')
    expect(mails[0]).toContain('To: ops@example.org')
  } finally {
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
})
