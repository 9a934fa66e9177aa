import type { Zone } from './time.ts'

/** Parses a day `2025-11-03` or a minute `2025-11-03T14:05` of a time zone, or Unix seconds; returns Unix seconds. */
export function parseMoment(text: string, zone: Zone): number | undefined {
  const trimmed = text.trim()
  if (/^\d{9,11}$/.test(trimmed)) return Number(trimmed)
  const match = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(trimmed)
  if (!match) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const ms =
    zone === 'utc'
      ? Date.UTC(year, month - 1, day, hour, minute, second)
      : new Date(year, month - 1, day, hour, minute, second).getTime()
  const back = new Date(ms)
  const same = zone === 'utc' ? back.getUTCDate() : back.getDate()
  return same === day && month <= 12 ? Math.floor(ms / 1000) : undefined
}
