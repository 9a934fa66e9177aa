import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connection, moment, recoveries, waitFor, waitingSince, connectionState } from '../lib/connection.ts'
import {
  markReachable,
  onConnectionCheck,
  refetchShown,
  requestFailed,
  markUnreachable,
} from './connection.ts'
import { recordHeartbeat, streamLost, watchConnection } from './events-watch.ts'
import { ApiError } from './errors.ts'
import { queryClient } from './query-client.ts'

const state = () => connectionState(connection.get(), moment())
const beat = (reason?: string): void => recordHeartbeat({ time: Math.floor(Date.now() / 1000), reason })

const unsubscribe: (() => void)[] = []

/** A displayed query that fails with `error` until `works` is set. */
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

test('a failed request does not mean a lost connection while heartbeats arrive', () => {
  requestFailed()
  expect(state()).toBe('ok')
  streamLost(moment() + 1)
  requestFailed()
  expect(state()).toBe('lost')
  markReachable()
  expect(state()).toBe('ok')
})

test('silence means a lost connection', () => {
  vi.advanceTimersByTime(9_000)
  expect(state()).toBe('lost')
  beat()
  expect(state()).toBe('ok')
})

test('displayed queries that failed are refetched once within a second after the service is back', async () => {
  const gone = shown('gone', new ApiError('network', 'away'))
  const missing = shown('missing', new ApiError('status', 'no such block', { status: 404 }))
  await vi.advanceTimersByTimeAsync(100)
  void queryClient.prefetchQuery({
    queryKey: ['off screen'],
    queryFn: () => Promise.reject(new ApiError('network', 'away')),
  })
  await vi.advanceTimersByTimeAsync(100)
  const before = recoveries.get()
  markUnreachable()
  gone.works = true
  markReachable()
  markReachable()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(recoveries.get()).toBe(before + 1)
  expect([gone.asked, missing.asked]).toEqual([2, 1])
  expect(queryClient.getQueryData(['gone'])).toBe('gone')
  expect(queryClient.getQueryState(['off screen'])?.errorUpdateCount).toBe(1)
})

test('a query that failed while heartbeats arrive is asked again with the next one', async () => {
  const cut = shown('cut', new ApiError('network', 'cut off'))
  await vi.advanceTimersByTimeAsync(100)
  requestFailed()
  cut.works = true
  expect([state(), cut.asked]).toEqual(['ok', 1])
  beat()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(queryClient.getQueryData(['cut'])).toBe('cut')
  beat()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(cut.asked).toBe(2)
})

test('one “Try again” asks at once for all that the page shows as failed, not for what does not exist', async () => {
  const busy = shown('busy', new ApiError('status', 'indexing', { status: 503 }))
  const away = shown('away', new ApiError('network', 'away'))
  const missing = shown('missing', new ApiError('status', 'no such block', { status: 404 }))
  await vi.advanceTimersByTimeAsync(100)
  busy.works = away.works = true
  refetchShown()
  await vi.advanceTimersByTimeAsync(0)
  expect([busy.asked, away.asked, missing.asked]).toEqual([2, 2, 1])
  expect([queryClient.getQueryData(['busy']), queryClient.getQueryData(['away'])]).toEqual(['busy', 'away'])
})

test('a service without its database counts as back only after a good heartbeat', async () => {
  const before = recoveries.get()
  beat('the database does not answer')
  expect(connection.get().reason).toBe('the database does not answer')
  await vi.advanceTimersByTimeAsync(1_000)
  markReachable()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(recoveries.get()).toBe(before)
  beat()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(recoveries.get()).toBe(before + 1)
})

test('waiting is reported after 1.5 seconds and until the last request has ended', () => {
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

test('a jump of the wall clock means sleep: the page asks at once and reports no state until an answer', () => {
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  vi.stubGlobal('addEventListener', () => undefined)
  let woken = 0
  unsubscribe.push(
    watchConnection(),
    onConnectionCheck(() => (woken += 1)),
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
