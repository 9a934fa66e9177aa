import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import type { NetworkMetricName } from '../../../contract/metrics/network-catalogue.ts'
import type { TimeInterval } from '../../../contract/metrics/intervals.ts'
import { proveMetric, proveNetworkMetric } from '../../../contract/metrics/proof.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import type { NetworkName } from '../current.ts'
import { callWithToken } from '../call-with-token.ts'

export type Proof = ResponseOf<typeof proveMetric>

/** A point of a series: its metric, a time of its period, and its interval. */
type Point = { readonly timestamp: number; readonly timeInterval: TimeInterval }

/** Lets the service count a point of a chain's metric again. */
export const proveOfChain = (
  chainId: string,
  metric: MetricName,
  query: Point,
  signal: AbortSignal,
): Promise<Proof> => callWithToken(proveMetric, { params: { chainId, metric }, query, signal })

/** The same for a network. */
export const proveOfNetwork = (
  network: NetworkName,
  metric: NetworkMetricName,
  query: Point,
  signal: AbortSignal,
): Promise<Proof> => callWithToken(proveNetworkMetric, { params: { network, metric }, query, signal })
