import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listChains } from '../../contract/evm/chains.ts'
import { getBlock, listBlocks } from '../../contract/evm/blocks.ts'
import { getTransaction } from '../../contract/evm/transactions.ts'
import { readContract } from '../../contract/evm/contract-code.ts'
import { reindexNft } from '../../contract/evm/contracts.ts'
import { pricedValue } from '../../contract/base/currency.ts'
import { record } from '../../contract/base/fields.ts'
import { getMetric, listHolders } from '../../contract/metrics/metrics.ts'
import { notIndexedHeader } from '../../contract/base/errors.ts'
import { operation } from '../../contract/base/operation.ts'
import type { Profile } from '../../contract/profile.ts'
import { createClient, operationUrl, type Client } from './client.ts'
import { ApiError, isNotFound, isUnsupported, parseRetryAfter } from './errors.ts'

/*
 * Replays a hosted service with its documented differences: key header, prices as numbers, sort keys as text, absent
 * fields, error bodies and rate limits.
 */

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Seen = { url: string; headers: IncomingMessage['headers'] }

let server: Server
let base = ''
let answers: Answer[] = []
let seen: Seen[] = []

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

const cut: Answer = (request) => void request.socket.destroy()

const error = (status: number, message: string | string[], headers: Record<string, string> = {}): Answer =>
  json(status, { message, error: 'As The Service Names It', statusCode: status }, headers)

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers })
    const next = answers.length > 1 ? answers.shift() : answers[0]
    next?.(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => new Promise((resolve) => server.close(resolve)))

afterEach(() => {
  answers = []
  seen = []
})

const hosted = (): Profile => ({
  id: 'fuji',
  name: 'Hosted',
  network: 'fuji',
  networkLabel: 'Fuji',
  dataUrl: base,
  metricsUrl: `${base}/`,
  nodeUrl: base,
  nodeOrigins: [],
  keyHeader: 'x-glacier-api-key',
  keyNeeded: false,
  atomicNamespace: 'avax',
  addressPrefix: 'fuji',
  priceValue: 'number',
  holderSortKey: 'string',
  live: false,
  missingOperations: ['search', 'listChainStatus'],
})

type Made = { client: Client; waits: number[]; limits: number[] }

function make(profile: Profile = hosted(), key?: string): Made {
  const waits: number[] = []
  const limits: number[] = []
  const client = createClient({
    profile,
    key,
    wait: (ms, signal) => {
      waits.push(ms)
      signal?.throwIfAborted()
      return Promise.resolve()
    },
    onRateLimit: (seconds) => void limits.push(seconds),
    now: () => Date.parse('2026-11-21T10:00:00Z'),
  })
  return { client, waits, limits }
}

const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(thrown instanceof ApiError)) throw new Error(`no ApiError but ${String(thrown)}`)
  return thrown
}

const hash = `0x${'ab'.repeat(32)}`
const blockRow = {
  chainId: '43113',
  blockNumber: '12',
  blockTimestamp: 1762178706,
  blockHash: hash,
  parentHash: hash,
  txCount: 1,
  baseFee: '25000000000',
  gasUsed: '21000',
  gasLimit: '15000000',
  gasCost: '0',
  feesSpent: '525000000000000',
  cumulativeTransactions: '99',
  feesBurned: '525000000000000',
}

test('builds the path from parameters and leaves undefined values out of the query', () => {
  expect(operationUrl(getBlock, hosted(), { chainId: '43113', blockId: '12' })).toBe(
    `${base}/v1/chains/43113/blocks/12`,
  )
  expect(
    operationUrl(listBlocks, hosted(), { chainId: '43113' }, { pageSize: 50, pageToken: undefined }),
  ).toBe(`${base}/v1/chains/43113/blocks?pageSize=50`)
  // The metrics API has its own base URL; a trailing slash is not doubled.
  expect(operationUrl(getMetric, hosted(), { chainId: 'total', metric: 'txCount' })).toBe(
    `${base}/v2/chains/total/metrics/txCount`,
  )
})

test('sends the key in the profile’s header, and no header without a key', async () => {
  answers = [json(200, { chains: [] })]
  await make(hosted(), 'secret').client.call(listChains)
  await make().client.call(listChains)
  await make({ ...hosted(), keyHeader: 'x-service-api-key' }, 'own').client.call(listChains)
  expect(seen.map(({ headers }) => [headers['x-glacier-api-key'], headers['x-service-api-key']])).toEqual([
    ['secret', undefined],
    [undefined, undefined],
    [undefined, 'own'],
  ])
})

test('accepts answers without this service’s own fields and keeps unknown fields', async () => {
  answers = [json(200, { blocks: [blockRow] })]
  const { blocks, nextPageToken } = await make().client.call(listBlocks, { params: { chainId: '43113' } })
  expect(nextPageToken).toBeUndefined()
  expect(blocks[0]).toEqual(blockRow)
})

