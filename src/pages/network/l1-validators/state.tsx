import type { L1Validator } from '../../../../contract/network/validators.ts'
import { Pill } from '../../../components/pill.tsx'
import { l1State } from './l1-state.ts'

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
