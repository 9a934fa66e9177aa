import * as z from 'zod/mini'

/**
 * What no text of a line contains: control characters, among them NUL and line breaks, halves of pairs of UTF-16, line
 * and paragraph separators, marks that turn the direction of writing, and characters that nobody sees (Unicode TR 36, 3.1).
 */
const unseen =
  /\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|(?!\p{Variation_Selector}|\u200c|\u200d)\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/u

/** A joiner that has a meaning: within an emoji, or behind a letter of a script that is written with it. */
const joiners =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{M}])[\u200c\u200d]/gu

/** Whether a text is one line of visible characters in one direction of writing, as names are. */
export function isPlainLine(text: string): boolean {
  return !unseen.test(text) && !/[\u200c\u200d]/.test(text.replaceAll(joiners, ''))
}

/** The check of such a text. */
export const plainLine = z.refine<string>(isPlainLine, {
  error: 'must be one line without control characters, invisible ones, and marks of direction',
})

/** A text in which what `plainLine` refuses is a space, or nothing if nobody sees it. */
export function asPlainLine(text: string): string {
  const spaced = text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  const seen = spaced.replaceAll(new RegExp(unseen.source, 'gu'), '')
  return isPlainLine(seen) ? seen : seen.replaceAll(/[\u200c\u200d]/g, '')
}
