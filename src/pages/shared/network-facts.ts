import { useMemo } from 'react'
import type { ChainFacts, NetworkName } from '../../api/current.ts'
import { useNetworkLabel } from './network-crumb.tsx'

/** A network as a subject of series. */
export function useNetworkFacts(network: NetworkName): ChainFacts {
  const label = useNetworkLabel(network)
  return useMemo(
    () => ({ chainId: network, name: label, symbol: 'AVAX', decimals: 9, index: 0 }),
    [network, label],
  )
}
