import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { groupOwner } from '../../../charts/catalogue/groups.ts'
import { chainsQuery } from '../../api/chains.ts'
import { useChainFacts, type ChainFacts } from '../../api/current.ts'

/** Whether the id is that of a sum over chains. */
export function isGroup(id: string): boolean {
  return groupOwner(id) !== null
}

/** A chain or a group of chains, as metrics pages name it. */
export function useMetricsChain(chainId: string): ChainFacts {
  const facts = useChainFacts(chainId)
  return useMemo(() => groupOwner(chainId) ?? facts, [chainId, facts])
}

/** Every chain that a series can be compared with, then the sum of all of them. */
export function useComparable(): readonly ChainFacts[] {
  const chains = useQuery(chainsQuery()).data
  return useMemo(() => {
    const list = (chains ?? []).map((chain, index) => ({
      chainId: chain.chainId,
      name: chain.chainName,
      symbol: chain.networkToken.symbol,
      decimals: chain.networkToken.decimals,
      index,
    }))
    const all = groupOwner('total')
    return all === null ? list : [...list, all]
  }, [chains])
}
