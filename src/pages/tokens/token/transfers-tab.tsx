import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChainFacts } from '../../../api/current.ts'
import { type TokenDetails, kindOf, tokenTransfersQuery } from '../../../api/tokens/tokens.ts'
import { useTableFiles } from '../../../api/sql/table-files.ts'
import { EmptyState } from '../../../components/states.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { firstKept, NotKept } from '../../shared/not-kept.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'
import { BlockRangeForm, blockRangeSchema, blocksOf } from './block-range.tsx'
import { transferColumns, transferKey } from './transfer-columns.tsx'

/** The movements of a token, latest first, narrowed to blocks by the URL. */
export function TransfersTab({ token, chain }: { token: TokenDetails; chain: ChainFacts }) {
  const [range, setRange] = useSearchState(blockRangeSchema)
  const filter = blocksOf(range)
  const list = tokenTransfersQuery(chain.chainId, kindOf(token), filter)
  const query = useInfiniteQuery(list)
  const { address, ercType } = kindOf(token)
  const files = useTableFiles({
    table: 'token_transfers',
    query: {
      chainId: chain.chainId,
      token: address,
      ercType,
      ...filter,
      startBlock: firstKept(filter.startBlock, query.data?.pages.at(-1)),
    },
  })
  const columns = useMemo(() => transferColumns(chain, token), [chain, token])
  return (
    <>
      <NotKept kept={query.data?.pages.at(-1)} />
      <PagedTable
        tools={<BlockRangeForm range={range} onChange={(next) => setRange(next, { push: true })} />}
        id={`token-transfers-${token.ercType}`}
        label="Transfers of the token"
        noun="transfer"
        list={list}
        columns={columns}
        rowKey={transferKey}
        rowHref={(row) => paths.transaction(chain.chainId, row.txHash)}
        file={`transfers-${chain.chainId}-${token.address}`}
        files={files}
        empty={
          filter.startBlock === undefined && filter.endBlock === undefined ? (
            <EmptyState title="No transfers">
              No indexed block has one any more: a reorganisation took away those that there were.
            </EmptyState>
          ) : (
            <EmptyState title="No transfers in these blocks">
              Remove the filter to see every transfer of the token.
            </EmptyState>
          )
        }
      />
    </>
  )
}
