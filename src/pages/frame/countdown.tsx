import { useNow } from '../../components/hooks.ts'
import { HourglassIcon } from '../../components/icons.ts'

/** How long a rate limit, given in Unix milliseconds, still holds. */
export function Countdown({ until }: { until: number }) {
  const now = useNow()
  // The clock stands at the whole second that has passed: rounded up, 60 s would begin at 61.
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
