import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const hour = 3_600
const day = 24 * hour
/** Monday 1 January 2024, 0:00. */
const start = 1_704_067_200
/** Blocks every six hours; the last one is number 40, at the first hour of day 10. */
const blockAt = (number: number): number => start + number * 6 * hour + 60
const hourOf = (number: number): number => start + number * 6 * hour

let store: TestDatabase
let service: TestService

/** Who is active in which blocks. Block 36 (day 9, 0:00) is the newest final one. */
const active: Record<string, readonly number[]> = {
  // Always: of the final blocks only the last one is kept.
  ann: [1, 2, 20, 36, 38, 40],
  bob: [3],
  cid: [36, 37],
  dora: [8, 39],
}
const final = 36

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  for (const chain of [201, 202]) {
    await seedChain(database, {
      chain,
      finalized: final,
      blocks: Array.from({ length: 41 }, (_, number) => ({
        number,
        ts: blockAt(number),
        txs: Object.entries(active).flatMap(([name, blocks]) =>
          blocks.includes(number) ? [{ from: addressOf(name), to: addressOf('sink') }] : [],
        ),
      })),
    })
    const rows = Object.entries(active).flatMap(([name, blocks]) => {
      const lastFinal = blocks.findLast((number) => number <= final)
      return blocks
        .filter((number) => number > final || number === lastFinal)
        .flatMap((number) =>
          [0, 1].map((role) => ({
            chain,
            role,
            address: Buffer.from(addressOf(name).slice(2), 'hex'),
            hour_ts: hourOf(number),
            first_block: number,
          })),
        )
    })
    await database`insert into seen ${database(rows)}`
  }
  service = await startTestService(database, {
    config: testConfig({
      chains: [201, 202, 203].map((evmChainId) => ({
        evmChainId,
        name: `Chain ${evmChainId}`,
        rpcUrl: 'http://127.0.0.1:9',
        isTestnet: evmChainId < 203,
      })),
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

async function count(from: number | undefined, before: number | undefined, chain = '201') {
  const query = [
    ...(from === undefined ? [] : [`startTimestamp=${from - 1}`]),
    ...(before === undefined ? [] : [`endTimestamp=${before}`]),
  ].join('&')
  const response = await service.app.inject(`/v2/chains/${chain}/metrics/activeSenders/distinct?${query}`)
  const body = response.json<{ value?: number; message?: string | string[] }>()
  return response.statusCode === 200 ? body.value : `${response.statusCode} ${String(body.message)}`
}

describe('a range that ends now', () => {
  test.each([
    ['everything', undefined, undefined, 4],
    ['the last ten days', start, undefined, 4],
    ['an end in the future', start, start + 400 * day, 4],
    ['after the only block of bob', hourOf(3) + hour, undefined, 3],
    ['from the final block', hourOf(36), undefined, 3],
    ['after it', hourOf(36) + hour, undefined, 3],
    ['from block 38', hourOf(38), undefined, 2],
    ['from the last block', hourOf(40), undefined, 1],
    ['after it', hourOf(40) + hour, undefined, 0],
  ])('%s', async (_, from, before, expected) => {
    expect(await count(from, before)).toBe(expected)
  })
})

describe('a range that contains the hour of the newest final block', () => {
  test.each([
    // Ann's hours up to the final block have gone for the one of the final block.
    ['to the end of its hour', start, hourOf(36) + hour, 4],
    ['of that hour alone', hourOf(36), hourOf(36) + hour, 2],
    ['of some days', start + 8 * day, hourOf(38), 2],
    ['to before the last block', hourOf(37), hourOf(40), 3],
    ['that is empty', hourOf(38) + hour, hourOf(39), 0],
  ])('%s', async (_, from, before, expected) => {
    expect(await count(from, before)).toBe(expected)
  })
})

describe('a range that ended before it', () => {
  test.each([
    ['an hour', hourOf(2), hourOf(2) + hour, 1],
    // Blocks 0 to 3: Ann and Bob.
    ['a day', start, start + day, 2],
    // Blocks 0 to 27: all but Cid.
    ['a week', start, start + 7 * day, 3],
  ])('is known if it is %s', async (_, from, before, expected) => {
    expect(await count(from, before)).toBe(expected)
  })

  test.each([
    ['two days', start, start + 2 * day],
    ['the time from genesis', undefined, start + day],
    ['up to the hour of the final block', start, hourOf(36)],
  ])('is refused if it is %s', async (_, from, before) => {
    expect(await count(from, before)).toMatch(/^400 endTimestamp: Chain 201 keeps only the last active hour/)
  })
})

test('of a group, the sum over its chains', async () => {
  expect(await count(hourOf(36), undefined, 'testnet')).toBe(6)
  expect(await count(hourOf(36), undefined, 'total')).toBe(6)
})

test('says what is wrong with a request', async () => {
  expect(await count(start + 60, undefined)).toMatch(
    /^400 startTimestamp: must be the last second of an hour/,
  )
  expect(await count(start, start + 60)).toMatch(/^400 endTimestamp: must be the first second of an hour/)
  expect(await count(start + day, start)).toMatch(/^400 endTimestamp: must not be before startTimestamp/)
  const response = await service.app.inject('/v2/chains/201/metrics/deployers/distinct')
  expect(response.statusCode).toBe(400)
})

test('those of a chain without indexed blocks are not known yet', async () => {
  expect(await count(undefined, undefined, '203')).toBe('503 not known yet: Chain 203 has no indexed block')
})
