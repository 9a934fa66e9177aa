import type { ReactNode } from 'react'
import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import { OtherParty } from '../../components/party.tsx'
import { TxStatus } from '../../components/tx-status.tsx'
import { methodLabel } from '../../lib/text.ts'

/** The method of a call as a label: its name, else its selector, else the kind of call. */
export function MethodLabel({ transaction }: { transaction: EvmTransaction }) {
  const { method } = transaction
  const creation = method?.callType === 'CONTRACT_CREATION'
  const text = creation ? 'create' : methodLabel(method?.methodName, method?.methodHash) || 'transfer'
  return (
    <span
      className="inline-block max-w-full truncate rounded-small bg-hover px-1.5 align-middle text-xs leading-5"
      title={
        creation
          ? 'Creates a contract'
          : (method?.methodName ?? (text === 'transfer' ? 'Sends the native token' : text))
      }
    >
      {text}
    </span>
  )
}

type MethodCellProps = {
  transaction: EvmTransaction
  /** Whether the transaction goes to the party or comes from it. */
  way: 'to' | 'from'
  party: ReactNode
}

/** The method in a list; on a phone, where it begins the row, between the status and the other party. */
export function MethodCell({ transaction, way, party }: MethodCellProps) {
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span className="md:hidden">
        <TxStatus status={transaction.txStatus} compact />
      </span>
      <span className="max-w-full min-w-0 max-md:max-w-1/2 max-md:shrink-0 max-md:text-text">
        <MethodLabel transaction={transaction} />
      </span>
      <OtherParty way={way}>{party}</OtherParty>
    </span>
  )
}

/** A transaction's fee in the smallest unit: that of the service, else what it paid for gas and for blobs. */
export function feeOf(transaction: EvmTransaction & { txFee?: string | undefined }): string {
  const { txFee, gasUsed, gasPrice, blobGasUsed = '0', blobGasPrice = '0' } = transaction
  return txFee ?? String(BigInt(gasUsed) * BigInt(gasPrice) + BigInt(blobGasUsed) * BigInt(blobGasPrice))
}
