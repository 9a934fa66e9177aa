import { WalletAddress } from '../../../components/wallet-address.tsx'
import type { Wallet } from './owners.ts'

/** The addresses of a page with several addresses. */
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
