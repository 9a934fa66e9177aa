import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../contract/operation.ts'
import { getPrimaryBalances, listUtxos } from '../../contract/primary-balances.ts'
import { listUnlocks } from '../../contract/primary-calendar.ts'
import { listPrimaryTransactions, type PrimaryTxType } from '../../contract/primary-transactions.ts'
import type { ChainAlias } from '../lib/primary-chains.ts'
import type { NetworkName } from './primary-validators.ts'
import { settled } from './query-client.ts'
import { call } from './session.ts'
import { walk } from './tokens-walk.ts'

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
    staleTime: at === undefined ? 15_000 : settled,
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

/** Which transactions: of one type, after and before moments in Unix seconds (both exclusive). */
export type TransactionFilters = {
  type?: PrimaryTxType | undefined
  after?: number | undefined
  before?: number | undefined
}

const transactionsOf = (owners: Owners, { type, after, before }: TransactionFilters) => ({
  addresses: owners.join(','),
  ...(type !== undefined && { txTypes: type }),
  ...(after !== undefined && { startTimestamp: after }),
  ...(before !== undefined && { endTimestamp: before }),
})

/** The transactions of addresses on one chain, latest first, page by page. */
export const walletTransactionsQuery = (
  network: NetworkName,
  blockchainId: ChainAlias,
  owners: Owners,
  filters: TransactionFilters,
) =>
  infiniteQueryOptions({
    queryKey: ['wallet-transactions', network, blockchainId, owners, transactionsOf(owners, filters)],
    queryFn: ({ pageParam }) =>
      call(listPrimaryTransactions, {
        params: { network, blockchainId },
        query: { pageSize, ...transactionsOf(owners, filters), ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** Every transaction of addresses on one chain, page by page, for exports. */
export const allWalletTransactions = (
  network: NetworkName,
  blockchainId: ChainAlias,
  owners: Owners,
  filters: TransactionFilters,
  signal: AbortSignal,
) =>
  walk(
    listPrimaryTransactions,
    {
      params: { network, blockchainId },
      query: { pageSize: exportPageSize, ...transactionsOf(owners, filters) },
      signal,
    },
    (page) => page.transactions,
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
    queryFn: async ({ signal }) => {
      const unlocks: Unlock[] = []
      for await (const page of allUnlocks(network, owners, signal)) unlocks.push(...page)
      return unlocks
    },
    staleTime: 60_000,
  })
