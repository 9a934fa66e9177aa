import type { WatchAlarm } from '../../../../contract/watch/alarms.ts'
import type { WatchSummary } from '../../../api/watch/summary.ts'
import { countText } from '../shared/words.ts'
import { spanText } from '../../../lib/time.ts'

const order = ['firing', 'pending', 'unknown', 'resolved', 'ok']

/** The states that a person may have to act on, the worst first; silenced ones after the others of their state. */
export function openStates<S extends { state: string; isSilenced: boolean; sinceTimestamp: number }>(
  states: readonly S[],
): S[] {
  const rank = ({ state, isSilenced }: S): number => order.indexOf(state) * 2 + Number(isSilenced)
  return states
    .filter(({ state }) => state === 'firing' || state === 'pending' || state === 'unknown')
    .toSorted((left, right) => rank(left) - rank(right) || right.sinceTimestamp - left.sinceTimestamp)
}

/** How things stand, in a sentence. */
export function alarmsSentence(summary: WatchSummary): string {
  const { firing, silencedCount, pendingCount, unknownCount, ruleCount } = summary
  const total = firing.critical + firing.warning + firing.info
  if (ruleCount === 0) return 'There are no rules yet, so no alarm can open.'
  const kinds = [
    firing.critical > 0 && `${firing.critical} critical`,
    firing.warning > 0 && countText(firing.warning, 'warning'),
    firing.info > 0 && `${firing.info} info`,
  ].filter((part) => part !== false)
  const parts = [
    total === 0 ? 'Nothing is firing' : `${countText(total, 'alarm')} firing: ${kinds.join(', ')}`,
    silencedCount > 0 && `${silencedCount} silenced`,
    pendingCount > 0 && `${pendingCount} pending`,
    unknownCount > 0 && `${unknownCount} cannot be evaluated`,
  ].filter((part) => part !== false)
  return `${parts.join('; ')}.`
}

/** How long an alarm was open, or why it ended otherwise. */
export function alarmEnd({
  openedTimestamp,
  resolvedTimestamp,
  endReason,
}: Pick<WatchAlarm, 'openedTimestamp' | 'resolvedTimestamp' | 'endReason'>): string {
  if (endReason === 'event') return 'event'
  if (resolvedTimestamp === undefined) return 'open'
  const length = spanText(resolvedTimestamp - openedTimestamp)
  if (endReason === 'ruleDeleted') return `${length}, its rule was deleted`
  if (endReason === 'ruleDisabled') return `${length}, its rule was turned off`
  if (endReason === 'subjectGone') return `${length}, it is no longer a member`
  return length
}

/** The time around an alarm that a chart shows: as long before and after as it lasted, at least six hours. */
export function rangeAround(
  { openedTimestamp, resolvedTimestamp }: Pick<WatchAlarm, 'openedTimestamp' | 'resolvedTimestamp'>,
  now: number,
): { from: number; to: number } {
  const end = resolvedTimestamp ?? Math.max(now, openedTimestamp)
  const room = Math.max(6 * 3_600, Math.min(7 * 86_400, end - openedTimestamp))
  return { from: openedTimestamp - room, to: end + room }
}
