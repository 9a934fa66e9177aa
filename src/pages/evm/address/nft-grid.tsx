import type { CollectibleBalance } from '../../../../contract/tokens/balances.ts'
import { useMedia } from '../../../api/tokens/nfts.ts'
import { Link } from '../../../components/link.tsx'
import { NftPicture } from '../../../components/tokens/nft-picture.tsx'
import { statusWords } from '../../../components/tokens/nft-status.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import type { PagedRows } from '../../../lib/paging.ts'
import { paths } from '../../../lib/paths.ts'
import { countOf, originOf, titleOf, titleParts } from './nft-columns.tsx'

const grid = 'grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-6'

type CardProps = { row: CollectibleBalance; chainId: string; source: string | undefined }

function Card({ row, chainId, source }: CardProps) {
  const status = row.metadata?.indexStatus
  const count = countOf(row)
  const { name, id } = titleParts(row)
  return (
    // Cards far from the viewport skip layout; their reserved size keeps the scroll bar stable.
    <li className="[content-visibility:auto] [contain-intrinsic-size:auto_250px]">
      <Link
        to={paths.nft(chainId, row.address, row.tokenId)}
        className="flex flex-col gap-2 rounded-base p-1 hover:bg-hover"
        title={`${row.address} #${row.tokenId}`}
      >
        <NftPicture
          source={source}
          seed={`${row.address}/${row.tokenId}`}
          name={titleOf(row)}
          instead={status === 'INDEXED' ? 'no picture' : `Metadata: ${statusWords(status).text}`}
        />
        <span className="flex min-w-0 flex-col px-1">
          <span className="flex min-w-0 whitespace-pre">
            <span className="truncate">{name}</span>
            {id}
          </span>
          <span className="flex min-w-0 justify-between gap-2 text-xs text-muted">
            <span className="truncate">{originOf(row)}</span>
            {count !== '1' && <span className="shrink-0">× {formatInteger(count)}</span>}
          </span>
        </span>
      </Link>
    </li>
  )
}

/** The grid while its first page loads. */
export function WaitingGrid() {
  return (
    <div aria-busy="true">
      <output className="sr-only">Loading</output>
      <div className={grid}>
        {Array.from({ length: 12 }, (_, index) => (
          <div key={index} className="flex flex-col gap-2 p-1">
            <span className="skeleton aspect-square" aria-hidden="true" />
            <span className="skeleton h-9" aria-hidden="true" />
          </div>
        ))}
      </div>
    </div>
  )
}

type Props = {
  rows: PagedRows<CollectibleBalance>
  chainId: string
  label: string
}

/** NFTs as pictures. */
export function NftGrid({ rows, chainId, label }: Props) {
  const mediaOf = useMedia(chainId)
  return (
    <ul className={grid} aria-label={label}>
      {Array.from({ length: rows.count }, (_, index) => {
        const row = rows.at(index)
        // Without a picture in its metadata, there is nothing to request.
        const pictured = row?.metadata?.imageUri !== undefined
        return (
          row && (
            <Card
              key={`${row.address}/${row.tokenId}`}
              row={row}
              chainId={chainId}
              source={pictured ? mediaOf(row) : undefined}
            />
          )
        )
      })}
    </ul>
  )
}
