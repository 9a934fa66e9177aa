/** A moment in a calendar. `uid` stays the same when the same moment is exported again. */
export type CalendarEvent = {
  uid: string
  /** Unix seconds. */
  at: number
  title: string
  notes: string
}

const lineOctets = 75

/** The last second whose year has four digits: a calendar file can name none after it. */
const lastSecond = 253_402_300_799

/** Whether a calendar file can name a moment in Unix seconds. */
export const inCalendar = (seconds: number | bigint): boolean => seconds >= 0 && seconds <= lastSecond

const escape = (text: string): string =>
  text.replace(/[\\;,]/g, (sign) => `\\${sign}`).replace(/\r\n|\r|\n/g, '\\n')

const octets = (character: string): number => new TextEncoder().encode(character).length

/** A content line in pieces of at most 75 octets, none of which cuts a character (RFC 5545, 3.1). */
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
 * A calendar file (RFC 5545) of moments, in UTC. `now` in Unix seconds is when it was made. An event lasts
 * no time, and reminds of itself a day ahead. Events must lie where `inCalendar` holds.
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
