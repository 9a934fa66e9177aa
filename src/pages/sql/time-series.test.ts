import { expect, test } from 'vitest'
import { timeChart } from './time-series.ts'

const chartOf = (result: Parameters<typeof timeChart>[0]) => {
  const charted = timeChart(result)
  return 'chart' in charted ? charted.chart : undefined
}
const whyOf = (result: Parameters<typeof timeChart>[0]) => {
  const charted = timeChart(result)
  return 'why' in charted ? charted.why : undefined
}

const columns = [
  { name: 'who', type: 'VARCHAR' },
  { name: 'day', type: 'TIMESTAMP' },
  { name: 'fees', type: 'HUGEINT' },
  { name: 'share', type: 'DOUBLE' },
]

test('numbers over the first column of times, oldest first, with gaps for nulls', () => {
  const chart = chartOf({
    columns,
    rows: [
      ['a', '2026-01-03 00:00:00', null, 0.5],
      ['b', '2026-01-01 00:00:00', '1000000000000000000000', 0.25],
      ['c', '2026-01-02 00:00:00', '7', 'NaN'],
    ],
  })
  expect(chart?.interval).toBe('day')
  expect([chart?.from, chart?.to]).toEqual([1_767_225_600, 1_767_225_600 + 3 * 86_400])
  expect(chart?.series.map(({ label, points }) => [label, points.map(({ value }) => value)])).toEqual([
    ['fees', [1e21, 7, null]],
    ['share', [0.25, null, 0.5]],
  ])
})

test('the interval is that of the points', () => {
  const of = (days: string[]) =>
    chartOf({ columns: columns.slice(1, 3), rows: days.map((day) => [day, '1']) })?.interval
  expect(of(['2026-01-01 00:00:00', '2026-01-01 01:00:00', '2026-01-01 02:00:00'])).toBe('hour')
  expect(of(['2026-01-01', '2026-01-08', '2026-01-15'])).toBe('week')
  expect(of(['2026-01-01', '2026-02-01', '2026-03-01'])).toBe('month')
})

test('without times, without numbers, and with a time twice it says why there is no chart', () => {
  const day = '2026-01-01'
  expect(whyOf({ columns: columns.slice(2), rows: [['1', 1]] })).toContain('no column of times')
  expect(whyOf({ columns: columns.slice(0, 2), rows: [['a', day]] })).toContain('no column of numbers')
  expect(
    whyOf({
      columns: columns.slice(1, 3),
      rows: [
        [day, 1],
        [day, 2],
        ['2026-01-02', 1],
      ],
    }),
  ).toContain('several rows have the same day')
  expect(whyOf({ columns: columns.slice(1, 3), rows: [[day, 1]] })).toContain('two different times')
})
