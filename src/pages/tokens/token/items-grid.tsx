import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Nft } from '../../../../contract/tokens/nfts.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { useMedia, type collectionQuery } from '../../../api/tokens/nfts.ts'
import { shortId } from '../../../components/tokens/token-amount.tsx'
import { Link } from '../../../components/link.tsx'
import { NftPicture } from '../../../components/tokens/nft-picture.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { Skeleton } from '../../../components/skeleton.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { MoreRows, RowCount, rowCountText } from '../../../components/table/data-table.tsx'
import { ExportMenu } from '../../../components/table/export-menu.tsx'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { paths } from '../../../lib/paths.ts'
import { Failed } from '../../shared/failed.tsx'
import { moreOf } from '../../shared/infinite-table.tsx'

const grid = 'grid grid-cols-2 gap-4 md:grid-cols-3 lg:grid-cols-6'

function Card({ nft, chain, source }: { nft: Nft; chain: ChainFacts; source: string | undefined }) {
  const name = readableName(nft.metadata?.name, 60)
  const status = nft.metadata?.indexStatus
  return (
    // Cards far from the window cost no layout; their size is kept for the scroll bar.
    <li className="[content-visibility:auto] [contain-intrinsic-size:auto_250px]">
      <Link
        to={paths.nft(chain.chainId, nft.address, nft.tokenId)}
        className="flex flex-col gap-2 rounded-base p-1 hover:bg-hover"
        title={`${name === '' ? '' : `${name} · `}#${nft.tokenId}`}
      >
        <NftPicture
          source={source}
          seed={`${nft.address}/${nft.tokenId}`}
          name={name || `Item ${shortId(nft.tokenId)}`}
          instead={status === 'INDEXED' ? 'no picture' : `Metadata: ${statusWords(status).text}`}
        />
        <span className="flex min-w-0 flex-col">
          <span className="truncate">{name || '–'}</span>
          <span className="truncate text-muted">{shortId(nft.tokenId)}</span>
        </span>
      </Link>
    </li>
  )
}

function Waiting() {
  return (
    <div aria-busy="true">
      <output className="sr-only">Loading</output>
      <div className="h-9" />
      <div className={grid}>
        {Array.from({ length: 12 }, (_, index) => (
          <div key={index} className="flex flex-col gap-2 p-1">
            <span className="skeleton aspect-square" aria-hidden="true" />
            <Skeleton width="70%" />
            <Skeleton width="40%" />
          </div>
        ))}
      </div>
    </div>
  )
}

type Props = {
  list: ReturnType<typeof collectionQuery>
  columns: readonly Column<Nft>[]
  chain: ChainFacts
  file: string
  empty: ReactNode
}

/** NFTs as pictures; more of them come near the end of what is loaded, and all of them are exported. */
export function ItemsGrid({ list, columns, chain, file, empty }: Props) {
  const query = useInfiniteQuery(list)
  const mediaOf = useMedia(chain.chainId)

  if (query.isPending) return <Waiting />
  if (query.error && !query.data) return <Failed title="The items could not be loaded." query={query} />
  const items = query.data?.pages.flatMap(list.rowsOf) ?? []
  if (items.length === 0 && !query.hasNextPage) return <>{empty}</>
  return (
    <>
      <div className="flex min-h-9 items-center justify-end gap-3 pb-2 max-md:justify-between">
        <RowCount text={rowCountText(items.length, 'item', 'items', query.hasNextPage)} />
        <ExportMenu source={{ name: file, pages: list.all }} columns={columns} />
      </div>
      <ul className={grid} aria-label="Items of the collection">
        {items.map((nft) => (
          <Card key={nft.tokenId} nft={nft} chain={chain} source={mediaOf(nft)} />
        ))}
      </ul>
      <MoreRows more={moreOf(query, 'items')} nouns="items" />
    </>
  )
}
