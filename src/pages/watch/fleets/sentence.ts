import type { WatchFleet } from '../../../../contract/watch/fleets.ts'
import type { Verdict } from '../../../components/verdict.tsx'
import { countText } from '../shared/words.ts'

type Counts = Pick<WatchFleet, 'memberCount' | 'ruleCount' | 'firingCount' | 'unknownCount'>

/** Whether all fleets are well: what is wrong in a word, and in a sentence. A fleet without rules is not good news. */
export function fleetsVerdict(fleets: readonly Counts[]): Verdict {
  const sum = (of: (fleet: Counts) => number): number => fleets.reduce((total, fleet) => total + of(fleet), 0)
  const firing = sum(({ firingCount }) => firingCount)
  const unknown = sum(({ unknownCount }) => unknownCount)
  const unwatched = fleets.filter(({ ruleCount }) => ruleCount === 0).length
  const parts = [
    firing > 0 && `${countText(firing, 'alarm')} firing`,
    unknown > 0 && `${countText(unknown, 'state')} unknown`,
    unwatched > 0 &&
      (unwatched === fleets.length
        ? 'no rules yet, so nothing fires'
        : `${countText(unwatched, 'fleet')} without rules`),
  ].filter((part) => part !== false)
  const whole = `${countText(fleets.length, 'fleet')} with ${countText(
    sum(({ memberCount }) => memberCount),
    'member',
  )}`
  const text = `${whole}: ${parts.length === 0 ? 'nothing is firing' : parts.join('; ')}.`
  if (firing > 0) return { state: 'failed', word: 'firing', text }
  if (unknown > 0) return { state: 'stale', word: 'unknown', text }
  return unwatched > 0 ? { state: 'neutral', word: 'no rules', text } : { state: 'ok', word: 'ok', text }
}
