import type { PillState } from '../../components/pill.tsx'
import type { Feed } from '../../lib/freshness.ts'

/** Icon and tone of a state: see `Pill`. */
export const feedStates: Readonly<Record<Feed['kind'], PillState>> = {
  live: 'active',
  catchingUp: 'pending',
  late: 'late',
  lost: 'lost',
  stopped: 'failed',
  unknown: 'neutral',
}
