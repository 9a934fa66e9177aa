import type { Zone } from './time.ts'

/** A moment that a person wrote, in Unix seconds: the first second of the day when no time was given. */
type Moment = { at: number; wholeDay: boolean }

type Day = { year: number; month: number; day: number }

/** The forms of dates and times that forms accept, for hints and error messages. */
export const momentForms = '2025-11-03, 3 Nov 2025 14:00, yesterday 14:00, 2 days ago or Unix seconds'

// Written out: making an Intl.DateTimeFormat when the module is evaluated delays every page that has a date field.
const months = 'january february march april may june july august september october november december'.split(
  ' ',
)
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /
const clockPattern =
  /(?:^|[t\s,]+(?:at\s+)?)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?$/
const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/**
 * Parses a date, a date with a time, a time of today, or Unix seconds (or milliseconds), as people write them:
 * `2025-11-03 14:05`, `3 Nov 2025`, `November 3, 2025 2:05 pm`, `3.11.2025`, `yesterday 14:00`, `2 days ago`, `now`.
 * Times are of the given zone unless they name an offset. A date such as 03/04/2025, which two countries read
 * differently, is refused, like days and times that no calendar has. `now` is in Unix seconds.
 */
export function readMoment(text: string, zone: Zone, now = Date.now() / 1000): Moment | undefined {
  const trimmed = text.trim().toLowerCase().replace(/\s+/g, ' ').replace(weekday, '')
  if (/^\d{9,11}$/.test(trimmed)) return { at: Number(trimmed), wholeDay: false }
  if (/^\d{12,13}$/.test(trimmed)) return { at: Math.floor(Number(trimmed) / 1000), wholeDay: false }
  if (trimmed === 'now') return { at: Math.floor(now), wholeDay: false }
  const ago = /^(\d{1,6}) ?(s|m|h|d|w)(?:ec(?:ond)?s?|in(?:ute)?s?|rs?|ours?|ays?|eeks?)? ago$/.exec(trimmed)
  if (ago) {
    const at = Math.floor(now) - Number(ago[1]) * (secondsOf[ago[2] ?? ''] ?? 0)
    return at < 0 ? undefined : { at, wholeDay: false }
  }
  const clock = clockPattern.exec(trimmed)
  const dayText = clock ? trimmed.slice(0, clock.index) : trimmed
  const day = dayText === '' && clock ? dayOf(now, zone) : readDay(dayText, zone, now)
  if (day === undefined) return undefined
  if (!clock) return atTime(day, [0, 0, 0], zone, undefined, true)
  const hours = readHours(Number(clock[1]), clock[4])
  if (hours === undefined) return undefined
  return atTime(day, [hours, Number(clock[2]), Number(clock[3] ?? 0)], zone, clock[5], false)
}

/** Unix seconds of a date or time as {@link readMoment} reads it. */
export const parseMoment = (text: string, zone: Zone): number | undefined => readMoment(text, zone)?.at

function readHours(hours: number, half: string | undefined): number | undefined {
  if (half === undefined) return hours <= 23 ? hours : undefined
  if (hours < 1 || hours > 12) return undefined
  return (hours % 12) + (half === 'pm' ? 12 : 0)
}

function readDay(text: string, zone: Zone, now: number): Day | undefined {
  if (text === 'today') return dayOf(now, zone)
  if (text === 'yesterday') return shiftDay(dayOf(now, zone), -1)
  const year = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(text)
  if (year) return { year: Number(year[1]), month: Number(year[2]), day: Number(year[3]) }
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (dotted) return { year: Number(dotted[3]), month: Number(dotted[2]), day: Number(dotted[1]) }
  const slashed = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(text)
  if (slashed) {
    const [first, second] = [Number(slashed[1]), Number(slashed[2])]
    if (first <= 12 && second <= 12 && first !== second) return undefined
    const [month, day] = second > 12 ? [first, second] : [second, first]
    return { year: Number(slashed[3]), month, day }
  }
  const named =
    /^(\d{1,2})(?:st|nd|rd|th)?[\s-]([a-z]{3,9})\.?(?:,?[\s-](\d{4}))?$/.exec(text) ??
    /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?$/.exec(text)
  if (!named) return undefined
  const [word = '', digits] = /^\d/.test(named[1] ?? '') ? [named[2], named[1]] : [named[1], named[2]]
  const month = monthOf(word)
  if (month === undefined) return undefined
  return withYear({ month, day: Number(digits) }, named[3], dayOf(now, zone))
}

function monthOf(word: string): number | undefined {
  const index = months.findIndex(
    (month) => month.startsWith(word) || (word === 'sept' && month === 'september'),
  )
  return index < 0 ? undefined : index + 1
}

/** A date without a year is the latest one that is not after today. */
function withYear(date: { month: number; day: number }, year: string | undefined, today: Day): Day {
  if (year !== undefined) return { year: Number(year), ...date }
  const ahead = date.month > today.month || (date.month === today.month && date.day > today.day)
  return { year: ahead ? today.year - 1 : today.year, ...date }
}

function dayOf(seconds: number, zone: Zone): Day {
  const date = new Date(seconds * 1000)
  return zone === 'utc'
    ? { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    : { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() }
}

function shiftDay({ year, month, day }: Day, days: number): Day {
  return dayOf(Date.UTC(year, month - 1, day + days) / 1000, 'utc')
}

function atTime(
  { year, month, day }: Day,
  [hours, minutes, seconds]: [number, number, number],
  zone: Zone,
  offset: string | undefined,
  wholeDay: boolean,
): Moment | undefined {
  if (minutes > 59 || seconds > 59) return undefined
  const real = new Date(Date.UTC(year, month - 1, day))
  if (real.getUTCFullYear() !== year || real.getUTCMonth() + 1 !== month || real.getUTCDate() !== day)
    return undefined
  const local = zone === 'local' && offset === undefined
  const ms = local
    ? new Date(year, month - 1, day, hours, minutes, seconds).getTime()
    : Date.UTC(year, month - 1, day, hours, minutes, seconds) - offsetSeconds(offset) * 1000
  return ms < 0 ? undefined : { at: Math.floor(ms / 1000), wholeDay }
}

function offsetSeconds(offset: string | undefined): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(offset ?? '')
  if (!match) return 0
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60)
}
