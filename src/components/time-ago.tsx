import { settings } from '../lib/storage/settings.ts'
import { formatTime, isoTime } from '../lib/time.ts'
import { useAge, useStore } from './hooks.ts'

/** A time in Unix seconds: its age, or the absolute time by the user's setting; the other one in the title. */
export function TimeAgo({ at, both = false }: { at: number; both?: boolean }) {
  const { zone, times } = useStore(settings)
  const age = useAge(at)
  const absolute = formatTime(at, zone)
  const [shown, other] = times === 'age' ? [age, absolute] : [absolute, age]
  return (
    <time dateTime={isoTime(at)} title={other} className="whitespace-nowrap">
      {both ? (
        <>
          {absolute} <span className="text-muted">({age})</span>
        </>
      ) : (
        shown
      )}
    </time>
  )
}
