import { labels } from '../../lib/storage/labels.ts'
import { safeText, shorten } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { useStore } from '../hooks.ts'
import { Identicon } from '../identicon.tsx'
import { Link } from '../link.tsx'

type Props = {
  address: string
  chainId: string
  name?: string | undefined
  symbol?: string | undefined
  /** Links to one NFT instead of the collection. */
  tokenId?: string | undefined
}

/** A token's own name without control characters; empty when nothing readable remains. */
export const readableName = (text: string | undefined, max = 40): string =>
  text === undefined ? '' : safeText(text, max)

/**
 * A token contract: identicon, private label or its own name, and its symbol; links to its page. Anyone can choose
 * any name, so the address is always in the title, and shown when there is no name.
 */
export function TokenName({ address, chainId, name, symbol, tokenId }: Props) {
  const label = useStore(labels, (all) => all[address.toLowerCase()])
  const known = label ?? (readableName(name) || readableName(symbol, 16))
  const unit = readableName(symbol, 16)
  return (
    <span className="name-first max-w-full min-w-0">
      <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
        <Identicon value={address} />
        <Link
          to={tokenId === undefined ? paths.token(chainId, address) : paths.nft(chainId, address, tokenId)}
          className={`link min-w-0 truncate ${known ? '' : 'font-mono text-mono'}`}
          title={known ? `${known} · ${address}` : address}
          data-value={address.toLowerCase()}
        >
          {known || shorten(address)}
        </Link>
      </span>
      {unit !== '' && unit !== known && <span className="max-w-24 truncate text-muted">{unit}</span>}
    </span>
  )
}
