import { z } from 'zod'
import {
  amount,
  chainId,
  endTimestamp,
  evmAddress,
  nextPageToken,
  pageToken,
  paging,
  record,
  startTimestamp,
  timestamp,
  wideInteger,
} from '../base/fields.ts'
import { ofErcType } from '../evm/token-fields.ts'
import { operation } from '../base/operation.ts'
import { metricEntry, metricNames } from './catalogue.ts'
import { timeIntervals } from './intervals.ts'

/** Path values that mean a sum over chains instead of one chain. */
export const chainGroups = ['total', 'mainnet', 'testnet'] as const
export type ChainGroup = (typeof chainGroups)[number]

/** An EVM chain id, a blockchain id, or one of `total`, `mainnet`, `testnet` (docs/api.md, Answers). */
export const metricsChainId = chainId.describe('An EVM chain id, a blockchain id, or total, mainnet, testnet')

/** Like `wideInteger`, for numbers with a fraction too. */
const wideNumber = z.union([z.number(), z.bigint()]).meta({ wire: { type: 'number' } })

/**
 * A point of a series. Its value covers the period that starts at the timestamp (Metric rules, 1). Units:
 * gas, gas per second, transactions per second, wei. Integers may exceed 2^53.
 */
export const metricPoint = record({ value: wideNumber, timestamp })
export type MetricPoint = z.infer<typeof metricPoint>

export const metricsPageBounds = { min: 1, max: 2160, default: 100 } as const

/** `/v2/chains/{chainId}/metrics/{metric}`, latest point first (docs/api.md, Metrics). */
export const getMetric = operation({
  id: 'getMetric',
  api: 'metrics',
  path: '/v2/chains/{chainId}/metrics/{metric}',
  summary: 'A metric of a chain over time',
  description: metricNames
    .map((name) => {
      const { about, unit, intervals } = metricEntry(name)
      return `- \`${name}\` (${unit}; by ${intervals.join(', ')}): ${about}`
    })
    .join('\n'),
  tag: 'Metrics',
  params: z.object({ chainId: metricsChainId, metric: z.enum(metricNames) }),
  query: z.object({
    startTimestamp: startTimestamp.optional(),
    endTimestamp: endTimestamp.optional(),
    timeInterval: z.enum(timeIntervals).default('day'),
    ...paging(metricsPageBounds),
  }),
  response: record({
    nextPageToken,
    results: z.array(metricPoint),
    unknownPeriods: z
      .array(record({ startTimestamp: timestamp, endTimestamp: timestamp }))
      .optional()
      .describe(
        'Periods of the asked range that have no point because blocks in or before them are not traced, latest first; the end is exclusive. Absent when there is none',
      ),
  }),
})

/** `/v1/avg_tps/{chainId}` (docs/api.md, Metrics). */
export const getAverageTps = operation({
  id: 'getAverageTps',
  api: 'metrics',
  path: '/v1/avg_tps/{chainId}',
  summary: 'Average transactions a second, by day',
  tag: 'Metrics',
  params: z.object({ chainId: metricsChainId }),
  query: z.object({ pageToken: pageToken.optional() }),
  response: record({
    nextPageToken,
    results: z.array(record({ timestamp, value: wideNumber })),
    status: z.number().int(),
    lastRun: timestamp.describe('When the last data point was updated'),
  }),
})

/**
 * `/v2/chains/{chainId}/contracts/{address}/balances` (docs/api.md, Metrics). `ercType` is an addition, as in
 * all operations on one kind of a contract.
 */
export const listHolders = operation({
  id: 'listHolders',
  api: 'metrics',
  path: '/v2/chains/{chainId}/contracts/{address}/balances',
  summary: 'Addresses that held more than a threshold of a token in a window, with their latest balances',
  tag: 'Metrics',
  params: z.object({ chainId, address: evmAddress }),
  query: z.object({
    threshold: amount.describe('The minimum balance, in the smallest unit'),
    ercType: ofErcType,
    startTimestamp: startTimestamp.optional(),
    endTimestamp: endTimestamp.optional(),
    ...paging({ min: 1, max: 5000, default: 1000 }),
  }),
  response: record({
    nextPageToken,
    addresses: z.array(record({ address: z.string(), sortKey: wideInteger, balance: amount.optional() })),
  }),
})
