import { describe, expect, test } from 'vitest'
import { readingsAt, spoken } from './readings.ts'
import type { ChartSeries } from '../../../charts/chart-series.ts'

const DAY = 86400
const monday = Date.parse('2025-11-03T00:00:00Z') / 1000

function series(label: string, values: (number | bigint | null)[], decimals = 0, symbol = 'tx'): ChartSeries {
  return {
    id: label,
    label,
    colour: 'red',
    unit: { symbol, decimals },
    points: values.map((value, index) => ({ timestamp: monday + index * DAY, value })),
  }
}

const later = monday + 100 * DAY

describe('the text of the tooltip', () => {
  test('has the period, the value with its unit and the change from the previous period', () => {
    const fees = series('Fees', [10n ** 20n, 123456789012345678901n], 18, 'AVAX')
    expect(readingsAt([fees], monday + DAY + 5, 'day', later)).toEqual({
      period: 'Tue 4 Nov 2025, whole day UTC',
      rows: [
        {
          id: 'Fees',
          label: 'Fees',
          colour: 'red',
          value: '123.457 AVAX',
          change: '+23.5 % (+23.457)',
        },
      ],
    })
  })

  test('describes a fall, no change, and a rise from zero', () => {
    const points = series('a', [200, 150, 150, 0, 5])
    const changeOn = (day: number): string | null | undefined =>
      readingsAt([points], monday + day * DAY, 'day', later).rows[0]?.change
    expect(changeOn(0)).toBeNull()
    expect(changeOn(1)).toBe('−25.0 % (−50)')
    expect(changeOn(2)).toBe('±0 % (0)')
    expect(changeOn(4)).toBe('+5')
  })

  test('does not compare an unfinished period', () => {
    const readings = readingsAt([series('a', [100, 40])], monday + DAY, 'day', monday + DAY + 3600)
    expect(readings.period).toBe('Tue 4 Nov 2025, day so far, UTC')
    expect(readings.rows[0]).toMatchObject({ value: '40 tx', change: 'not compared, period unfinished' })
  })

  test('has no value in a gap, and does not derive one from another series', () => {
    const readings = readingsAt([series('a', [1, null]), series('b', [1, 2])], monday + DAY, 'day', later)
    expect(readings.rows.map((row) => row.value)).toEqual([null, '2 tx'])
    expect(spoken(readings)).toBe('Tue 4 Nov 2025, whole day UTC. a: no data. b: 2 tx, +100 % (+1)')
  })
})
