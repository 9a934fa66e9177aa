import { queryOptions } from '@tanstack/react-query'
import { countDistinct, type DistinctName } from '../../../contract/metrics/distinct.ts'
import { call } from '../session.ts'

/** The distinct addresses of a metric from a time to before another one, in Unix seconds; null from genesis. */
export const distinctQuery = (chainId: string, metric: DistinctName, from: number | null, before: number) =>
  queryOptions({
    queryKey: ['distinct', chainId, metric, from, before],
    queryFn: ({ signal }) =>
      call(countDistinct, {
        params: { chainId, metric },
        query: { ...(from !== null && { startTimestamp: from - 1 }), endTimestamp: before },
        signal,
      }),
    staleTime: 30_000,
  })
