import { callWithToken } from '../call-with-token.ts'
import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { getWatchSummary } from '../../../contract/watch/summary.ts'
import { watchKey } from './call.ts'

export type WatchSummary = ResponseOf<typeof getWatchSummary>

/** How things stand: counts, whether this caller may write, and the newest alarms. */
export const summaryQuery = () =>
  queryOptions({
    queryKey: [watchKey, 'summary'],
    queryFn: () => callWithToken(getWatchSummary),
    staleTime: 5_000,
    refetchInterval: 10_000,
  })