test('accepts a transaction without logs, traces and decoded calls', async () => {
  const party = { address: `0x${'1'.repeat(40)}` }
  const native = {
    ...blockRow,
    blockIndex: 0,
    txHash: hash,
    txStatus: '1',
    txType: 2,
    gasPrice: '25000000000',
    nonce: '4',
    from: party,
    to: party,
    value: '0',
    input: '0x',
    baseFeePerGas: '25000000000',
    method: { callType: 'A_NEWER_KIND', methodHash: '0x12345678' },
  }
  answers = [json(200, { nativeTransaction: native })]
  const answer = await make().client.call(getTransaction, { params: { chainId: '43113', txHash: hash } })
  expect(answer.internalTransactions).toBeUndefined()
  expect(answer.nativeTransaction.method?.callType).toBe('A_NEWER_KIND')
})

test('keeps every digit of metric values above 2^53', async () => {
  answers = [
    json(
      200,
      '{"results":[{"value":123456789012345678901,"timestamp":1762128000},{"value":0.25,"timestamp":1762041600}]}',
    ),
  ]
  const { results } = await make().client.call(getMetric, {
    params: { chainId: '43113', metric: 'feesPaid' },
  })
  expect(results.map((point) => point.value)).toEqual([123456789012345678901n, 0.25])
})

test('parses a holder’s sort key as an integer, from text or from a number', async () => {
  const rows = [
    { address: 'a', sortKey: '12' },
    { address: 'b', sortKey: '9007199254740993' },
  ]
  answers = [json(200, { addresses: rows }), json(200, { addresses: [{ address: 'a', sortKey: 12 }] })]
  const request = { params: { chainId: '43113', address: `0x${'1'.repeat(40)}` }, query: { threshold: '1' } }
  const hostedAnswer = await make().client.call(listHolders, request)
  expect(hostedAnswer.addresses.map((row) => row.sortKey)).toEqual([12, 9007199254740993n])
  const own = await make({ ...hosted(), holderSortKey: 'integer' }).client.call(listHolders, request)
  expect(own.addresses[0]?.sortKey).toBe(12)
})

const priced = operation({
  id: 'priced',
  api: 'data',
  path: '/v1/priced',
  summary: 'A balance with its price',
  tag: 'test',
  response: record({
    balances: z.array(record({ balance: z.string(), balanceValue: z.optional(pricedValue) })),
  }),
})

test('parses prices as decimal text, from numbers or from text', async () => {
  const body = (value: unknown): unknown => ({
    balances: [{ balance: '1', balanceValue: { currencyCode: 'usd', value } }, { balance: '2' }],
  })
  answers = [json(200, body(0.0000001)), json(200, body('17.25'))]
  const first = await make().client.call(priced)
  expect(first.balances[0]?.balanceValue?.value).toBe('0.0000001')
  const second = await make({ ...hosted(), priceValue: 'string' }).client.call(priced)
  expect(second.balances[0]?.balanceValue?.value).toBe('17.25')
})

test.each([400, 401, 403, 404])('fails at once on %i, with the body’s message', async (status) => {
  answers = [error(status, ['first reason', 'second reason'], { 'x-request-id': 'r-1' })]
  const { client, waits } = make()
  const thrown = await failure(client.call(listChains))
  expect(thrown).toMatchObject({
    kind: 'status',
    status,
    name: 'As The Service Names It',
    message: 'first reason; second reason',
    requestId: 'r-1',
  })
  expect([seen.length, waits.length]).toEqual([1, 0])
  expect(isNotFound(thrown)).toBe(status === 404)
})

test.each([500, 502, 503])('retries %i twice, then fails', async (status) => {
  answers = [error(status, 'down')]
  const { client, waits } = make()
  expect(await failure(client.call(listChains))).toMatchObject({ status, message: 'down' })
  expect(seen).toHaveLength(3)
  expect(waits).toHaveLength(2)
})

test('does not repeat what is not indexed yet, and says how far the index is', async () => {
  const behind = '43114 5 5000'
  answers = [
    (request, response) => {
      response.setHeader(notIndexedHeader, behind)
      error(503, 'not known yet')(request, response)
    },
  ]
  expect(await failure(make().client.call(listChains))).toMatchObject({ status: 503, behind })
  expect(seen).toHaveLength(1)
})

test('reports no failure when a retry succeeds', async () => {
  answers = [json(503, '<html>busy</html>'), cut, json(200, { chains: [] })]
  expect((await make().client.call(listChains)).chains).toEqual([])
  expect(seen).toHaveLength(3)
})

test('fails without a retry when an answer does not start within the deadline', async () => {
  answers = [() => undefined]
  const outcomes: string[] = []
  const client = createClient({
    profile: hosted(),
    deadline: 500,
    onRequest: () => (outcome) => void outcomes.push(outcome),
  })
  expect(await failure(client.call(listChains))).toMatchObject({ kind: 'late', status: 0, name: 'No answer' })
  expect(seen).toHaveLength(1)
  expect(outcomes).toEqual(['failed'])
  answers = [json(200, { chains: [] })]
  await client.call(listChains)
  expect(outcomes).toEqual(['failed', 'answered'])
})

