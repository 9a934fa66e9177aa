import { describe, expect, test } from 'vitest'
import { seriesFigures } from './figures.ts'

const DAY = 86400
const monday = Date.parse('2025-11-03T00:00:00Z') / 1000
const unit = { symbol: 'tx', decimals: 0 }

function days(...values: (number | bigint | null)[]) {
  return values.map((value, index) => ({ timestamp: monday + index * DAY, value }))
}

describe('the figures above a series', () => {
  test('are all of the same whole periods, and the unfinished one stands apart', () => {
    const now = monday + 3 * DAY + 3600
    const figures = seriesFigures(days(10, 30, 20, 1), { interval: 'day', now, unit, addsUp: true })
    expect(figures.map((figure) => [figure.label, figure.value, figure.note])).toEqual([
      ['Last whole day', '20 tx', 'Wed 5 Nov 2025'],
      ['Change', '−33.3 %', 'vs previous day'],
      ['Sum', '60 tx', '3 whole days'],
      ['Daily average', '20 tx', '3 whole days'],
      ['Peak', '30 tx', '4 Nov 2025'],
      ['Today so far', '1 tx', 'not in the other figures'],
    ])
  })

  test.each(['hour', 'day', 'week', 'month'] as const)(
    'of a range by %s: the sum is the average times the periods that both count, the peak is one of them',
    (interval) => {
      const length = { hour: 3600, day: DAY, week: 7 * DAY, month: 31 * DAY }[interval]
      const points = [7, 9, null, 4, 100].map((value, index) => ({
        timestamp: Date.parse('2025-12-01T00:00:00Z') / 1000 + index * length,
        value,
      }))
      // The last and largest one has not ended.
      const now = (points.at(-1)?.timestamp ?? 0) + 1
      const whole = interval === 'month' ? points.slice(0, 1).map(({ value }) => value) : undefined
      const figures = seriesFigures(
        interval === 'month' ? points.slice(0, 1).concat(points.slice(4)) : points,
        {
          interval,
          now,
          unit,
          addsUp: true,
        },
      )
      const numberOf = (label: RegExp): number =>
        Number.parseFloat(String(figures.find((figure) => label.test(figure.label))?.title ?? ''))
      const count = whole ? 1 : 3
      expect(numberOf(/^Sum/)).toBe(whole ? 7 : 20)
      expect(numberOf(/average$/)).toBeCloseTo(numberOf(/^Sum/) / count, 3)
      expect(String(figures.find(({ label }) => label === 'Peak')?.value)).toMatch(whole ? /^7 / : /^9 /)
      expect(figures.at(-1)?.value).toBe('100 tx')
    },
  )

  test('round a mean in the thousands and keep it in the title', () => {
    const options = { interval: 'day', now: monday + 9 * DAY, unit, addsUp: true } as const
    const average = seriesFigures(days(284573, 284574), options).find(
      (figure) => figure.label === 'Daily average',
    )
    expect(average?.value).toBe('284,574 tx')
    expect(average?.title).toBe('284,573.5 tx')
  })

  test('leave out the fraction of a large amount and keep it in the title', () => {
    const options = {
      interval: 'day',
      now: monday + 9 * DAY,
      unit: { symbol: 'AVAX', decimals: 9 },
      addsUp: false,
    } as const
    const [last] = seriesFigures(days(1_810_170_748_000_000), options)
    expect(last).toMatchObject({ value: '1,810,171 AVAX', copy: '1810170.748', title: '1,810,170.748 AVAX' })
    expect(seriesFigures(days(10_170_748_000_000), options)[0]?.value).toBe('10,170.7 AVAX')
  })

  test('have no sum of levels, and no values without points', () => {
    const options = { interval: 'day', now: monday + 9 * DAY, unit, addsUp: false } as const
    expect(seriesFigures(days(1), options).map((figure) => figure.label)).not.toContain('Sum')
    expect(seriesFigures([], options).every((figure) => figure.value === null)).toBe(true)
  })

  test('keep a sum above 2^53 exact in the title', () => {
    const fees = { symbol: 'AVAX', decimals: 18 }
    const figures = seriesFigures(days(10n ** 21n, 1n), {
      interval: 'day',
      now: monday + 9 * DAY,
      unit: fees,
      addsUp: true,
    })
    expect(figures.find((figure) => figure.label === 'Sum')?.title).toBe('1,000.000000000000000001 AVAX')
  })
})
