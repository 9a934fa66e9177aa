import { useMemo } from 'react'
import { networkOf, useCurrentChain, useProfile } from '../../api/current.ts'
import { paths } from '../../lib/paths.ts'
import { NetworkCrumb } from '../shared/network-crumb.tsx'
import { useNetworkFacts } from '../shared/network-facts.ts'
import { catalogue } from './catalogue.ts'
import { useComparable } from './chains.ts'
import { networkCatalogue, networkGroups } from './network-catalogue.ts'
import type { Subject } from './subject.tsx'

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
