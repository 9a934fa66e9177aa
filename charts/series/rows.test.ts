import { describe, expect, test } from 'vitest'
import { rowsOf } from './rows.ts'
import type { SeriesPoint } from './series.ts'

const HOUR = 3600
const start = Date.parse('2025-11-03T00:00:00Z') / 1000

function hours(...values: (number | bigint | null)[]): SeriesPoint[] {
  return values.map((value, index) => ({ timestamp: start + index * HOUR, value }))
}

const later = { interval: 'hour', now: start + 1000 * HOUR } as const

describe('rowsOf', () => {
  test('gives every series a value at every time that any of them keeps', () => {
    const long = Array.from({ length: 500 }, (_, index) => Math.sin(index / 9) * 100)
    const other = Array.from({ length: 500 }, (_, index) => Math.cos(index / 31) * 7)
    const rows = rowsOf(
      [
        { points: hours(...long), decimals: 0 },
        { points: hours(...other), decimals: 0 },
      ],
      { ...later, max: 50 },
    )
    expect(rows.length).toBeLessThanOrEqual(100)
    for (const row of rows) {
      const index = (row.x - HOUR / 2 - start) / HOUR
      expect(row['s0']).toBe(long[index])
      expect(row['s1']).toBe(other[index])
    }
  })

  test('leaves out a series of a stack while it stays at 0', () => {
    const list = [
      { points: hours(5, 6, 7, 8, 9), decimals: 0 },
      { points: hours(0, 0, 2, 0, 0), decimals: 0 },
      { points: hours(0, 0, 0, 0, 0), decimals: 0 },
    ]
    const column = (rows: ReturnType<typeof rowsOf>, key: string) => rows.map((row) => row[key])
    const rows = rowsOf(list, { ...later, max: 50, stacked: true })
    expect(column(rows, 's0')).toEqual([5, 6, 7, 8, 9])
    expect(column(rows, 's1')).toEqual([null, 0, 2, 0, null])
    expect(column(rows, 's2')).toEqual([null, null, null, null, null])
    expect(column(rowsOf(list, { ...later, max: 50 }), 's2')).toEqual([0, 0, 0, 0, 0])
  })

  test('ends a line at a gap and leaves the other series whole', () => {
    const rows = rowsOf(
      [
        { points: hours(1, null, 3), decimals: 0 },
        { points: hours(5, 6, 7), decimals: 0 },
      ],
      { ...later, max: 50 },
    )
    expect(rows.map((row) => row['s0'])).toEqual([1, null, 3])
    expect(rows.map((row) => row['s1'])).toEqual([5, 6, 7])
  })

  test('ends a lone line at a period that is simply not there', () => {
    const points = [...hours(1, 2), { timestamp: start + 9 * HOUR, value: 4 }]
    const rows = rowsOf([{ points, decimals: 0 }], { ...later, max: 50 })
    expect(rows.map((row) => row['s0'])).toEqual([1, 2, null, 4])
    expect(rows[2]?.x).toBe(start + 2.5 * HOUR)
  })

  test('moves the open period into the dashed tail, joined to the last whole one', () => {
    const rows = rowsOf([{ points: hours(1, 2, 3), decimals: 0 }], {
      interval: 'hour',
      now: start + 2 * HOUR + 60,
      max: 50,
    })
    expect(rows.map((row) => [row['s0'], row['t0'], row['o0']])).toEqual([
      [1, null, null],
      [2, 2, null],
      [null, 3, 3],
    ])
  })
})
