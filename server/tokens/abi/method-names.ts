import type { TransactionRow } from '../../store/evm/read-transactions.ts'
import type { AbiBook } from './operator.ts'

/**
 * The method that a transaction calls. A call with a known selector has a signature: from the ABI that the
 * operator configured for the contract, otherwise from all known signatures; `candidates` then lists every
 * signature that shares the selector, if there are several.
 */
export function methodOf(
  { to, callType, selector }: Pick<TransactionRow, 'to' | 'callType' | 'selector'>,
  abis: AbiBook,
  chainId: string,
) {
  const method = { callType, methodHash: selector }
  if (callType !== 'CONTRACT_CALL' || selector.length !== 10) return method
  const { known } = abis.functions(selector, chainId, to)
  const [first, ...others] = known.map(({ signature }) => signature)
  if (first === undefined) return method
  return { ...method, methodName: first, ...(others.length > 0 && { candidates: [first, ...others] }) }
}
