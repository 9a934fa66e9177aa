import { useMemo } from 'react'
import { networkOf, useProfile } from '../../api/current.ts'
import { paths } from '../../lib/paths.ts'
import { NetworkCrumb, useNetworkLabel } from '../shared/network-crumb.tsx'
import { networkCatalogue, networkGroups } from './network-catalogue.ts'
import type { Subject } from './subject.tsx'

/** A primary network with its L1s. */
export function useNetworkSubject(name: string): Subject {
  const profile = useProfile()
  const network = networkOf(name) ?? profile?.network ?? 'fuji'
  const label = useNetworkLabel(network)
  return useMemo(
    () => ({
      facts: { chainId: network, name: label, symbol: 'AVAX', decimals: 9, index: 0 },
      kind: 'network',
      series: networkCatalogue,
      groups: networkGroups,
      comparable: [],
      crumb: <NetworkCrumb network={network} />,
      all: (query) => paths.networkMetrics(network, query),
      one: (metric, query) => paths.networkMetric(network, metric, query),
    }),
    [network, label],
  )
}
