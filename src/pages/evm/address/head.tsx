import { useQuery } from '@tanstack/react-query'
import { addressOverviewQuery } from '../../../api/evm/addresses.ts'
import { useStore } from '../../../components/hooks.ts'
import { CheckIcon } from '../../../components/icons.ts'
import { Link } from '../../../components/link.tsx'
import { Pill } from '../../../components/pill.tsx'
import { paths } from '../../../lib/paths.ts'
import type { Subject } from './activity.tsx'
import { holds, toggleWatched, watched } from '../../../lib/storage/watched-addresses.ts'

/** Adds the address to the watch list of this browser. */
export function WatchButton({ address, chain }: Subject) {
  const on = useStore(watched, (list) => holds(list, chain.chainId, address))
  return (
    <button
      type="button"
      className="control"
      aria-pressed={on}
      title="The watch list is kept in this browser, on the page Watch list"
      onClick={() => toggleWatched(chain.chainId, address)}
    >
      {on && <CheckIcon size={14} />}
      Watch
    </button>
  )
}

/** The kind of an address in a word or two. */
export function Kind({ address, chain }: Subject) {
  const { data } = useQuery(addressOverviewQuery(chain.chainId, address))
  if (!data) return null
  const { tokenType, isContract } = data
  return (
    <>
      <Pill state="neutral">{isContract ? 'Contract' : 'Account'}</Pill>
      {tokenType !== undefined && tokenType !== 'UNKNOWN' && (
        <Link to={paths.token(chain.chainId, address)} className="link">
          {tokenType} token
        </Link>
      )}
    </>
  )
}
