import { callWithToken } from '../call-with-token.ts'
import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import type { getWatchSummary } from '../../../contract/watch/alarms.ts'
import { watchKey } from './call.ts'

export type WatchSummary = ResponseOf<typeof getWatchSummary>

/** How things stand: counts, whether this caller may write, and the newest alarms. */
export const summaryQuery = () =>
  queryOptions({
    queryKey: [watchKey, 'summary'],
    queryFn: async () => {
      // Every page has this query, and most visits never send it: they do without the schemas of the watch.
      const { getWatchSummary } = await import('../../../contract/watch/alarms.ts')
      return callWithToken(getWatchSummary)
    },
    staleTime: 5_000,
    refetchInterval: 10_000,
  })
