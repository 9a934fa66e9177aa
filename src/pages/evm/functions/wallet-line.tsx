import { useEffect } from 'react'
import {
  account,
  connectWallet,
  disconnectWallet,
  findWallets,
  wallets,
} from '../../../api/wallet/wallets.ts'
import { Address } from '../../../components/address.tsx'
import { Button } from '../../../components/controls.tsx'
import { useStore } from '../../../components/hooks.ts'
import { useRequest } from '../../../components/use-request.ts'
import { safeText } from '../../../lib/text.ts'

/** The account that signs, or the wallets of this browser to choose from. */
export function WalletLine({ chainId }: { chainId: string }) {
  const found = useStore(wallets)
  const chosen = useStore(account)
  const connect = useRequest(connectWallet)
  useEffect(findWallets, [])
  if (chosen)
    return (
      <p className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex flex-wrap items-center gap-x-1.5">
          As <Address address={chosen.address} chainId={chainId} />
          <span className="text-muted">with {safeText(chosen.wallet.name, 40)}</span>
        </span>
        <Button small onClick={disconnectWallet}>
          Disconnect
        </Button>
      </p>
    )
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-2">
      {found.length === 0 && (
        <p className="text-muted">
          This browser has no wallet that announces itself (EIP-6963). With one, you can try a call and send
          it from here; the wallet signs.
        </p>
      )}
      {found.map((wallet) => (
        <Button key={wallet.id} small disabled={connect.isPending} onClick={() => connect.mutate(wallet)}>
          {wallet.icon !== undefined && <img src={wallet.icon} alt="" className="size-4" />}
          Connect {safeText(wallet.name, 40)}
        </Button>
      ))}
      {connect.error && (
        <p role="alert" className="text-bad">
          {connect.error.message}
        </p>
      )}
    </div>
  )
}
