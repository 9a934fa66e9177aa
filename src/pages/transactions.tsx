import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import type { EvmTransaction } from '../../contract/evm-transactions.ts'
import { useChainFacts, useOffers, useProfile } from '../api/current.ts'
import { liveHeads } from '../api/live-heads.ts'
import { startAnew } from '../api/query-client.ts'
import { allTransactions, transactionsQuery } from '../api/transactions.ts'
import { useStore } from '../components/hooks.ts'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { EmptyState } from '../components/states.tsx'
import { DataTable } from '../components/table/data-table.tsx'
import { useSearchState } from '../components/use-search-state.ts'
import { pagedRows } from '../lib/paging.ts'
import { paths } from '../paths.ts'
import { transactionColumns } from './parts/transaction-columns.tsx'
import { ChainCrumb } from './parts/crumbs.tsx'
import { Failed } from './parts/failed.tsx'
import { listRangeSchema, RangeJump } from './parts/list-range.tsx'

const fromOf = (range: { from?: number | undefined; before?: number | undefined }) => ({
  height: range.from,
  before: range.before,
})

const rowKey = (tx: EvmTransaction): string => tx.txHash

/** The transactions of a chain, latest first, without end. */
export function Component() {
  const { chainId = '' } = useParams()
  const [range, setRange] = useSearchState(listRangeSchema)
  const chain = useChainFacts(chainId)
  const profile = useProfile()
  const canJump = useOffers('listChainStatus')
  const from = fromOf(range)
  const options = transactionsQuery(chainId, from)
  const query = useInfiniteQuery(options)
  const columns = useMemo(() => transactionColumns(chain), [chain])
  const rows = useMemo(
    () => pagedRows(query.data?.pages.map((page) => page.transactions) ?? []),
    [query.data],
  )
  const arrived = useStore(liveHeads, (all) => all.get(chain.chainId)?.transactions ?? 0)
  const atHead = range.from === undefined && range.before === undefined
  const fresh = atHead ? arrived - (query.data?.pages[0]?.arrived ?? arrived) : 0

  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={`Transactions · ${chain.name}`} heading="Transactions" />
      {query.isPending ? (
        <SkeletonRows count={20} />
      ) : query.error && !query.data ? (
        <Failed
          title="The transactions could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <DataTable
          id="transactions"
          label={`Transactions of ${chain.name}`}
          noun="transaction"
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          rowHref={(tx) => paths.transaction(chain.chainId, tx.txHash)}
          tools={
            <RangeJump
              range={range}
              onChange={(next) => setRange(next, { push: true })}
              unsupported={
                canJump
                  ? undefined
                  : `${profile?.name ?? 'This service'} lists transactions from the newest on only`
              }
            />
          }
          fresh={{ count: Math.max(0, fresh), onShow: () => startAnew(options.queryKey) }}
          more={{
            has: query.hasNextPage,
            loading: query.isFetchingNextPage,
            load: () => void query.fetchNextPage(),
            ...(query.isFetchNextPageError && {
              failed: (
                <Failed
                  title="The next transactions could not be loaded."
                  error={query.error}
                  onRetry={() => void query.fetchNextPage()}
                />
              ),
            }),
          }}
          source={{
            name: `transactions-${chain.chainId}`,
            pages: (signal) => allTransactions(chainId, from, signal),
          }}
        />
      )}
      {query.data && rows.count === 0 && !query.hasNextPage && (
        <EmptyState title="No transactions here">
          {atHead
            ? 'This chain has no indexed transaction yet. They appear with the first block that holds one.'
            : 'No indexed transaction is as old as this. Remove the filter to begin at the newest one.'}
        </EmptyState>
      )}
    </>
  )
}
