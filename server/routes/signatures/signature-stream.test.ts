import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  aggregationEvents,
  type AggregationEventName,
} from '../../../contract/signatures/aggregation-events.ts'
import recorded from '../../../protocol/warp/fixtures/recorded.json' with { type: 'json' }
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { insertWorld, startSignatureService, type SignatureService } from '../../testing/signature-service.ts'

const message = recorded.emitted.unsigned
const path = '/v1/signatureAggregator/fuji/aggregateSignatures:stream'

let store: TestDatabase
let network: SignatureService
let port = ''

beforeAll(async () => {
  store = await createTestDatabase()
  await insertWorld(store.database, { weight: '4', minNonce: '1' })
  network = await startSignatureService(
    store.database,
    [{ weight: 40n }, { weight: 30n }, { weight: 20n }, { weight: 10n }],
    { cacheSeconds: 2, deadlineSeconds: 3, answerSeconds: 0.3 },
  )
  port = new URL(await network.service.app.listen({ host: '127.0.0.1', port: 0 })).port
})
afterAll(async () => {
  await network.close()
  await store.drop()
})
afterEach(() => {
  // By then, the cached results have expired.
  network.service.now += 3
  for (const validator of network.validators) validator.behaviour = { kind: 'sign' }
})

async function open(body: object): Promise<IncomingMessage> {
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

type Told = { name: AggregationEventName; data: Record<string, unknown> }

/** Reads all events of a stream, validating each against the contract. */
async function read(response: IncomingMessage): Promise<Told[]> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  const blocks = Buffer.concat(parts)
    .toString()
    .split('\n\n')
    .filter((block) => block.startsWith('event:'))
  return blocks.map((block) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
    const event = name as AggregationEventName
    return { name: event, data: aggregationEvents[event].parse(JSON.parse(data ?? '')) }
  })
}

const named = (events: readonly Told[], name: AggregationEventName) =>
  events.filter((event) => event.name === name).map(({ data }) => data)

const counter = async (name: string): Promise<number> => {
  const { body } = await network.service.app.inject('/metrics')
  return Number(new RegExp(`rounds\\{name="${name}"\\} (\\d+)`).exec(body)?.[1])
}

test('reports the set and every signer, and finally the signed message', async () => {
  const response = await open({ message, quorumPercentage: 100 })
  expect(response.statusCode).toBe(200)
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  const events = await read(response)
  expect(events.map(({ name }) => name)).toEqual([
    'begun',
    ...Array.from({ length: 4 }, () => 'signer'),
    'done',
  ])
  const [begun] = named(events, 'begun')
  expect(begun).toMatchObject({
    message: { messageId: recorded.emitted.messageId, payloadKind: 'AddressedCall' },
    set: { totalWeight: '100', keylessWeight: '0' },
    quorumPercentage: 100,
    quorumPercentageBuffer: 0,
    deadline: network.service.now + 3,
  })
  expect(named(events, 'signer').at(-1)).toMatchObject({
    outcome: 'signed',
    source: 'peer',
    signedWeight: '100',
    totalWeight: '100',
    requiredWeight: '100',
  })
  const [done] = named(events, 'done')
  expect(done).toMatchObject({ signers: [0, 1, 2, 3], isCached: false, signedWeight: '100' })
  expect(network.check(done?.['signedMessage']).message).toBe(message)

  // A later client gets the cached result, marked as cached.
  const again = await read(await open({ message }))
  expect(again.map(({ name }) => name)).toEqual(['begun', 'done'])
  expect(named(again, 'done')[0]).toMatchObject({ isCached: true, requiredWeight: '67', signedWeight: '100' })
})

test('ends with all results if the quorum is not reached', async () => {
  for (const validator of network.validators.slice(0, 2)) {
    validator.behaviour = { kind: 'refuse', code: 2, text: 'unknown block' }
  }
  const events = await read(await open({ message }))
  expect(events.at(-1)?.name).toBe('failed')
  const [failed] = named(events, 'failed')
  expect(failed).toMatchObject({
    statusCode: 503,
    error: 'Service Unavailable',
    signedWeight: '30',
    totalWeight: '100',
    requiredWeight: '67',
  })
  const results = failed?.['results'] as { outcome: string }[]
  expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['refused', 'refused', 'signed', 'signed'])
})

test.each([
  ['a body that cannot be read', { message: '0xabc' }],
  ['a message of another network', { message: message.replace('00003039', '00000001') }],
])('answers %s as the operation does', async (_name, body) => {
  const response = await open(body)
  expect(response.statusCode).toBe(400)
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part as Buffer)
  const plain = await network.ask('/aggregateSignatures', body)
  expect(JSON.parse(Buffer.concat(parts).toString())).toEqual(plain.body)
})

test('answers other methods with the one that is allowed', async () => {
  for (const method of ['GET', 'DELETE'] as const) {
    const answer = await network.service.app.inject({ method, url: path })
    expect([answer.statusCode, answer.headers['allow']]).toEqual([405, 'POST'])
    expect(answer.json()).toMatchObject({ message: `${method} is not allowed here; allowed: POST` })
  }
})

test('shares its round with a POST, which continues when the stream is closed', async () => {
  for (const validator of network.validators) validator.behaviour = { kind: 'sign', afterMs: 200 }
  const before = network.validators[0]?.requests.length ?? 0
  const shared = await counter('shared')
  const stream = await open({ message })
  const post = network.ask('/aggregateSignatures', { message })
  await expect.poll(() => counter('shared')).toBe(shared + 1)
  stream.destroy()
  expect((await post).status).toBe(201)
  expect(network.validators[0]?.requests.length).toBe(before + 1)
})

test('that is closed ends its round if nobody else waits', async () => {
  for (const validator of network.validators) validator.behaviour = { kind: 'silent' }
  const abandoned = await counter('abandoned')
  const stream = await open({ message })
  await once(stream, 'data')
  stream.destroy()
  await expect.poll(() => counter('abandoned')).toBe(abandoned + 1)
  expect(await counter('underway')).toBe(0)
})

test('one stream too many is told when to retry, and closing the service ends a stream with the reason', async () => {
  const cast = [{ weight: 1n, behaviour: { kind: 'silent' } }] as const
  const closing = await startSignatureService(store.database, cast, {}, [], { liveConnections: 1 })
  port = new URL(await closing.service.app.listen({ host: '127.0.0.1', port: 0 })).port
  const stream = await open({ message })
  const events = read(stream)
  await expect.poll(() => closing.validators[0]?.requests.length).toBe(1)
  const refused = await open({ message })
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
  refused.resume()
  await closing.close()
  expect(named(await events, 'failed')).toMatchObject([
    { statusCode: 503, message: 'the service is stopping' },
  ])
})
