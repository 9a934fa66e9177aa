import { searchMatches } from '../../../../contract/network/search.ts'

/** How a text matches a name. */
export type Match = (typeof searchMatches)[number]

/** A text in the form in which names are compared. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase().trim()

/** The words of a folded text: runs of letters and digits. */
export const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Typing mistakes that are forgiven in a word: none below four letters, two from eight on. */
export const mistakesIn = (word: string): number => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/**
 * How a folded text matches a name: it is the name, or its beginning; its words begin words of the name, in order;
 * it is inside the name; or its words are those of the name with a few typing mistakes. Undefined: not at all.
 */
export function matchName(text: string, name: string): Match | undefined {
  const full = folded(name)
  if (full === text) return 'exact'
  if (full.startsWith(text)) return 'prefix'
  const wanted = wordsOf(text)
  const words = wordsOf(full)
  const ordered = inOrder(wanted, words, (want, word) => word.startsWith(want))
  if (ordered) return 'word'
  if (text.length >= 3 && full.includes(text)) return 'part'
  if (!wanted.some((word) => mistakesIn(word) > 0)) return undefined
  return inOrder(wanted, words, isSimilar) ? 'similar' : undefined
}

/** The best match of several names. */
export function bestMatch(text: string, names: readonly (string | null | undefined)[]): Match | undefined {
  const found = names.flatMap((name) => (name == null ? [] : [matchName(text, name) ?? []])).flat()
  return searchMatches.find((match) => found.includes(match))
}

function inOrder(
  wanted: readonly string[],
  words: readonly string[],
  fits: (want: string, word: string) => boolean,
): boolean {
  if (wanted.length === 0) return false
  let at = 0
  for (const want of wanted) {
    while (at < words.length && !fits(want, words[at] ?? '')) at += 1
    if (at === words.length) return false
    at += 1
  }
  return true
}

/** Whether a word, or its beginning of the same length, is the wanted one with a few mistakes. */
export function isSimilar(want: string, word: string): boolean {
  if (word.startsWith(want)) return true
  const max = mistakesIn(want)
  if (max === 0) return false
  return (
    mistakesBetween(want, word, max) <= max ||
    // A word that is not typed to its end.
    (want.length >= 5 &&
      word.length > want.length &&
      mistakesBetween(want, word.slice(0, want.length), 1) <= 1)
  )
}

/**
 * The optimal string alignment distance: insertions, deletions, replacements, and swaps of neighbours that turn
 * one word into the other. Stops counting above `max`.
 */
export function mistakesBetween(left: string, right: string, max: number): number {
  if (Math.abs(left.length - right.length) > max) return max + 1
  let before: number[] = []
  let above = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1]
      let value = Math.min(
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1])
        value = Math.min(value, (before[column - 2] ?? 0) + 1)
      line.push(value)
    }
    if (Math.min(...line) > max) return max + 1
    before = above
    above = line
  }
  return above[right.length] ?? 0
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Every spelling of a word with one mistake taken back: about 70 a letter. */
export function spellingsOf(word: string): string[] {
  const found = new Set<string>()
  for (let at = 0; at <= word.length; at += 1) {
    const head = word.slice(0, at)
    const tail = word.slice(at)
    if (tail.length > 0) found.add(head + tail.slice(1))
    if (tail.length > 1) found.add(head + (tail[1] ?? '') + (tail[0] ?? '') + tail.slice(2))
    for (const letter of alphabet) {
      found.add(head + letter + tail)
      if (tail.length > 0) found.add(head + letter + tail.slice(1))
    }
  }
  found.delete(word)
  return [...found]
}
