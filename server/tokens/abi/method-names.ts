import type { TransactionRow } from '../../store/evm/read-transactions.ts'
import type { AbiBook } from './operator.ts'

/**
 * The method that a transaction calls. A call whose first four bytes are known has the signature: from the ABI
 * that the operator gave for the contract, else from all that is known; then `candidates` lists every signature
 * that shares the four bytes, when there are several.
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
