import { describe, expect, test } from 'vitest'
import { describeRange, naturalInterval, readRange, resolveRange, writeRange } from './range.ts'

function query(text: string): URLSearchParams {
  return new URLSearchParams(text)
}

function at(iso: string): number {
  return Date.parse(iso) / 1000
}

describe('a range in the URL', () => {
  test('is a preset or two times', () => {
    expect(readRange(query('range=7d'))).toEqual({ preset: '7d' })
    expect(readRange(query('from=100&to=200&range=7d'))).toEqual({ from: 100, to: 200 })
    expect(readRange(query(''))).toEqual({ preset: '90d' })
  })

  test.each([
    'range=1y',
    'from=200&to=100',
    'from=100',
    'from=1e3&to=9999',
    'from=-5&to=10',
    'from=a&to=b',
    'from=5&to=5',
  ])('falls back when %s makes no sense', (text) => {
    expect(readRange(query(text))).toEqual({ preset: '90d' })
  })

  test('survives writing and reading, keeps other keys and leaves the default out', () => {
    const start = query('interval=hour&range=7d')
    const picked = writeRange(start, { from: 100, to: 200 })
    expect(picked.toString()).toBe('interval=hour&from=100&to=200')
    expect(readRange(picked)).toEqual({ from: 100, to: 200 })
    expect(writeRange(picked, { preset: '90d' }).toString()).toBe('interval=hour')
    expect(writeRange(picked, { preset: 'all' }).toString()).toBe('interval=hour&range=all')
    expect(start.toString()).toBe('interval=hour&range=7d')
  })
})

describe('resolveRange', () => {
  const now = at('2025-11-05T13:30:00Z')

  test('widens a preset to whole periods', () => {
    expect(resolveRange({ preset: '24h' }, 'hour', now)).toEqual({
      from: at('2025-11-04T13:00:00Z'),
      to: at('2025-11-05T14:00:00Z'),
    })
    expect(resolveRange({ preset: '7d' }, 'week', now)).toEqual({
      from: at('2025-10-27T00:00:00Z'),
      to: at('2025-11-10T00:00:00Z'),
    })
    expect(resolveRange({ preset: 'all' }, 'day', now)).toEqual({
      from: null,
      to: at('2025-11-06T00:00:00Z'),
    })
  })

  test('widens a picked range, and leaves one alone that ends on a border', () => {
    expect(
      resolveRange({ from: at('2025-11-03T05:00:00Z'), to: at('2025-11-04T00:00:00Z') }, 'day', now),
    ).toEqual({
      from: at('2025-11-03T00:00:00Z'),
      to: at('2025-11-04T00:00:00Z'),
    })
  })

  test('stays the same within a period', () => {
    expect(resolveRange({ preset: '30d' }, 'day', now)).toEqual(
      resolveRange({ preset: '30d' }, 'day', now + 3600),
    )
  })
})

describe('describeRange', () => {
  test('says the preset or the dates', () => {
    expect(describeRange({ preset: '24h' })).toBe('24 h')
    expect(describeRange({ from: at('2025-11-03T00:00:00Z'), to: at('2025-11-10T00:00:00Z') })).toBe(
      '3 Nov 2025 – 9 Nov 2025 UTC',
    )
  })
})

describe('naturalInterval', () => {
  test('is the hour up to a week and the day beyond', () => {
    expect(naturalInterval({ preset: '24h' })).toBe('hour')
    expect(naturalInterval({ preset: '90d' })).toBe('day')
    expect(naturalInterval({ preset: 'all' })).toBe('day')
    expect(naturalInterval({ from: 0, to: 7 * 86400 })).toBe('hour')
    expect(naturalInterval({ from: 0, to: 30 * 86400 })).toBe('day')
  })
})
