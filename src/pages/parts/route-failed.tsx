import { isRouteErrorResponse, useRouteError } from 'react-router'
import { Failed } from './failed.tsx'

/** What a route shows when its code could not be fetched or drawn. The frame around it stays. */
export function RouteFailed() {
  const error = useRouteError()
  const shown = isRouteErrorResponse(error) ? new Error(`${error.status} ${error.statusText}`) : error
  return (
    <>
      <title>Failed · Ridgeline</title>
      <Failed title="This page could not be shown." error={shown} onRetry={() => location.reload()} />
    </>
  )
}
