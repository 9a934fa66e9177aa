/** Maximum length of a name and a symbol in code points. */
const longestName = 128
const longestSymbol = 32

/** UTF-16 units of a foreign text that are read per kept code point. */
const looksAhead = 16

/** Maximum number of combining marks after one letter; more would overlap other lines. */
const maxMarks = 4

// A joiner between two emoji makes one of them, such as a family; anywhere else it is invisible.
const joined = String.raw`(?!(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic}))`
// Controls, formats (bidirectional marks, zero-width characters, tags), lone surrogates, private use.
const hidden = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]`
const unseen = new RegExp(joined + hidden, 'gu')
const unseenButLines = new RegExp(String.raw`(?!\n)${joined}${hidden}`, 'gu')
const marks = new RegExp(`(\\p{M}{${maxMarks}})\\p{M}+`, 'gu')

/** The maximum length, and whether line breaks are kept, as in a description. */
type SanitiseOptions = { readonly longest: number; readonly lines?: boolean }

/**
 * Makes a foreign text safe to store and show: no NUL, control, bidirectional or invisible characters, no
 * lone surrogates, single spaces, and at most `longest` whole code points. Undefined if nothing is left. The
 * work is bounded by `longest`, not by the text.
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
  // A cut inside a surrogate pair leaves half of it.
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
