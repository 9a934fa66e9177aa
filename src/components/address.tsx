import type { ReactNode } from 'react'
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
  /** Stands right behind the name. */
  mark?: ReactNode
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
  mark,
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
      className={`${alone ? 'reach' : ''} ${copy ? '' : 'self-baseline'}`}
    />
  )
  const isNamed = known !== '' && !full
  const isNoted = (beside || origin !== undefined) && isNamed
  return (
    <span className={`max-w-full min-w-0 ${isNoted && !alone ? 'name-first' : 'inline-flex gap-1.5'}`}>
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
        {origin !== undefined && isNamed && <span className="text-xs text-muted">{origin}</span>}
        {mark}
        {copy && <CopyButton text={address} name="address" />}
      </span>
      {isNoted && (
        <span
          className={`self-center font-mono text-xs text-muted ${origin === undefined ? 'max-xl:hidden' : ''}`}
        >
          {shorten(address, 2, 4)}
        </span>
      )}
    </span>
  )
}
