import { ApiError, isUnsupported } from '../../api/errors.ts'
import { FailedState, UnsupportedState } from '../../components/states.tsx'

type Props = {
  /** What failed, as a sentence: “The blocks could not be loaded.” */
  title: string
  error: unknown
  onRetry?: () => void
}

/** A failed request with status and request id, or an operation that this deployment lacks. */
export function Failed({ title, error, onRetry }: Props) {
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
