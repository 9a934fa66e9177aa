import { useStore } from '../../../components/hooks.ts'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { settings } from '../../../lib/storage/settings.ts'
import { formatTime, isoTime } from '../../../lib/time.ts'

/** The last second that a date of the browser can hold. */
const lastSecond = 8_640_000_000_000n

/** A moment in Unix seconds of 64 bits: those that no calendar reaches mean never. */
export function Until({ at, both = false }: { at: bigint | number; both?: boolean }) {
  const zone = useStore(settings, (all) => all.zone)
  if (BigInt(at) > lastSecond) return <span title={`Unix second ${at}`}>never</span>
  const seconds = Number(at)
  return both ? (
    <time dateTime={isoTime(seconds)} className="whitespace-nowrap">
      {formatTime(seconds, zone)}
    </time>
  ) : (
    <TimeAgo at={seconds} />
  )
}

/** The same for exports. */
export const untilText = (at: bigint | number): string =>
  BigInt(at) > lastSecond ? 'never' : isoTime(Number(at))
