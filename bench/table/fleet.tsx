import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WatchFleetRow } from '../../contract/watch/fleets.ts'
import { queryClient } from '../../src/api/query-client.ts'
import type { FleetPage } from '../../src/api/watch/fleets.ts'
import { HeatStrip } from '../../src/pages/watch/fleet/heat-strip.tsx'
import { Members } from '../../src/pages/watch/fleet/members.tsx'

const day = 86_400
const firstDay = 1_790_000_000 - (1_790_000_000 % day)
const days = 30
const cb58 = (number: number): string => number.toString(36).padStart(33, 'x')

function member(number: number): WatchFleetRow {
  const uptimes = Array.from({ length: days }, (_, at) =>
    at === number % days ? null : 70 + ((number + at) % 31),
  )
  return {
    memberId: `NodeID-${cb58(number)}`,
    kind: 'node',
    nodeId: `NodeID-${cb58(number)}`,
    label: `node-${number}`,
    validationStatus: 'active',
    txHash: cb58(number),
    amountStaked: String(2_000_000_000_000 + number * 7_919_000_000),
    amountDelegated: String(number * 104_729_000_000),
    delegatorCount: number % 70,
    startTimestamp: firstDay - number * 60,
    endTimestamp: firstDay + 90 * day + number * 60,
    renewsItself: false,
    uptimePerformance: 70 + (number % 31),
    uptimeRequirement: 80,
    neededUptime: number % 110,
    isConnected: number % 9 !== 0,
    sampledTimestamp: firstDay,
    clientVersion: `avalanchego/1.14.${number % 3}`,
    potentialReward: String(number * 1_000_000_000),
    earnedReward: String(number * 500_000_000),
    uptimeByDay: uptimes,
    connectedByDay: uptimes,
    alarms: [],
    states: { pending: 0, firing: 0, unknown: 0 },
  }
}

/** A fleet of so many nodes as its page shows it: the strip of days, and the table of members. */
export function fleetOf(count: number): ReactNode {
  const members = Array.from({ length: count }, (_, number) => member(number))
  const page: FleetPage = {
    fleet: {
      fleetId: '00000000-0000-0000-0000-000000000000',
      network: 'fuji',
      name: 'Bench',
      description: '',
      createdTimestamp: firstDay,
      memberCount: count,
      ruleCount: 0,
      firingCount: 0,
      unknownCount: 0,
    },
    timestamp: firstDay,
    isStale: false,
    firstDay,
    majorityVersion: 'avalanchego/1.14.1',
    sums: {
      memberCount: count,
      activeCount: count,
      connectedCount: count,
      disconnectedCount: 0,
      unknownCount: 0,
      amountStaked: '0',
      amountDelegated: '0',
      delegatorCount: 0,
      potentialReward: '0',
      earnedReward: '0',
      remainingBalance: '0',
    },
    members,
  }
  return (
    <QueryClientProvider client={queryClient}>
      <HeatStrip members={members} firstDay={firstDay} kind="uptime" onKind={() => undefined} />
      <Members page={page} mayWrite />
    </QueryClientProvider>
  )
}
