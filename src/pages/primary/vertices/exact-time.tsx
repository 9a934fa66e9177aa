import { useAge, useZone } from '../../../components/hooks.ts'
import { formatTime, isoTime } from '../../../lib/time.ts'

/** The ends of the minutes and of the seconds in a time as text. */
const minutes = '2025-11-03 14:05'.length
const seconds = minutes + ':06'.length

/** The absolute time, with the age in the title: vertices ended years ago, so that their ages are all the same. A phone shows it to the minute. */
export function ExactTime({ at }: { at: number }) {
  const text = formatTime(at, useZone())
  return (
    <time dateTime={isoTime(at)} title={useAge(at)}>
      {text.slice(0, minutes)}
      <span className="max-md:hidden">{text.slice(minutes, seconds)}</span>
      {text.slice(seconds)}
    </time>
  )
}
