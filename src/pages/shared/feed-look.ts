import type { PillState } from '../../components/pill.tsx'
import type { Feed } from '../../lib/freshness.ts'

const states: Readonly<Record<Feed['kind'], PillState>> = {
  live: 'active',
  catchingUp: 'pending',
  late: 'late',
  lost: 'lost',
  stopped: 'failed',
  unknown: 'neutral',
}

/** Icon and tone of a state: see `Pill`. A chain without a block for long is not shown as active. */
export const stateOfFeed = (feed: Feed): PillState =>
  feed.kind === 'live' && feed.quiet ? 'neutral' : states[feed.kind]
