import { aggregateSignatures, getAggregatedSignatures } from '../../../contract/signatures/signatures.ts'
import type { Profile } from '../../../contract/profile.ts'
import { operationUrl } from '../../api/client.ts'
import { curlOf } from './curl.ts'
import type { Asked } from './run.ts'

/** A round as a curl command, without the API key: commands get copied to other places. */
export function curlOfRound(asked: Asked, profile: Profile, origin: string, hasKey: boolean): string {
  const { network, body, tx, byTransaction } = asked
  const headers = hasKey ? { [profile.keyHeader]: 'YOUR-KEY' } : {}
  const absolute = (url: string): string => new URL(url, origin).href
  return byTransaction && tx !== undefined
    ? curlOf({
        method: 'GET',
        url: absolute(operationUrl(getAggregatedSignatures, profile, { network, txHash: tx })),
        headers,
      })
    : curlOf({
        method: 'POST',
        url: absolute(operationUrl(aggregateSignatures, profile, { network })),
        headers,
        body: JSON.stringify(body),
      })
}
