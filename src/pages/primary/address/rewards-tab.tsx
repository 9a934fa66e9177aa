import { useMemo } from 'react'
import type { Wallet } from './owners.ts'
import { Rewards } from './rewards.tsx'

/** The rewards of a wallet. */
export function RewardsTab({ network, owners }: Wallet) {
  const of = useMemo(() => ({ addresses: owners }), [owners])
  return <Rewards network={network} of={of} name={owners[0] ?? ''} />
}
