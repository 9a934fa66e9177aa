import type { WatchFleet } from '../../../../contract/watch/fleets.ts'
import { countText } from '../shared/words.ts'

type Counts = Pick<WatchFleet, 'memberCount' | 'ruleCount' | 'firingCount' | 'unknownCount'>

/** All fleets in one sentence: how many, and what is wrong. A fleet without rules is no good news. */
export function fleetsSentence(fleets: readonly Counts[]): string {
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
  return `${whole}: ${parts.length === 0 ? 'nothing is firing' : parts.join('; ')}.`
}
