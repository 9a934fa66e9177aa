/** A calendar event. `uid` stays the same when the same event is exported again. */
export type CalendarEvent = {
  uid: string
  /** Unix seconds. */
  at: number
  title: string
  notes: string
}

const lineOctets = 75

/** The last second of the year 9999: the calendar format has no later times. */
const lastSecond = 253_402_300_799

/** Whether the calendar format can express a time in Unix seconds. */
export const inCalendar = (seconds: number | bigint): boolean => seconds >= 0 && seconds <= lastSecond

const escape = (text: string): string =>
  text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|\r|\n/g, '\\n')

const octets = (character: string): number => new TextEncoder().encode(character).length

/** A content line folded into parts of at most 75 octets without splitting a character (RFC 5545, 3.1). */
function fold(line: string): string {
  let text = ''
  let used = 0
  for (const character of line) {
    const size = octets(character)
    if (used + size > lineOctets) {
      text += '\r\n '
      used = 1
    }
    text += character
    used += size
  }
  return `${text}\r\n`
}

const stamp = (seconds: number): string => new Date(seconds * 1000).toISOString().replace(/[-:]|\.\d+/g, '')

/**
 * A calendar file (RFC 5545) with events in UTC. `now` in Unix seconds is its creation time. Events have no
 * duration, and a reminder a day ahead. For all events `inCalendar` must hold.
 */
export function calendar(name: string, events: readonly CalendarEvent[], now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ridgeline//Unlocks//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escape(name)}`,
    ...events.flatMap(({ uid, at, title, notes }) => [
      'BEGIN:VEVENT',
      `UID:${escape(uid)}`,
      `DTSTAMP:${stamp(now)}`,
      `DTSTART:${stamp(at)}`,
      `SUMMARY:${escape(title)}`,
      `DESCRIPTION:${escape(notes)}`,
      'TRANSP:TRANSPARENT',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-P1D',
      `DESCRIPTION:${escape(title)}`,
      'END:VALARM',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map(fold).join('')
}
