import type { QuietHours } from '../../contract/watch/rules.ts'

/** What is known of the messages of an open alarm. */
type Notified = {
  /** Unix seconds of the last message; undefined before the first. */
  readonly lastTs: number | undefined
  readonly count: number
}

type NotifyRule = { readonly repeatSeconds: number; readonly quiet: QuietHours | null }

/**
 * Which message an open alarm needs now. The first is held back by a silence and by quiet hours, and sent when they
 * end if the alarm is still open. A last message from the future means that the clock was set back: the interval then
 * starts again now, so that an alarm neither repeats in a burst nor falls silent until the clock catches up.
 */
export function nextMessage(
  { lastTs, count }: Notified,
  rule: NotifyRule,
  isSilenced: boolean,
  now: number,
): 'firing' | 'repeat' | 'restart' | undefined {
  if (count > 0 && lastTs !== undefined && lastTs > now + 1) return 'restart'
  if (isSilenced || isQuiet(rule.quiet, now)) return undefined
  if (count === 0) return 'firing'
  if (rule.repeatSeconds === 0 || lastTs === undefined) return undefined
  return now - lastTs >= rule.repeatSeconds ? 'repeat' : undefined
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const formats = new Map<string, Intl.DateTimeFormat>()

/** The weekday, 1 for Monday, and the minute of the day in a time zone. */
function localTime(timeZone: string, now: number): { day: number; minute: number } {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    formats.set(timeZone, format)
  }
  const parts = new Map(format.formatToParts(now * 1000).map(({ type, value }) => [type, value]))
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.get('weekday') ?? '') + 1
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) }
}

/** Whether a time lies in quiet hours. The days are those on which a period begins. */
export function isQuiet(quiet: QuietHours | null, now: number): boolean {
  if (quiet === null) return false
  const { day, minute } = localTime(quiet.timeZone, now)
  const from = minutesOf(quiet.from)
  const to = minutesOf(quiet.to)
  const begins = (weekday: number): boolean => quiet.days === undefined || quiet.days.includes(weekday)
  if (from < to) return begins(day) && minute >= from && minute < to
  if (minute >= from) return begins(day)
  // Past midnight it belongs to the day before. Equal times are a whole day.
  return minute < to && begins(day === 1 ? 7 : day - 1)
}

/** The first time, to the minute, that is not quiet: now, or the end of the quiet hours. At most eight days later. */
export function quietEnd(quiet: QuietHours | null, now: number): number {
  const limit = now + 8 * 86_400
  let at = now
  while (isQuiet(quiet, at) && at < limit) at = at - (at % 60) + 60
  return at
}
