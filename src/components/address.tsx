import { labels } from '../lib/storage/labels.ts'
import { safeText, shorten } from '../lib/text.ts'
import { paths } from '../lib/paths.ts'
import { CopyButton } from './copy-button.tsx'
import { useStore } from './hooks.ts'
import { IdLink } from './id-link.tsx'
import { Identicon } from './identicon.tsx'

type Props = {
  address: string
  chainId: string
  /** A name that the service knows, for example of a token; a private label takes precedence. */
  name?: string | undefined
  /** What somebody who may has called it here: shown as such, and never without its address. */
  label?: string | undefined
  /** The same of a contract without another name, by its verified source. */
  sourceName?: string | undefined
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
  label: given,
  sourceName,
  otherwise = '',
  full = false,
  copy = false,
  beside = false,
  alone = false,
}: Props) {
  const label = useStore(labels, (all) => all[address.toLowerCase()])
  const said = given ?? name ?? sourceName
  const known = label ?? (said === undefined ? otherwise : safeText(said, 40))
  // Who says it, where that is neither the reader nor what the address itself is.
  const origin =
    label !== undefined || said === undefined
      ? undefined
      : given !== undefined
        ? 'label'
        : name === undefined
          ? 'source'
          : undefined
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
