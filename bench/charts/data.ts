import type { SeriesPoint } from '../../charts/series/series.ts'

/** 90 days of hours: the longest series in one page of the metrics API. */
export const POINTS = 2160
const HOUR = 3600

/** The bench's current time, at the end of the last hour. */
export const NOW = Date.UTC(2026, 10, 21, 9, 0, 0) / 1000

/** Mulberry32: a small generator, so that every run uses the same curves. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296
  }
}

/** An hourly series with daily and weekly rhythm, growth and noise. */
export function hourlySeries(seed: number): SeriesPoint[] {
  const random = generator(seed)
  return Array.from({ length: POINTS }, (_, index) => {
    const day = Math.sin((index / 24) * 2 * Math.PI)
    const week = Math.sin((index / 168) * 2 * Math.PI)
    const value = 1000 + index / 4 + 300 * day + 150 * week + 400 * random()
    return { timestamp: NOW - (POINTS - index) * HOUR, value: Math.round(value) }
  })
}
