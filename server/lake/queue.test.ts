import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { leaseQueue, localQueue, type RangeQueue } from './queue.ts'

const ranges = Array.from({ length: 6 }, (_, at) => ({ from: at * 10, to: at * 10 + 9 }))
const ended = new AbortController()
let store: TestDatabase

beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(async () => {
  ended.abort()
  await store?.drop()
})

const join = (lake: string, holder: string): Promise<RangeQueue> =>
  leaseQueue({ database: store.open(), lake, chain: 7, holder, ranges, signal: ended.signal })

test('no range is given to two workers, whoever asks when', async () => {
  const [one, other] = [await join('shared', 'one'), await join('shared', 'other')]
  const taken = await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? one : other).take()))
  expect(
    taken.toSorted(
      (left, right) =>
        Number(left && left !== 'busy' && left.from) - Number(right && right !== 'busy' && right.from),
    ),
  ).toEqual(ranges)
  expect(await one.take()).toBe('busy')
  for (const range of ranges.slice(1)) await one.done(range)
  expect(await other.take()).toBe('busy')
  await other.done(ranges[0] ?? { from: 0, to: 9 })
  expect(await other.take()).toBeUndefined()
})

test('a range that is given back, or whose lease has run out, is taken by another', async () => {
  const [one, other] = [await join('lost', 'one'), await join('lost', 'other')]
  for (const range of ranges) expect(await one.take()).toEqual(range)
  expect(await other.take()).toBe('busy')
  await one.giveBack({ from: 20, to: 29 })
  expect(await other.take()).toEqual({ from: 20, to: 29 })
  // A minute later, the worker of blocks 40 to 49 has not renewed its lease.
  await store.database`update lake_leases set until_ts = until_ts - 61 where lake = 'lost' and from_block = 40`
  expect(await other.take()).toEqual({ from: 40, to: 49 })
  // The first holder comes back: what it gives back is no longer its own.
  await one.giveBack({ from: 40, to: 49 })
  expect(await one.take()).toBe('busy')
})

test('who finds no range waits until the last one is done, or comes back', async () => {
  const [first] = ranges
  if (!first) throw new Error('there is no range')
  const queue = localQueue([first])
  expect(await queue.take()).toEqual(first)
  const second = queue.take()
  await queue.giveBack(first)
  expect(await second).toEqual(first)
  const third = queue.take()
  await queue.done(first)
  expect(await third).toBeUndefined()
})
