import { callWithToken } from '../call-with-token.ts'
import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ResponseOf } from '../../../contract/base/operation.ts'
import {
  addWatchMembers,
  createWatchFleet,
  deleteWatchFleet,
  exportWatchFleet,
  getWatchFleet,
  importWatchFleet,
  listWatchChanges,
  listWatchFleets,
  removeWatchMembers,
  updateWatchFleet,
  type FleetFile,
} from '../../../contract/watch/fleets.ts'
import { queryClient } from '../query-client.ts'
import { watchKey } from './call.ts'

/** A fleet with a row for each member. */
export type FleetPage = ResponseOf<typeof getWatchFleet>
/** Where the members of a fleet come from. */
export type MemberSources = BodyOf<typeof addWatchMembers>
type FleetChanges = ResponseOf<typeof listWatchChanges>
export type FleetChange = FleetChanges['changes'][number]

/** How many days the heat strip and the sparklines of a fleet show. */
const fleetDays = 30

/** Every fleet of the service. */
export const fleetsQuery = () =>
  queryOptions({
    queryKey: [watchKey, 'fleets'],
    queryFn: async () => (await callWithToken(listWatchFleets)).fleets,
    refetchInterval: 15_000,
  })

/** A fleet with its members; it is read again as often as a node is sampled. */
export const fleetQuery = (fleetId: string) =>
  queryOptions({
    queryKey: [watchKey, 'fleet', fleetId],
    queryFn: () => callWithToken(getWatchFleet, { params: { fleetId }, query: { days: fleetDays } }),
    refetchInterval: 15_000,
  })

/** What changed in a fleet in the last 24 hours, latest first. */
export const changesQuery = (fleetId: string) =>
  queryOptions({
    queryKey: [watchKey, 'changes', fleetId],
    queryFn: () => callWithToken(listWatchChanges, { params: { fleetId } }),
    refetchInterval: 30_000,
  })

export const createFleet = (body: BodyOf<typeof createWatchFleet>, signal: AbortSignal) =>
  callWithToken(createWatchFleet, { body, signal })

export const importFleet = (body: FleetFile, signal: AbortSignal) =>
  callWithToken(importWatchFleet, { body, signal })

export const exportFleet = (fleetId: string, signal: AbortSignal) =>
  callWithToken(exportWatchFleet, { params: { fleetId }, signal })

export const updateFleet = (fleetId: string, body: BodyOf<typeof updateWatchFleet>, signal: AbortSignal) =>
  callWithToken(updateWatchFleet, { params: { fleetId }, body, signal })

/** Deletes a fleet; the list of fleets is without it at once. */
export async function deleteFleet(fleetId: string, signal: AbortSignal): Promise<void> {
  await callWithToken(deleteWatchFleet, { params: { fleetId }, signal })
  queryClient.setQueryData(fleetsQuery().queryKey, (fleets) =>
    fleets?.filter((one) => one.fleetId !== fleetId),
  )
}

export const addMembers = (fleetId: string, body: MemberSources, signal: AbortSignal) =>
  callWithToken(addWatchMembers, { params: { fleetId }, body, signal })

export const removeMembers = (fleetId: string, memberIds: string[], signal: AbortSignal) =>
  callWithToken(removeWatchMembers, { params: { fleetId }, body: { memberIds }, signal })
