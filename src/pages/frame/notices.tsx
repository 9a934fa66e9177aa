import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/chains.ts'
import { rateLimit } from '../../api/session.ts'
import { useNow, useStore } from '../../components/hooks.ts'
import { HourglassIcon } from '../../components/icons.ts'
import { Failed } from '../parts/failed.tsx'

function Countdown({ until }: { until: number }) {
  const now = useNow()
  const left = Math.ceil(until / 1000 - now)
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

/** Says that a rate limit holds, and for how long. */
export function RateLimitNotice() {
  const until = useStore(rateLimit)
  return until === 0 ? null : <Countdown until={until} />
}

/** What every page shows when the service cannot say who it is. */
export function SessionFailed() {
  const session = useQuery(sessionQuery())
  return session.error ? (
    <Failed
      title="The service could not be asked."
      error={session.error}
      onRetry={() => void session.refetch()}
    />
  ) : null
}
