import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { useChainFacts, useFollowed, useOffers } from '../../api/current.ts'
import { rangeOf } from '../../api/evm/list-start.ts'
import { useMovements, withMovements, type MovedTransaction } from '../../api/evm/movements.ts'
import { queryClient, resetToFirstPage } from '../../api/query-client.ts'
import { useTableFiles } from '../../api/sql/table-files.ts'
import { transactionsQuery } from '../../api/evm/transactions.ts'
import { EmptyState } from '../../components/states.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { readSearch } from '../../lib/search-params.ts'
import { pagedRows } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { InfiniteTable } from '../shared/infinite-table.tsx'
import { listRangeSchema, placeOf, RangeJump } from '../shared/list-range.tsx'
import { ListHead } from './list-head.tsx'
import { transactionColumns } from './transaction-columns.tsx'
import { filterOf, TransactionFilters, transactionFiltersSchema } from './transaction-filters.tsx'

const searchSchema = z.extend(listRangeSchema, transactionFiltersSchema.shape)

/** The first page of the chain's transactions. */
export function loader({ params: { chainId = '' }, request }: LoaderFunctionArgs): null {
  const search = readSearch(searchSchema, new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(transactionsQuery(chainId, placeOf(search), filterOf(search)))
  return null
}

/** How many transactions a chain had when a first page of them was first shown. */
const countedWith = new WeakMap<object, bigint>()

/**
 * How many transactions a chain has gained since a first page of them. They are counted by the chain's status: the event
 * stream tells nothing of blocks that came while it was closed.
 */
function countSince(page: object | undefined, total: string | undefined): number {
  if (page === undefined || total === undefined) return 0
  const before = countedWith.get(page) ?? BigInt(total)
  countedWith.set(page, before)
  return Number(BigInt(total) - before)
}

const rowKey = (tx: MovedTransaction): string => tx.txHash

/** The transactions of a chain, latest first, without end. */
export function Component() {
  const { chainId = '' } = useParams()
  const [search, setSearch] = useSearchState(searchSchema)
  const chain = useChainFacts(chainId)
  const from = placeOf(search)
  const filter = filterOf(search)
  const isNarrowed = Object.keys(filter).length > 0
  const list = transactionsQuery(chainId, from, filter)
  const query = useInfiniteQuery(list)
  const files = useTableFiles({ table: 'transactions', query: { chainId: chain.chainId, ...rangeOf(from) } })
  const columns = useMemo(() => transactionColumns(chain), [chain])
  const pages = useMemo(() => query.data?.pages.map((page) => page.transactions) ?? [], [query.data])
  const moved = useMovements(chain.chainId, pages)
  const rows = useMemo(() => pagedRows(moved), [moved])
  const offered = useOffers('listTransactionMovements')
  const gained = countSince(query.data?.pages[0], useFollowed(chain.chainId)?.txCount)
  const atHead = from.height === undefined && from.before === undefined
  // What arrives may not fit a filter.
  const fresh = atHead && !isNarrowed ? gained : 0

  return (
    <>
      <ListHead chain={chain} of="transactions" />
      <InfiniteTable
        id="transactions"
        label={`Transactions of ${chain.name}`}
        noun="transaction"
        nouns="transactions"
        query={query}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={(tx) => paths.transaction(chain.chainId, tx.txHash)}
        tools={
          <>
            <RangeJump range={search} onChange={(next) => setSearch(next, { push: true })} />
            {offered && (
              <TransactionFilters
                chain={chain}
                filters={search}
                onChange={(next) => setSearch(next, { push: true })}
              />
            )}
          </>
        }
        fresh={{ count: Math.max(0, fresh), onShow: () => resetToFirstPage(list.queryKey) }}
        source={{
          name: `transactions-${chain.chainId}`,
          pages: (signal) => withMovements(chain.chainId, list.all(signal), offered, signal),
          ...(!isNarrowed && { files }),
        }}
        empty={
          <EmptyState title="No transactions">
            {isNarrowed
              ? 'No indexed transaction fits these filters. Remove one of them to see more.'
              : atHead
                ? 'This chain has no indexed transaction yet. They appear with the first block that holds one.'
                : 'No indexed transaction is as old as this. Remove the filter to begin at the newest one.'}
          </EmptyState>
        }
      />
    </>
  )
}
