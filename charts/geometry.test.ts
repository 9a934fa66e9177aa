import { describe, expect, test } from 'vitest'
import { valueScale } from './series/ticks.ts'
import { axisWidth, endLabels, labelWidth, layOut, spread, yOf } from './geometry.ts'
import { markFor, scaleOf, type ChartSeries } from './chart-series.ts'

const box = { width: 600, height: 200, from: 1000, to: 2000, left: 50, right: 10 }

describe('layOut', () => {
  test('maps time to pixels and back', () => {
    const geometry = layOut(box)
    expect(geometry.x(1000)).toBe(50)
    expect(geometry.x(2000)).toBe(590)
    expect(geometry.timeAt(geometry.x(1234))).toBeCloseTo(1234)
  })

  test('maps the largest value to the top and the smallest to the base line', () => {
    const geometry = layOut(box)
    const scale = valueScale(0, 100, 4, true)
    expect(yOf(geometry, scale, 0)).toBe(geometry.top + geometry.plotHeight)
    expect(yOf(geometry, scale, scale.max)).toBe(geometry.top)
  })

  test('gives short labels the same width, so that plots align, and long ones more', () => {
    const short = axisWidth(valueScale(0, 4, 4, true))
    expect(axisWidth(valueScale(0, 600, 4, true))).toBe(short)
    expect(axisWidth(valueScale(0, 0.000012, 4, true))).toBeGreaterThan(short)
  })
})

describe('names at the line ends', () => {
  const pair = 'C-Chain to Dispatch testnet'

  test('are whole where a quarter of the chart has room for them', () => {
    expect(endLabels([pair, 'X'], 1_100)).toEqual([pair, 'X'])
    expect(labelWidth([pair, 'X'])).toBeLessThanOrEqual(1_100 / 4)
  })

  test('are cut to that room where it is less, but not below 17 characters', () => {
    const [cut = ''] = endLabels(['a'.repeat(60)], 800)
    expect(labelWidth([cut])).toBeLessThanOrEqual(800 / 4)
    expect(labelWidth([`${cut}a`])).toBeGreaterThan(800 / 4)
    expect(endLabels([pair], 300)).toEqual(['C-Chain to Dispa…'])
  })
})

describe('spread', () => {
  test('separates overlapping labels and keeps their order and bounds', () => {
    expect(spread([10, 12, 100], 14, 0, 110)).toEqual([10, 24, 100])
    expect(spread([109, 108], 14, 0, 110)).toEqual([110, 96])
    expect(spread([], 14, 0, 110)).toEqual([])
  })
})

describe('scales of series', () => {
  const one = (id: string, values: number[], side?: 'left' | 'right'): ChartSeries => ({
    id,
    label: id,
    colour: 'red',
    unit: { symbol: '', decimals: 0 },
    points: values.map((value, index) => ({ timestamp: index * 86400, value })),
    ...(side && { side }),
  })

  test('cover the sum of a stack', () => {
    const list = [one('a', [10, 20]), one('b', [30, 40])]
    expect(scaleOf(list, 'left', { zero: true, stacked: true, count: 4 })?.max).toBe(60)
    expect(scaleOf(list, 'left', { zero: true, stacked: false, count: 4 })?.max).toBe(40)
  })

  test('exist only for a side with a series', () => {
    const list = [one('a', [10, 20]), one('b', [3, 4], 'right')]
    expect(scaleOf(list, 'right', { zero: false, stacked: false, count: 4 })?.max).toBeLessThanOrEqual(4.5)
    expect(scaleOf([one('a', [1])], 'right', { zero: true, stacked: false, count: 4 })).toBeNull()
  })
})

describe('markFor', () => {
  test('draws bars only if each has room', () => {
    expect(markFor(true, 30, 600, false)).toBe('bar')
    expect(markFor(true, 2160, 600, false)).toBe('area')
    expect(markFor(false, 30, 600, false)).toBe('line')
    expect(markFor(true, 30, 600, true)).toBe('line')
  })
})
