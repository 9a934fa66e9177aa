import { refetchShown } from '../../api/connection.ts'
import { ApiError, isUnsupported } from '../../api/errors.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyExtra } from '../../components/part.tsx'
import { FailedState, UnsupportedState } from '../../components/states.tsx'

// Few pages show it, so that it stays out of the code of all.
const IndexLacks = lazy(() => import('./index-lacks.tsx'), 'IndexLacks')

/** What failed: a query, or an error with a way to try again. */
export type Failure = {
  readonly query?: { readonly error: unknown; readonly refetch: () => unknown }
  readonly error?: unknown
  readonly onRetry?: (() => unknown) | undefined
}

/** A failed request with status and request ID, or an operation that this deployment lacks. `title` is a sentence. */
export function Failed({
  title,
  query,
  error = query?.error,
  onRetry = query?.refetch,
}: Failure & { title: string }) {
  if (isUnsupported(error))
    return (
      <UnsupportedState title="Not offered here">
        <p>
          {error instanceof Error ? error.message : ''} A Ridgeline service of your own with this chain in its
          configuration does.
        </p>
      </UnsupportedState>
    )
  if (error instanceof ApiError && (error.behind || error.status === 410))
    return (
      <LazyExtra>
        <IndexLacks title={title} error={error} onRetry={onRetry} />
      </LazyExtra>
    )
  const shown = error instanceof Error ? error : new Error(String(error))
  const { status, requestId, kind } = error instanceof ApiError ? error : ({} as Partial<ApiError>)
  const isAway = kind === 'network' || kind === 'late'
  // What is not there, such as a chain that is not served here, does not come by asking again.
  const retry = status === 404 ? undefined : onRetry
  return (
    <FailedState
      title={title}
      status={status}
      name={shown.name}
      message={`${shown.message}${isAway && retry ? ' This part loads again when the service is back.' : ''}`}
      requestId={requestId}
      onRetry={
        retry &&
        (() => {
          void retry()
          // What made one part fail has often made others fail: one press loads them all again.
          refetchShown()
        })
      }
    />
  )
}
