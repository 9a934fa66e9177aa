import { describe, expect, test } from 'vitest'
import { seriesFigures } from './figures.ts'

const DAY = 86400
const monday = Date.parse('2025-11-03T00:00:00Z') / 1000
const unit = { symbol: 'tx', decimals: 0 }

function days(...values: (number | bigint | null)[]) {
  return values.map((value, index) => ({ timestamp: monday + index * DAY, value }))
}

describe('the figures above a series', () => {
  test('cover whole periods, and the unfinished one in the sum only', () => {
    const now = monday + 3 * DAY + 3600
    const figures = seriesFigures(days(10, 30, 20, 1), { interval: 'day', now, unit, addsUp: true })
    expect(figures.map((figure) => [figure.label, figure.value])).toEqual([
      ['Last whole day', '20 tx'],
      ['Change', '−33.3 %'],
      ['Sum of the range', '61 tx'],
      ['Mean day', '20 tx'],
      ['Peak of the range', '30 tx'],
    ])
    expect(figures[1]?.note).toBe('to the day before')
    expect(figures[2]?.note).toBe('4 days, the last one open')
    expect(figures[0]?.note).toBe('Wed 5 Nov 2025')
    expect(figures[4]?.note).toBe('4 Nov 2025')
  })

  test('round a mean in the thousands and keep it in the title', () => {
    const options = { interval: 'day', now: monday + 9 * DAY, unit, addsUp: true } as const
    const average = seriesFigures(days(284573, 284574), options).find((figure) => figure.label === 'Mean day')
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
    expect(seriesFigures(days(10_170_748_000_000), options)[0]?.value).toBe('10,170.748 AVAX')
  })

  test('have no sum of levels, and no values without points', () => {
    const options = { interval: 'day', now: monday + 9 * DAY, unit, addsUp: false } as const
    expect(seriesFigures(days(1), options).map((figure) => figure.label)).not.toContain('Sum of the range')
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
    expect(figures.find((figure) => figure.label === 'Sum of the range')?.title).toBe(
      '1,000.000000000000000001 AVAX',
    )
  })
})
