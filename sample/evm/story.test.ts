import { describe, expect, test } from 'vitest'
import { type ChainPlan, chainPlans } from './chains.ts'
import { activityAt, effectAt, historyTimes, joinedAt, timelineOf } from './story.ts'

const now = 1_773_837_000
const day = 86_400

function planOf(key: ChainPlan['key']): ChainPlan {
  const found = chainPlans.find((plan) => plan.key === key)
  if (found === undefined) throw new Error(`no plan ${key}`)
  return found
}

function weekday(time: number): number {
  return new Date(time * 1000).getUTCDay()
}

describe('history times', () => {
  for (const plan of chainPlans) {
    for (const hours of [6, 48, 500, 2160]) {
      test(`of ${plan.name} over ${hours} hours are in ascending order and end before now`, () => {
        const timeline = timelineOf(plan, now, hours)
        const times = historyTimes(plan, timeline, 7)
        expect(times).toHaveLength(timeline.blocks)
        for (const [index, time] of times.entries()) {
          expect(time).toBeGreaterThan(times[index - 1] ?? timeline.start)
        }
        expect(times.at(-1)).toBeLessThanOrEqual(timeline.end)
        expect(timeline.end).toBeLessThanOrEqual(now)
      })
    }
  }

  test('have the documented number of blocks', () => {
    expect(chainPlans.map((plan) => timelineOf(plan, now, 2160).blocks)).toEqual([2160, 720, 720])
    for (const plan of chainPlans) {
      const { start, end } = timelineOf(plan, now, 2160)
      expect(end - start).toBeGreaterThanOrEqual(30 * day)
    }
  })

  test('have one block an hour on the C-Chain, except for the halt, whose blocks follow later', () => {
    const plan = planOf('c')
    const timeline = timelineOf(plan, now, 2160)
    const times = historyTimes(plan, timeline, 7)
    const gaps = times.map((time, index) => time - (times[index - 1] ?? time))
    expect(gaps.filter((gap) => gap > 7200)).toHaveLength(1)
    expect(Math.max(...gaps)).toBeGreaterThan(10 * 3600)
    expect(times.filter((time) => effectAt(plan, timeline, time).halted === true)).toHaveLength(12)
  })

  test('have two blocks within seconds on nearly every day, so that peak rates are meaningful', () => {
    for (const plan of chainPlans) {
      const times = historyTimes(plan, timelineOf(plan, now, 2160), 7)
      const close = times.filter((time, index) => index > 0 && time - (times[index - 1] ?? 0) <= 14)
      const days = new Set(close.map((time) => Math.floor(time / day)))
      expect(days.size).toBeGreaterThan(plan.key === 'c' ? 85 : 20)
    }
  })

  test('follow the rhythm: Meridian on weekend evenings, Harbor in office hours', () => {
    const shares = (key: ChainPlan['key'], isWithin: (time: number) => boolean): number => {
      const plan = planOf(key)
      const times = historyTimes(plan, timelineOf(plan, now, 2160), 7)
      return times.filter(isWithin).length / times.length
    }
    const isWeekend = (time: number): boolean => weekday(time) === 0 || weekday(time) === 6
    const hour = (time: number): number => new Date(time * 1000).getUTCHours()
    expect(shares('meridian', isWeekend)).toBeGreaterThan(0.4)
    expect(shares('meridian', (time) => hour(time) >= 17 && hour(time) < 24)).toBeGreaterThan(0.6)
    expect(shares('harbor', isWeekend)).toBeLessThan(0.06)
    expect(shares('harbor', (time) => hour(time) >= 7 && hour(time) < 19)).toBeGreaterThan(0.8)
  })
})

describe('incidents', () => {
  test('that last a day fill one UTC day', () => {
    const plan = planOf('c')
    const timeline = timelineOf(plan, now, 2160)
    const hours = Array.from({ length: 2160 }, (_, index) => timeline.start + index * 3600)
    const quiet = hours.filter((time) => effectAt(plan, timeline, time).quiet === true)
    expect(quiet).toHaveLength(24)
    expect(new Set(quiet.map((time) => Math.floor(time / day))).size).toBe(1)
  })

  test('are all part of a short history too', () => {
    const plan = planOf('c')
    const timeline = timelineOf(plan, now, 48)
    const hours = Array.from({ length: 48 }, (_, index) => timeline.start + index * 3600)
    const effects = Object.assign({}, ...hours.map((time) => effectAt(plan, timeline, time)))
    expect(Object.keys(effects).sort()).toEqual(
      ['activityTimes', 'airdrop', 'failing', 'feeTimes', 'halted', 'hours', 'name', 'at', 'quiet'].sort(),
    )
  })
})

describe('growth', () => {
  test('has growing activity and a growing number of accounts', () => {
    const plan = planOf('c')
    const timeline = timelineOf(plan, now, 2160)
    const week = (first: number): number => {
      let sum = 0
      for (let hour = 0; hour < 168; hour += 1) sum += activityAt(plan, timeline, first + hour * 3600)
      return sum
    }
    expect(week(timeline.end - 7 * day)).toBeGreaterThan(1.8 * week(timeline.start))
    expect(joinedAt(plan, timeline, timeline.start)).toBe(14)
    expect(joinedAt(plan, timeline, timeline.end + 90 * day)).toBe(plan.accounts)
  })
})
