import type { Nft } from '../../../../contract/tokens/nfts.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { useMedia } from '../../../api/tokens/nfts.ts'
import { shortId } from '../../../components/tokens/token-amount.tsx'
import { Link } from '../../../components/link.tsx'
import { NftPicture } from '../../../components/tokens/nft-picture.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { Skeleton } from '../../../components/skeleton.tsx'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { paths } from '../../../lib/paths.ts'

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

/** The grid while its first page loads. */
export function WaitingItems() {
  return (
    <div aria-busy="true">
      <output className="sr-only">Loading</output>
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

/** NFTs of a collection as pictures. */
export function ItemsGrid({ items, chain }: { items: readonly Nft[]; chain: ChainFacts }) {
  const mediaOf = useMedia(chain.chainId)
  return (
    <ul className={grid} aria-label="Items of the collection">
      {items.map((nft) => (
        <Card key={nft.tokenId} nft={nft} chain={chain} source={mediaOf(nft)} />
      ))}
    </ul>
  )
}
