import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { titleOf } from '../../../contract/pages.ts'
import type { PrimaryTransaction } from '../../../contract/primary/transactions.ts'
import { usePrimaryFollowed } from '../../api/network/overview.ts'
import { useOffers } from '../../api/current.ts'
import { isByType, newerTransactionsQuery, primaryTransactionsQuery } from '../../api/primary/transactions.ts'
import { queryClient, resetToFirstPage } from '../../api/query-client.ts'
import { usePrimaryTransactionFiles } from '../../api/sql/table-files.ts'
import { Term } from '../../components/glossary/term.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import { readSearch } from '../../lib/search-params.ts'
import { paths } from '../../lib/paths.ts'
import { ChainSwitch, NetworkCrumb } from '../shared/network-crumb.tsx'
import { primaryPlaceOf, usePrimaryPlace } from '../shared/network-gates.tsx'
import { heightOf, primaryTransactionColumns } from './transaction-columns.tsx'
import { InfiniteTable, rowsOfPages } from '../shared/infinite-table.tsx'
import { TypeChart } from './type-chart.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterSchema, filtersOf } from './filters.ts'

const rowKey = (tx: PrimaryTransaction): string => tx.txHash

/** Requests the first page of the chain's transactions. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const place = primaryPlaceOf(params)
  if (!place) return null
  const state = readSearch(filterSchema, new URL(request.url).searchParams)
  const filters = filtersOf(state, place.chain, true)
  // Whether the deployment has the list by type is not known yet.
  if (!isByType(filters))
    void queryClient.prefetchInfiniteQuery(primaryTransactionsQuery(place.network, place.chain, filters))
  return null
}

/** The transactions of the P-, X- or C-Chain, latest first, with the filters that the API supports. */
export function Component() {
  const { network, chain } = usePrimaryPlace()
  const [state, setState] = useSearchState(filterSchema)
  const hasByType = useOffers('listPrimaryTransactionsByType', network)
  const filters = filtersOf(state, chain, hasByType)
  const list = primaryTransactionsQuery(network, chain, filters)
  const query = useInfiniteQuery(list)
  const files = usePrimaryTransactionFiles(network, chain, filters)
  const columns = useMemo(() => primaryTransactionColumns(network, chain), [network, chain])
  const rows = rowsOfPages(query.data, list.rowsOf)
  const head = usePrimaryFollowed(network, chain)?.indexedBlock
  const label = chainLabel(chain) ?? chain
  const top = rows.at(0)
  const topHeight = top && heightOf(top)
  const whole = Object.values(filters).every((value) => value === undefined)
  const newest = top?.txHash ?? ''
  const moved = whole && head !== undefined && topHeight !== undefined && BigInt(head) > BigInt(topHeight)
  const fresh = useQuery({
    ...newerTransactionsQuery(network, chain, newest, head ?? ''),
    enabled: moved && newest !== '',
  }).data

  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('primaryTransactions', { chain: label })}
        heading={chain === 'c-chain' ? 'Atomic transactions' : 'Transactions'}
        switcher={chain === 'c-chain' && <Term word="atomic transaction" />}
        actions={<ChainSwitch chain={chain} to={(one) => paths.primaryTransactions(network, one)} />}
      />
      {whole && (
        <TypeChart
          key={`chart ${chain}`}
          network={network}
          of={chain}
          name={label}
          path={paths.primaryTransactions(network, chain)}
          isReady={!query.isPending}
        />
      )}
      <InfiniteTable
        id={`primary-transactions-${chain}`}
        label={`Transactions of the ${label}`}
        noun="transaction"
        nouns="transactions"
        query={query}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={(tx) => paths.primaryTransaction(network, chain, tx.txHash)}
        tools={
          <FilterBar
            key={chain}
            state={state}
            chain={chain}
            hasByType={hasByType}
            onChange={(patch) => setState(patch, { push: true })}
          />
        }
        fresh={{ count: moved ? (fresh ?? 0) : 0, onShow: () => resetToFirstPage(list.queryKey) }}
        source={{
          name: `transactions-${network}-${chain}`,
          pages: list.all,
          files,
        }}
        empty={
          <EmptyState title="No transactions">
            {whole
              ? `The ${label} has no indexed transaction yet. They appear with the first block that holds one.`
              : 'No transaction matches the filters. Remove one of them to see more.'}
          </EmptyState>
        }
      />
    </>
  )
}
