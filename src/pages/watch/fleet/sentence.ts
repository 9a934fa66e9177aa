import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import type { FleetPage } from '../../../api/watch/fleets.ts'
import { avaxDecimals } from '../../../components/asset-amount.tsx'
import { formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { countText } from '../shared/words.ts'

/** Whether a node's uptime is below what its reward needs; false while one of them is unknown. */
export const isUnder = ({ uptimePerformance, uptimeRequirement }: WatchFleetRow): boolean =>
  uptimePerformance !== undefined && uptimeRequirement !== undefined && uptimePerformance < uptimeRequirement

/** Whether a node can no longer reach what its reward needs, even without a further interruption. */
export const isLost = ({ neededUptime }: WatchFleetRow): boolean =>
  neededUptime !== undefined && neededUptime > 100

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

/** A fleet in a sentence: who is connected, whose reward is at risk, and what others trust it with. */
export function fleetSentence(page: Told): string {
  const { members, sums } = page
  if (members.length === 0) return 'This fleet has no members yet.'
  const lost = members.filter(isLost).length
  const under = members.filter(isUnder).length - members.filter((row) => isUnder(row) && isLost(row)).length
  const firing = members.filter(({ alarms }) => alarms.some(({ isSilenced }) => !isSilenced)).length
  const parts = [
    under > 0 && `${formatInteger(under)} under ${under === 1 ? 'its' : 'their'} uptime requirement`,
    lost > 0 && `${formatInteger(lost)} can no longer reach ${lost === 1 ? 'its' : 'their'} reward`,
    BigInt(sums.amountDelegated) > 0n &&
      `${formatAmount(sums.amountDelegated, avaxDecimals, 0)} AVAX delegated`,
    firing > 0 && `alarms at ${formatInteger(firing)}`,
  ].filter((part) => part !== false)
  return `${[`${membersText(members)}, ${connectionText(page)}`, ...parts].join('; ')}.`
}
