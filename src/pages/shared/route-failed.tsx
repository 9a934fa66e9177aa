import { isRouteErrorResponse, useRevalidator, useRouteError } from 'react-router'
import { useRecovery } from '../../components/hooks.ts'
import { reload } from '../../components/part.tsx'
import { Failed } from './failed.tsx'

/** Shown in the frame when a route failed to render. */
export function RouteFailed() {
  const error = useRouteError()
  const { revalidate } = useRevalidator()
  useRecovery(() => void revalidate())
  const shown = isRouteErrorResponse(error) ? new Error(`${error.status} ${error.statusText}`) : error
  return (
    <>
      <title>Failed · Ridgeline</title>
      <Failed title="This page could not be shown." error={shown} onRetry={reload} />
    </>
  )
}
