import { useMemo } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { paths } from '../../lib/paths.ts'
import { ChainCrumb } from '../shared/crumbs.tsx'
import { catalogue, groups } from './catalogue.ts'
import { isGroup, useComparable, useMetricsChain } from './chains.ts'
import { networkCatalogue } from './network-catalogue.ts'
import { useNetworkFacts } from '../shared/network-facts.ts'
import type { Subject } from './subject.tsx'

/** A chain or a group of chains. */
export function useChainSubject(chainId: string): Subject {
  const facts = useMetricsChain(chainId)
  const comparable = useComparable()
  const network = useNetworkFacts(useCurrentNetwork())
  return useMemo(
    () => ({
      facts,
      kind: 'chain',
      series: catalogue,
      groups,
      comparable,
      beside: { facts: [network], series: networkCatalogue, offered: network.chainId },
      crumb: isGroup(facts.chainId) ? null : <ChainCrumb chain={facts} />,
      all: (query) => paths.metrics(chainId, query),
      one: (metric, query) => paths.metric(chainId, metric, query),
    }),
    [chainId, facts, comparable, network],
  )
}
