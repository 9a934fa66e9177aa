import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { layOut } from '../../../charts/geometry.ts'
import { DOT, plotOf } from '../../../charts/plot.ts'
import { scaleOf } from '../../../charts/chart-series.ts'
import { SmallMarks } from './small-marks.tsx'

const day = 86_400
const from = Date.UTC(2025, 10, 1) / 1000

/** The paths of a chart of ten days with points on some of them. */
function pathsOf(days: readonly number[], now: number): string[] {
  const series = [
    {
      id: 'one',
      label: 'One',
      colour: 'red',
      unit: { symbol: '%', decimals: 0 },
      points: days.map((place) => ({ timestamp: from + place * day, value: 99.9934 })),
    },
  ]
  const geometry = layOut({ width: 600, height: 200, from, to: from + 10 * day, left: 44, right: 8 })
  const left = scaleOf(series, 'left', { zero: false, stacked: false, count: 4 })
  const markup = renderToStaticMarkup(
    <SmallMarks
      geometry={geometry}
      series={series}
      left={left}
      right={null}
      mark="line"
      stacked={false}
      interval="day"
      now={now}
      labels={null}
    />,
  )
  return markup.match(/<path[^>]*>/g) ?? []
}
test('names are at the line ends where the plot has room for them', () => {
  const series = ['C-Chain', 'Ridge'].map((label, index) => ({
    id: label,
    label,
    colour: 'red',
    unit: { symbol: 'tx', decimals: 0 },
    points: [0, 1, 2].map((place) => ({ timestamp: from + place * day, value: 10 + index * 5 + place })),
  }))
  const plotted = (width: number): string =>
    renderToStaticMarkup(
      <SmallMarks
        {...plotOf(
          {
            series,
            interval: 'day',
            now: from + 9 * day,
            from,
            to: from + 3 * day,
            sum: true,
            zero: true,
            stacked: true,
            endLabels: true,
          },
          width,
          300,
        )}
      />,
    )
  for (const { label } of series) {
    expect(plotted(900)).toContain(`>${label}</text>`)
    expect(plotted(500)).not.toContain(label)
  }
})

const dots = (paths: readonly string[]): string[] =>
  paths.filter((path) => path.includes(`stroke-width="${DOT}"`))

test.each([
  ['closed', from + 20 * day],
  ['unfinished', from + 4 * day + 60],
])('a single point in a period that is %s is drawn as a visible dot', (_, now) => {
  const [dot, ...more] = dots(pathsOf([4], now))
  expect(more).toEqual([])
  expect(dot).toMatch(/d="M[\d.]+,[\d.]+h0"/)
  expect(dot).not.toContain('stroke-dasharray')
})

test('each isolated point is a dot, and a line has no dots', () => {
  const [dot = ''] = dots(pathsOf([0, 2, 4, 5], from + 20 * day))
  expect(dot.match(/h0/g)).toHaveLength(2)
  expect(dots(pathsOf([4, 5, 6], from + 20 * day))).toEqual([])
})
