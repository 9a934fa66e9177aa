import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TokenTransferRow } from '../../../../contract/tokens/tokens.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { collectionOf, type NftDetails } from '../../../api/tokens/nfts.ts'
import { queryClient } from '../../../api/query-client.ts'
import { tokenTransfersQuery } from '../../../api/tokens/tokens.ts'
import { useStore } from '../../../components/hooks.ts'
import { EmptyState } from '../../../components/states.tsx'
import { countColumn } from '../../../components/table/column-kinds.tsx'
import { addressColumn } from '../../../components/table/evm-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { DataTable, noMore } from '../../../components/table/data-table.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { onePage, pagedRows } from '../../../lib/paging.ts'
import { createStore } from '../../../lib/storage/store.ts'
import { paths } from '../../../lib/paths.ts'
import { Failed } from '../../shared/failed.tsx'
import { Button } from '../../../components/controls.tsx'
import { holdersOf, type IdHolder } from './holders.ts'

const progress = createStore(0)
const rowKey = (holder: IdHolder): string => holder.address

const columnsOf = (chain: ChainFacts): Column<IdHolder>[] => [
  addressColumn('address', 'Holder', (holder) => holder.address, chain.chainId, {
    always: true,
    narrow: 'title',
  }),
  countColumn('balance', 'Balance', (holder) => holder.balance, {
    width: '300px',
    narrow: 'side',
  }),
]

/** The holders of an ERC-1155 id: no operation lists them, so all its transfers are read and summed. */
export function HoldersTab({ nft, chain }: { nft: NftDetails; chain: ChainFacts }) {
  const { address, tokenId } = nft
  const { chainId } = chain
  const queryKey = ['nft-holders', chainId, address.toLowerCase(), tokenId]
  const read = useStore(progress)
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const rows: TokenTransferRow[] = []
      progress.set(0)
      for await (const page of tokenTransfersQuery(chainId, collectionOf(nft), { tokenId }).all(signal)) {
        rows.push(...page)
        progress.set(rows.length)
      }
      return holdersOf(rows)
    },
    staleTime: 60_000,
  })
  const columns = useMemo(() => columnsOf(chain), [chain])
  const rows = useMemo(() => pagedRows(query.data ? [query.data] : []), [query.data])
  if (query.data === undefined && query.fetchStatus === 'fetching')
    return (
      <div className="flex flex-wrap items-center gap-3 py-8">
        <output>Adding up its transfers: {formatInteger(read)} read</output>
        <Button small onClick={() => void queryClient.cancelQueries({ queryKey, exact: true })}>
          Cancel
        </Button>
      </div>
    )
  if (query.error && !query.data) return <Failed title="The holders could not be counted." query={query} />
  if (!query.data)
    return (
      <EmptyState title="Count cancelled">
        <Button className="text-text" onClick={() => void query.refetch()}>
          Start again
        </Button>
      </EmptyState>
    )
  if (rows.count === 0) return <EmptyState title="No current holders">All of this ID was burned.</EmptyState>
  return (
    <DataTable
      id="nft-holders"
      label="Holders of the NFT"
      noun="holder"
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      rowHref={(holder) => paths.address(chainId, holder.address)}
      more={noMore}
      source={{
        name: `nft-holders-${chainId}-${address}-${tokenId}`,
        pages: () => onePage(query.data),
      }}
    />
  )
}
