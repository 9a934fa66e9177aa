import type { Unlock } from '../../../api/primary/address.ts'

/** The first unlock (in order of time) that frees an amount: the stake of an auto-renewed validator stays. */
export const nextFree = (unlocks: readonly Unlock[] | undefined): Unlock | undefined =>
  unlocks?.find(({ renewsItself }) => renewsItself !== true)
