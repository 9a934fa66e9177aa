import { ApiError } from '../errors.ts'
import { queryClient } from '../query-client.ts'

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
