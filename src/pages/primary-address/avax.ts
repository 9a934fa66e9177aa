import { useQuery } from '@tanstack/react-query'
import { useOffers, useProfile, type NetworkName } from '../../api/current.ts'
import { networkOverviewQuery } from '../../api/primary-overview.ts'

/** The id of AVAX on the networks that all know; a network of one's own has another. */
const known: Readonly<Record<NetworkName, string>> = {
  mainnet: 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z',
  fuji: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
  testnet: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
}

/** The id of a network's AVAX, as the service tells it; undefined while it is asked. */
export function useAvaxId(network: NetworkName): string | undefined {
  const offered = useOffers('getNetworkOverview')
  const profile = useProfile()
  const overview = useQuery({ ...networkOverviewQuery(network), enabled: offered })
  if (!profile || (offered && overview.isPending)) return undefined
  return overview.data?.avaxAssetId ?? known[network]
}
