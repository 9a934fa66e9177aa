import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import { blocksQuery } from '../../api/evm/blocks.ts'
import { useChainFacts, useFollowed } from '../../api/current.ts'
import { queryClient, resetToFirstPage } from '../../api/query-client.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { readSearch } from '../../lib/search-params.ts'
import { paths } from '../../lib/paths.ts'
import { blockColumns } from './block-columns.tsx'
import { ChainCrumb } from '../shared/crumbs.tsx'
import { InfiniteTable, rowsOfPages } from '../shared/infinite-table.tsx'
import { listRangeSchema, placeOf, RangeJump } from '../shared/list-range.tsx'

/** Requests the first page of the chain's blocks. */
export function loader({ params: { chainId = '' }, request }: LoaderFunctionArgs): null {
  const range = readSearch(listRangeSchema, new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(blocksQuery(chainId, placeOf(range)))
  return null
}

const rowKey = (block: EvmBlock): string => block.blockHash

/** The blocks of a chain, latest first. */
export function Component() {
  const { chainId = '' } = useParams()
  const [range, setRange] = useSearchState(listRangeSchema)
  const chain = useChainFacts(chainId)
  const from = placeOf(range)
  const list = blocksQuery(chainId, from)
  const query = useInfiniteQuery(list)
  const columns = useMemo(() => blockColumns(chain), [chain])
  const rows = rowsOfPages(query.data, list.rowsOf)
  const head = useFollowed(chain.chainId)?.indexedBlock
  const top = rows.at(0)?.blockNumber
  const atHead = from.height === undefined && from.before === undefined
  const fresh = atHead && head !== undefined && top !== undefined ? Number(BigInt(head) - BigInt(top)) : 0

  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={`Blocks · ${chain.name}`} heading="Blocks" />
      <InfiniteTable
        id="blocks"
        label={`Blocks of ${chain.name}`}
        noun="block"
        nouns="blocks"
        query={query}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={(block) => paths.block(chain.chainId, block.blockNumber)}
        tools={<RangeJump range={range} onChange={(next) => setRange(next, { push: true })} nouns="blocks" />}
        fresh={{ count: Math.max(0, fresh), onShow: () => resetToFirstPage(list.queryKey) }}
        source={{ name: `blocks-${chain.chainId}`, pages: list.all }}
        empty={
          <EmptyState title="No blocks">
            {atHead
              ? 'This chain has no indexed block yet. They appear as soon as the node has sent the first ones.'
              : 'No indexed block is as old as this. Remove the filter to begin at the newest one.'}
          </EmptyState>
        }
      />
    </>
  )
}
