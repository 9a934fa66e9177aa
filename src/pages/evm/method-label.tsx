import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import { methodLabel } from '../../lib/text.ts'

/** The method of a call as a small label: its name, else its selector, else what kind of call it is. */
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

/** What a transaction pays, in the smallest unit: the fee that the service gives, else gas used times effective price. */
export function feeOf(transaction: EvmTransaction & { txFee?: string | undefined }): string {
  return transaction.txFee ?? (BigInt(transaction.gasUsed) * BigInt(transaction.gasPrice)).toString()
}
