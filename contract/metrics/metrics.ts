import * as z from 'zod/mini'
import {
  amount,
  chainId,
  evmAddress,
  nextPageToken,
  pageToken,
  paging,
  record,
  timestamp,
  timeWindow,
  wideInteger,
} from '../base/fields.ts'
import { ofErcType } from '../evm/token-fields.ts'
import { operationsOf } from '../base/operation.ts'
import { metricNames } from './catalogue.ts'
import { metricPoint, seriesParameters, wideNumber } from './series.ts'

const operation = operationsOf('Metrics')

/** An EVM chain id, a blockchain id, or one of `total`, `mainnet`, `testnet` (docs/api.md, Answers). */
export const metricsChainId = chainId.with(
  z.describe('An EVM chain ID, a blockchain ID, or total, mainnet, testnet'),
)

/** `/v2/chains/{chainId}/metrics/{metric}`, latest point first (docs/api.md, Metrics). */
export const getMetric = operation({
  id: 'getMetric',
  api: 'metrics',
  path: '/v2/chains/{chainId}/metrics/{metric}',
  summary: 'A metric of a chain over time',
  params: z.object({ chainId: metricsChainId, metric: z.enum(metricNames) }),
  query: seriesParameters,
  response: record({
    nextPageToken,
    results: z.array(metricPoint),
    unknownPeriods: z
      .optional(z.array(record({ startTimestamp: timestamp, endTimestamp: timestamp })))
      .with(
        z.describe(
          'Periods of the requested range without a point because blocks in or before them are not traced, latest first; the end is exclusive. Absent if there are none',
        ),
      ),
  }),
})

export const getAverageTps = operation({
  id: 'getAverageTps',
  api: 'metrics',
  path: '/v1/avg_tps/{chainId}',
  summary: 'Average transactions a second, by day',
  params: z.object({ chainId: metricsChainId }),
  query: z.object({ pageToken: z.optional(pageToken) }),
  response: record({
    nextPageToken,
    results: z.array(record({ timestamp, value: wideNumber })),
    status: z.int(),
    lastRun: timestamp.with(z.describe('When the last data point was updated')),
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
  params: z.object({ chainId, address: evmAddress }),
  query: z.object({
    threshold: amount.with(z.describe('The minimum balance, in the smallest unit')),
    ercType: ofErcType,
    ...timeWindow,
    ...paging({ min: 1, max: 5000, default: 1000 }),
  }),
  response: record({
    nextPageToken,
    addresses: z.array(record({ address: z.string(), sortKey: wideInteger, balance: z.optional(amount) })),
  }),
})
