import { describe, expect, it } from 'vitest'
import { fillTimes } from './clock.ts'

const HOUR = 3600
const FROM = 1_773_834_500

describe('fillTimes', () => {
  it('needs nothing for a short gap or a clock that was set back', () => {
    expect(fillTimes(FROM, FROM + 7000)).toEqual([])
    expect(fillTimes(FROM, FROM - 86_400)).toEqual([])
  })

  it('gives one block for every full hour of a gap', () => {
    const times = fillTimes(FROM, FROM + 30 * HOUR)
    expect(times).toHaveLength(30)
    expect(times.every((time) => time % HOUR === 0 && time > FROM && time < FROM + 30 * HOUR)).toBe(true)
  })

  it('is bounded however long the gap is', () => {
    for (const days of [9, 30, 365]) {
      const times = fillTimes(FROM, FROM + days * 24 * HOUR)
      expect(times.length).toBeLessThanOrEqual(200)
      expect(times.length).toBeGreaterThan(90)
      expect(times.every((time, index) => time > (times[index - 1] ?? FROM))).toBe(true)
    }
  })
})
