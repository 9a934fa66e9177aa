import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seriesColours } from '../../../charts/palette.ts'
import { timeIntervals } from '../../../contract/metrics/intervals.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { insertBlocks, revertTo, seedChain, type SeedBlock, type SeedLog } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import {
  deliveredLog,
  messenger,
  sentLog,
  teleporterPayload,
  weightPayload,
} from '../../testing/message-logs.ts'
import { fujiKeys, idBytes, insertPrimary } from '../../testing/primary-rows.ts'
import { startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'
import { leftAxis, lineOf, readSvg } from '../../testing/read-svg.ts'

type Page = {
  parts: { part: string; name: string; source?: object; destination?: object }[]
  results: { timestamp: number; values: number[] }[]
  nextPageToken?: string
}

const hour = 3_600
const day = 86_400
/** Monday 1 January 2024, 0:00. */
const start = 1_704_067_200
const at = (days: number, seconds = 0): number => start + days * day + seconds

const pId = '11111111111111111111111111111111LpoYY'
const cChain = idBytes('c')
const game = idBytes('game')
const far = idBytes('far away')
const [cId, gameId, farId] = [cChain, game, far].map((each) => cb58(each))
const app = `0x${'77'.repeat(20)}`

const ported = (source: Buffer, to: Uint8Array): SeedLog =>
  sentLog(source, messenger, teleporterPayload(to, 'Hello'))
const block = (number: number, ts: number, ...logs: readonly SeedLog[]): SeedBlock => ({
  number,
  ts,
  txs: [{ from: app, to: app, logs }],
})

let store: TestDatabase
let service: PrimaryService
/** The blocks of the C-Chain; the last one is replaced below. */
const ofC = [
  block(0, at(0)),
  block(1, at(1, 5), ported(cChain, game), ported(cChain, game), ported(cChain, far)),
  block(
    2,
    at(1, 5 * hour),
    ported(cChain, game),
    sentLog(cChain, app, Buffer.from('Hello')),
    deliveredLog(game),
  ),
  block(3, at(3), ported(cChain, far), deliveredLog(game), deliveredLog(far)),
]

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  service = await startPrimaryService(database, {
    chains: [
      {
        evmChainId: 43_113,
        name: 'C-Chain',
        network: 'fuji',
        blockchainId: cId ?? '',
        rpcUrl: 'http://127.0.0.1:9',
      },
      {
        evmChainId: 77_777,
        name: 'Game',
        network: 'fuji',
        blockchainId: gameId ?? '',
        rpcUrl: 'http://127.0.0.1:9',
      },
      { evmChainId: 88_888, name: 'Elsewhere', rpcUrl: 'http://127.0.0.1:9' },
    ],
  })
  await seedChain(database, { chain: 43_113, blocks: ofC })
  await seedChain(database, {
    chain: 77_777,
    blocks: [
      block(0, at(0)),
      block(1, at(1), ported(game, cChain), sentLog(game, app, weightPayload(1n)), deliveredLog(cChain)),
      block(2, at(4, 7), ported(game, cChain)),
    ],
  })
  // Of no network here.
  await seedChain(database, { chain: 88_888, blocks: [block(0, at(1), ported(game, cChain))] })
  const { p } = fujiKeys
  await insertPrimary(
    database,
    'primary_blocks',
    [at(0, 1), at(1), at(2), at(4)].map((ts, height) => ({
      chain: p,
      height,
      ts,
      id: idBytes(`p ${height}`),
      parent_id: idBytes(`p ${height - 1}`),
    })),
  )
  await insertPrimary(
    database,
    'primary_transactions',
    [
      [1, 35, at(1)],
      [2, 36, at(2)],
      [3, 37, at(4)],
      // Increases a balance: no message.
      [3, 38, at(4)],
    ].map(([height = 0, type = 0, ts = 0], index) => ({
      chain: p,
      height,
      index,
      ts,
      type,
      id: idBytes(`tx ${type}`),
    })),
  )
  await insertPrimary(database, 'subnets', [
    {
      chain: p,
      height: 1,
      ts: at(1),
      subnet: idBytes('gamers'),
      conversion_tx: idBytes('tx 35'),
      conversion_ts: at(1),
      manager_chain: game,
    },
  ])
  await insertPrimary(database, 'l1_validators', [
    {
      chain: p,
      height: 2,
      ts: at(2),
      validation_id: idBytes('validation'),
      tx_id: idBytes('tx 36'),
      subnet: idBytes('gamers'),
      node: idBytes('node').subarray(0, 20),
      weight: '20',
      min_nonce: '0',
    },
  ])
  await insertPrimary(
    database,
    'l1_validator_changes',
    [36, 37, 38].map((type, index) => ({
      validation_id: idBytes('validation'),
      chain: p,
      height: index === 0 ? 2 : 3,
      index: index + 1,
      ts: index === 0 ? at(2) : at(4),
      tx_id: idBytes(`tx ${type}`),
      type,
      weight: '20',
      balance_change: '0',
    })),
  )
})
afterAll(async () => {
  await service.service.close()
  await store.drop()
})

