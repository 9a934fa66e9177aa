import type { NetworkName } from '../../api/current.ts'
import { useStore } from '../../components/hooks.ts'
import { CheckIcon } from '../../components/icons.ts'
import { WalletAddress } from '../../components/wallet-address.tsx'
import { holds, toggleWatched, watched } from '../address/watched.ts'
import type { Wallet } from './owners.ts'

/** Puts an address on the watch list of this browser; the list names the network in place of a chain. */
export function WatchButton({ network, address }: { network: NetworkName; address: string }) {
  const on = useStore(watched, (list) => holds(list, network, address))
  return (
    <button
      type="button"
      className="control"
      aria-pressed={on}
      title="The watch list is kept in this browser, on the page Addresses"
      onClick={() => toggleWatched(network, address)}
    >
      {on && <CheckIcon size={14} />}
      Watch
    </button>
  )
}

/** The addresses that are looked at together. */
export function OwnerList({ network, owners }: Wallet) {
  return (
    <ul aria-label="Addresses" className="flex flex-wrap gap-x-4 gap-y-1 pb-4">
      {owners.map((address) => (
        <li key={address}>
          <WalletAddress address={address} network={network} copy />
        </li>
      ))}
    </ul>
  )
}
