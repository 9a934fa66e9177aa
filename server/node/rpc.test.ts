import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { FatalError, RetryableError, RpcError } from '../kernel/errors.ts'
import { createStats } from '../kernel/indexer-stats.ts'
import { testPace } from '../indexer/testing/harness.ts'
import { RpcClient } from './rpc.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const secret = 'canary-5f2a'

async function client(listener: RequestListener, options: { timeout?: number; maxBytes?: number } = {}) {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stats = createStats()
  const rpc = new RpcClient({
    url: `http://user:${secret}@127.0.0.1:${port}/${secret}?key=${secret}`,
    timeout: 2_000,
    concurrency: 4,
    stats,
    pace: testPace,
    ...options,
  })
  return { rpc, stats }
}

/** Answers with the result of `answer` for the request's body. */
function answering(answer: (body: never) => unknown): RequestListener {
  return (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () =>
      response.end(JSON.stringify(answer(JSON.parse(Buffer.concat(parts).toString()) as never))),
    )
  }
}

type Call = { id: number; method: string }
const { signal } = new AbortController()

async function failure(run: Promise<unknown>): Promise<Error> {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error('it did not fail')
  expect(error.message).not.toContain(secret)
  expect(JSON.stringify(error)).not.toContain(secret)
  return error
}

describe('RpcClient', () => {
  test('sorts a shuffled batch and separates errors', async () => {
    const { rpc } = await client(
      answering((calls: Call[]) =>
        [...calls]
          .reverse()
          .map(({ id, method }) =>
            method === 'bad' ? { id, error: { code: -32000, message: 'no' } } : { id, result: method },
          ),
      ),
    )
    const outcomes = await rpc.batch(
      [
        ['a', []],
        ['bad', []],
        ['c', []],
      ],
      signal,
    )
    expect(outcomes[0]).toEqual({ result: 'a' })
    expect(outcomes[1]).toHaveProperty('error.code', -32000)
    expect(outcomes[2]).toEqual({ result: 'c' })
  })

  test.each([
    ['a missing ID', (calls: Call[]) => calls.slice(1).map(({ id }) => ({ id, result: 1 }))],
    ['a foreign ID', (calls: Call[]) => calls.map(({ id }) => ({ id: id + 7, result: 1 }))],
    ['the same ID twice', (calls: Call[]) => calls.map(() => ({ id: calls[0]?.id, result: 1 }))],
    ['no list', () => ({ id: 1, result: 1 })],
    ['an entry that is not an answer', (calls: Call[]) => calls.map(({ id }) => ({ id }))],
  ])('refuses a batch with %s', async (_name, answer) => {
    const { rpc, stats } = await client(answering(answer))
    const error = await failure(
      rpc.batch(
        [
          ['a', []],
          ['b', []],
          ['c', []],
        ],
        signal,
      ),
    )
    expect(error).toBeInstanceOf(RetryableError)
    expect(stats.rpcErrors.malformed).toBe(1)
  })

  test('sends calls one by one if batches are refused, as a real node refuses a large one', async () => {
    const { rpc, stats } = await client(
      answering((body: Call | Call[]) =>
        Array.isArray(body)
          ? [{ jsonrpc: '2.0', id: 0, error: { code: -32600, message: 'batch too large' } }]
          : { id: body.id, result: body.method },
      ),
    )
    expect(
      await rpc.batch(
        [
          ['a', []],
          ['b', []],
        ],
        signal,
      ),
    ).toEqual([{ result: 'a' }, { result: 'b' }])
    expect(
      await rpc.batch(
        [
          ['c', []],
          ['d', []],
        ],
        signal,
      ),
    ).toEqual([{ result: 'c' }, { result: 'd' }])
    expect(stats.rpcRequests).toBe(5)
  })

  test.each([
    ['HTML', 200, '<html>', 'malformed'],
    ['cut JSON', 200, '{"id":1,"resu', 'malformed'],
    ['an empty body', 200, '', 'malformed'],
    ['a number', 200, '7', 'malformed'],
    ['503', 503, 'busy', 'unavailable'],
    ['502 with JSON', 502, '{"id":1,"result":1}', 'unavailable'],
    ['429', 429, 'slow down', 'throttled'],
    ['a rate limit inside 200', 200, '{"id":1,"error":{"code":-32005,"message":"limit"}}', 'throttled'],
  ])('classes %s as retryable', async (_name, status, body, kind) => {
    const { rpc, stats } = await client((_request, response) => response.writeHead(status).end(body))
    const error = await failure(rpc.call('eth_blockNumber', [], signal))
    expect(error).toBeInstanceOf(RetryableError)
    expect(error).toHaveProperty('kind', kind)
    expect(stats.rpcErrors[kind as keyof typeof stats.rpcErrors]).toBe(1)
  })

  test('classifies a refused key as fatal', async () => {
    const { rpc } = await client((_request, response) => response.writeHead(401).end('no'))
    expect(await failure(rpc.call('eth_blockNumber', [], signal))).toBeInstanceOf(FatalError)
  })

  test('removes the key from messages of a node', async () => {
    const { rpc } = await client(
      answering(({ id }: Call) => ({
        id,
        error: { code: 1, message: `no route to https://x/${secret}?k=${secret}` },
      })),
    )
    expect(await failure(rpc.call('eth_blockNumber', [], signal))).toBeInstanceOf(RpcError)
  })

  test('aborts a body that stalls and one that is too large', async () => {
    const stalled = await client((_request, response) => response.writeHead(200).write('{"id"'), {
      timeout: 80,
    })
    expect(await failure(stalled.rpc.call('a', [], signal))).toHaveProperty('kind', 'timeout')
    const large = await client((_request, response) => response.end('x'.repeat(5_000)), { maxBytes: 1_000 })
    expect(await failure(large.rpc.call('a', [], signal))).toHaveProperty('kind', 'tooLarge')
  })

  test('waits as long as Retry-After says, for all callers', async () => {
    let requests = 0
    const { rpc } = await client((_request, response) => {
      requests += 1
      response.writeHead(429, { 'retry-after': '3600' }).end()
    })
    await failure(rpc.call('a', [], signal))
    const abort = new AbortController()
    const later = [failure(rpc.call('b', [], abort.signal)), failure(rpc.batch([['c', []]], abort.signal))]
    setImmediate(() => abort.abort())
    for (const error of await Promise.all(later)) expect(error.message).toMatch(/cancelled/)
    expect(requests).toBe(1)
  })

  test('names the host if nobody listens', async () => {
    const rpc = new RpcClient({
      url: `http://127.0.0.1:1/${secret}`,
      timeout: 500,
      concurrency: 1,
      stats: createStats(),
      pace: testPace,
    })
    expect(await failure(rpc.call('a', [], signal))).toHaveProperty('kind', 'network')
  })
})
