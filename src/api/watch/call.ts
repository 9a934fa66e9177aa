import type { Operation, ResponseOf } from '../../../contract/base/operation.ts'
import { localTokenHeader } from '../../../contract/base/local-token.ts'
import type { Request } from '../client.ts'
import { ApiError } from '../errors.ts'
import { localToken, tokenOfFragment } from '../local-token.ts'
import { queryClient } from '../query-client.ts'
import { session } from '../session.ts'

/**
 * Calls an operation of the validator watch: with the local token if this browser has it, which lets it write. The token
 * is the service's own, so it is never sent to another deployment.
 */
export async function watchCall<O extends Operation>(
  operation: O,
  request: Request<O> = {},
): Promise<ResponseOf<O>> {
  const { profile, client } = await session()
  // A page opened by the operator's link sends its first requests before the token of the link is stored.
  const token = profile.dataUrl === '' ? (tokenOfFragment(location.hash) ?? localToken.get()) : ''
  return client.call(operation, {
    ...request,
    ...(token !== '' && { headers: { [localTokenHeader]: token } }),
  })
}

/** The first part of the key of every query of the validator watch. */
export const watchKey = 'watch'

/**
 * Reads again whatever is shown of the watch: after a change, and when the local token has changed. What is of `gone`,
 * which has just been deleted, is left alone: its page is still open for a moment.
 */
export function refreshWatch(gone?: string): void {
  void queryClient.invalidateQueries({
    queryKey: [watchKey],
    predicate: ({ queryKey }) => gone === undefined || !queryKey.includes(gone),
  })
}

/** Whether the service refused because the caller may not read or write the watch. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403)
}
