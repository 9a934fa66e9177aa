import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '../../../contract/base/operation.ts'
import { getAddressLabel, setAddressLabel } from '../../../contract/evm/labels.ts'
import { callWithToken } from '../call-with-token.ts'
import { queryClient } from '../query-client.ts'
import { viewsKey } from './contract-code.ts'

/** What was said of an address, and whether this browser may change it. */
export const labelQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['label', chainId, address.toLowerCase()],
    queryFn: () => callWithToken(getAddressLabel, { params: { chainId, address } }),
  })

/** Gives an address a name and an ABI, or takes back what it has; everything that is shown is asked anew. */
export async function giveLabel(
  chainId: string,
  address: string,
  body: BodyOf<typeof setAddressLabel>,
  signal: AbortSignal,
): Promise<void> {
  await callWithToken(setAddressLabel, { params: { chainId, address }, body, signal })
  // Results of functions that are gone must not be asked for; those of others have other keys.
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== viewsKey })
}
