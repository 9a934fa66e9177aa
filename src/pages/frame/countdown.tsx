import { useNow } from '../../components/hooks.ts'
import { HourglassIcon } from '../../components/icons.ts'

/** The remaining time of a rate limit, given in Unix milliseconds. */
export function Countdown({ until }: { until: number }) {
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
