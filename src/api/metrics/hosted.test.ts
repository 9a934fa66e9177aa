import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Profile } from '../../../contract/profile.ts'
import { createClient, type Client } from '../client.ts'
import { hostedProfile, seriesElsewhere } from './hosted.ts'

/* Replays a service and a hosted one: the first block of a chain, and a series of two pages, newest first. */

let server: Server
let base = ''
const asked: string[] = []
const first = { own: '0x01', same: '0x01', other: '0x02' } as const
const day = 86_400

const block = (blockHash: string) => ({
  chainId: '43114',
  blockNumber: '0',
  blockTimestamp: 0,
  blockHash,
  parentHash: '0x00',
  txCount: 0,
  ...Object.fromEntries(
    ['baseFee', 'gasUsed', 'gasLimit', 'gasCost', 'feesSpent', 'cumulativeTransactions'].map((name) => [
      name,
      '0',
    ]),
  ),
})
const pages: Readonly<Record<string, object>> = {
  '': {
    results: [
      { timestamp: 3 * day, value: 3 },
      { timestamp: 2 * day, value: 2 },
    ],
    nextPageToken: 'next',
  },
  next: { results: [{ timestamp: day, value: 1 }] },
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', base)
    asked.push(`${pathname}?${String(searchParams)}`)
    const [, service = ''] = pathname.split('/')
    const body = pathname.includes('/blocks/')
      ? block(first[service as keyof typeof first])
      : pages[searchParams.get('pageToken') ?? '']
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const profile = (id: string, more: Partial<Profile> = {}): Profile => ({
  id,
  name: id,
  network: 'mainnet',
  networkLabel: 'Mainnet',
  dataUrl: `${base}/${id}`,
  metricsUrl: `${base}/${id}`,
  nodeUrl: base,
  nodeOrigins: [],
  keyHeader: 'x-glacier-api-key',
  keyNeeded: false,
  atomicNamespace: 'avax',
  addressPrefix: 'avax',
  priceValue: 'number',
  holderSortKey: 'string',
  live: false,
  missingOperations: [],
  ...more,
})
const client = (id: string): Client => createClient({ profile: profile(id) })
const series = (other: string) =>
  seriesElsewhere(
    client('own'),
    client(other),
    { chainId: '43114', metric: 'txCount' },
    { interval: 'day', startTimestamp: day - 1, endTimestamp: 3 * day + 1 },
    new AbortController().signal,
  )

test('a series of the same chain is read whole, from the other service alone, for the same range', async () => {
  expect(await series('same')).toEqual([1, 2, 3].map((value) => ({ timestamp: value * day, value })))
  const metrics = asked.filter((path) => path.includes('/metrics/'))
  expect(metrics).toHaveLength(2)
  for (const path of metrics)
    expect(path).toMatch(
      /^\/same\/v2\/chains\/43114\/metrics\/txCount\?timeInterval=day&pageSize=\d+&startTimestamp=86399&endTimestamp=259201/,
    )
})

test('a chain with the same id and another first block is not compared', async () => {
  await expect(series('other')).rejects.toThrow(
    'The other service has another chain with the ID 43114: its first block is 0x02.',
  )
  expect(asked.filter((path) => path.startsWith('/other/') && path.includes('/metrics/'))).toEqual([])
})

test('the hosted profile is that of the network, if it has the metric', () => {
  const own = profile('own', { metricsUrl: '' })
  const hosted = profile('hosted', { metrics: ['txCount'] })
  const fuji = profile('fuji', { network: 'fuji' })
  const config = { version: '', defaultProfile: 'own', profiles: [own, fuji, hosted] }
  expect(hostedProfile(config, own, 'mainnet', 'txCount')).toBe(hosted)
  expect(hostedProfile(config, own, 'mainnet', 'gasUsed')).toBeUndefined()
  expect(hostedProfile(config, hosted, 'mainnet', 'txCount')).toBeUndefined()
  expect(hostedProfile(config, hosted, 'fuji', 'gasUsed')).toBe(fuji)
})
