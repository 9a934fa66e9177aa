import type { WatchFleetRow } from '../../../../../contract/watch/fleets.ts'

/** A validator of which all is well; whether it is connected is not known. */
export const fleetRow: WatchFleetRow = {
  memberId: 'NodeID-a',
  kind: 'node',
  nodeId: 'NodeID-a',
  uptimePerformance: 99,
  uptimeRequirement: 80,
  neededUptime: 70,
  uptimeByDay: [],
  connectedByDay: [],
  alarms: [],
  states: { pending: 0, firing: 0, unknown: 0 },
}
