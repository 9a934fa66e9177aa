import { labels } from '../lib/storage/labels.ts'
import { nameOfAddress, type KnownNames } from '../lib/address-name.ts'
import { shorten } from '../lib/text.ts'
import { paths } from '../lib/paths.ts'
import { CopyButton } from './copy-button.tsx'
import { useStore } from './hooks.ts'
import { IdLink } from './id-link.tsx'
import { Identicon } from './identicon.tsx'

type Props = KnownNames & {
  address: string
  chainId: string
  /** Shown for an address that nobody has named, instead of its shortened form. */
  otherwise?: string | undefined
  full?: boolean
  copy?: boolean
  /** Shows the shortened address beside the name where there is room. */
  beside?: boolean
  /** Stands outside tables and text, where a finger needs room. */
  alone?: boolean
}

/** An address: identicon, private label or known name, else its shortened form; links to its page. */
export function Address({
  address,
  chainId,
  name,
  label,
  sourceName,
  otherwise = '',
  full = false,
  copy = false,
  beside = false,
  alone = false,
}: Props) {
  const own = useStore(labels, (all) => all[address.toLowerCase()])
  const { text: known = otherwise, origin } = nameOfAddress(own, { label, name, sourceName })
  const link = (
    <IdLink
      value={address}
      to={paths.address(chainId, address)}
      called={known}
      full={full}
      className={`${alone ? 'reach' : ''} ${copy ? '' : 'self-baseline'} ${origin === undefined ? '' : 'min-w-[4ch]'}`}
    />
  )
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <Identicon value={address} />
      {full ? (
        <span className="min-w-0">
          {link}{' '}
          {known && (
            <span className="text-muted">{origin === undefined ? known : `${known} (${origin})`}</span>
          )}
        </span>
      ) : (
        link
      )}
      {(beside || origin !== undefined) && known && !full && (
        <span className={`shrink-0 text-xs text-muted ${origin === undefined ? 'max-xl:hidden' : ''}`}>
          {origin !== undefined && `${origin} `}
          <span className="font-mono">{shorten(address, 2, 4)}</span>
        </span>
      )}
      {copy && <CopyButton text={address} name="address" />}
    </span>
  )
}
