import type { BalanceChange } from '../../../../contract/evm/transaction-changes.ts'

/** Whether the balances around the block differ by more or less than this transaction's change. */
export function hasOtherChanges({
  change,
  balanceBefore,
  balanceAfter,
}: Pick<BalanceChange, 'change' | 'balanceBefore' | 'balanceAfter'>): boolean {
  if (balanceBefore === undefined || balanceAfter === undefined) return false
  return BigInt(balanceBefore) + BigInt(change) !== BigInt(balanceAfter)
}
