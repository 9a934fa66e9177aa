import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams } from 'react-router'
import type { EvmBlock } from '../../contract/evm-blocks.ts'
import { allBlocks, blocksQuery } from '../api/blocks.ts'
import { useChainFacts, useFollowed, useOffers, useProfile } from '../api/current.ts'
import { startAnew } from '../api/query-client.ts'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { EmptyState } from '../components/states.tsx'
import { DataTable } from '../components/table/data-table.tsx'
import { useSearchState } from '../components/use-search-state.ts'
import { pagedRows } from '../lib/paging.ts'
import { paths } from '../paths.ts'
import { blockColumns } from './parts/block-columns.tsx'
import { ChainCrumb } from './parts/crumbs.tsx'
import { Failed } from './parts/failed.tsx'
import { listRangeSchema, RangeJump } from './parts/list-range.tsx'

const fromOf = (range: { from?: number | undefined; before?: number | undefined }) => ({
  height: range.from,
  before: range.before,
})

const rowKey = (block: EvmBlock): string => block.blockHash

/** The blocks of a chain, latest first, without end. */
export function Component() {
  const { chainId = '' } = useParams()
  const [range, setRange] = useSearchState(listRangeSchema)
  const chain = useChainFacts(chainId)
  const profile = useProfile()
  const canJump = useOffers('listChainStatus')
  const from = fromOf(range)
  const options = blocksQuery(chainId, from)
  const query = useInfiniteQuery(options)
  const columns = useMemo(() => blockColumns(chain), [chain])
  const rows = useMemo(() => pagedRows(query.data?.pages.map((page) => page.blocks) ?? []), [query.data])
  const head = useFollowed(chain.chainId)?.indexedBlock
  const top = rows.at(0)?.blockNumber
  const atHead = range.from === undefined && range.before === undefined
  const fresh = atHead && head !== undefined && top !== undefined ? Number(BigInt(head) - BigInt(top)) : 0

  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={`Blocks · ${chain.name}`} heading="Blocks" />
      {query.isPending ? (
        <SkeletonRows count={20} />
      ) : query.error && !query.data ? (
        <Failed
          title="The blocks could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <DataTable
          id="blocks"
          label={`Blocks of ${chain.name}`}
          noun="block"
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          rowHref={(block) => paths.block(chain.chainId, block.blockNumber)}
          tools={
            <RangeJump
              range={range}
              onChange={(next) => setRange(next, { push: true })}
              unsupported={
                canJump
                  ? undefined
                  : `${profile?.name ?? 'This service'} lists blocks from the newest on only`
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
                  title="The next blocks could not be loaded."
                  error={query.error}
                  onRetry={() => void query.fetchNextPage()}
                />
              ),
            }),
          }}
          source={{ name: `blocks-${chain.chainId}`, pages: (signal) => allBlocks(chainId, from, signal) }}
        />
      )}
      {query.data && rows.count === 0 && !query.hasNextPage && (
        <EmptyState title="No blocks here">
          {atHead
            ? 'This chain has no indexed block yet. They appear as soon as the node has sent the first ones.'
            : 'No indexed block is as old as this. Remove the filter to begin at the newest one.'}
        </EmptyState>
      )}
    </>
  )
}
