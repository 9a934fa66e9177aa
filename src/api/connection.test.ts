import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connection, moment, recoveries, waitFor, waitingSince } from '../lib/connection.ts'
import { connectionState } from '../lib/freshness.ts'
import { heard, requestFailed, unreachable } from './connection.ts'
import { heardBeat, onWake, streamLost, watchConnection } from './events-watch.ts'
import { ApiError } from './errors.ts'
import { queryClient } from './query-client.ts'

const state = () => connectionState(connection.get(), moment())
const beat = (reason?: string): void => heardBeat({ time: Math.floor(Date.now() / 1000), reason })

const unsubscribe: (() => void)[] = []

/** A query on screen that fails in its way until `works` is set. */
function shown(key: string, error: Error): { asked: number; works: boolean } {
  const seen = { asked: 0, works: false }
  const observer = new QueryObserver(queryClient, {
    queryKey: [key],
    queryFn: () => {
      seen.asked += 1
      return seen.works ? Promise.resolve(key) : Promise.reject(error)
    },
  })
  unsubscribe.push(observer.subscribe(() => undefined))
  return seen
}

beforeEach(() => {
  vi.useFakeTimers()
  connection.set({ stream: 'connecting', wokeAt: moment() - 60 })
  beat()
  vi.advanceTimersByTime(2000)
  queryClient.clear()
})
afterEach(() => {
  for (const stop of unsubscribe.splice(0)) stop()
  vi.useRealTimers()
})

test('a failed request is no lost connection while heartbeats come', () => {
  requestFailed()
  expect(state()).toBe('ok')
  streamLost(moment() + 1)
  requestFailed()
  expect(state()).toBe('lost')
  heard()
  expect(state()).toBe('ok')
})

test('silence is a lost connection', () => {
  vi.advanceTimersByTime(9_000)
  expect(state()).toBe('lost')
  beat()
  expect(state()).toBe('ok')
})

test('when the service is back, what is on screen and failed is asked once more, within a second', async () => {
  const gone = shown('gone', new ApiError('network', 'away'))
  const missing = shown('missing', new ApiError('status', 'no such block', { status: 404 }))
  await vi.advanceTimersByTimeAsync(100)
  void queryClient.prefetchQuery({
    queryKey: ['off screen'],
    queryFn: () => Promise.reject(new ApiError('network', 'away')),
  })
  await vi.advanceTimersByTimeAsync(100)
  const before = recoveries.get()
  unreachable()
  gone.works = true
  heard()
  heard()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(recoveries.get()).toBe(before + 1)
  expect([gone.asked, missing.asked]).toEqual([2, 1])
  expect(queryClient.getQueryData(['gone'])).toBe('gone')
  expect(queryClient.getQueryState(['off screen'])?.errorUpdateCount).toBe(1)
})

test('a service without its database is not back until a heartbeat says so', async () => {
  const before = recoveries.get()
  beat('the database does not answer')
  expect(connection.get().reason).toBe('the database does not answer')
  await vi.advanceTimersByTimeAsync(1_000)
  heard()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(recoveries.get()).toBe(before)
  beat()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(recoveries.get()).toBe(before + 1)
})

test('waiting is told after a second and a half, from its beginning, and until the last has ended', () => {
  const began = moment()
  const first = waitFor()
  vi.advanceTimersByTime(1_000)
  const second = waitFor()
  expect(waitingSince.get()).toBeUndefined()
  vi.advanceTimersByTime(1_500)
  expect(waitingSince.get()).toBeCloseTo(began)
  first()
  expect(waitingSince.get()).toBeCloseTo(began + 1)
  second()
  expect(waitingSince.get()).toBeUndefined()
})

test('a jump of the wall clock is a sleep: the page asks at once, and claims nothing until it is answered', () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', () => undefined)
  let woken = 0
  unsubscribe.push(
    watchConnection(),
    onWake(() => (woken += 1)),
    () => vi.unstubAllGlobals(),
  )
  vi.advanceTimersByTime(3_000)
  beat()
  expect([woken, state()]).toEqual([0, 'ok'])
  vi.setSystemTime(Date.now() + 3_600_000)
  vi.advanceTimersByTime(1_000)
  expect([woken, state()]).toEqual([1, 'checking'])
  vi.advanceTimersByTime(6_000)
  expect([woken, state()]).toEqual([1, 'lost'])
  beat()
  expect(state()).toBe('ok')
})
