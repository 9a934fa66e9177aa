import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Token } from '../../../../contract/tokens/tokens.ts'
import { collectionPreviewQuery, previewCount, useMedia } from '../../../api/tokens/nfts.ts'
import { Identicon } from '../../../components/identicon.tsx'
import { Link } from '../../../components/link.tsx'
import { NftPicture } from '../../../components/tokens/nft-picture.tsx'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { shortId } from '../../../components/tokens/token-amount.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { plural, shorten } from '../../../lib/text.ts'

export const collectionGrid = 'grid grid-cols-1 gap-4 min-[480px]:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4'
const pictures = 'grid grid-cols-4 gap-1'

/** Whether an element has come near the window; it stays true. */
function useSeen(): [React.RefObject<HTMLLIElement | null>, boolean] {
  const element = useRef<HTMLLIElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting !== true) return
        setSeen(true)
        observer.disconnect()
      },
      { rootMargin: '300px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, seen]
}

function Pictures({ token, chainId, seen }: { token: Token; chainId: string; seen: boolean }) {
  const { data } = useQuery({ ...collectionPreviewQuery(chainId, token), enabled: seen })
  const mediaOf = useMedia(chainId)
  return (
    <span className={pictures}>
      {Array.from({ length: previewCount }, (_, place) => {
        const nft = data?.[place]
        if (data === undefined)
          return <span key={place} className="skeleton aspect-square" aria-hidden="true" />
        if (nft === undefined) return <span key={place} className="aspect-square rounded-base bg-sunken" />
        return (
          <NftPicture
            key={place}
            source={mediaOf(nft)}
            seed={`${nft.address}/${nft.tokenId}`}
            name={readableName(nft.metadata?.name, 60) || `Item ${shortId(nft.tokenId)}`}
            instead=""
          />
        )
      })}
    </span>
  )
}

/** A collection with its first pictures, owners, items and transfers; it opens on its items. */
export function CollectionCard({ token, chainId }: { token: Token; chainId: string }) {
  const [element, seen] = useSeen()
  const own = readableName(token.name, 60) || readableName(token.symbol, 16)
  const symbol = readableName(token.symbol, 16)
  const figures = [
    { label: plural(token.holderCount, 'owner'), value: token.holderCount },
    { label: plural(token.supply, token.ercType === 'ERC-1155' ? 'piece' : 'item'), value: token.supply },
    {
      label: `${plural(token.lastDayTransferCount ?? '0', 'transfer')}, 24 h`,
      value: token.lastDayTransferCount ?? '0',
    },
  ]
  return (
    <li ref={element} className="[content-visibility:auto] [contain-intrinsic-size:auto_200px]">
      <Link
        to={paths.token(chainId, token.address, token.ercType === 'ERC-1155' ? { kind: token.ercType } : {})}
        className="flex h-full flex-col gap-3 rounded-base border border-line p-3 hover:border-line-strong hover:bg-hover"
      >
        <Pictures token={token} chainId={chainId} seen={seen} />
        <span className="flex min-w-0 items-center gap-2">
          <Identicon value={token.address} size={16} />
          <span className="min-w-0 truncate font-strong">{own || shorten(token.address)}</span>
          {symbol !== '' && symbol !== own && <span className="min-w-0 truncate text-muted">{symbol}</span>}
          <span className="ml-auto shrink-0 text-xs text-muted">{token.ercType}</span>
        </span>
        <span className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {figures.map(({ label, value }) => (
            <span key={label}>
              <span className={`text-sm ${value === '0' ? '' : 'text-text'}`}>{formatInteger(value)}</span>{' '}
              {label}
            </span>
          ))}
        </span>
      </Link>
    </li>
  )
}

/** The cards while their list loads. */
export function WaitingCards() {
  return (
    <div aria-busy="true">
      <output className="sr-only">Loading</output>
      <div className={collectionGrid}>
        {Array.from({ length: 6 }, (_, index) => (
          <div key={index} className="flex flex-col gap-3 rounded-base border border-line p-3">
            <span className={pictures}>
              {Array.from({ length: previewCount }, (__, place) => (
                <span key={place} className="skeleton aspect-square" aria-hidden="true" />
              ))}
            </span>
            <span className="skeleton h-5" aria-hidden="true" />
            <span className="skeleton h-5" aria-hidden="true" />
          </div>
        ))}
      </div>
    </div>
  )
}
