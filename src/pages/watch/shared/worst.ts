import type { WatchFleet } from '../../../../contract/watch/fleets.ts'
import type { PillState } from '../../../components/pill.tsx'
import { formatInteger } from '../../../lib/amounts.ts'

/** The worst state of the rules of a fleet, in a word or two. Unknown is never “ok”, nor is a fleet without rules. */
export function worstOf({
  firingCount,
  unknownCount,
  ruleCount,
}: Pick<WatchFleet, 'firingCount' | 'unknownCount' | 'ruleCount'>): { state: PillState; text: string } {
  if (firingCount > 0) return { state: 'failed', text: `${formatInteger(firingCount)} firing` }
  if (unknownCount > 0) return { state: 'stale', text: `${formatInteger(unknownCount)} unknown` }
  return ruleCount === 0 ? { state: 'neutral', text: 'no rules' } : { state: 'ok', text: 'ok' }
}
