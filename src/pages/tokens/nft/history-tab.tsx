import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ChainFacts } from '../../../api/current.ts'
import { collectionOf, type NftDetails } from '../../../api/tokens/nfts.ts'
import { tokenTransfersQuery } from '../../../api/tokens/tokens.ts'
import { EmptyState } from '../../../components/states.tsx'
import { paths } from '../../../lib/paths.ts'
import { transferColumns, transferKey } from '../token/transfer-columns.tsx'
import { NotKept } from '../../shared/not-kept.tsx'
import { PagedTable } from '../../shared/paged-table.tsx'

/** The transfers of an NFT, latest first. */
export function HistoryTab({ nft, chain }: { nft: NftDetails; chain: ChainFacts }) {
  const { address, tokenId, ercType } = nft
  const filter = { tokenId }
  const of = collectionOf(nft)
  const list = tokenTransfersQuery(chain.chainId, of, filter)
  const query = useInfiniteQuery(list)
  const columns = useMemo(
    () => transferColumns(chain, { address, ercType }, { item: true }),
    [chain, address, ercType],
  )
  return (
    <>
      <NotKept kept={query.data?.pages.at(-1)} />
      <PagedTable
        id={`nft-transfers-${ercType}`}
        label="History of the NFT"
        noun="transfer"
        list={list}
        columns={columns}
        rowKey={transferKey}
        rowHref={(row) => paths.transaction(chain.chainId, row.txHash)}
        file={`nft-${chain.chainId}-${address}-${tokenId}`}
        empty={<EmptyState title="No transfers indexed">It appears with its mint.</EmptyState>}
      />
    </>
  )
}
