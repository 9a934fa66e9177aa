import { callWithToken } from '../call-with-token.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ResponseOf } from '../../../contract/base/operation.ts'
import {
  createWatchSilence,
  endWatchSilence,
  listWatchAlarms,
  listWatchSilences,
  listWatchStates,
} from '../../../contract/watch/alarms.ts'
import type { Severity } from '../../../contract/watch/severities.ts'
import { listQuery } from '../list.ts'
import { watchKey } from './call.ts'

export type WatchState = ResponseOf<typeof listWatchStates>['states'][number]
export type Silence = ResponseOf<typeof createWatchSilence>
export type SilenceBody = BodyOf<typeof createWatchSilence>

/** The present state of every rule for each of its subjects, the worst first. */
export const statesQuery = (fleetId?: string) =>
  queryOptions({
    queryKey: [watchKey, 'states', fleetId ?? 'all'],
    queryFn: async () =>
      (await callWithToken(listWatchStates, fleetId === undefined ? {} : { query: { fleetId } })).states,
    refetchInterval: 10_000,
  })

/** What the history of alarms is narrowed to. */
type AlarmFilter = {
  readonly fleetId?: string | undefined
  readonly ruleId?: string | undefined
  readonly memberId?: string | undefined
  readonly severity?: Severity | undefined
}

/** The history of alarms, latest first. */
export const alarmsQuery = (filter: AlarmFilter = {}) =>
  listQuery({
    key: [watchKey, 'alarms', filter],
    read: (paging, signal) =>
      callWithToken(listWatchAlarms, { query: { ...paging, ...filter }, ...(signal && { signal }) }),
    rowsOf: (page) => page.alarms,
    placeholderData: keepPreviousData,
  })

/** The silences that have not ended. */
export const silencesQuery = () =>
  queryOptions({
    queryKey: [watchKey, 'silences'],
    queryFn: async () =>
      (await callWithToken(listWatchSilences, { query: { includesEnded: false } })).silences,
    refetchInterval: 15_000,
  })

export const createSilence = (body: SilenceBody, signal: AbortSignal) =>
  callWithToken(createWatchSilence, { body, signal })

export const endSilence = (silenceId: string, signal: AbortSignal) =>
  callWithToken(endWatchSilence, { params: { silenceId }, signal })
