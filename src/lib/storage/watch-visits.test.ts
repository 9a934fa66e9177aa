import { beforeEach, expect, test } from 'vitest'
import { hasChanged, markAllSeen, recordReading, visits, withReading, type Visit } from './watch-visits.ts'

const minute = 60
const start = 1_790_000_000
const at = (minutes: number, balance: string) => ({ at: start + minutes * minute, figures: { balance } })

beforeEach(() => visits.set({}))

test('a visit is compared with the last reading before a pause of more than half an hour', () => {
  let visit: Visit | undefined
  const readings = [at(0, '1'), at(20, '2'), at(50, '3'), at(81, '4'), at(90, '5')]
  const seen = readings.map((reading) => {
    visit = withReading(visit, reading)
    return visit.before?.figures['balance']
  })
  expect(seen).toEqual([undefined, undefined, undefined, '3', '3'])
  expect(visit).toEqual({ before: at(50, '3'), latest: at(90, '5') })
  expect(visit && hasChanged(visit)).toBe(true)
})

test('a reading that says the same within a minute is not stored again', () => {
  const visit = withReading(undefined, at(0, '1'))
  expect(withReading(visit, at(0.5, '1'))).toBe(visit)
  expect(withReading(visit, at(0.5, '2'))).toEqual({ latest: at(0.5, '2') })
  expect(withReading(visit, at(2, '1'))).toEqual({ latest: at(2, '1') })
})

test('a figure that came or went is a change, one that is the same is none', () => {
  const of = (figures: Record<string, string>): Visit => ({
    before: { at: start, figures: { balance: '1' } },
    latest: { at: start, figures },
  })
  expect(
    [{ balance: '1' }, { balance: '2' }, {}, { balance: '1', uptime: '2' }].map((one) => hasChanged(of(one))),
  ).toEqual([false, true, true, true])
})

test('readings of what is no longer watched are forgotten', () => {
  recordReading('a', at(0, '1'), new Set(['a']))
  recordReading('b', at(0, '1'), new Set(['b']))
  expect(visits.get()).toEqual({ b: { latest: at(0, '1') } })
})

test('what is marked as seen has not changed', () => {
  visits.set({ a: { before: at(0, '1'), latest: at(40, '2') }, b: { latest: at(40, '2') } })
  markAllSeen()
  expect(visits.get()).toEqual({
    a: { before: at(40, '2'), latest: at(40, '2') },
    b: { before: at(40, '2'), latest: at(40, '2') },
  })
  expect(Object.values(visits.get()).some(hasChanged)).toBe(false)
})
