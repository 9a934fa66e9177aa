import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { idBytes, shortBytes } from '../../../testing/primary-rows.ts'
import { thinSamples } from './thin-samples.ts'

const chain = 11
const hour = 3_600
const day = 24 * hour
/** A full hour. */
const now = 1_790_002_800
/** The first second of which every sample is kept. */
const edge = now - 90 * day

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())
beforeEach(async () => {
  await store.database`delete from uptime_samples`
  await store.database`delete from service`
})

type Sample = readonly [validator: string, ts: number]

async function write(samples: readonly Sample[], of = chain): Promise<void> {
  await store.database`insert into uptime_samples ${store.database(
    samples.map(([validator, ts]) => ({
      chain: of,
      node: shortBytes(validator.slice(0, 1)),
      tx_id: idBytes(validator),
      ts,
      uptime: 99,
      connected: true,
    })),
  )}`
}

async function kept(of = chain): Promise<string[]> {
  const rows = await store.database<{ tx_id: Buffer; ts: bigint }[]>`
    select tx_id, ts from uptime_samples where chain = ${of}`
  const names = new Map(['a1', 'a2', 'b1'].map((name) => [idBytes(name).toString('hex'), name]))
  return rows.map(({ tx_id, ts }) => `${names.get(tx_id.toString('hex'))} ${Number(ts) - edge}`).toSorted()
}

const shown = (samples: readonly Sample[]): string[] =>
  samples.map(([name, ts]) => `${name} ${ts - edge}`).toSorted()

test('of each old hour the last sample of each validation stays, and everything of 90 days', async () => {
  const stay: Sample[] = [
    ['a1', edge - 5 * day + 3_599],
    ['a1', edge - 4 * hour],
    ['a1', edge - 1],
    // Another validation of the same node, in the same hour.
    ['a2', edge - 61],
    ['b1', edge - hour],
    ['b1', edge],
    ['b1', edge + 1],
    ['b1', now],
  ]
  const go: Sample[] = [
    ['a1', edge - 5 * day],
    ['a1', edge - 5 * day + 3_598],
    ['a1', edge - 2],
    ['a1', edge - hour],
    ['a2', edge - 3_599],
  ]
  await write([...stay, ...go])
  await write([...stay, ...go], 1)
  expect(await thinSamples(store.database, chain, now + 59)).toBe(go.length)
  expect(await kept()).toEqual(shown(stay))
  // Another network keeps its own.
  expect(await kept(1)).toHaveLength(stay.length + go.length)

  // Nothing more is due before the next hour; then it is the hour after the edge.
  expect(await thinSamples(store.database, chain, now + 3_599)).toBe(0)
  expect(await thinSamples(store.database, chain, now + hour)).toBe(1)
  expect(await kept()).toEqual(shown(stay.filter(([, ts]) => ts !== edge)))
})

test('the newest samples and the spread of each hour are unaffected', async () => {
  await write([
    ['a1', edge - 3 * hour],
    ['a1', edge - 3 * hour + 10],
  ])
  const latest = () => store.database`select chain, tx_id, ts from latest_samples order by chain, tx_id`
  await store.database`
    insert into network_samples (chain, hour, ts, uptime_p50) values (${chain}, ${edge - 3 * hour}, ${edge - 3 * hour}, 1)
    on conflict do nothing`
  const before = [...(await latest())]
  expect(await thinSamples(store.database, chain, now)).toBe(1)
  expect([...(await latest())]).toEqual(before)
  expect(await store.database`select from network_samples`).toHaveLength(1)
})

test('a backlog is worked off in bounded calls', async () => {
  // 30 days of samples every 5 minutes, of one validation: 12 in an hour, 11 of which go.
  const first = edge - 30 * day
  await write(Array.from({ length: 30 * 288 }, (_, index): Sample => ['a1', first + index * 300]))
  const calls: number[] = []
  for (let total = 0; total < 30 * 24 * 11 && calls.length < 20; total += calls.at(-1) ?? 0)
    calls.push(await thinSamples(store.database, chain, now))
  // A call looks at 20 times 6 hours here.
  expect(Math.max(...calls)).toBe(20 * 6 * 11)
  expect(calls.reduce((sum, count) => sum + count, 0)).toBe(30 * 24 * 11)
  const rows = await store.database<{ ts: bigint }[]>`select ts from uptime_samples order by ts`
  expect(rows.map(({ ts }) => Number(ts))).toEqual(
    Array.from({ length: 30 * 24 }, (_, index) => first + index * hour + 55 * 60),
  )
})

test('more samples of a moment than a batch go in several', async () => {
  // 12,000 in one hour.
  const first = edge - 10 * hour
  await store.database`
    insert into uptime_samples (chain, node, tx_id, ts, uptime, connected)
    select ${chain}, ${shortBytes('a')}, decode(lpad(to_hex(validator), 64, '0'), 'hex'), ${first} + second, 99, true
    from generate_series(1, 400) validator, generate_series(0, 29) second`
  expect(await thinSamples(store.database, chain, now)).toBe(400 * 29)
  const rows = await store.database<{ ts: bigint }[]>`select distinct ts from uptime_samples`
  expect(rows.map(({ ts }) => Number(ts))).toEqual([first + 29])
})

test('without samples there is nothing to do', async () => {
  expect(await thinSamples(store.database, chain, now)).toBe(0)
})
