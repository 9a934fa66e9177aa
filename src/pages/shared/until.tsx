import { useZone } from '../../components/hooks.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatTime, isoTime } from '../../lib/time.ts'

/** The last second of the browser's dates. */
const lastSecond = 8_640_000_000_000n

/** A time in Unix seconds of 64 bits; later ones than a date can express mean never. */
export function Until({ at, both = false }: { at: bigint | number; both?: boolean }) {
  const zone = useZone()
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

/** The same time for exports. */
export const untilText = (at: bigint | number): string =>
  BigInt(at) > lastSecond ? 'never' : isoTime(Number(at))