test('reports a broken connection as a network failure after three attempts', async () => {
  answers = [cut]
  expect(await failure(make().client.call(listChains))).toMatchObject({ kind: 'network', status: 0 })
  expect(seen).toHaveLength(3)
})

test('waits on 429 for the time in retry-after, reports it, and continues', async () => {
  answers = [error(429, 'slow down', { 'retry-after': '7' }), json(200, { chains: [] })]
  const { client, waits, limits } = make()
  await client.call(listChains)
  expect(waits).toEqual([7000])
  expect(limits).toEqual([7])
})

test('accepts a date in retry-after, caps the wait, and fails when the limit persists', async () => {
  expect(parseRetryAfter('Sat, 21 Nov 2026 10:00:09 GMT', Date.parse('2026-11-21T10:00:00Z'))).toBe(9)
  answers = [error(429, 'slow down', { 'retry-after': '86400' })]
  const { client, limits } = make()
  expect(await failure(client.call(listChains))).toMatchObject({ status: 429, retryAfter: 86_400 })
  expect(limits).toEqual([60, 60, 60, 60])
})

test('sends a POST with its body once, whatever the answer', async () => {
  const { client, waits } = make()
  const params = { chainId: '43113', address: `0x${'1'.repeat(40)}` }
  const echoes: string[] = []
  answers = [
    (request, response) => {
      request.setEncoding('utf8')
      request.on('data', (chunk: string) => echoes.push(chunk))
      request.on('end', () => json(200, { blockNumber: '7', outputs: [] })(request, response))
    },
  ]
  await client.call(readContract, { params, body: { signature: 'owner()', args: [] } })
  expect(echoes.join('')).toBe('{"signature":"owner()","args":[]}')
  expect(seen[0]?.headers['content-type']).toBe('application/json')

  const reindex = { params: { ...params, tokenId: '1' } }
  answers = [json(201, '')]
  await client.call(reindexNft, reindex)
  seen = []
  answers = [error(429, 'once an hour', { 'retry-after': '3000' })]
  await expect(client.call(reindexNft, reindex)).rejects.toMatchObject({ status: 429, retryAfter: 3000 })
  expect(seen).toHaveLength(1)
  expect(waits).toEqual([])
})

test('reports status and name of an error page that is not JSON', async () => {
  answers = [json(404, '<h1>nginx</h1>')]
  expect(await failure(make().client.call(listChains))).toMatchObject({ status: 404, name: 'Not Found' })
})

test.each([
  ['no JSON', '<html></html>'],
  ['cut JSON', '{"chains": ['],
  ['another shape', '{"chains": 5}'],
])('reports an answer with %s as unreadable and does not retry', async (_name, body) => {
  answers = [json(200, body, { 'x-request-id': 'r-2' })]
  expect(await failure(make().client.call(listChains))).toMatchObject({ kind: 'answer', requestId: 'r-2' })
  expect(seen).toHaveLength(1)
})

test('does not send an operation that the profile lacks, and treats 501 alike', async () => {
  const lacking = await failure(
    make({ ...hosted(), missingOperations: ['listChains'] }).client.call(listChains),
  )
  expect([lacking.kind, isUnsupported(lacking), seen.length]).toEqual(['unsupported', true, 0])
  answers = [error(501, 'not built')]
  expect(isUnsupported(await failure(make().client.call(listChains)))).toBe(true)
  expect(seen).toHaveLength(1)
})

test('does not request a metric that the profile lacks', async () => {
  const { client } = make({ ...hosted(), metrics: ['txCount'] })
  const asked = (metric: 'txCount' | 'gasUsed') =>
    client.call(getMetric, { params: { chainId: '43113', metric } })
  const lacking = await failure(asked('gasUsed'))
  expect([isUnsupported(lacking), lacking.message, seen.length]).toEqual([
    true,
    'This service does not offer the metric gasUsed.',
    0,
  ])
  answers = [json(200, { results: [] })]
  expect((await asked('txCount')).results).toEqual([])
})

test('rejects with the abort’s reason, also between attempts', async () => {
  const gone = new AbortController()
  gone.abort(new Error('left the page'))
  answers = [error(503, 'down')]
  await expect(make().client.call(listChains, { signal: gone.signal })).rejects.toThrow('left the page')
  expect(seen).toHaveLength(0)

  const later = new AbortController()
  answers = [
    (request, response) => {
      later.abort(new Error('changed my mind'))
      error(503, 'down')(request, response)
    },
  ]
  await expect(make().client.call(listChains, { signal: later.signal })).rejects.toThrow('changed my mind')
  expect(seen).toHaveLength(1)
})
