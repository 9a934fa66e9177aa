import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import type { Json } from '../../store/json-rows.ts'
import { withFields } from '../../store/json-rows.ts'
import type { ListedTransaction, TransactionRow } from '../../store/evm/read-transactions.ts'
import { withoutNulls } from '../../kernel/without-nulls.ts'
import { methodOf } from '../../tokens/abi/method-names.ts'
import type { AbiBook } from '../../tokens/abi/operator.ts'
import type { Names } from './address-names.ts'

/** The JSON of a transaction in a list of a chain or a block, with its method name. */
export const listedTransaction = (
  row: ListedTransaction,
  abis: AbiBook,
  chainId: string,
): Json<EvmTransaction> =>
  withFields(row.json, { to: { address: row.to }, method: methodOf(row, abis, chainId) })

/** The addresses of a transaction; the recipient of a failed creation is empty. */
export const partiesOf = ({ sender, to }: TransactionRow): string[] => [sender, to]

/** A transaction with the names of its method and its parties. */
export function describeTransaction<Row extends TransactionRow>(
  {
    sender,
    to,
    callType,
    selector,
    inputSize,
    blobGasUsed,
    blobGasPrice,
    ...fields
  }: Row & { readonly input?: string },
  names: Names,
  abis: AbiBook,
  chainId: string,
) {
  return {
    ...fields,
    ...withoutNulls({ blobGasUsed, blobGasPrice }),
    from: names.party(sender),
    to: names.party(to),
    method: methodOf(
      { to, callType, selector, inputSize, ...('input' in fields && { input: fields.input }) },
      abis,
      chainId,
    ),
  }
}
