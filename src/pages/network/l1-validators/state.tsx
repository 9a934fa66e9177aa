import type { L1Validator } from '../../../../contract/network/validators.ts'
import { Pill } from '../../../components/pill.tsx'

export type L1State = 'active' | 'inactive' | 'removed'

/** The state of an L1 validator: removed without weight, inactive without balance. */
export function l1State({ weight, remainingBalance, isActive }: L1Validator): L1State {
  if (BigInt(weight) === 0n) return 'removed'
  return (isActive ?? BigInt(remainingBalance) > 0n) ? 'active' : 'inactive'
}

const looks = {
  active: { pill: 'active', title: 'Has a balance to pay its fee from' },
  inactive: {
    pill: 'stale',
    title: 'Its balance is used up or was taken back: it can’t sign until it is topped up',
  },
  removed: { pill: 'ended', title: 'Its weight was set to 0' },
} as const

/** The state of an L1 validator in one word. */
export function L1StatePill({ validator }: { validator: L1Validator }) {
  const state = l1State(validator)
  return (
    <Pill state={looks[state].pill} title={looks[state].title}>
      {state}
    </Pill>
  )
}
