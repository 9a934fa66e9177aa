import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { intervalsOf, metricNames, type MetricName } from '../../../contract/metrics/catalogue.ts'
import { proveMetric } from '../../../contract/metrics/proof.ts'
import { proofOf } from '../../../contract/sql/metric-proof.ts'
import {
  addressOf,
  countedBlock,
  seedChain,
  transactionHash,
  type SeedBlock,
} from '../../testing/chain-rows.ts'
import { countStatements } from '../../testing/count-statements.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { sentLog, weightPayload } from '../../testing/message-logs.ts'
import { history } from '../../testing/metric-history.ts'
import { logOf } from '../../testing/token-logs.ts'
import { asOperator, testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { Recount } from '../../verify/recount.ts'

const day = 86_400
const chain = 43113
// A Wednesday, so that the first week and the first month begin before the first block.
const first = Date.UTC(2026, 0, 28, 5, 30) / 1000
const usual = history(1, first, 70)
const sent = sentLog(new Uint8Array(32).fill(5), addressOf('app'), weightPayload(1n))
/** A batch of nothing, whose parties were active all the same, and a message that is cut off, which is none. */
const odd: SeedBlock = {
  number: 71,
  ts: (usual.at(-1)?.ts ?? 0) + 60,
  txs: [
    {
      from: addressOf('party 1'),
      to: addressOf('party 2'),
      logs: [
        logOf({
          kind: 1155,
          token: addressOf('a token of nothing'),
          from: addressOf('sends nothing'),
          to: addressOf('receives nothing'),
          items: [],
        }),
        { ...sent, data: sent.data.slice(0, -64) },
        sent,
      ],
    },
  ],
}
const blocks = [...usual, odd]
const head = 71

let store: TestDatabase
let service: TestService
let home: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'proof-test-'))
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks })
  service = await startTestService(store.database, { config: { ...testConfig(), home } })
})
afterAll(async () => {
  await service?.close()
  await store?.drop()
  rmSync(home, { recursive: true, force: true })
})

async function ask(metric: MetricName, query: Record<string, string>, from = '127.0.0.1') {
  return service.app.inject({
    url: `/v2/chains/${chain}/metrics/${metric}/proof`,
    query,
    remoteAddress: from,
    headers: asOperator,
  })
}

async function proofAt(metric: MetricName, time: number, timeInterval = 'day') {
  const answer = await ask(metric, { timestamp: String(time), timeInterval })
  expect(answer.statusCode, answer.body).toBe(200)
  return proveMetric.response.parse(answer.json())
}

test('the statements of every metric and interval count what the recount from the blocks counts', async () => {
  const recount = new Recount()
  for (const block of blocks) recount.add(countedBlock(block))
  // The first period, one within, an empty one where there is one, and the last.
  const points = metricNames.flatMap((metric) =>
    intervalsOf(metric).flatMap((interval) => {
      const series = recount.series(metric, interval)
      const empty = series.findIndex(({ figure }) => figure.amount === 0n)
      const places = new Set([0, 2, empty, series.length - 1])
      return series
        .filter((_point, place) => places.has(place))
        .map(({ start, figure }) => ({ metric, interval, start, figure }))
    }),
  )
  expect(points.length).toBeGreaterThan(150)
  const found = await countStatements(
    service,
    points.map(({ metric, interval, start }) =>
      proofOf({ metric, chainId: String(chain), interval, time: start, head }),
    ),
  )
  for (const [place, { metric, interval, start, figure }] of points.entries()) {
    const counted = found[place] ?? { amount: 0n, per: 0n }
    const label = `${metric} by ${interval} at ${start}: ${counted.amount}/${counted.per}`
    if (figure.per === 0n || counted.per === 0n)
      expect([counted.amount, figure.amount], label).toEqual([0n, 0n])
    else expect(counted.amount * figure.per, label).toBe(figure.amount * counted.per)
  }
})

test('a proof has the rows behind the value, and their hash in the canonical form', async () => {
  const start = Math.floor(first / day) * day
  const counted = blocks.filter(({ ts }) => ts >= start && ts < start + day)
  const rows = counted.flatMap((block) =>
    block.txs.map(
      (tx, index) => `${block.number},${index},${transactionHash(chain, block, index)},${tx.gasUsed}`,
    ),
  )
  const gas = counted.flatMap(({ txs }) => txs).reduce((sum, { gasUsed = 0n }) => sum + gasUsed, 0n)
  const proof = await proofAt('gasUsed', start + 3_600)
  expect(proof).toMatchObject({
    timestamp: start,
    endTimestamp: start + day,
    stored: Number(gas),
    counted: Number(gas),
    isEqual: true,
    firstBlock: counted[0]?.number,
    lastBlock: counted.at(-1)?.number,
    lastIndexedBlock: head,
    rows: rows.length,
    rowForm: 'number,index,hash,gas_used',
    rowsHash: createHash('sha256').update(rows.join('\n')).digest('hex'),
  })
  expect(proof.sql).toContain('from transactions')
})

test('what lies before the period is read where it counts', async () => {
  // A rate begins at the block before, a first transfer may be in any.
  for (const metric of ['avgTps', 'maxGps', 'newTokens'] as const) {
    const proof = await proofAt(metric, first + 2 * day)
    expect([metric, proof.isEqual, Number(proof.counted) > 0]).toEqual([metric, true, true])
  }
})

test('a stored value that differs from its rows by one is seen', async () => {
  const last = blocks.at(-1)?.ts ?? 0
  const { database } = store
  await database`update blocks set cum_txs = cum_txs + 1 where chain = ${chain} and number = ${head}`
  try {
    const proof = await proofAt('cumulativeTxCount', last)
    expect([proof.isEqual, proof.stored]).toEqual([false, Number(proof.counted) + 1])
  } finally {
    await database`update blocks set cum_txs = cum_txs - 1 where chain = ${chain} and number = ${head}`
  }
})

test('what has no value is refused, and callers from elsewhere are, as for SQL', async () => {
  const time = String(first)
  expect((await ask('txCount', { timestamp: String(first - 90 * day) })).statusCode).toBe(404)
  expect((await ask('avgTps', { timestamp: time, timeInterval: 'hour' })).statusCode).toBe(400)
  expect((await ask('txCount', { timestamp: time }, '192.0.2.7')).statusCode).toBe(403)
})
