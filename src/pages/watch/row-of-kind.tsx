import type { ReactNode } from 'react'
import { networkOf } from '../../api/current.ts'
import { Boundary } from '../../components/part.tsx'
import type { Watched } from '../../lib/storage/watch-list.ts'
import { AddressRow } from './address-row.tsx'
import { WalletRow } from './wallet-row.tsx'
import { ValidatorRow } from './validator-row.tsx'
import { L1ValidatorRow } from './l1-validator-row.tsx'
import { TokenRow } from './token-row.tsx'

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
      <Boundary title="This row">
        <Row {...entry} />
      </Boundary>
    </li>
  )
}