async function ask(breakdown: string, query = ''): Promise<{ status: number; body: Page }> {
  const response = await service.service.app.inject(`/v2/networks/fuji/breakdowns/${breakdown}?${query}`)
  return { status: response.statusCode, body: response.json<Page>() }
}

/** The values of each part from the first day to the last. */
async function byDay(breakdown: string, query = ''): Promise<Record<string, number[]>> {
  const { body } = await ask(breakdown, query)
  return Object.fromEntries(
    body.parts.map(({ name }, index) => [
      name,
      body.results.toReversed().map(({ values }) => values[index] ?? NaN),
    ]),
  )
}
const farName = `${String(farId).slice(0, 8)}…`

describe('messages by pair of chains', () => {
  test('are drawn as a stack, the largest pair at the bottom', async () => {
    const response = await service.service.app.inject(
      `/embed/networks/fuji/breakdowns/messagesSent.svg?from=${at(0)}&to=${at(5)}&interval=day`,
    )
    expect(response.statusCode, response.body).toBe(200)
    const picture = readSvg(response.body)
    expect(picture.title).toBe('Messages sent by pair of chains · Test network')
    const axis = leftAxis(picture)
    const heights = (place: number): number[] =>
      lineOf(picture, seriesColours.light[place] ?? '').map(({ y }) => Math.round(axis.valueAt(y)))
    expect(heights(0)).toEqual([0, 1, 1, 0, 1])
    // A layer is drawn from its edge to its edge, and not over the layer below while it has nothing.
    expect(heights(1)).toEqual([0, 4, 1])
    // All six: the messages of the days on which the smallest pair has any.
    expect(heights(5)).toEqual([0, 8, 1])
  })

  test('that were sent, the largest pair first', async () => {
    expect(await byDay('messagesSent', 'parts=20')).toEqual({
      'C-Chain → Game': [0, 3, 0, 0, 0],
      // A conversion, a registration and a weight.
      'P-Chain → Game': [0, 1, 1, 0, 1],
      [`C-Chain → ${farName}`]: [0, 1, 0, 1, 0],
      'Game → C-Chain': [0, 1, 0, 0, 1],
      'C-Chain → unknown': [0, 1, 0, 0, 0],
      'Game → P-Chain': [0, 1, 0, 0, 0],
    })
    const { body } = await ask('messagesSent', 'parts=20')
    // Equal sums are in the order of the ids.
    expect(body.parts.map(({ name }) => name).slice(0, 2)).toEqual(['P-Chain → Game', 'C-Chain → Game'])
    expect(body.parts.find(({ name }) => name === 'Game → P-Chain')).toEqual({
      part: `${gameId}>${pId}`,
      name: 'Game → P-Chain',
      source: { blockchainId: gameId, chainName: 'Game' },
      destination: { blockchainId: pId, chainName: 'P-Chain' },
    })
    expect(body.parts.find(({ part }) => part.endsWith('unknown'))).not.toHaveProperty('destination')
  })

  test('that were delivered', async () => {
    expect(await byDay('messagesDelivered')).toEqual({
      'Game → C-Chain': [0, 1, 0, 1, 0],
      'Game → P-Chain': [0, 0, 1, 0, 1],
      'C-Chain → Game': [0, 1, 0, 0, 0],
      [`${farName} → C-Chain`]: [0, 0, 0, 1, 0],
    })
  })

  test('beyond the listed ones are added up', async () => {
    expect(await byDay('messagesSent', 'parts=2')).toEqual({
      'C-Chain → Game': [0, 3, 0, 0, 0],
      'P-Chain → Game': [0, 1, 1, 0, 1],
      Other: [0, 4, 0, 1, 1],
    })
  })

  test('are ranked over the asked range, both bounds exclusive', async () => {
    expect(await byDay('messagesSent', `parts=1&startTimestamp=${at(2)}&endTimestamp=${at(4)}`)).toEqual({
      [`C-Chain → ${farName}`]: [1],
    })
  })

  test.each(timeIntervals)(
    'on pages of one and three periods are those of one page, by %s',
    async (interval) => {
      const whole = (await ask('messagesSent', `parts=2&timeInterval=${interval}&pageSize=2160`)).body
      expect(whole.results.reduce((sum, { values }) => sum + values.reduce((a, b) => a + b, 0), 0)).toBe(12)
      for (const size of [1, 3]) {
        const walked: Page['results'] = []
        let token: string | undefined
        do {
          const next = token === undefined ? '' : `&pageToken=${token}`
          const { body } = await ask(
            'messagesSent',
            `parts=2&timeInterval=${interval}&pageSize=${size}${next}`,
          )
          expect(body.parts).toEqual(whole.parts)
          walked.push(...body.results)
          token = body.nextPageToken
        } while (token !== undefined)
        expect(walked).toEqual(whole.results)
      }
    },
  )

  test('follow a reorg', async () => {
    const { database } = store
    await revertTo(database, 43_113, 2)
    expect((await byDay('messagesSent', 'parts=20'))[`C-Chain → ${farName}`]).toEqual([0, 1, 0, 0, 0])
    await insertBlocks(database, 43_113, ofC.slice(3))
    expect((await byDay('messagesSent', 'parts=20'))[`C-Chain → ${farName}`]).toEqual([0, 1, 0, 1, 0])
  })
})

