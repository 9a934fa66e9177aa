/** The intervals of series; each metric defines which it supports (docs/metrics.md). */
export const timeIntervals = ['hour', 'day', 'week', 'month'] as const
export type TimeInterval = (typeof timeIntervals)[number]
