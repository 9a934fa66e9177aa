import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { getWatchSummary } from '../../../contract/watch/alarms.ts'
import { watchCall, watchKey } from './call.ts'

export type WatchSummary = ResponseOf<typeof getWatchSummary>

/** How things stand: counts, whether this caller may write, and the newest alarms. */
export const summaryQuery = () =>
  queryOptions({
    queryKey: [watchKey, 'summary'],
    queryFn: () => watchCall(getWatchSummary),
    staleTime: 5_000,
    refetchInterval: 10_000,
  })
