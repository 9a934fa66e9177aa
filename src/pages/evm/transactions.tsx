import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { useChainFacts, useOffers } from '../../api/current.ts'
import { rangeOf } from '../../api/evm/list-start.ts'
import { useMovements, withMovements, type MovedTransaction } from '../../api/evm/movements.ts'
import { liveHeads } from '../../api/live-heads.ts'
import { queryClient, resetToFirstPage } from '../../api/query-client.ts'
import { useTableFiles } from '../../api/sql/table-files.ts'
import { transactionsQuery } from '../../api/evm/transactions.ts'
import { useStore } from '../../components/hooks.ts'
import { EmptyState } from '../../components/states.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { readSearch } from '../../lib/search-params.ts'
import { pagedRows } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { InfiniteTable } from '../shared/infinite-table.tsx'
import { listRangeSchema, placeOf, RangeJump } from '../shared/list-range.tsx'
import { ListHead } from './list-head.tsx'
import { transactionColumns } from './transaction-columns.tsx'

/** The first page of the chain's transactions. */
export function loader({ params: { chainId = '' }, request }: LoaderFunctionArgs): null {
  const range = readSearch(listRangeSchema, new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(transactionsQuery(chainId, placeOf(range)))
  return null
}

const rowKey = (tx: MovedTransaction): string => tx.txHash

/** The transactions of a chain, latest first, without end. */
export function Component() {
  const { chainId = '' } = useParams()
  const [range, setRange] = useSearchState(listRangeSchema)
  const chain = useChainFacts(chainId)
  const from = placeOf(range)
  const list = transactionsQuery(chainId, from)
  const query = useInfiniteQuery(list)
  const files = useTableFiles({ table: 'transactions', query: { chainId: chain.chainId, ...rangeOf(from) } })
  const columns = useMemo(() => transactionColumns(chain), [chain])
  const pages = useMemo(() => query.data?.pages.map((page) => page.transactions) ?? [], [query.data])
  const moved = useMovements(chain.chainId, pages)
  const rows = useMemo(() => pagedRows(moved), [moved])
  const offered = useOffers('listTransactionMovements')
  const arrived = useStore(liveHeads, (all) => all.get(chain.chainId)?.transactions ?? 0)
  const atHead = from.height === undefined && from.before === undefined
  const fresh = atHead ? arrived - (query.data?.pages[0]?.arrived ?? arrived) : 0

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
          <RangeJump range={range} onChange={(next) => setRange(next, { push: true })} nouns="transactions" />
        }
        fresh={{ count: Math.max(0, fresh), onShow: () => resetToFirstPage(list.queryKey) }}
        source={{
          name: `transactions-${chain.chainId}`,
          pages: (signal) => withMovements(chain.chainId, list.all(signal), offered, signal),
          files,
        }}
        empty={
          <EmptyState title="No transactions">
            {atHead
              ? 'This chain has no indexed transaction yet. They appear with the first block that holds one.'
              : 'No indexed transaction is as old as this. Remove the filter to begin at the newest one.'}
          </EmptyState>
        }
      />
    </>
  )
}
