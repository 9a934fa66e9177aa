import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import { blocksQuery } from '../../api/evm/blocks.ts'
import { rangeOf } from '../../api/evm/list-start.ts'
import { useChainFacts, useFollowed, useOffers } from '../../api/current.ts'
import { queryClient, resetToFirstPage } from '../../api/query-client.ts'
import { useTableFiles } from '../../api/sql/table-files.ts'
import { EmptyState } from '../../components/states.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { readSearch } from '../../lib/search-params.ts'
import { paths } from '../../lib/paths.ts'
import { blockColumns } from './block-columns.tsx'
import { emptyBlocksSchema, EmptyToggle, useFolded } from '../shared/empty-blocks.tsx'
import { InfiniteTable } from '../shared/infinite-table.tsx'
import { listRangeSchema, placeOf, RangeJump } from '../shared/list-range.tsx'
import { ListHead } from './list-head.tsx'

/** Requests the first page of the chain's blocks. */
export function loader({ params: { chainId = '' }, request }: LoaderFunctionArgs): null {
  const range = readSearch(listRangeSchema, new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(blocksQuery(chainId, placeOf(range)))
  return null
}

const searchSchema = z.extend(listRangeSchema, emptyBlocksSchema.shape)

const rowKey = (block: EvmBlock): string => block.blockHash

/** The blocks of a chain, latest first. */
export function Component() {
  const { chainId = '' } = useParams()
  const [{ empty, ...range }, setSearch] = useSearchState(searchSchema)
  const chain = useChainFacts(chainId)
  const from = placeOf(range)
  const list = blocksQuery(chainId, from)
  const query = useInfiniteQuery(list)
  const files = useTableFiles({ table: 'blocks', query: { chainId: chain.chainId, ...rangeOf(from) } })
  const columns = useMemo(() => blockColumns(chain), [chain])
  const pages = query.data?.pages.map(list.rowsOf) ?? []
  // A list that begins at a height is an extension of the service.
  const offered = useOffers('listChainStatus')
  const hrefFrom = useCallback(
    (height: string) => `${paths.blocks(chain.chainId)}?from=${height}&empty=show`,
    [chain.chainId],
  )
  const folded = useFolded({
    pages,
    more: query.hasNextPage,
    empty,
    hrefFrom: offered ? hrefFrom : undefined,
    nouns: 'empty blocks',
  })
  const head = useFollowed(chain.chainId)?.indexedBlock
  const top = pages[0]?.[0]?.blockNumber
  const atHead = from.height === undefined && from.before === undefined
  const fresh = atHead && head !== undefined && top !== undefined ? Number(BigInt(head) - BigInt(top)) : 0

  return (
    <>
      <ListHead chain={chain} of="blocks" />
      <InfiniteTable
        id="blocks"
        label={`Blocks of ${chain.name}`}
        noun="block"
        nouns="blocks"
        query={query}
        columns={columns}
        {...folded}
        rowKey={rowKey}
        rowHref={({ run, blockNumber }) =>
          run && offered ? hrefFrom(blockNumber) : paths.block(chain.chainId, blockNumber)
        }
        tools={
          <>
            <RangeJump range={range} onChange={(next) => setSearch(next, { push: true })} />
            <EmptyToggle empty={empty} onChange={setSearch} />
          </>
        }
        fresh={{ count: Math.max(0, fresh), onShow: () => resetToFirstPage(list.queryKey) }}
        source={{ name: `blocks-${chain.chainId}`, pages: list.all, files }}
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
