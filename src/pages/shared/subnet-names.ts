import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Subnet } from '../../../contract/network/blockchains.ts'
import type { NetworkName } from '../../api/current.ts'
import { subnetsQuery } from '../../api/network/registry.ts'
import { safeText } from '../../lib/text.ts'

/** The names of a subnet's blockchains, at most two of them; empty if it has none. */
export function subnetName({ blockchains }: Pick<Subnet, 'blockchains'>): string {
  const names = blockchains.map(({ blockchainName }) => safeText(blockchainName, 24)).filter(Boolean)
  return `${names.slice(0, 2).join(', ')}${names.length > 2 ? ` and ${names.length - 2} more` : ''}`
}

/** The names of the loaded subnets by their ids: the list that the selection of a subnet loads. */
export function useSubnetNames(network: NetworkName, enabled = true): ReadonlyMap<string, string> {
  const pages = useInfiniteQuery({ ...subnetsQuery(network), enabled }).data?.pages
  return useMemo(
    () => new Map(pages?.flatMap(({ subnets }) => subnets.map((one) => [one.subnetId, subnetName(one)]))),
    [pages],
  )
}
