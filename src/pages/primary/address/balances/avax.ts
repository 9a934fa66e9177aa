import { useQuery } from '@tanstack/react-query'
import { useOffers, useProfile, type NetworkName } from '../../../../api/current.ts'
import { networkOverviewQuery } from '../../../../api/network/overview.ts'

/** The id of AVAX on the public networks; local networks have other ids. */
const known: Readonly<Record<NetworkName, string>> = {
  mainnet: 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z',
  fuji: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
  testnet: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
}

/**
 * The id of a network's AVAX according to the service; undefined while it loads. After a failure it is not guessed:
 * with another network's id every balance would be 0.
 */
export function useAvaxId(network: NetworkName): {
  id: string | undefined
  failed: { error: Error; refetch: () => unknown } | undefined
} {
  const offered = useOffers('getNetworkOverview')
  const profile = useProfile()
  const overview = useQuery({ ...networkOverviewQuery(network), enabled: offered })
  const { data, error, refetch } = overview
  if (!profile || (offered && !data)) return { id: undefined, failed: error ? { error, refetch } : undefined }
  return { id: data?.avaxAssetId ?? known[network], failed: undefined }
}
