import { verticesChart } from '../../../contract/pictures/charts.ts'
import { titleOf } from '../../../contract/pages.ts'
import { FilterChip } from '../../components/table/filter-chip.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import type { Vertex } from '../../../contract/primary/blocks.ts'
import { networkOf, offers, useCurrentNetwork, useOffers, type NetworkName } from '../../api/current.ts'
import { vertexGraphQuery, verticesQuery } from '../../api/primary/vertices.ts'
import { queryClient } from '../../api/query-client.ts'
import { session } from '../../api/session.ts'
import { Hash } from '../../components/hash.tsx'
import { Term } from '../../components/glossary/term.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { Boundary } from '../../components/part.tsx'
import { EmptyState, UnsupportedState } from '../../components/states.tsx'
import { column, countColumn, hashColumn } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { Tabs } from '../../components/tabs.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { isoTime } from '../../lib/time.ts'
import { useNarrow } from '../../components/hooks.ts'
import { NetworkCrumb, useNetworkLabel } from '../shared/network-crumb.tsx'
import { InfiniteTable, rowsOfPages } from '../shared/infinite-table.tsx'
import { ExactTime } from './vertices/exact-time.tsx'
import { HeightField } from './vertices/height-field.tsx'
import { NoVertices } from './vertices/no-vertices.tsx'
import { readSearch, wholeNumberInUrl } from '../../lib/search-params.ts'
import { GraphView } from './vertices/graph-view.tsx'

const searchSchema = z.object({
  /** The graph, where the service has one, unless the URL names a view. */
  view: z.catch(z.optional(z.enum(['graph', 'list'])), undefined),
  /** List: only this height. */
  height: wholeNumberInUrl,
  /** Graph: the lowest height and the most vertices. */
  from: wholeNumberInUrl,
  size: z.catch(z.enum(['100', '300', '1000', '2000']), '300'),
})

/** Prefetches a part of the graph where the service offers one. The page repeats the request and shows its failure. */
async function prefetchGraph(network: NetworkName, from: number | undefined, size: number): Promise<void> {
  const { profile } = await session()
  if (!offers(profile, 'getVertexGraph')) return
  await queryClient.prefetchQuery(vertexGraphQuery(network, from, size))
}

/** Requests the latest part of the graph, or the first page of the list that the URL names. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  if (!network) return null
  const { view, height, from, size } = readSearch(searchSchema, new URL(request.url).searchParams)
  if (view === 'list') void queryClient.prefetchInfiniteQuery(verticesQuery(network, height))
  else {
    // Where the service has no graph, the list requests itself once that is known.
    prefetchGraph(network, from, Number(size)).catch(() => undefined)
  }
  return null
}

const columnsOf = (network: NetworkName): Column<Vertex>[] => [
  {
    id: 'height',
    header: 'Height',
    always: true,
    width: '116px',
    narrow: 'side',
    cell: (vertex) => formatInteger(vertex.vertexHeight),
    text: (vertex) => String(vertex.vertexHeight),
  },
  hashColumn('vertex', 'Vertex', (vertex) => vertex.vertexHash, 'vertex ID', {
    to: (vertex) => paths.vertex(network, vertex.vertexHash),
    always: true,
    width: '190px',
    narrow: 'title',
  }),
  column(
    'age',
    'Time',
    (vertex) => vertex.vertexTimestamp,
    { show: (at) => <ExactTime at={at} />, text: isoTime },
    { width: '216px', narrow: 'below' },
  ),
  {
    id: 'parents',
    header: 'Parents',
    cell: ({ parentHashes: [first, ...others] }) =>
      first === undefined ? (
        <span className="text-muted">none</span>
      ) : (
        <span className="inline-flex items-center gap-2">
          <Hash value={first} name="parent ID" to={paths.vertex(network, first)} />
          {others.length > 0 && (
            <span className="text-xs text-muted" title={others.join(', ')}>
              +{formatInteger(others.length)}
            </span>
          )}
        </span>
      ),
    text: (vertex) => vertex.parentHashes.join(' '),
  },
  countColumn('transactions', 'Transactions', (vertex) => vertex.txCount, {
    noun: 'transaction',
    width: '116px',
    narrow: 'belowSide',
  }),
  countColumn('index', 'Index', (vertex) => vertex.vertexIndex, { hidden: true, width: '100px' }),
  countColumn('size', 'Size, bytes', (vertex) => vertex.vertexSizeBytes, { width: '116px' }),
]

const rowKey = (vertex: Vertex): string => vertex.vertexHash

function VertexList({
  network,
  at,
  onHeight,
}: {
  network: NetworkName
  at: number | undefined
  onHeight: (height: number | undefined) => void
}) {
  const list = verticesQuery(network, at)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => columnsOf(network), [network])
  const rows = rowsOfPages(query.data, list.rowsOf)
  return (
    <InfiniteTable
      id="vertices"
      label={verticesChart.title}
      noun="vertex"
      nouns="vertices"
      query={query}
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      rowHref={(vertex) => paths.vertex(network, vertex.vertexHash)}
      tools={
        <>
          <HeightField label="At height" onChange={onHeight} />
          {at !== undefined && (
            <FilterChip text={`Height ${formatInteger(at)}`} onRemove={() => onHeight(undefined)} />
          )}
        </>
      }
      source={{
        name: `vertices-${network}${at === undefined ? '' : `-${at}`}`,
        pages: list.all,
      }}
      empty={
        at === undefined ? (
          <NoVertices network={network} />
        ) : (
          <EmptyState title={`No vertex at height ${formatInteger(at)}`}>
            Remove the filter to see all of them.
          </EmptyState>
        )
      }
    />
  )
}

/** The vertices of the X-Chain, from before it had blocks: as a list or as a graph. */
export function Component() {
  const network = useCurrentNetwork()
  const [search, setSearch] = useSearchState(searchSchema)
  const drawn = useOffers('getVertexGraph')
  const label = useNetworkLabel(network)
  // On a phone few vertices fit beside each other: the list says more.
  const narrow = useNarrow()
  const view = search.view ?? (drawn && !narrow ? 'graph' : 'list')
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('vertices', { network: label })}
        heading="Vertices"
        switcher={<Term word="vertex" />}
        beside={<span className="text-muted">X-Chain, before its blocks</span>}
      />
      <Tabs
        label="Views of the vertices"
        current={view}
        onChange={(next) => setSearch({ view: next })}
        tabs={[
          { id: 'graph' as const, label: 'Graph' },
          { id: 'list' as const, label: 'List' },
        ]}
      >
        {view === 'list' ? (
          <VertexList
            network={network}
            at={search.height}
            onHeight={(at) => setSearch({ height: at }, { push: true })}
          />
        ) : drawn ? (
          <Boundary title="The graph">
            <GraphView
              network={network}
              from={search.from}
              size={search.size}
              onChange={(patch) => setSearch(patch, { push: true })}
              empty={<NoVertices network={network} />}
            />
          </Boundary>
        ) : (
          <UnsupportedState title="Not offered here">
            <p>
              This deployment lists vertices but has no operation for their graph. A Ridgeline service of your
              own draws it.
            </p>
          </UnsupportedState>
        )}
      </Tabs>
    </>
  )
}
