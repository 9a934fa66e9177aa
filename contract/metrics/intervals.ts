/** The periods that a series may have; each metric names its own (docs/metrics.md). */
export const timeIntervals = ['hour', 'day', 'week', 'month'] as const
export type TimeInterval = (typeof timeIntervals)[number]
