import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { chainGroups } from '../../../contract/metrics/series.ts'
import { chainsQuery } from '../../api/chains.ts'
import { useChainFacts, type ChainFacts } from '../../api/current.ts'

const groupNames: Readonly<Record<(typeof chainGroups)[number], string>> = {
  total: 'All chains',
  mainnet: 'All mainnet chains',
  testnet: 'All testnet chains',
}

/** Groups of chains have no colour of their own: past the eighth, series are grey. */
const GROUP_INDEX = 8

function groupFacts(id: string): ChainFacts | null {
  const group = chainGroups.find((name) => name === id)
  if (group === undefined) return null
  return { chainId: group, name: groupNames[group], symbol: '', decimals: 18, index: GROUP_INDEX }
}

/** Whether the id stands for a sum over chains. */
export function isGroup(id: string): boolean {
  return groupFacts(id) !== null
}

/** A chain or a group of chains, as metrics pages name it. */
export function useMetricsChain(chainId: string): ChainFacts {
  const facts = useChainFacts(chainId)
  return useMemo(() => groupFacts(chainId) ?? facts, [chainId, facts])
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
    const all = groupFacts('total')
    return all === null ? list : [...list, all]
  }, [chains])
}
