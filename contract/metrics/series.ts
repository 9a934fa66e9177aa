import * as z from 'zod/mini'
import { paging, record, timestamp, timeWindow } from '../base/fields.ts'
import { timeIntervals } from './intervals.ts'

/** Path values that mean a sum over chains instead of one chain. */
export const chainGroups = ['total', 'mainnet', 'testnet'] as const
export type ChainGroup = (typeof chainGroups)[number]

/** Like `wideInteger`, for numbers with a fraction too. */
export const wideNumber = z.union([z.number(), z.bigint()]).with(z.meta({ wire: { type: 'number' } }))

/**
 * A point of a series. Its value covers the period that starts at the timestamp (Metric rules, 1). Units:
 * gas, gas per second, transactions per second, wei. Integers may exceed 2^53.
 */
export const metricPoint = record({ value: wideNumber, timestamp })
export type MetricPoint = z.infer<typeof metricPoint>

export const metricsPageBounds = { min: 1, max: 2160, default: 100 } as const

/** The query of a series: its range, both ends exclusive, its interval and its page. */
export const seriesParameters = z.object({
  ...timeWindow,
  timeInterval: z._default(z.enum(timeIntervals), 'day'),
  ...paging(metricsPageBounds),
})
