import { getBlock } from '../../../contract/evm/blocks.ts'
import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import { getMetric } from '../../../contract/metrics/metrics.ts'
import type { MetricPoint } from '../../../contract/metrics/series.ts'
import type { DashboardConfig, Profile } from '../../../contract/profile.ts'
import { createClient, type Client } from '../client.ts'
import { ApiError } from '../errors.ts'
import { keyOf } from '../session.ts'
import { readSeries, type MetricRange } from './series.ts'

/** The hosted profile of a network that has a metric; undefined without one, and on its own pages. */
export const hostedProfile = (
  { profiles }: DashboardConfig,
  current: Profile,
  network: Profile['network'],
  metric: MetricName,
): Profile | undefined =>
  profiles.find(
    (profile) =>
      profile.id !== current.id &&
      profile.metricsUrl !== '' &&
      profile.network === network &&
      (profile.metrics?.includes(metric) ?? true),
  )

/** A client of another profile, with its own key. */
export const clientOf = (profile: Profile): Client => createClient({ profile, key: keyOf(profile) })

/**
 * The points of a chain's metric in another deployment, oldest first. Throws an ApiError, also if the chain is another one
 * there: a local network may have the id of a public one.
 */
export async function seriesElsewhere(
  own: Client,
  other: Client,
  { chainId, metric }: { chainId: string; metric: MetricName },
  range: MetricRange,
  signal: AbortSignal,
): Promise<MetricPoint[]> {
  const genesis = { params: { chainId, blockId: '0' }, signal }
  const [ours, theirs] = await Promise.all([own.call(getBlock, genesis), other.call(getBlock, genesis)])
  if (ours.blockHash !== theirs.blockHash)
    throw new ApiError(
      'status',
      `The other service has another chain with the ID ${chainId}: its first block is ${theirs.blockHash}.`,
      { name: 'Another chain' },
    )
  return readSeries(
    (query) => other.call(getMetric, { params: { chainId, metric }, query, signal }),
    range,
    signal,
  )
}
