import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../../contract/metrics/intervals.ts'
import { proveMetric } from '../../../contract/metrics/proof.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { call } from '../session.ts'

export type Proof = ResponseOf<typeof proveMetric>

/** Lets the service count a point of a chain's metric again. */
export const countAgain = (
  chainId: string,
  metric: MetricName,
  timestamp: number,
  timeInterval: TimeInterval,
  signal: AbortSignal,
): Promise<Proof> =>
  call(proveMetric, { params: { chainId, metric }, query: { timestamp, timeInterval }, signal })
