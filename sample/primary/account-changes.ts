import type { AccountChange } from './ledger.ts'
import { readExtraData } from './transactions.ts'

/** What the atomic transactions of a C block do to accounts, by its blockExtraData. */
export function accountChangesOf(extra: Uint8Array | undefined): readonly AccountChange[] {
  if (extra === undefined) return []
  return readExtraData(extra).flatMap(({ unsigned }): AccountChange[] =>
    unsigned.type === 'ImportTx'
      ? unsigned.evmOutputs.map(({ address, amount }) => ({ account: address, amount, exports: 0 }))
      : unsigned.evmInputs.map(({ address, amount }) => ({ account: address, amount: -amount, exports: 1 })),
  )
}
