import type { NetworkName } from '../../../api/current.ts'
import { l1ValidatorQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'

/** Fetches an L1 validator. */
export function prefetchL1Validator(network: NetworkName, validationId: string): Promise<void> {
  return queryClient.prefetchQuery(l1ValidatorQuery(network, validationId))
}
