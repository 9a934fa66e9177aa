import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { validationsQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import type { Node } from './node.ts'

/** Fetches what the head of a validator's page shows: its terms and its feed. */
export function prefetchNode({ network, nodeId }: Node): Promise<unknown> {
  return Promise.all([
    queryClient.prefetchInfiniteQuery(validationsQuery(network, nodeId)),
    queryClient.prefetchQuery(nodeFeedQuery(network, nodeId)),
  ])
}
