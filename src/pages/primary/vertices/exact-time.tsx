import { useAge, useZone } from '../../../components/hooks.ts'
import { formatTime, isoTime } from '../../../lib/time.ts'

/** The absolute time, with the age in the title: vertices ended years ago, so that their ages are all the same. */
export function ExactTime({ at }: { at: number }) {
  return (
    <time dateTime={isoTime(at)} title={useAge(at)}>
      {formatTime(at, useZone())}
    </time>
  )
}
