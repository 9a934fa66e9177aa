import type { NetworkName } from '../../api/current.ts'
import { WalletAddress } from '../../components/wallet-address.tsx'

/** A list of linked addresses. */
export function Owners({ addresses, network }: { addresses: readonly string[]; network: NetworkName }) {
  return (
    <ul className="flex min-w-0 flex-col gap-1">
      {addresses.map((address) => (
        <li key={address} className="min-w-0">
          <WalletAddress address={address} network={network} full copy />
        </li>
      ))}
    </ul>
  )
}
