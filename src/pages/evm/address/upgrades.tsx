import type { ResponseOf } from '../../../../contract/base/operation.ts'
import type { getContractCode } from '../../../../contract/evm/contract-code.ts'
import { Address } from '../../../components/address.tsx'
import { Hash } from '../../../components/hash.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'

type Upgrade = NonNullable<NonNullable<ResponseOf<typeof getContractCode>['proxy']>['upgrades']>[number]

/** When the code of a proxy was set, to what and by whom, the latest first. */
export function Upgrades({ upgrades, chainId }: { upgrades: readonly Upgrade[]; chainId: string }) {
  return (
    <ol aria-label="Upgrades" className="flex flex-col">
      {upgrades.map(({ implementation, name, blockTimestamp, txHash, sender }) => (
        <li
          key={`${txHash} ${implementation ?? ''}`}
          className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5"
        >
          <TimeAgo at={blockTimestamp} />
          {name !== undefined && <span className="font-mono text-mono">{safeText(name, 80)}</span>}
          {implementation === undefined ? (
            <span>some functions</span>
          ) : (
            <Address address={implementation} chainId={chainId} />
          )}
          <span className="text-muted">
            by <Address address={sender} chainId={chainId} /> in{' '}
            <Hash value={txHash} name="transaction hash" to={paths.transaction(chainId, txHash)} />
          </span>
        </li>
      ))}
    </ol>
  )
}