test('the metrics of a chain count its own messages', async () => {
  const points = async (chain: string, metric: string, interval: string) => {
    const response = await service.service.app.inject(
      `/v2/chains/${chain}/metrics/${metric}?timeInterval=${interval}&pageSize=2160`,
    )
    return response
      .json<{ results: { timestamp: number; value: number }[] }>()
      .results.filter(({ value }) => value > 0)
      .map(({ timestamp, value }) => [timestamp, value])
      .reverse()
  }
  expect(await points('43113', 'messagesSent', 'hour')).toEqual([
    [at(1), 3],
    [at(1, 5 * hour), 2],
    [at(3), 1],
  ])
  expect(await points('43113', 'messagesDelivered', 'day')).toEqual([
    [at(1), 1],
    [at(3), 2],
  ])
  expect(await points('total', 'messagesSent', 'week')).toEqual([[at(0), 10]])
})

describe('client versions', () => {
  test('of the last sample of each period, in percent of its peers', async () => {
    const { p } = fujiKeys
    const samples: [ts: number, peers: number, versions: Record<string, number>][] = [
      [at(2, hour), 4, { 'avalanchego/1.13.0': 4 }],
      [at(2, 5 * hour), 4, { 'avalanchego/1.13.0': 3, 'avalanchego/1.14.0': 1 }],
      [at(4), 8, { 'avalanchego/1.13.0': 1, 'avalanchego/1.14.0': 5, 'other/1': 2 }],
      // Without versions.
      [at(5), 9, {}],
    ]
    for (const [ts, peers, counts] of samples) {
      await store.database`
        insert into network_samples (chain, hour, ts, peers) values (${p}, ${ts}, ${ts + 60}, ${peers})`
      for (const [version, count] of Object.entries(counts))
        await store.database`
          insert into version_samples (chain, hour, version, peers) values (${p}, ${ts}, ${version}, ${count})`
    }
    const { body } = await ask('clientVersions', 'parts=2')
    expect(body).toEqual({
      parts: [
        { part: 'avalanchego/1.13.0', name: 'avalanchego/1.13.0' },
        { part: 'avalanchego/1.14.0', name: 'avalanchego/1.14.0' },
        { part: 'other', name: 'Other' },
      ],
      results: [
        { timestamp: at(4), values: [12.5, 62.5, 25] },
        { timestamp: at(2), values: [75, 25, 0] },
      ],
    })
    const hours = (await ask('clientVersions', 'timeInterval=hour')).body.results
    expect(hours.map(({ timestamp }) => timestamp)).toEqual([at(4), at(2, 5 * hour), at(2, hour)])
  })
})

test('says what is wrong with a request', async () => {
  expect((await ask('validators')).status).toBe(400)
  expect((await ask('messagesSent', 'parts=0')).status).toBe(400)
  expect((await ask('messagesSent', 'parts=21')).status).toBe(400)
  expect((await ask('messagesSent', 'startTimestamp=9&endTimestamp=8')).status).toBe(400)
  expect((await service.service.app.inject('/v2/networks/mainnet/breakdowns/messagesSent')).statusCode).toBe(
    404,
  )
})
