/** Code points that a name and a symbol keep. */
export const longestName = 128
export const longestSymbol = 32

/** UTF-16 units of a foreign text that are looked at for each code point that is kept. */
const looksAhead = 16

/** Marks that may follow one letter; more of them paint over the lines above and below. */
const mostMarks = 4

// Controls, formats (bidirectional marks, zero-width characters, tags), lone surrogates, private use.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
const unseenButLines = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
const marks = new RegExp(`(\\p{M}{${mostMarks}})\\p{M}+`, 'gu')

/** What a cap counts and whether line breaks stay, as in a description. */
export type SanitiseOptions = { readonly longest: number; readonly lines?: boolean }

/**
 * A foreign text as it may be stored and shown: no NUL, control, bidirectional or invisible characters, no
 * lone surrogates, single spaces, and at most `longest` whole code points. Undefined when nothing is left.
 * The work is bounded by `longest`, not by the text.
 */
export function sanitise(text: string, { longest, lines = false }: SanitiseOptions): string | undefined {
  const clean = text
    .slice(0, longest * looksAhead)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(lines ? unseenButLines : unseen, (found) =>
      /\s/.test(found) && found !== '\u{feff}' ? ' ' : '',
    )
    .replaceAll(marks, '$1')
    .replaceAll(lines ? /[^\S\n]+/g : /\s+/g, ' ')
    .trim()
  const kept = Array.from(clean.slice(0, longest * 2))
    .slice(0, longest)
    .join('')
  // A cut in the middle of a pair leaves half of it behind.
  const whole = kept.replace(/\p{Cs}/u, '').trim()
  return whole === '' ? undefined : whole
}

/** A token's name for the store: at most 128 code points. */
export function sanitiseName(text: string): string | undefined {
  return sanitise(text, { longest: longestName })
}

/** A token's symbol for the store: at most 32 code points. */
export function sanitiseSymbol(text: string): string | undefined {
  return sanitise(text, { longest: longestSymbol })
}
