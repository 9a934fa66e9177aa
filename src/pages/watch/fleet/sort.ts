import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { isLost, isRunningOut, isUnder } from './sentence.ts'
import { memberName } from './member-name.ts'

/** What the rows of a fleet can be sorted by; `worst` puts what needs a person first. */
export const fleetSorts = [
  'worst',
  'name',
  'stake',
  'delegated',
  'uptime',
  'version',
  'end',
  'earned',
  'balance',
] as const
type FleetSort = (typeof fleetSorts)[number]

const severityRank: Readonly<Record<string, number>> = { critical: 3, warning: 2, info: 1 }

/** How much a row needs a person: open alarms first, then what is away, a lost reward, and what cannot be evaluated. */
function urgency(row: WatchFleetRow): number {
  const { alarms, states, isConnected } = row
  const open = alarms.map(({ severity, isSilenced }) => (isSilenced ? 0.5 : (severityRank[severity] ?? 1)))
  return (
    Math.max(0, ...open) * 10 +
    (isConnected === false
      ? 6
      : isLost(row)
        ? 4
        : states.unknown > 0
          ? 3
          : isUnder(row) || isRunningOut(row)
            ? 2
            : 0) +
    (states.pending > 0 ? 1 : 0)
  )
}

type Key = number | bigint | string | undefined

const keys: Readonly<Record<FleetSort, (row: WatchFleetRow) => Key>> = {
  worst: urgency,
  name: (row) => memberName(row).toLowerCase(),
  stake: ({ amountStaked }) => (amountStaked === undefined ? undefined : BigInt(amountStaked)),
  delegated: ({ amountDelegated }) => (amountDelegated === undefined ? undefined : BigInt(amountDelegated)),
  uptime: ({ uptimePerformance }) => uptimePerformance,
  version: ({ clientVersion }) => clientVersion,
  end: ({ endTimestamp }) => endTimestamp,
  earned: ({ earnedReward }) => (earnedReward === undefined ? undefined : BigInt(earnedReward)),
  balance: ({ secondsRemaining }) => secondsRemaining,
}

/** The order in which a column is sorted first: largest amounts, but soonest ends and lowest uptimes. */
export const firstOrder: Readonly<Record<FleetSort, 'asc' | 'desc'>> = {
  worst: 'desc',
  name: 'asc',
  stake: 'desc',
  delegated: 'desc',
  uptime: 'asc',
  version: 'asc',
  end: 'asc',
  earned: 'desc',
  balance: 'asc',
}

/** The members in an order. Those without a value come last either way; equal ones keep their order. */
export function sortMembers(
  members: readonly WatchFleetRow[],
  by: FleetSort,
  order: 'asc' | 'desc',
): readonly WatchFleetRow[] {
  const keyed = members.map((row) => ({ row, key: keys[by](row) }))
  const sign = order === 'asc' ? 1 : -1
  keyed.sort((left, right) => {
    if (left.key === undefined || right.key === undefined)
      return Number(left.key === undefined) - Number(right.key === undefined)
    return left.key < right.key ? -sign : left.key > right.key ? sign : 0
  })
  return keyed.map(({ row }) => row)
}
