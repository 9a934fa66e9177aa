import type { FastifyBaseLogger } from 'fastify'
import type { Database, Queryable } from '../../../store/database.ts'
import {
  findTokensBeginning,
  findTokensByHeads,
  findTokensByTail,
  findWordsWithPart,
  readNameIndex,
  searchingNames,
  type NameHit,
  type NameIndex,
} from '../../../store/network/read-search-names.ts'
import { correctionsOf } from './corrections.ts'
import { bestMatch, wordsOf, type Match } from './match.ts'

/** Names found after which no less likely ones are searched. */
const enough = 20
/** Minimum length of a text that is searched inside of words: a trigram. */
const minPart = 3
/** Words of a text that are looked at. */
const maxWords = 8

/** A token and how the text matches its name or symbol. */
type NamedToken = { readonly hit: NameHit; readonly match: Match }

const indexes = new WeakMap<Database, Promise<NameIndex>>()

/** The index of the database, read once. */
function indexOf(database: Database, logger: FastifyBaseLogger): Promise<NameIndex> {
  const known = indexes.get(database)
  if (known) return known
  const reading = readNameIndex(database)
  indexes.set(database, reading)
  reading.then(
    (index) => logger.info({ index }, 'names are searched by this index'),
    () => indexes.delete(database),
  )
  return reading
}

/**
 * Tokens of the chains by a folded text: beginnings of names and symbols, then of their later words, then parts of
 * words; only if there are none, names with typing mistakes. Each step is a few ranges of B-trees.
 */
export async function findTokensNamed(
  database: Database,
  logger: FastifyBaseLogger,
  chains: readonly bigint[],
  text: string,
  onLost: (chain: bigint) => void,
): Promise<NamedToken[]> {
  const index = await indexOf(database, logger)
  const found = new Map<string, NamedToken>()
  const keep = (hits: readonly NameHit[]): void => {
    for (const hit of hits) {
      const match = bestMatch(text, [hit.name, hit.symbol, `${hit.name ?? ''} ${hit.symbol ?? ''}`])
      if (match) found.set(`${hit.chain} ${hit.token.toString('hex')}`, { hit, match })
    }
  }
  try {
    await searchingNames(database, chains, onLost, async (sql, onChains) => {
      const byHeads = (heads: readonly string[]) =>
        onChains((inner, scope) => findTokensByHeads(inner, scope, heads))
      keep(await onChains((inner, scope) => findTokensBeginning(inner, scope, text)))
      if (found.size < enough) keep(await onChains((inner, scope) => findTokensByTail(inner, scope, text)))
      if (found.size < enough && index === 'pg_trgm') keep(await byHeads(await wholeWords(sql, text)))
      if (found.size === 0)
        await findSimilar({ sql, index, text, keep, byHeads, isFound: () => found.size > 0 })
    })
  } catch (error) {
    // What was found by then is shown; a slow step only adds less likely results.
    if ((error as { code?: unknown }).code !== '57014') throw error
    logger.warn({ index }, 'a search for names took too long and was given up')
  }
  return [...found.values()]
}

/**
 * Texts that begin with a whole word where the text begins inside of one: "oken fin" is a part of names with "token
 * fin". The shortest words come first: the text is the greatest part of them.
 */
async function wholeWords(sql: Queryable, text: string): Promise<string[]> {
  const [first = '', ...others] = wordsOf(text)
  // Trigrams are of ASCII letters and digits where the database has the locale C, as the embedded one has.
  if (first.length < minPart || !text.startsWith(first) || !/[a-z0-9]{3}/.test(first)) return []
  const rest = text.slice(first.length)
  // With something after it, the word ends where the text's first word does.
  const atEnd = others.length > 0 || rest !== ''
  const words = await findWordsWithPart(sql, first, atEnd)
  return words.filter((word) => !word.startsWith(first)).map((word) => word + (atEnd ? rest : ''))
}

/** Names with a few typing mistakes in the text's words: next to each other, or with other words between them. */
async function findSimilar({ sql, index, text, keep, byHeads, isFound }: SimilarSearch): Promise<void> {
  const words = wordsOf(text).slice(0, maxWords)
  for await (const { texts, longest } of correctionsOf(sql, index, text, words)) {
    keep(await byHeads(texts))
    if (!isFound() && words.length > 1) keep(await byHeads(longest))
    if (isFound()) return
  }
}

type SimilarSearch = {
  readonly sql: Queryable
  readonly index: NameIndex
  readonly text: string
  readonly keep: (hits: readonly NameHit[]) => void
  readonly byHeads: (heads: readonly string[]) => Promise<NameHit[]>
  readonly isFound: () => boolean
}
