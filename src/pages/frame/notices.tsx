import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/chains.ts'
import { rateLimit } from '../../api/session.ts'
import { useStore } from '../../components/hooks.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyExtra } from '../../components/part.tsx'
import { Failed } from '../shared/failed.tsx'

const Countdown = lazy(() => import('./countdown.tsx'), 'Countdown')

/** Shows a rate limit and its remaining time. */
export function RateLimitNotice() {
  const until = useStore(rateLimit)
  return until === 0 ? null : (
    <LazyExtra>
      <Countdown until={until} />
    </LazyExtra>
  )
}

/** Shown on every page when the service's configuration cannot be loaded. */
export function SessionFailed() {
  const session = useQuery(sessionQuery())
  return session.error ? (
    <Failed title="Can’t reach the service" error={session.error} onRetry={() => void session.refetch()} />
  ) : null
}
