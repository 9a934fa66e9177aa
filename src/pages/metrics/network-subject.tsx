import { useMemo } from 'react'
import {
  networkOf,
  useCurrentChain,
  useProfile,
  type ChainFacts,
  type NetworkName,
} from '../../api/current.ts'
import { paths } from '../../lib/paths.ts'
import { NetworkCrumb, useNetworkLabel } from '../shared/network-crumb.tsx'
import { catalogue } from './catalogue.ts'
import { useComparable } from './chains.ts'
import { networkCatalogue, networkGroups } from './network-catalogue.ts'
import type { Subject } from './subject.tsx'

/** A network as a subject of series. */
export function useNetworkFacts(network: NetworkName): ChainFacts {
  const label = useNetworkLabel(network)
  return useMemo(
    () => ({ chainId: network, name: label, symbol: 'AVAX', decimals: 9, index: 0 }),
    [network, label],
  )
}

/** A primary network with its L1s. */
export function useNetworkSubject(name: string): Subject {
  const profile = useProfile()
  const network = networkOf(name) ?? profile?.network ?? 'fuji'
  const facts = useNetworkFacts(network)
  const chains = useComparable()
  const { chainId } = useCurrentChain()
  return useMemo(
    () => ({
      facts,
      kind: 'network',
      series: networkCatalogue,
      groups: networkGroups,
      comparable: [],
      beside: { facts: chains, series: catalogue, offered: chainId },
      crumb: <NetworkCrumb network={network} />,
      all: (query) => paths.networkMetrics(network, query),
      one: (metric, query) => paths.networkMetric(network, metric, query),
    }),
    [network, facts, chains, chainId],
  )
}
