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
  /** What a contract without a name is called in its verified source: shown as such, and never without its address. */
  sourceName?: string | undefined
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
  sourceName,
  full = false,
  copy = false,
  beside = false,
  alone = false,
}: Props) {
  const label = useStore(labels, (all) => all[address.toLowerCase()])
  const isSource = label === undefined && name === undefined && sourceName !== undefined
  const said = name ?? sourceName
  const known = label ?? (said === undefined ? '' : safeText(said, 40))
  const link = (
    <IdLink
      value={address}
      to={paths.address(chainId, address)}
      called={known}
      full={full}
      className={`${alone ? 'reach' : ''} ${copy ? '' : 'self-baseline'}`}
    />
  )
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5">
      <Identicon value={address} />
      {full ? (
        <span className="min-w-0">
          {link} {known && <span className="text-muted">{isSource ? `${known} in its source` : known}</span>}
        </span>
      ) : (
        link
      )}
      {(beside || isSource) && known && !full && (
        <span className={`shrink-0 text-xs text-muted ${isSource ? '' : 'max-xl:hidden'}`}>
          {isSource && 'source '}
          <span className="font-mono">{shorten(address, 2, 4)}</span>
        </span>
      )}
      {copy && <CopyButton text={address} name="address" />}
    </span>
  )
}
