import { describe, expect, test } from 'vitest'
import { type Figure, formatReport, isMet, median, quantile, ratioOf } from './report.ts'

const figure: Figure = {
  name: 'blocks',
  value: 240,
  unit: '/s',
  anchor: { name: 'reader', value: 400 },
  budget: { of: 'ratio', bound: 'at least', limit: 0.6 },
}

describe('figures', () => {
  test('compares the ratio with its bound, the bound itself included', () => {
    expect(ratioOf(figure)).toBe(0.6)
    expect(isMet(figure)).toBe(true)
    expect(isMet({ ...figure, value: 239 })).toBe(false)
  })

  test('compares the value where the budget is one of the value', () => {
    const memory: Figure = { name: 'memory', value: 301, unit: 'MB' }
    expect(isMet(memory)).toBeUndefined()
    expect(isMet({ ...memory, budget: { of: 'value', bound: 'at most', limit: 300 } })).toBe(false)
    expect(isMet({ ...memory, value: 300, budget: { of: 'value', bound: 'at most', limit: 300 } })).toBe(true)
  })

  test('has no ratio without an anchor, and none to an anchor of 0', () => {
    expect(ratioOf({ name: 'x', value: 1, unit: '' })).toBeUndefined()
    expect(ratioOf({ ...figure, anchor: { name: 'none', value: 0 } })).toBeUndefined()
  })

  test('prints one row a figure and says what was missed', () => {
    const text = formatReport({
      title: 'Indexing',
      figures: [figure, { ...figure, value: 10 }],
      notes: ['Why.'],
    })
    const rows = text.split('\n').filter((row) => row.startsWith('|'))
    expect(rows).toHaveLength(4)
    expect(rows[2]).toMatch(
      /blocks +\| 240 \/s +\| 400 \(reader\) +\| 0\.60 +\| at least 0\.60 of the anchor +\| met /,
    )
    expect(rows[3]).toContain('MISSED')
    expect(text).toContain('Why.')
  })
})

describe('quantiles', () => {
  test('takes the sample at the share, in numeric order', () => {
    const samples = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
    expect(median(samples)).toBe(6)
    expect(quantile(samples, 0.99)).toBe(10)
    expect(quantile(samples, 0)).toBe(1)
    expect(quantile([], 0.5)).toBeNaN()
  })
})
