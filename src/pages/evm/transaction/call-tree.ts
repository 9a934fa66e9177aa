import type { TransactionDetails } from '../../../../contract/evm/transactions.ts'

export type InternalCall = NonNullable<TransactionDetails['internalTransactions']>[number]

/** Calls are listed in execution order with their depths; 1 is a call made by the transaction's own code. */
const depthOf = (call: InternalCall | undefined): number => call?.depth ?? 1

/** Whether the call at an index made calls itself. */
export const hasInner = (calls: readonly InternalCall[], index: number): boolean =>
  index + 1 < calls.length && depthOf(calls[index + 1]) > depthOf(calls[index])

/** The calls that are shown while those at the `folded` indices hide the calls that they made. */
export function shownCalls(
  calls: readonly InternalCall[],
  folded: ReadonlySet<number>,
): { call: InternalCall; index: number }[] {
  let hiddenBelow = Infinity
  return calls.flatMap((call, index) => {
    const depth = depthOf(call)
    if (depth > hiddenBelow) return []
    hiddenBelow = folded.has(index) ? depth : Infinity
    return [{ call, index }]
  })
}
