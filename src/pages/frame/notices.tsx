import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/chains.ts'
import { ApiError } from '../../api/errors.ts'
import { rateLimit } from '../../api/session.ts'
import { useNow, useStore } from '../../components/hooks.ts'
import { HourglassIcon } from '../../components/icons.ts'
import { Failed } from '../shared/failed.tsx'

/** The remaining time of a rate limit, given in Unix milliseconds. */
function Countdown({ until }: { until: number }) {
  const now = useNow()
  // The clock shows the elapsed whole second: rounding up would start 60 s at 61.
  const left = Math.floor(until / 1000 - now)
  if (left <= 0) return null
  return (
    <div
      role="alert"
      className="fixed bottom-4 left-1/2 z-40 flex -translate-x-1/2 items-center gap-2 rounded-base border border-line bg-raised px-4 py-2 whitespace-nowrap shadow-float"
    >
      <HourglassIcon className="text-warn" />
      The rate limit is reached. Asking again in {left} s.
    </div>
  )
}

/** Shows a rate limit and its remaining time. */
export function RateLimitNotice() {
  const until = useStore(rateLimit)
  return until === 0 ? null : <Countdown until={until} />
}

/** Shown on every page when the service's configuration cannot be loaded. */
export function SessionFailed() {
  const session = useQuery(sessionQuery())
  return session.error ? (
    <Failed
      title={
        session.error instanceof ApiError && session.error.name === 'Configuration'
          ? 'The configuration can’t be used'
          : 'Can’t reach the service'
      }
      error={session.error}
      onRetry={() => void session.refetch()}
    />
  ) : null
}
