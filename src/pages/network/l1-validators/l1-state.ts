import type { L1Validator } from '../../../../contract/network/validators.ts'

type L1State = 'active' | 'inactive' | 'removed'

/** The state of an L1 validator: removed without weight, inactive without balance. */
export function l1State({ weight, remainingBalance, isActive }: L1Validator): L1State {
  if (BigInt(weight) === 0n) return 'removed'
  return (isActive ?? BigInt(remainingBalance) > 0n) ? 'active' : 'inactive'
}
