import { expect, test } from 'vitest'
import type { SeriesValue } from './series/series.ts'
import { drawPicture } from './picture.ts'

const day = 86_400
const start = Date.UTC(2026, 8, 1) / 1000

/** The texts of a picture of one series by day, and whether anything is drawn besides them and the sheet. */
function drawn(values: readonly (SeriesValue | null)[]) {
  const { groups } = drawPicture({
    width: 800,
    height: 420,
    title: 'Transactions',
    shortTitle: 'Transactions',
    note: [],
    empty: 'No points',
    series: [
      {
        id: 'one',
        label: 'One',
        colour: '#0462d3',
        unit: { symbol: 'tx', decimals: 0 },
        points: values.map((value, index) => ({ timestamp: start + index * day, value })),
      },
    ],
    interval: 'day',
    now: start + 5 * day,
    from: start,
    to: start + 5 * day,
    sum: true,
    zero: true,
    stacked: false,
    endLabels: false,
  })
  const shapes = groups.flatMap((group) => group.shapes)
  return {
    texts: shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.text] : [])),
    isDrawn: shapes.filter(({ kind }) => kind !== 'text').length > 1,
  }
}

test('a series of nothing but 0 is said, not drawn as a line along its axis', () => {
  for (const zeros of [[0, 0], [0n, null], [0]])
    expect(drawn(zeros)).toEqual({
      texts: ['Transactions', 'All values in this range are 0'],
      isDrawn: false,
    })
  expect(drawn([null, null])).toEqual({ texts: ['Transactions', 'No points'], isDrawn: false })
  const some = drawn([0, 3, null])
  expect(some.isDrawn).toBe(true)
  expect(some.texts).not.toContain('All values in this range are 0')
})
