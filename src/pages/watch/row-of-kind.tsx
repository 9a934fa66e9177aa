import type { ReactNode } from 'react'
import { networkOf } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyPart } from '../../components/part.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import type { Watched } from '../../lib/storage/watch-list.ts'

// Each kind is a chunk of its own: a list seldom has all of them.
const AddressRow = lazy(() => import('./address-row.tsx'), 'AddressRow')
const WalletRow = lazy(() => import('./wallet-row.tsx'), 'WalletRow')
const ValidatorRow = lazy(() => import('./validator-row.tsx'), 'ValidatorRow')
const L1ValidatorRow = lazy(() => import('./l1-validator-row.tsx'), 'L1ValidatorRow')
const TokenRow = lazy(() => import('./token-row.tsx'), 'TokenRow')

function Row(entry: Watched) {
  const network = networkOf(entry.place)
  if (entry.kind === 'address') return <AddressRow {...entry} />
  if (entry.kind === 'token') return <TokenRow {...entry} />
  if (network === undefined) return null
  if (entry.kind === 'wallet') return <WalletRow entry={entry} network={network} />
  if (entry.kind === 'validator') return <ValidatorRow entry={entry} network={network} />
  return <L1ValidatorRow entry={entry} network={network} />
}

/** A row of the watch list, with the figures of its kind. */
export function RowOfKind(entry: Watched): ReactNode {
  return (
    <li className="border-b border-line py-2">
      <LazyPart title="This row" fallback={<Skeleton width={200} />}>
        <Row {...entry} />
      </LazyPart>
    </li>
  )
}
