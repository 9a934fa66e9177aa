import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { getPrimaryBalances, listUtxos } from '../../../contract/primary/balances.ts'
import { listUnlocks } from '../../../contract/network/calendar.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import type { NetworkName } from '../current.ts'
import { listQuery, wholeListQuery } from '../list.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'

/** The owners of money as operations take them: addresses without a chain's letter. */
export type Owners = readonly string[]

/** A time at which an amount unlocks. */
export type Unlock = ResponseOf<typeof listUnlocks>['unlocks'][number]

/** All balance buckets of addresses on one chain, now or at a time in Unix seconds. */
export const primaryBalancesQuery = (
  network: NetworkName,
  blockchainId: PrimaryChainAlias,
  owners: Owners,
  at: number | undefined,
) =>
  queryOptions({
    queryKey: ['primary-balances', network, blockchainId, owners, at ?? null],
    queryFn: async () => {
      const { balances, isIndexed } = await call(getPrimaryBalances, {
        params: { network, blockchainId },
        query: { addresses: owners.join(','), ...(at !== undefined && { blockTimestamp: at }) },
      })
      return { ...balances, isIndexed }
    },
    staleTime: at === undefined ? 15_000 : immutableStaleTime,
    ...(at === undefined && { refetchInterval: 30_000 }),
  })

/** Filters of UTXOs: whether to include spent ones, and the order. */
type UtxoFilters = { spent: boolean; order: 'asc' | 'desc' }

const utxosOf = (owners: Owners, { spent, order }: UtxoFilters) => ({
  addresses: owners.join(','),
  includeSpent: spent,
  sortOrder: order,
})

/** The UTXOs of addresses on one chain. */
export const utxosQuery = (
  network: NetworkName,
  blockchainId: PrimaryChainAlias,
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

/** All times at which amounts of the addresses unlock, soonest first. */
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
