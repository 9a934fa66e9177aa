import type { NetworkName } from '../../../api/current.ts'
import { useStore } from '../../../components/hooks.ts'
import { CheckIcon } from '../../../components/icons.ts'
import { holds, toggleWatched, watched } from '../../../lib/storage/watched-addresses.ts'

/** Adds an address to the watch list of this browser, with the network in place of a chain. */
export function WatchButton({ network, address }: { network: NetworkName; address: string }) {
  const on = useStore(watched, (list) => holds(list, network, address))
  return (
    <button
      type="button"
      className="control"
      aria-pressed={on}
      title="The watch list is kept in this browser, on the page Watch list"
      onClick={() => toggleWatched(network, address)}
    >
      {on && <CheckIcon size={14} />}
      Watch
    </button>
  )
}
