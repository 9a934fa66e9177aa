import { describe, expect, test } from 'vitest'
import { fillTimes } from './clock.ts'

const hour = 3600
const firstShare = 1_773_834_500

describe('fillTimes', () => {
  test('needs nothing for a short gap or a clock that was set back', () => {
    expect(fillTimes(firstShare, firstShare + 7000)).toEqual([])
    expect(fillTimes(firstShare, firstShare - 86_400)).toEqual([])
  })

  test('gives one block for every full hour of a gap', () => {
    const times = fillTimes(firstShare, firstShare + 30 * hour)
    expect(times).toHaveLength(30)
    expect(
      times.every((time) => time % hour === 0 && time > firstShare && time < firstShare + 30 * hour),
    ).toBe(true)
  })

  test('is bounded however long the gap is', () => {
    for (const days of [9, 30, 365]) {
      const times = fillTimes(firstShare, firstShare + days * 24 * hour)
      expect(times.length).toBeLessThanOrEqual(200)
      expect(times.length).toBeGreaterThan(90)
      expect(times.every((time, index) => time > (times[index - 1] ?? firstShare))).toBe(true)
    }
  })
})
