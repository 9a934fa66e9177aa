import type { FastifyBaseLogger } from 'fastify'
import type { Chain } from '../../../kernel/chains.ts'
import type { Config } from '../../../kernel/config.ts'
import type { Database } from '../../../store/database.ts'
import {
  findTokenFacts,
  findTokensNamed,
  readNameIndex,
  type NameHit,
  type NameIndex,
  type NameSearch,
  type NameStage,
} from '../../../store/network/read-search-names.ts'
import type { ContractBook } from '../../evm/address-names.ts'
import { bestMatch, folded, mistakesIn, spellingsOf, wordsOf } from './match.ts'
import type { Hit } from './rank.ts'
import { placeOf, tokenResult } from './tokens.ts'

/** Names found by their beginning after which no parts of names are searched. */
const enough = 20
/** Minimum length of a text that is searched inside of names: a trigram. */
const leastPart = 3
/** Maximum length of a name that is searched, as long as the indexes have it. */
const mostText = 64
/** Letters of a word whose spellings are tried: about 70 each. */
const longestSpelled = 12

/** What searches by name need. */
export type NameContext = {
  readonly config: Config
  readonly book: ContractBook
  readonly database: Database
  readonly logger: FastifyBaseLogger
}

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

/** Chains, tokens and contracts of the chains by a name or a symbol. */
export async function searchNames(
  context: NameContext,
  chains: readonly Chain[],
  text: string,
): Promise<Hit[]> {
  const wanted = folded(text).slice(0, mostText)
  // PostgreSQL text cannot contain NUL, so no name matches.
  if (wanted === '' || wanted.includes('\0')) return []
  return [
    ...chains.flatMap((chain) => chainNamed(chain, text, wanted)),
    ...(await contractsNamed(context, chains, wanted)),
    ...(await tokensNamed(context, chains, wanted)),
  ]
}

function chainNamed(chain: Chain, text: string, wanted: string): Hit[] {
  const { name, token, blockchainId, subnetId } = chain.config
  const isId = chain.id === text || blockchainId === text || subnetId === text
  const match = isId ? 'exact' : bestMatch(wanted, [name])
  const hasToken = folded(token.symbol) === wanted || folded(token.name) === wanted
  if (match === undefined && !hasToken) return []
  return [{ match: match ?? 'word', result: chainResult(chain) }]
}

/** An EVM chain as a result. */
export const chainResult = (chain: Chain): Hit['result'] => ({
  ...placeOf(chain),
  kind: 'chain',
  id: chain.id,
  title: chain.config.name,
  detail: `Chain id ${chain.id}`,
})

/** Contracts by the name that the operator gave them. */
async function contractsNamed(
  { config, book, database }: NameContext,
  chains: readonly Chain[],
  wanted: string,
): Promise<Hit[]> {
  const found = config.contracts.flatMap((entry) => {
    const chain = chains.find(({ id }) => id === String(entry.chainId))
    const match = bestMatch(wanted, [entry.name])
    return chain && match ? [{ chain, match, entry }] : []
  })
  const kept = found.slice(0, enough)
  const facts = await findTokenFacts(
    database,
    kept.map(({ chain, entry }) => ({
      chain: chain.key,
      address: Buffer.from(entry.address.slice(2), 'hex'),
    })),
  )
  return kept.map(({ chain, match, entry }) => {
    const token = facts.find(
      (hit) => hit.chain === chain.key && `0x${hit.token.toString('hex')}` === entry.address,
    )
    if (token) return tokenHit(config, book, chain, token, match)
    return {
      match,
      result: {
        ...placeOf(chain),
        kind: 'contract',
        id: entry.address,
        title: entry.name ?? entry.address,
        detail: entry.address,
      },
    }
  })
}

/** Tokens by name or symbol: stage by stage, until something was found. */
async function tokensNamed(context: NameContext, chains: readonly Chain[], wanted: string): Promise<Hit[]> {
  const words = wordsOf(wanted).slice(0, 8)
  const search = { text: wanted, words }
  const hits = await stage(context, chains, wanted, 'beginning', search)
  // Trigrams are of ASCII letters and digits where the database has the locale C, as the embedded one has.
  const hasTrigram = /[a-z0-9]{3}/.test(wanted)
  if (hits.length < enough && hasTrigram && wanted.length >= leastPart)
    hits.push(...(await stage(context, chains, wanted, 'part', search)))
  if (hits.length > 0) return hits
  return similarTokens(context, chains, search)
}

/** Tokens whose name or symbol is the text but for a typing mistake. */
async function similarTokens(
  context: NameContext,
  chains: readonly Chain[],
  { text, words }: NameSearch,
): Promise<Hit[]> {
  const longest = words.toSorted((left, right) => right.length - left.length)[0] ?? ''
  const isPlain = (word: string): boolean => mistakesIn(word) > 0 && /^[a-z0-9]+$/.test(word)
  if (isPlain(longest) && (await indexOf(context.database, context.logger)) === 'pg_trgm') {
    const found = await stage(context, chains, text, 'similar', { text, words, word: longest })
    if (found.length > 0) return found
  }
  // A swap of two letters changes most trigrams of a short word.
  const [first = ''] = words
  if (!isPlain(first) || !text.startsWith(first)) return []
  const spellings = spellingsOf(first.slice(0, longestSpelled)).map(
    (each) => each + text.slice(Math.min(first.length, longestSpelled)),
  )
  return stage(context, chains, text, 'spelling', { text, words, spellings })
}

async function stage(
  { config, book, database, logger }: NameContext,
  chains: readonly Chain[],
  wanted: string,
  name: NameStage,
  search: NameSearch,
): Promise<Hit[]> {
  const index = await indexOf(database, logger)
  const keys = chains.map(({ key }) => key)
  let hits: NameHit[]
  try {
    hits = await findTokensNamed(database, index, keys, name, search)
  } catch (error) {
    // What was found by then is shown; a slow stage only adds less likely results.
    if ((error as { code?: unknown }).code !== '57014') throw error
    logger.warn({ stage: name, index }, 'a search for names took too long and was given up')
    return []
  }
  return hits.flatMap((hit) => {
    const chain = chains.find(({ key }) => key === hit.chain)
    const match = bestMatch(wanted, [hit.name, hit.symbol, `${hit.name ?? ''} ${hit.symbol ?? ''}`])
    return chain && match ? [tokenHit(config, book, chain, hit, match)] : []
  })
}

/** A token as a hit. */
export const tokenHit = (
  config: Config,
  book: ContractBook,
  chain: Chain,
  hit: NameHit,
  match: Hit['match'],
): Hit => ({
  match,
  result: tokenResult(config, book, chain, hit),
  ...(hit.holders !== null && { holders: hit.holders }),
})
