import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { chainsQuery, statusQuery } from '../../api/chains.ts'
import { useOffers } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { useNow } from '../../components/hooks.ts'
import { TrafficChart } from './traffic-chart.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Boundary } from '../../components/part.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { onePage, pagedRows } from '../../lib/paging.ts'
import { paths } from '../../lib/paths.ts'
import { HOUR } from '../../../charts/series/periods.ts'
import { chainColumns, chainRows, sortChains, type ChainRow } from './chain-rows.tsx'
import { Failed } from '../shared/failed.tsx'
import { ChartFrame, ChartPlace } from './places.tsx'
import { prefetchTraffic, useCountedChains, useTraffic } from './traffic.ts'

const searchSchema = z.object({
  filter: z.catch(z.string().check(z.maxLength(64)), ''),
  sort: z.catch(z.enum(['list', 'name', 'head', 'transactions', 'day', 'addresses', 'tps']), 'list'),
  order: z.catch(z.enum(['asc', 'desc']), 'desc'),
})

/** Requests the list of chains and their status; the chart's code comes after the list. */
export function loader(): null {
  void queryClient.prefetchQuery(chainsQuery())
  void prefetchTraffic()
  void queryClient.prefetchQuery(statusQuery())
  return null
}

const rowKey = (row: ChainRow): string => row.chain.chainId

/** All chains of this service below their transactions over time, with filter and sort order in the URL. */
export function Component() {
  const [search, setSearch] = useSearchState(searchSchema)
  const chains = useQuery(chainsQuery())
  const offered = useOffers('listChainStatus')
  const status = useQuery({ ...statusQuery(), enabled: offered })
  const now = useNow(HOUR)
  const counted = useCountedChains(chains.data)
  const ids = useMemo(() => counted.map(({ chainId }) => chainId), [counted])
  const traffic = useTraffic(ids, now).chains
  const { filter, sort, order } = search
  const rows = useMemo(() => {
    const needle = filter.trim().toLowerCase()
    const all = chainRows(chains.data ?? [], status.data, traffic).filter(
      ({ chain }) =>
        chain.chainName.toLowerCase().includes(needle) ||
        chain.chainId === needle ||
        chain.networkToken.symbol.toLowerCase() === needle,
    )
    return pagedRows([sortChains(all, sort, order)])
  }, [chains.data, status.data, traffic, filter, sort, order])

  return (
    <>
      <PageTitle document="Chains" heading="Chains" />
      {chains.data?.length !== 0 && !(chains.error && !chains.data) && (
        <div className="mb-4 min-w-0">
          <Section title="Transactions by chain">
            <ChartFrame>
              {chains.data === undefined || (offered && status.isPending) ? (
                <ChartPlace />
              ) : (
                <Boundary title="The chart">
                  <TrafficChart chains={counted} listed={chains.data.length} path={paths.chains()} />
                </Boundary>
              )}
            </ChartFrame>
          </Section>
        </div>
      )}
      {chains.isPending ? (
        <SkeletonRows count={8} />
      ) : chains.error ? (
        <Failed
          title="The chains could not be loaded."
          error={chains.error}
          onRetry={() => void chains.refetch()}
        />
      ) : (
        <DataTable
          id="chains"
          label="Chains"
          noun="chain"
          columns={chainColumns}
          rows={rows}
          rowKey={rowKey}
          rowHref={(row) => paths.chain(row.chain.chainId)}
          sort={{
            by: sort,
            order,
            onSort: (id) =>
              setSearch({
                sort: searchSchema.shape.sort.parse(id),
                order: sort === id && order === 'desc' ? 'asc' : 'desc',
              }),
          }}
          tools={
            <>
              <input
                type="search"
                aria-label="Filter the chains by name, id or token"
                placeholder="Filter by name, id or token"
                className="field h-7 w-60"
                value={filter}
                onChange={(event) => setSearch({ filter: event.target.value })}
              />
              {/* Two-line rows have no headings, so the sort order is selected here. */}
              <select
                aria-label="Sort the chains by"
                className="field h-7 md:hidden"
                value={sort}
                onChange={(event) => setSearch({ sort: searchSchema.shape.sort.parse(event.target.value) })}
              >
                <option value="list">As listed</option>
                {chainColumns
                  .filter((column) => column.sortable)
                  .map((column) => (
                    <option key={column.id} value={column.id}>
                      {column.header}
                    </option>
                  ))}
              </select>
            </>
          }
          source={{
            name: 'chains',
            pages: () => onePage(sortChains(chainRows(chains.data, status.data), sort, order)),
          }}
        />
      )}
      {chains.data && rows.count === 0 && (
        <EmptyState title={chains.data.length === 0 ? 'No chains yet' : 'No chain fits the filter'}>
          {chains.data.length === 0
            ? 'The configuration of the service names none. RIDGELINE_CONFIG points to a file that does.'
            : 'Remove the filter to see all of them.'}
        </EmptyState>
      )}
    </>
  )
}
