import type { Unlock } from '../../../api/primary/address.ts'

/** The first of some unlocks, in order of time, after which money is free: a stake that renews itself stays. */
export const nextFree = (unlocks: readonly Unlock[] | undefined): Unlock | undefined =>
  unlocks?.find(({ renewsItself }) => renewsItself !== true)
