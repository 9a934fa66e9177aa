import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useSyncExternalStore } from 'react'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { getNetworkOverview, type PrimaryChainStatus } from '../../../contract/network/overview.ts'
import type { Followed } from '../../lib/freshness.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { useOffers, useProfile, type NetworkName } from '../current.ts'
import { headOf } from '../chains.ts'
import { primaryHeads, type PrimaryHead } from '../live-heads.ts'
import { call } from '../session.ts'

type NetworkOverview = ResponseOf<typeof getNetworkOverview>
type Count =
  | 'amountStaked'
  | 'amountDelegated'
  | 'validatorCount'
  | 'pendingValidatorCount'
  | 'delegatorCount'
  | 'subnetCount'
  | 'l1Count'
  | 'blockchainCount'
  | 'l1ValidatorCount'
  | 'activeL1ValidatorCount'
/** An overview with its figures. */
export type CountedOverview = NetworkOverview & { [Name in Count]: Exclude<NetworkOverview[Name], undefined> }

/** An overview with its figures; undefined before the first block of the P-Chain, when nothing is counted. */
export const countedOf = (overview: NetworkOverview | undefined): CountedOverview | undefined =>
  overview?.validatorCount === undefined ? undefined : (overview as CountedOverview)

/** The state of a network's chains and its headline figures. */
export const networkOverviewQuery = (network: NetworkName) =>
  queryOptions({
    queryKey: ['network-overview', network],
    queryFn: ({ signal }) => call(getNetworkOverview, { params: { network }, signal }),
    staleTime: 5_000,
    refetchInterval: 15_000,
  })

/** The newest block of a primary network chain, for deployments without an overview. */
const primaryHeadQuery = (network: NetworkName, blockchainId: PrimaryChainAlias) =>
  queryOptions({
    queryKey: ['primary-head', network, blockchainId],
    queryFn: async ({ signal }): Promise<Followed | null> => {
      // Few deployments need it, so it stays out of the code of every page.
      const { listPrimaryBlocks } = await import('../../../contract/primary/blocks.ts')
      const { blocks } = await call(listPrimaryBlocks, {
        params: { network, blockchainId },
        query: { pageSize: 25 },
        signal,
      })
      return headOf(blocks)
    },
    staleTime: 10_000,
    refetchInterval: 20_000,
  })

const newer = (head: PrimaryHead | undefined, than: string | undefined): head is PrimaryHead =>
  head !== undefined && (than === undefined || BigInt(head.blockNumber) > BigInt(than))

/** A chain's status with the newest announced head. */
function withHead(status: PrimaryChainStatus, head: PrimaryHead | undefined): PrimaryChainStatus {
  if (!newer(head, status.indexedHeight)) return status
  return {
    ...status,
    indexedHeight: head.blockNumber,
    indexedTimestamp: head.blockTimestamp,
    ...(newer(head, status.nodeHeight) && { nodeHeight: head.blockNumber }),
  }
}

/** A chain's status in the form that freshness needs. */
export const followedOf = (status: PrimaryChainStatus): Followed => ({
  state: status.state,
  reason: status.reason,
  stoppedTimestamp: status.stoppedTimestamp,
  indexedBlock: status.indexedHeight,
  indexedTimestamp: status.indexedTimestamp,
  nodeBlock: status.nodeHeight,
  nodeSeenTimestamp: status.nodeSeenTimestamp,
})

/** The status of a network's three chains in display order, with the newest announced heads. */
export function usePrimaryStatus(network: NetworkName): readonly PrimaryChainStatus[] | undefined {
  const offered = useOffers('getNetworkOverview', network)
  const chains = useQuery({ ...networkOverviewQuery(network), enabled: offered }).data?.chains
  const heads = useSyncExternalStore(primaryHeads.subscribe, primaryHeads.get, primaryHeads.get)
  return useMemo(() => {
    if (!chains) return undefined
    const place = (status: PrimaryChainStatus): number =>
      primaryChainAliases.findIndex((alias) => alias === status.chainName)
    return chains
      .map((status) => withHead(status, heads.get(`${network}/${status.chainName}`)))
      .toSorted((a, b) => place(a) - place(b))
  }, [chains, heads, network])
}

/** The indexing state of one chain: from its status, or from its newest block without one. */
export function usePrimaryFollowed(network: NetworkName, chain: PrimaryChainAlias): Followed | undefined {
  const offered = useOffers('getNetworkOverview', network)
  const known = useProfile() !== undefined
  const status = usePrimaryStatus(network)?.find((one) => one.chainName === chain)
  const head = useQuery({ ...primaryHeadQuery(network, chain), enabled: known && !offered }).data
  if (offered) return status && followedOf(status)
  return head ?? undefined
}
