import * as z from 'zod/mini'
import { chainId, networkName, queryInteger, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { metricNames } from './catalogue.ts'
import { networkMetricNames } from './network-catalogue.ts'
import { timeIntervals } from './intervals.ts'
import { wideNumber } from './series.ts'

const operation = operationsOf('Metrics')

const query = z.object({
  timestamp: queryInteger({ min: 0, max: 99_999_999_999 }).with(
    z.describe('Any time of the period, Unix seconds'),
  ),
  timeInterval: z._default(z.enum(timeIntervals), 'day'),
})

const proof = record({
  timestamp: timestamp.with(z.describe('The start of the period')),
  endTimestamp: timestamp.with(z.describe('Its end, exclusive')),
  stored: wideNumber.with(z.describe('The value that the series has')),
  counted: wideNumber.with(z.describe('The value that the statement counted')),
  isEqual: z.boolean().with(z.describe('Whether both are the same number exactly, compared as fractions')),
  firstBlock: z.optional(z.int()).with(z.describe('The first block that was counted; absent without blocks')),
  lastBlock: z.optional(z.int()).with(z.describe('The last block that was counted')),
  lastIndexedBlock: z.int().with(z.describe('The newest block when the stored value was read')),
  rows: z.int().with(z.describe('The number of rows behind the value')),
  rowForm: z.string().with(z.describe('The columns of a row in the canonical form')),
  rowsHash: z
    .string()
    .with(
      z.describe(
        'SHA-256, in hex, of the rows in the canonical form, in their order, with line feeds between',
      ),
    ),
  sql: z.string().with(z.describe('The statement')),
  elapsedMilliseconds: z.number(),
})

const description =
  'Runs a statement over the tables of `POST /v1/sql`, under its rules of access and its limits, and compares the result with the stored value. Both are as of `lastIndexedBlock`.'

/** Only in Ridgeline: `/v2/chains/{chainId}/metrics/{metric}/proof` (docs/metrics.md, Proof of a number). */
export const proveMetric = operation({
  id: 'proveMetric',
  path: '/v2/chains/{chainId}/metrics/{metric}/proof',
  summary: 'Count one point of a metric again, by SQL over the rows behind it',
  description,
  params: z.object({ chainId, metric: z.enum(metricNames) }),
  query,
  response: proof,
})

/** Only in Ridgeline: the same for the series of a network; samples, which are in no block, are a 422. */
export const proveNetworkMetric = operation({
  id: 'proveNetworkMetric',
  path: '/v2/networks/{network}/metrics/{metric}/proof',
  summary: 'Count one point of a metric of a network again, by SQL over the rows behind it',
  description,
  params: z.object({ network: networkName, metric: z.enum(networkMetricNames) }),
  query,
  response: proof,
})
