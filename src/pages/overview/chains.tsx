import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { titleOf } from '../../../contract/pages.ts'
import { chainsQuery, statusQuery } from '../../api/chains.ts'
import { useOffers } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button, Input, Select } from '../../components/controls.tsx'
import { useNow } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { VerdictLine } from '../../components/verdict.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { onePage, pagedRows } from '../../lib/paging.ts'
import { comparisonPath } from '../../lib/comparison-path.ts'
import { paths } from '../../lib/paths.ts'
import { HOUR } from '../../../charts/series/periods.ts'
import { chainColumns, sortChains } from './chain-columns.tsx'
import { chainsVerdict } from './chains-verdict.ts'
import { chainRows, type ChainRow } from './chain-rows.tsx'
import { SubstituteNote } from '../shared/offered-part.tsx'
import { Failed } from '../shared/failed.tsx'
import { prefetchTraffic, useCountedChains, useTraffic } from './traffic.ts'

const searchSchema = z.object({
  filter: z.catch(z.string().check(z.maxLength(64)), ''),
  sort: z.catch(z.enum(['list', 'name', 'head', 'transactions', 'day', 'addresses', 'tps']), 'list'),
  order: z.catch(z.enum(['asc', 'desc']), 'desc'),
})

/** Requests the list of chains, their status and their last days. */
export function loader(): null {
  void queryClient.prefetchQuery(chainsQuery())
  void prefetchTraffic()
  void queryClient.prefetchQuery(statusQuery())
  return null
}

/** Chains that need no filter on a phone. */
const few = 8

const rowKey = (row: ChainRow): string => row.chain.chainId

/** All chains of this service, each with its last 24 hours, with filter and sort order in the URL. */
export function Component() {
  const [search, setSearch] = useSearchState(searchSchema)
  const chains = useQuery(chainsQuery())
  const offered = useOffers('listChainStatus')
  const status = useQuery({ ...statusQuery(), enabled: offered })
  const now = useNow(HOUR)
  const counted = useCountedChains(chains.data)
  const ids = useMemo(() => counted.map(({ chainId }) => chainId), [counted])
  const traffic = useTraffic(ids, now).chains
  const [first, ...others] = ids
  const { filter, sort, order } = search
  const every = useMemo(
    () => chainRows(chains.data ?? [], status.data, traffic),
    [chains.data, status.data, traffic],
  )
  const rows = useMemo(() => {
    const needle = filter.trim().toLowerCase()
    const all = every.filter(
      ({ chain }) =>
        chain.chainName.toLowerCase().includes(needle) ||
        chain.chainId === needle ||
        chain.networkToken.symbol.toLowerCase() === needle,
    )
    return pagedRows([sortChains(all, sort, order)])
  }, [every, filter, sort, order])
  // A few chains fit a phone as they are.
  const tool = every.length <= few && filter === '' ? 'max-md:hidden' : ''

  return (
    <>
      <PageTitle
        document={titleOf('chains')}
        heading="Chains"
        actions={
          first && others.length > 0 ? (
            <Link to={comparisonPath(first, others)} className="control">
              Compare chains
            </Link>
          ) : null
        }
      />
      <SubstituteNote name="chains">
        This service does not list its chains. These are the C-Chain and the EVM chains among its newest 100
        blockchains.
      </SubstituteNote>
      {offered && !chains.error && (
        <VerdictLine
          verdict={status.error && !status.data ? null : chains.data ? chainsVerdict(every) : undefined}
        />
      )}
      {chains.isPending ? (
        <SkeletonRows count={8} />
      ) : chains.error ? (
        <Failed title="The chains could not be loaded." query={chains} />
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
              <Input
                type="search"
                aria-label="Filter by name, ID or token"
                placeholder="Filter by name, ID or token"
                className={`h-7 w-60 ${tool}`}
                value={filter}
                onChange={(text) => setSearch({ filter: text })}
              />
              {/* Two-line rows have no headings, so the sort order is selected here. */}
              <Select
                aria-label="Sort by"
                className={`h-7 md:hidden ${tool}`}
                value={sort}
                options={[
                  { id: 'list', label: 'As listed' },
                  ...chainColumns
                    .filter((column) => column.sortable)
                    .map(({ id, header }) => ({ id, label: header })),
                ]}
                onChange={(id) => setSearch({ sort: searchSchema.shape.sort.parse(id) })}
              />
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
          {chains.data.length === 0 ? (
            'The configuration of the service names none. RIDGELINE_CONFIG points to a file that does.'
          ) : (
            <Button className="text-text" onClick={() => setSearch({ filter: '' })}>
              Show all chains
            </Button>
          )}
        </EmptyState>
      )}
    </>
  )
}
