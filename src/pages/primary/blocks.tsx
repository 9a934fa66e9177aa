import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../contract/pages.ts'
import type { PrimaryBlock } from '../../../contract/primary/blocks.ts'
import { primaryBlocksQuery } from '../../api/primary/blocks.ts'
import { rangeOf } from '../../api/evm/list-start.ts'
import { usePrimaryFollowed } from '../../api/network/overview.ts'
import { queryClient, resetToFirstPage } from '../../api/query-client.ts'
import { usePrimaryFiles } from '../../api/sql/table-files.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import { readSearch } from '../../lib/search-params.ts'
import { paths } from '../../lib/paths.ts'
import { primaryBlockColumns } from './block-columns.tsx'
import { ChainSwitch, NetworkCrumb } from '../shared/network-crumb.tsx'
import { primaryPlaceOf, usePrimaryPlace } from '../shared/network-gates.tsx'
import { emptyBlocksSchema, EmptyToggle, useFolded } from '../shared/empty-blocks.tsx'
import { InfiniteTable } from '../shared/infinite-table.tsx'
import { listRangeSchema, placeOf, RangeJump } from '../shared/list-range.tsx'

const searchSchema = z.extend(listRangeSchema, emptyBlocksSchema.shape)

const rowKey = (block: PrimaryBlock): string => block.blockHash

/** Requests the first page of the chain's blocks. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const place = primaryPlaceOf(params)
  const range = readSearch(listRangeSchema, new URL(request.url).searchParams)
  if (place)
    void queryClient.prefetchInfiniteQuery(primaryBlocksQuery(place.network, place.chain, placeOf(range)))
  return null
}

/** The blocks of the P-, X- or C-Chain, latest first. */
export function Component() {
  const { network, chain } = usePrimaryPlace()
  const [{ empty, ...range }, setSearch] = useSearchState(searchSchema)
  const from = placeOf(range)
  const list = primaryBlocksQuery(network, chain, from)
  const query = useInfiniteQuery(list)
  const files = usePrimaryFiles(network, chain, 'blocks', rangeOf(from))
  const columns = useMemo(() => primaryBlockColumns(network, chain), [network, chain])
  const pages = query.data?.pages.map(list.rowsOf) ?? []
  const hrefFrom = useCallback(
    (height: string) => `${paths.primaryBlocks(network, chain)}?from=${height}&empty=show`,
    [network, chain],
  )
  const folded = useFolded({
    pages,
    more: query.hasNextPage,
    empty,
    hrefFrom,
    // The list counts the atomic transactions of the C-Chain's blocks only.
    nouns: chain === 'c-chain' ? 'blocks without atomic tx' : 'empty blocks',
  })
  const head = usePrimaryFollowed(network, chain)?.indexedBlock
  const top = pages[0]?.[0]?.blockNumber
  const label = chainLabel(chain) ?? chain
  const atHead = from.height === undefined && from.before === undefined
  const fresh = atHead && head !== undefined && top !== undefined ? Number(BigInt(head) - BigInt(top)) : 0

  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('primaryBlocks', { chain: label })}
        heading="Blocks"
        actions={<ChainSwitch chain={chain} to={(one) => paths.primaryBlocks(network, one)} />}
      />
      <InfiniteTable
        id={`primary-blocks-${chain}`}
        label={`Blocks of the ${label}`}
        noun="block"
        nouns="blocks"
        query={query}
        columns={columns}
        {...folded}
        rowKey={rowKey}
        rowHref={({ run, blockNumber }) =>
          run ? hrefFrom(blockNumber) : paths.primaryBlock(network, chain, blockNumber)
        }
        tools={
          <>
            <RangeJump range={range} onChange={(next) => setSearch(next, { push: true })} everywhere />
            <EmptyToggle empty={empty} onChange={setSearch} />
          </>
        }
        fresh={{ count: Math.max(0, fresh), onShow: () => resetToFirstPage(list.queryKey) }}
        source={{
          name: `blocks-${network}-${chain}`,
          pages: list.all,
          files,
        }}
        empty={
          <EmptyState title="No blocks">
            {atHead
              ? `No blocks of the ${label} indexed yet. They appear as soon as the node has sent the first ones.`
              : 'No indexed block is as old as this. Remove the filter to begin at the newest one.'}
          </EmptyState>
        }
      />
    </>
  )
}
