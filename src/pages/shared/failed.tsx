import { ApiError, isUnsupported } from '../../api/errors.ts'
import { FailedState, UnsupportedState } from '../../components/states.tsx'

/** What failed: an error with a way to try again, or a query that has both. */
export type Failure =
  | { readonly error: unknown; readonly onRetry?: (() => unknown) | undefined; readonly query?: never }
  | {
      readonly query: { readonly error: unknown; readonly refetch: () => unknown }
      readonly error?: never
      readonly onRetry?: never
    }

/** The error of a failure, and what its button does. */
export function failureOf({ query, error, onRetry }: Failure): {
  error: unknown
  onRetry: (() => void) | undefined
} {
  const retry = query ? query.refetch : onRetry
  return { error: query ? query.error : error, onRetry: retry && (() => void retry()) }
}

/** A failed request with status and request id, or an operation that this deployment lacks. `title` is a sentence. */
export function Failed({ title, ...failure }: Failure & { title: string }) {
  const { error, onRetry } = failureOf(failure)
  if (isUnsupported(error))
    return (
      <UnsupportedState title="Not offered here">
        <p>
          {error instanceof Error ? error.message : ''} A Ridgeline service of your own with this chain in its
          configuration does.
        </p>
      </UnsupportedState>
    )
  // The service has dropped what was asked for: asking again does not help.
  if (error instanceof ApiError && error.status === 410)
    return (
      <UnsupportedState title="Not kept here">
        <p>{error.message}</p>
      </UnsupportedState>
    )
  if (error instanceof ApiError)
    return (
      <FailedState
        title={title}
        status={error.status}
        name={error.name}
        message={
          error.kind === 'network' || error.kind === 'late'
            ? `${error.message} It is asked again when it is back.`
            : error.message
        }
        requestId={error.requestId}
        onRetry={onRetry}
      />
    )
  const plain = error instanceof Error ? error : new Error(String(error))
  return <FailedState title={title} name={plain.name} message={plain.message} onRetry={onRetry} />
}
