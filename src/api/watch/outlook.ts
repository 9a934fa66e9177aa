import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { getValidatorOutlook } from '../../../contract/watch/outlook.ts'
import type { NetworkName } from '../current.ts'
import { call } from '../session.ts'

export type Outlook = ResponseOf<typeof getValidatorOutlook>

/** What the present validation of a node can still become. */
export const outlookQuery = (network: NetworkName, nodeId: string) =>
  queryOptions({
    queryKey: ['outlook', network, nodeId],
    queryFn: () => call(getValidatorOutlook, { params: { network, nodeId } }),
    refetchInterval: 30_000,
  })
