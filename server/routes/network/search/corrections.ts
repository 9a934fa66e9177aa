import type { Queryable } from '../../../store/database.ts'
import {
  findKnownWords,
  findWordsAlike,
  findWordsSpelled,
  type NameIndex,
} from '../../../store/network/read-search-names.ts'
import { isSimilar, mistakesBetween, mistakesIn, spellingsOf } from './match.ts'

/** Letters of a word whose spellings are tried: about 70 each. */
const longestSpelled = 12
/** Words that are tried in the place of one word, and texts that are made of them. */
const maxInPlace = 8
const maxTexts = 32
/** Words of a text that are corrected at once. */
const maxCorrected = 3

/** Texts without typing mistakes that may be meant, likeliest first, and what may be meant by the longest word. */
type Corrections = { readonly texts: readonly string[]; readonly longest: readonly string[] }

/**
 * What a text with typing mistakes may mean, by the words of all names: first with the words corrected that no name
 * has, then with all of them, since a mistake may make another word.
 */
export async function* correctionsOf(
  sql: Queryable,
  index: NameIndex,
  text: string,
  words: readonly string[],
): AsyncGenerator<Corrections> {
  const known = new Set(await findKnownWords(sql, words))
  const mistaken = words.filter((word) => isCorrectable(word) && !known.has(word))
  // Several words that are all known stand side by side in no name; a single one would have been found.
  const all = words.length > 1 ? words.filter(isCorrectable) : []
  const found = new Map<string, readonly string[]>()
  for (const wanted of [mistaken, all]) {
    const chosen = wanted.toSorted((left, right) => right.length - left.length).slice(0, maxCorrected)
    if (chosen.every((word) => found.has(word))) continue
    for (const word of chosen)
      if (!found.has(word)) found.set(word, await similarWords(sql, index, word, known.has(word)))
    const longest = words.toSorted((left, right) => right.length - left.length)[0] ?? ''
    yield { texts: textsOf(text, words, found), longest: found.get(longest) ?? [longest] }
  }
}

const isCorrectable = (word: string): boolean => mistakesIn(word) > 0 && /^[a-z0-9]+$/.test(word)

/** Words of names that are a word with a few mistakes, those with the fewest first. */
async function similarWords(
  sql: Queryable,
  index: NameIndex,
  word: string,
  isKnown: boolean,
): Promise<string[]> {
  const spelled = word.slice(0, longestSpelled)
  const rank = (candidate: string): number =>
    mistakesBetween(word, candidate.slice(0, word.length + 1), mistakesIn(word)) * 100 + candidate.length
  const closest = (candidates: readonly string[]): string[] =>
    [...new Set(candidates)]
      .filter((candidate) => isSimilar(word, candidate))
      .toSorted((left, right) => rank(left) - rank(right))
      .slice(0, maxInPlace)
  // All spellings with one mistake are few enough to try; with two mistakes they are not.
  const alike = index === 'pg_trgm' && mistakesIn(word) > 1 ? closest(await findWordsAlike(sql, word)) : []
  const found = alike.length > 0 ? alike : closest(await findWordsSpelled(sql, spellingsOf(spelled)))
  return isKnown ? [word, ...found] : found
}

/** The text with each of its words replaced by what may be meant: every combination, up to a number. */
function textsOf(
  text: string,
  words: readonly string[],
  found: ReadonlyMap<string, readonly string[]>,
): string[] {
  let texts = [{ done: '', rest: text }]
  for (const word of words) {
    const meant = found.get(word) ?? []
    const choices = meant.length > 0 ? meant : [word]
    texts = texts
      .flatMap(({ done, rest }) => {
        const at = rest.indexOf(word)
        const before = done + rest.slice(0, at)
        return choices.map((choice) => ({ done: before + choice, rest: rest.slice(at + word.length) }))
      })
      .slice(0, maxTexts)
  }
  return texts.map(({ done, rest }) => done + rest)
}
