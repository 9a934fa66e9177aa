import type { NetworkMetricEntry } from './network-catalogue.ts'

const group = 'Uptime and peers'
const since = 'as sampled from the node.'

const sampled = (title: string, about: string, unit: '%' | 'peers') =>
  ({
    kind: 'level',
    chain: 'p-chain',
    title,
    group,
    about: `${about}, ${since}`,
    unit,
    isGradual: true,
  }) as const

const uptime = (percent: number) =>
  sampled(`${percent}th percentile of uptime`, `${percent} % of the validators have at most this uptime`, '%')

/**
 * The metrics of a network that are sampled from the node, because blocks do not contain them; they cannot be
 * recounted. Their series begin with the first sample and have gaps where samples are missing (docs/metrics.md, The network).
 */
export const sampledNetworkMetrics = {
  uptimeP5: uptime(5),
  uptimeP25: uptime(25),
  uptimeP50: uptime(50),
  uptimeP75: uptime(75),
  uptimeP95: uptime(95),
  newestVersionShare: sampled('Peers with the newest version', 'Among the peers of the node', '%'),
  connectedPeers: sampled('Connected peers', 'Peers of the node', 'peers'),
} as const satisfies Readonly<Record<string, NetworkMetricEntry>>

export type SampledNetworkMetricName = keyof typeof sampledNetworkMetrics

/** Whether a metric of a network is from samples of the node. */
export const isSampled = (metric: string): metric is SampledNetworkMetricName =>
  Object.hasOwn(sampledNetworkMetrics, metric)
