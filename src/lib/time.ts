import { formatInteger } from './amounts.ts'

/** How times are shown: in UTC or in the zone of the machine. */
export type Zone = 'utc' | 'local'

const two = (value: number): string => String(value).padStart(2, '0')

function parts(date: Date, zone: Zone): { day: string; clock: string } {
  return zone === 'utc'
    ? {
        day: `${date.getUTCFullYear()}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`,
        clock: `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`,
      }
    : {
        day: `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`,
        clock: `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`,
      }
}

/** The offset of the machine's zone at a moment, such as `+01:00`. */
function offsetText(date: Date): string {
  const minutes = -date.getTimezoneOffset()
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

/** Unix seconds as `2025-11-03 14:05:06 UTC`, or with the offset of the local zone. */
export function formatTime(seconds: number, zone: Zone): string {
  const date = new Date(seconds * 1000)
  if (Number.isNaN(date.getTime())) return String(seconds)
  const { day, clock } = parts(date, zone)
  return `${day} ${clock} ${zone === 'utc' ? 'UTC' : offsetText(date)}`
}

/** Unix seconds as `14:05:06 UTC`, or with the offset of the local zone. */
export const formatClock = (seconds: number, zone: Zone): string => formatTime(seconds, zone).slice(11)

/** Unix seconds as `2025-11-03`. */
export function formatDay(seconds: number, zone: Zone): string {
  return parts(new Date(seconds * 1000), zone).day
}

/** Unix seconds as ISO 8601 in UTC, for `<time dateTime>` and exports. */
export function isoTime(seconds: number): string {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z')
}

const steps: readonly (readonly [number, string])[] = [
  [60, 's'],
  [60, 'min'],
  [24, 'h'],
  [365, 'd'],
]

/** A length of time in seconds in its largest whole unit: `3 s`, `12 min`, `5 h`, `40 d`, `2 y`. */
export function formatDuration(seconds: number): string {
  let value = Math.max(0, Math.floor(seconds))
  for (const [size, unit] of steps) {
    if (value < size) return `${value} ${unit}`
    value = Math.floor(value / size)
  }
  return `${value} y`
}

/** The age of a moment: `3 s ago`, or `in 5 min` when it lies ahead. */
export function formatAge(seconds: number, now: number): string {
  return seconds > now + 1 ? `in ${formatDuration(seconds - now)}` : `${formatDuration(now - seconds)} ago`
}

const spanUnits = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** A length of time in its two largest units: “3 d 4 h”, “90 s” as “1 min 30 s”. */
export function spanText(seconds: number): string {
  let rest = Math.max(0, Math.floor(seconds))
  const parts: string[] = []
  for (const [size, unit] of spanUnits) {
    const count = Math.floor(rest / size)
    rest -= count * size
    // Units further apart than one step say nothing together: “3 d 2 s”.
    if (count === 0 && parts.length > 0) break
    if (count > 0) parts.push(`${formatInteger(count)} ${unit}`)
    if (parts.length === 2) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}
