import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { activities, blockRange } from '../../../api/evm/addresses-activity.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { resetToFirstPage } from '../../../api/query-client.ts'
import { useTableFiles } from '../../../api/sql/table-files.ts'
import { EmptyState } from '../../../components/states.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { InfiniteTable, rowsOfPages } from '../../shared/infinite-table.tsx'
import { firstKept, NotKept, notKeptWords } from '../../shared/not-kept.tsx'
import { heightsSchema } from './heights.ts'
import { RangeFilter } from '../../shared/range-filter.tsx'

type Activities = typeof activities
type ActivityId = keyof Activities
/** A row of one of the lists of an address. */
type RowOf<Id extends ActivityId> = ReturnType<ReturnType<Activities[Id]['query']>['rowsOf']>[number]

/** The address and chain of a page's tab. */
export type Subject = { address: string; chain: ChainFacts }

/** The lists that are a table of the service with a filter: the others gather rows of several. */
const ercTypes: Partial<Record<ActivityId, 'ERC-20' | 'ERC-721' | 'ERC-1155'>> = {
  'erc-20': 'ERC-20',
  'erc-721': 'ERC-721',
  'erc-1155': 'ERC-1155',
}

type Props<Id extends ActivityId> = Subject & {
  id: Id
  /** What one row is: “transfer”. */
  noun: string
  columns: readonly Column<RowOf<Id>>[]
  rowKey: (row: RowOf<Id>) => string
  /** The transaction that a row belongs to. */
  txHash: (row: RowOf<Id>) => string
  blockNumber: (row: RowOf<Id>) => string
  tools?: ReactNode
  /** The text of the empty list. */
  none: string
}

/** One list of an address's activity, with a block range, a pill for new rows, and an export. */
export function Activity<Id extends ActivityId>(props: Props<Id>) {
  const { id, address, chain, noun, columns, rowKey, txHash, blockNumber, tools, none } = props
  const [heights, setHeights] = useSearchState(heightsSchema)
  // The lists differ in their rows only; the kind does not change while this is mounted.
  const source = activities[id] as unknown as Activities['transactions']
  type Row = RowOf<Id>
  const list = source.query(chain.chainId, address, heights)
  const query = useInfiniteQuery(list)
  const kept = query.data?.pages.at(-1)
  const range = blockRange(heights)
  const transfers = useTableFiles({
    table: 'token_transfers',
    query: {
      chainId: chain.chainId,
      address,
      ercType: ercTypes[id],
      ...range,
      startBlock: firstKept(range.startBlock, kept),
    },
  })
  const rows = rowsOfPages(query.data, list.rowsOf as unknown as (page: object) => readonly Row[])
  const top = rows.at(0)
  const open = heights.from === undefined && heights.to === undefined
  const since = useQuery({
    ...source.since(chain.chainId, address, top === undefined ? -1 : Number(blockNumber(top))),
    enabled: open && query.isSuccess,
  })
  const nouns = `${noun}s`
  const lacking = kept ? notKeptWords(kept) : ''
  return (
    <>
      <NotKept kept={kept} />
      <InfiniteTable
        id={`address-${id}`}
        label={`${nouns[0]?.toUpperCase()}${nouns.slice(1)} of ${address}`}
        noun={noun}
        nouns={nouns}
        query={query}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={(row) => paths.transaction(chain.chainId, txHash(row))}
        tools={
          <>
            {tools}
            <RangeFilter
              chainId={chain.chainId}
              heights={heights}
              onChange={(next) => setHeights(next, { push: true })}
            />
          </>
        }
        fresh={{ count: (open && since.data) || 0, onShow: () => resetToFirstPage(list.queryKey) }}
        source={{
          name: `${id === 'transactions' ? 'transactions' : id === 'internals' ? 'internal-calls' : `${id}-transfers`}-${address}-${chain.chainId}`,
          pages: list.all as unknown as (signal: AbortSignal) => AsyncIterable<readonly Row[]>,
          files: ercTypes[id] ? transfers : [],
        }}
        empty={
          <EmptyState title={`No ${nouns}`}>
            {lacking !== ''
              ? 'No block that is kept has one.'
              : open
                ? none
                : 'No indexed block of this range has one. Remove the filter to see all.'}
          </EmptyState>
        }
      />
    </>
  )
}
