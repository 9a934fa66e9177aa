import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { getSession } from '../../../contract/network/session.ts'
import { call } from '../session.ts'

/** Who is signed in through a proxy, and what they may do. */
export type SignedIn = ResponseOf<typeof getSession>

/** Who is signed in; asked of services alone whose profile has `signIn`. Groups change at the proxy, so it is read again. */
export const signedInQuery = () =>
  queryOptions({ queryKey: ['signed-in'], queryFn: () => call(getSession), staleTime: 60_000 })
