import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { getPrimaryBalances, listUtxos } from '../../../contract/primary/balances.ts'
import { listUnlocks } from '../../../contract/network/calendar.ts'
import type { ChainAlias } from '../../lib/primary-chains.ts'
import type { NetworkName } from '../current.ts'
import { listQuery, wholeListQuery } from '../list.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'

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

/** The UTXOs of addresses on one chain. */
export const utxosQuery = (
  network: NetworkName,
  blockchainId: ChainAlias,
  owners: Owners,
  filters: UtxoFilters,
) =>
  listQuery({
    key: ['utxos', network, blockchainId, owners, filters],
    read: (paging, signal) =>
      call(listUtxos, {
        params: { network, blockchainId },
        query: { ...paging, ...utxosOf(owners, filters) },
        signal,
      }),
    rowsOf: (page) => page.utxos,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** All moments at which some of the addresses' money becomes free, soonest first. */
export const unlocksQuery = (network: NetworkName, owners: Owners) =>
  wholeListQuery({
    key: ['unlocks', network, owners],
    read: (paging, signal) =>
      call(listUnlocks, {
        params: { network },
        query: { ...paging, addresses: owners.join(',') },
        signal,
      }),
    rowsOf: (page) => page.unlocks,
    largePageSize: 500,
    staleTime: 60_000,
  })
