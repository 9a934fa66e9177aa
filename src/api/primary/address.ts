import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { getPrimaryBalances, listUtxos } from '../../../contract/primary/balances.ts'
import { listUnlocks } from '../../../contract/network/calendar.ts'
import type { ChainAlias } from '../../lib/primary-chains.ts'
import type { NetworkName } from '../current.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'
import { gather, walk } from '../walk.ts'

const pageSize = 50
const exportPageSize = 100
const unlockPageSize = 500

/** Whose money, as the operations take it: without the letter of a chain. */
export type Owners = readonly string[]

/** A moment at which some of the money becomes free. */
export type Unlock = ResponseOf<typeof listUnlocks>['unlocks'][number]

/** All buckets of addresses on one chain, now or at a moment in Unix seconds. */
export const primaryBalancesQuery = (
  network: NetworkName,
  blockchainId: ChainAlias,
  owners: Owners,
  at: number | undefined,
) =>
  queryOptions({
    queryKey: ['primary-balances', network, blockchainId, owners, at ?? null],
    queryFn: async () =>
      (
        await call(getPrimaryBalances, {
          params: { network, blockchainId },
          query: { addresses: owners.join(','), ...(at !== undefined && { blockTimestamp: at }) },
        })
      ).balances,
    staleTime: at === undefined ? 15_000 : immutableStaleTime,
    ...(at === undefined && { refetchInterval: 30_000 }),
  })

/** Which UTXOs: spent ones too, latest or oldest first. */
export type UtxoFilters = { spent: boolean; order: 'asc' | 'desc' }

const utxosOf = (owners: Owners, { spent, order }: UtxoFilters) => ({
  addresses: owners.join(','),
  includeSpent: spent,
  sortOrder: order,
})

/** The UTXOs of addresses on one chain, page by page. */
export const utxosQuery = (
  network: NetworkName,
  blockchainId: ChainAlias,
  owners: Owners,
  filters: UtxoFilters,
) =>
  infiniteQueryOptions({
    queryKey: ['utxos', network, blockchainId, owners, filters],
    queryFn: ({ pageParam }) =>
      call(listUtxos, {
        params: { network, blockchainId },
        query: { pageSize, ...utxosOf(owners, filters), ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** Every UTXO of addresses on one chain, page by page, for exports. */
export const allUtxos = (
  network: NetworkName,
  blockchainId: ChainAlias,
  owners: Owners,
  filters: UtxoFilters,
  signal: AbortSignal,
) =>
  walk(
    listUtxos,
    {
      params: { network, blockchainId },
      query: { pageSize: exportPageSize, ...utxosOf(owners, filters) },
      signal,
    },
    (page) => page.utxos,
  )

/** Every moment at which some of the addresses' money becomes free, soonest first, page by page. */
export const allUnlocks = (network: NetworkName, owners: Owners, signal: AbortSignal) =>
  walk(
    listUnlocks,
    { params: { network }, query: { addresses: owners.join(','), pageSize: unlockPageSize }, signal },
    (page) => page.unlocks,
  )

/** All moments at which some of the addresses' money becomes free, soonest first. */
export const unlocksQuery = (network: NetworkName, owners: Owners) =>
  queryOptions({
    queryKey: ['unlocks', network, owners],
    queryFn: ({ signal }) => gather(allUnlocks(network, owners, signal)),
    staleTime: 60_000,
  })
