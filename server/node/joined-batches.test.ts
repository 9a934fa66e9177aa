import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { RetryableError } from '../kernel/errors.ts'
import { createStats } from '../kernel/indexer-stats.ts'
import { testPace } from '../indexer/testing/harness.ts'
import { JoinedBatches } from './joined-batches.ts'
import { RpcClient, type Call } from './rpc.ts'

type Sent = { id: number; method: string; params: unknown[] }
type Answer = (calls: Sent[], response: ServerResponse) => void

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const { signal } = new AbortController()
const exchanges = 2

/** Batches to a node that answers by itself; `sizes` are the calls of each exchange. */
async function startNode(answer: Answer) {
  const sizes: number[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const calls = JSON.parse(Buffer.concat(parts).toString()) as Sent[]
      sizes.push(calls.length)
      answer(calls, response)
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const rpc = new RpcClient({ url, timeout: 5_000, concurrency: 8, stats: createStats(), pace: testPace })
  return { batches: new JoinedBatches({ rpc, exchanges }), sizes }
}

const echo: Answer = (calls, response) =>
  response.end(
    JSON.stringify(
      calls.map(({ id, method, params }) =>
        method === 'bad'
          ? { id, error: { code: -32000, message: `no ${String(params[0])}` } }
          : { id, result: params[0] },
      ),
    ),
  )

/** Two calls that name the batch. */
const callsOf = (name: number): Call[] => [
  ['good', [name]],
  ['good', [-name]],
]
const outcomesOf = (name: number) => [{ result: name }, { result: -name }]

/** Requests so many batches one after the other that the size of their answers is known. */
async function learn(batches: JoinedBatches): Promise<void> {
  for (let name = 0; name < 24; name += 1) await batches.batch(callsOf(name), signal)
}

const all = <Value>(make: (name: number) => Value): Value[] =>
  Array.from({ length: 8 }, (_, name) => make(name + 1))

test('batches with small answers share an exchange, and each gets its own outcomes', async () => {
  const { batches, sizes } = await startNode(echo)
  await learn(batches)
  sizes.length = 0
  const outcomes = await Promise.all(all((name) => batches.batch(callsOf(name), signal)))
  expect(outcomes).toEqual(all(outcomesOf))
  expect(sizes).toEqual([8, 8])
  const [good, bad] = await Promise.all([
    batches.batch(callsOf(1), signal),
    batches.batch([['bad', [2]], ...callsOf(2)], signal),
  ])
  expect(good).toEqual(outcomesOf(1))
  expect(bad).toEqual([
    { error: expect.objectContaining({ code: -32000, message: expect.stringContaining('no 2') }) },
    ...outcomesOf(2),
  ])
})

test('no more exchanges are under way than wanted, and those that wait are joined', async () => {
  const held: (() => void)[] = []
  let max = 0
  const { batches, sizes } = await startNode((calls, response) => {
    if (!isHolding) return echo(calls, response)
    held.push(() => echo(calls, response))
    max = Math.max(max, held.length)
  })
  let isHolding = false
  await learn(batches)
  sizes.length = 0
  isHolding = true
  const outcomes = [
    ...all((name) => batches.batch(callsOf(name), signal)),
    ...all((name) => batches.batch(callsOf(name), signal)),
  ]
  while (sizes.length < 4) {
    await expect.poll(() => held.length).toBe(exchanges)
    held.shift()?.()
  }
  isHolding = false
  for (const answer of held.splice(0)) answer()
  expect(await Promise.all(outcomes)).toEqual([...all(outcomesOf), ...all(outcomesOf)])
  expect(sizes).toEqual([8, 8, 8, 8])
  expect(max).toBe(exchanges)
})

test('batches with large answers have an exchange each', async () => {
  const { batches, sizes } = await startNode((calls, response) =>
    response.end(JSON.stringify(calls.map(({ id }) => ({ id, result: 'x'.repeat(200_000) })))),
  )
  await learn(batches)
  sizes.length = 0
  await Promise.all(all((name) => batches.batch(callsOf(name), signal)))
  expect(sizes).toEqual(all(() => 2))
})

test('a node that refuses large batches gets smaller ones, and no single calls', async () => {
  const { batches, sizes } = await startNode((calls, response) =>
    calls.length > 4
      ? response.end(JSON.stringify({ id: null, error: { code: -32600, message: 'batch too large' } }))
      : echo(calls, response),
  )
  await learn(batches)
  const refused = await Promise.allSettled(all((name) => batches.batch(callsOf(name), signal)))
  for (const outcome of refused) {
    expect(outcome.status).toBe('rejected')
    expect('reason' in outcome && outcome.reason).toBeInstanceOf(RetryableError)
  }
  sizes.length = 0
  expect(await Promise.all(all((name) => batches.batch(callsOf(name), signal)))).toEqual(all(outcomesOf))
  expect(sizes).toEqual([4, 4, 4, 4])
})

test('cancelling some batches leaves the others', async () => {
  const { batches } = await startNode(echo)
  await learn(batches)
  const ended = new AbortController()
  const cancelled = batches.batch(callsOf(1), ended.signal)
  const kept = batches.batch(callsOf(2), signal)
  ended.abort()
  await expect(cancelled).rejects.toThrow('cancelled')
  expect(await kept).toEqual(outcomesOf(2))
})
