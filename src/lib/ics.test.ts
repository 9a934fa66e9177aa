import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { calendar, inCalendar } from './ics.ts'

const event = { uid: 'a@ridgeline', at: 1_762_178_706, title: 'Free: 5 AVAX; P-Chain', notes: 'one\ntwo, \\' }

test('an event is written in the format of RFC 5545', () => {
  expect(calendar('Unlocks', [event], 1_762_000_000)).toBe(
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Ridgeline//Unlocks//EN',
      'CALSCALE:GREGORIAN',
      'X-WR-CALNAME:Unlocks',
      'BEGIN:VEVENT',
      'UID:a@ridgeline',
      'DTSTAMP:20251101T122640Z',
      'DTSTART:20251103T140506Z',
      'SUMMARY:Free: 5 AVAX\\; P-Chain',
      'DESCRIPTION:one\\ntwo\\, \\\\',
      'TRANSP:TRANSPARENT',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'TRIGGER:-P1D',
      'DESCRIPTION:Free: 5 AVAX\\; P-Chain',
      'END:VALARM',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  )
})

const unescape = (text: string): string =>
  text.replace(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign))

test('lines have at most 75 octets, and unfolding them restores the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (notes) => {
      const lines = calendar('Unlocks', [{ ...event, notes }], 0).split('\r\n')
      for (const line of lines) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        // A split character would not survive the bytes.
        expect(Buffer.from(line).toString()).toBe(line)
      }
      const found = lines.join('\r\n').replaceAll('\r\n ', '').split('\r\n')
      const text = found.find((line) => line.startsWith('DESCRIPTION:'))?.slice('DESCRIPTION:'.length)
      expect(unescape(text ?? '')).toBe(notes.replace(/\r\n?/g, '\n'))
    }),
  )
})

test('a calendar ends with the year 9999', () => {
  const last = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000
  expect([inCalendar(last), inCalendar(last + 1), inCalendar(2n ** 64n - 1n)]).toEqual([true, false, false])
})
