import { DAY } from '../../../../charts/series/periods.ts'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import type { FleetPage } from '../../../api/watch/fleets.ts'
import type { Verdict } from '../../../components/verdict.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { countText } from '../shared/words.ts'

/** What a reward that is not paid yet is. */
export const accrued = 'Accrued so far; paid at the end if the uptime requirement is met'

/** Whether a node's uptime is below what its reward needs; false while one of them is unknown. */
export const isUnder = ({ uptimePerformance, uptimeRequirement }: WatchFleetRow): boolean =>
  uptimePerformance !== undefined && uptimeRequirement !== undefined && uptimePerformance < uptimeRequirement

/** Whether a node can no longer reach what its reward needs, even without a further interruption. */
export const isLost = ({ neededUptime }: WatchFleetRow): boolean =>
  neededUptime !== undefined && neededUptime > 100

/** The seconds of a balance that are few enough to say so. */
const soon = 7 * DAY

/** Whether the balance of an active L1 validator runs out within a week. */
export const isRunningOut = ({ isActive, secondsRemaining }: WatchFleetRow): boolean =>
  isActive !== false && secondsRemaining !== undefined && secondsRemaining < soon

type Told = Pick<FleetPage, 'members' | 'sums' | 'isStale'>

function membersText(members: readonly WatchFleetRow[]): string {
  const l1 = members.filter(({ kind }) => kind === 'l1Validator').length
  const nodes = members.length - l1
  const parts = [
    (nodes > 0 || l1 === 0) && countText(nodes, 'validator'),
    l1 > 0 && countText(l1, 'L1 validator'),
  ].filter((part) => part !== false)
  return parts.join(' and ')
}

function connectionText({ sums, isStale }: Told): string {
  const { memberCount, connectedCount, disconnectedCount, unknownCount } = sums
  if (isStale || unknownCount === memberCount)
    return memberCount === 1 ? 'its connection is unknown' : 'their connections are unknown'
  if (connectedCount === memberCount) return memberCount === 1 ? 'connected' : 'all connected'
  const parts = [
    disconnectedCount > 0 && `${formatInteger(disconnectedCount)} not connected`,
    unknownCount > 0 && `${formatInteger(unknownCount)} unknown`,
  ].filter((part) => part !== false)
  return parts.length === 0 ? `${formatInteger(connectedCount)} connected` : parts.join(', ')
}

/** Whether all members of a fleet are well: the worst that is the matter in a word, and everything in a sentence. */
export function fleetVerdict(page: Told): Verdict {
  const { members, sums, isStale } = page
  const lost = members.filter(isLost).length
  const under = members.filter((row) => isUnder(row) && !isLost(row)).length
  const firing = members.filter(({ alarms }) => alarms.some(({ isSilenced }) => !isSilenced)).length
  const ending = members.filter(isRunningOut).length
  const parts = [
    firing > 0 && `${formatInteger(firing)} with ${firing === 1 ? 'an alarm' : 'alarms'}`,
    lost > 0 && `${formatInteger(lost)} can no longer reach ${lost === 1 ? 'its' : 'their'} reward`,
    under > 0 && `${formatInteger(under)} under ${under === 1 ? 'its' : 'their'} uptime requirement`,
    ending > 0 && `the balance of ${formatInteger(ending)} runs out within a week`,
  ].filter((part) => part !== false)
  const text = `${[`${membersText(members)}, ${connectionText(page)}`, ...parts].join('; ')}.`
  if (members.length === 0) return { state: 'neutral', word: 'empty', text: 'This fleet has no members yet.' }
  if (firing > 0) return { state: 'failed', word: 'firing', text }
  if (lost > 0) return { state: 'failed', word: 'reward lost', text }
  if (isStale) return { state: 'stale', word: 'unknown', text }
  if (sums.disconnectedCount > 0) return { state: 'lost', word: 'not connected', text }
  if (under > 0) return { state: 'late', word: 'uptime too low', text }
  if (ending > 0) return { state: 'late', word: 'runs out soon', text }
  if (sums.unknownCount > 0) return { state: 'stale', word: 'unknown', text }
  return { state: 'ok', word: 'healthy', text }
}
