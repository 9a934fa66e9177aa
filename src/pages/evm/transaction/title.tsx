import { titleOf } from '../../../../contract/pages.ts'
import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { Pill } from '../../../components/pill.tsx'
import { TxStatus } from '../../../components/tx-status.tsx'
import { shorten } from '../../../lib/text.ts'
import { ChainCrumb } from '../../shared/crumbs.tsx'
import { MethodLabel } from '../method-label.tsx'

/** What a transaction is called in the document's title and in the list of recently visited pages. */
export const transactionTitle = (txHash: string, chain: ChainFacts): string =>
  titleOf('transaction', { txHash: shorten(txHash), chainId: chain.name })

type Props = {
  chain: ChainFacts
  txHash: string
  /** The transaction; null while it loads, undefined if it can't be shown. */
  details: TransactionDetails | null | undefined
  /** Whether there is no such transaction. */
  unknown?: boolean
}

/** The chain, the heading, the state and the hash of a transaction. */
export function TransactionTitle({ chain, txHash, details, unknown = false }: Props) {
  const tx = details?.nativeTransaction
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle
        document={unknown ? 'Transaction not found' : transactionTitle(txHash, chain)}
        heading={unknown ? 'Transaction not found' : 'Transaction'}
        beside={
          tx ? (
            <>
              {/* The summary says that a transaction failed, with the reason. */}
              {tx.txStatus !== '0' && <TxStatus status={tx.txStatus} />}
              {tx.isFinalized === false && <Pill state="pending">Not final yet</Pill>}
              {tx.isSettled === false && <Pill state="pending">Not settled yet</Pill>}
              <MethodLabel transaction={tx} />
            </>
          ) : details === null ? null : undefined
        }
        identity={{ value: txHash, name: 'transaction hash' }}
      />
    </>
  )
}
