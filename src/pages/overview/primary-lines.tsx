import type { PrimaryTransaction } from '../../../contract/primary/transactions.ts'
import type { NetworkName } from '../../api/current.ts'
import { PrimaryTxLink } from '../../components/primary-link.tsx'
import { TimeAgo } from '../../components/time-ago.tsx'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { AssetAmounts, Subject, subjectText, timeOf } from '../primary/transaction-columns.tsx'
import { TxTypePill } from '../primary/tx-type.tsx'

/** A transaction of the primary network in the feed: id, type, age, what moved, and what it is about. */
export function PrimaryTransactionLine({
  tx,
  network,
  chain,
}: {
  tx: PrimaryTransaction
  network: NetworkName
  chain: PrimaryChainAlias
}) {
  const time = timeOf(tx)
  return (
    <>
      <span className="flex min-w-0 flex-col">
        <span className="flex min-w-0 items-center gap-1.5">
          <span className="min-w-0 xl:shrink-0">
            <PrimaryTxLink chain={chain} txHash={tx.txHash} network={network} />
          </span>
          <span className="min-w-0 max-xl:hidden">
            <TxTypePill type={tx.txType} />
          </span>
        </span>
        <span className="text-xs text-muted">{time !== undefined && <TimeAgo at={time} />}</span>
      </span>
      {/* The amount is whole, at any width; the id before it and what it is about may be cut. */}
      <span className="flex shrink-0 flex-col items-end">
        <span className="min-h-lh whitespace-nowrap">
          <AssetAmounts assets={tx.value} />
        </span>
        <span className="flex w-0 min-w-full justify-end gap-1 text-xs text-muted">
          {subjectText(tx) !== '' && <Subject tx={tx} network={network} />}
        </span>
      </span>
    </>
  )
}
