import { z } from 'zod'
import {
  chainReader,
  chainsParameter,
  forChains,
  type ChainReader,
  type ChainScope,
  type ChainTexts,
} from '../chain-reads.ts'
import type { Database, Queryable } from '../database.ts'
import { isDistributed } from '../distribution.ts'
import { bytes, query, queryOne, read } from '../read.ts'
import { bytesList, likeText, textList } from '../sql-literals.ts'

/** How parts of words and typing mistakes are found among the words of names (server/store/schema/token-names.ts). */
export type NameIndex = 'pg_trgm' | 'spellings'

const nameHit = z.strictObject({
  chain: z.bigint(),
  token: bytes,
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  reputation: z.string().nullable(),
  reputation_reasons: z.array(z.string()).nullable(),
  /** ERC number; null for a contract that never emitted a transfer. */
  kind: z.number().nullable(),
  holders: z.bigint().nullable(),
})
/** A token with its metadata, standard, and number of holders. */
export type NameHit = Readonly<z.output<typeof nameHit>>

/** Milliseconds that one statement of a search may take; what it would have found is then left out. */
const timeoutMs = 400
/** Candidates of each B-tree, and of malicious tokens. */
const maxBeginning = 40
const maxMalicious = 10
/** Candidates by later words of names. */
const maxTails = 100
/** Candidates of one of several beginnings, and of all of them. */
const maxOfHead = 20
const maxOfHeads = 160
/** Words that contain a part; words that end with one, of which only those count that the rest of a text follows. */
const maxWithPart = 64
const maxWithEnd = 500
/** Words that have half of the trigrams of a word, before their letters are compared. */
const maxAlike = 400
/** Words that begin with one spelling. */
const maxSpelled = 4

/** Metadata, standard and holders of found tokens: one seek each. */
const described = ({ chainOf }: ChainTexts, hits: string): string => `
  select f.chain, f.token, f.name, f.symbol, f.reputation, f.reputation_reasons, t.kind, t.holders
  from (select distinct chain, token from (${hits}) every) hit
  cross join lateral (
    select * from token_facts where chain = ${chainOf('hit')} and token = hit.token limit 1) f
  left join lateral (
    select k.kind, totals.holders from tokens k
    left join lateral (
      select holders from token_blocks b where b.chain = ${chainOf('k')} and b.token = k.token and b.kind = k.kind
      order by number desc limit 1) totals on true
    where k.chain = ${chainOf('hit')} and k.token = hit.token order by k.kind limit 1) t on true`

const headOf = (column: string): string => `lower(left(${column}, 64))`

/** Tokens whose name or symbol begins with a text. U+10FFFF sorts after every character of a name. */
const beginning = (
  { among }: ChainTexts,
  column: string,
  text: string,
  where: string,
  limit: number,
): string => `
  (select chain, token from token_facts
   where ${headOf(column)} ~>=~ ${text} and ${headOf(column)} ~<~ (${text} || chr(1114111))
     and ${where} and ${among('chain')}
   order by ${headOf(column)} using ~<~ limit ${limit})`

/** Tokens of whose name or symbol a later word begins with a text, in the form of {@link tailForm}. */
const tail = ({ among }: ChainTexts, text: string, benign: boolean, limit: number): string => `
  (select chain, token from name_tails
   where benign = ${benign} and tail >= ${text} and tail < (${text} || chr(1114111)) and ${among('chain')}
   order by tail limit ${limit})`

const benign = `reputation is distinct from 'Malicious'`
const malicious = `reputation = 'Malicious'`

const beginningStatement = forChains((texts) =>
  described(
    texts,
    [
      beginning(texts, 'name', 'lower($2)', benign, maxBeginning),
      beginning(texts, 'symbol', 'lower($2)', benign, maxBeginning),
      beginning(texts, 'name', 'lower($2)', malicious, maxMalicious),
      beginning(texts, 'symbol', 'lower($2)', malicious, maxMalicious),
    ].join(' union all '),
  ),
)

const tailStatement = forChains((texts) =>
  described(
    texts,
    [tail(texts, '$2', true, maxTails), tail(texts, '$2', false, maxMalicious)].join(' union all '),
  ),
)

// A few rows of each beginning, by the B-trees: the cost is the same however common a name is.
const headsStatement = forChains((texts) =>
  described(
    texts,
    `
  select hit.chain, hit.token from unnest($2::text::text[], $3::text::text[]) with ordinality as wanted (head, tail, place)
  cross join lateral (
    ${[
      beginning(texts, 'name', 'wanted.head', benign, maxOfHead),
      beginning(texts, 'symbol', 'wanted.head', benign, maxOfHead),
      tail(texts, 'wanted.tail', true, maxOfHead),
      beginning(texts, 'name', 'wanted.head', malicious, 1),
      tail(texts, 'wanted.tail', false, 1),
    ].join(' union all ')}) hit
  order by wanted.place limit ${maxOfHeads}`,
  ),
)

const wantedTokens = {
  several: 'unnest($1::text::bigint[], $2::text::bytea[]) as wanted (chain, token)',
  one: 'unnest($2::text::bytea[]) as wanted (token)',
}

const factsStatement = forChains((texts) =>
  described(
    texts,
    `
  select known.chain, known.token from ${wantedTokens[texts.form]}
  cross join lateral (
    select chain, token from token_facts
    where chain = ${texts.chainOf('wanted')} and token = wanted.token limit 1) known`,
  ),
)

/** The index that the schema could create. */
export const readNameIndex = queryOne(
  z.strictObject({ trigrams: z.boolean() }),
  () => [`select to_regclass('name_words_trigrams') is not null as trigrams`, []],
  (row) => (row?.trigrams === true ? 'pg_trgm' : 'spellings'),
)

/** The share of a word's trigrams that a similar word has. */
const similarShare = '0.5'

/**
 * Runs the statements of one search in a transaction with a time limit for each of them and without sequential scans.
 * Those about chains are given to `onChains`.
 * A statement that reaches the limit throws PostgreSQL's error 57014.
 */
export async function searchingNames<Found>(
  database: Database,
  chains: readonly bigint[],
  onLost: (chain: bigint) => void,
  run: (sql: Queryable, onChains: ChainReader) => Promise<Found>,
): Promise<Found> {
  const distributed = await isDistributed(database)
  const { found } = await database.begin('read only', async (sql) => {
    await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true),
      set_config('enable_seqscan', 'off', true),
      set_config('pg_trgm.word_similarity_threshold', ${similarShare}, true)`
    return { found: await run(sql, chainReader(sql, chains, distributed, onLost)) }
  })
  return found
}

/** A text in lower case as tails are stored: its words, as words_of_name splits them, with single spaces. */
const tailForm = (text: string): string =>
  text
    .split(/[^a-z0-9\u{80}-\u{10ffff}]+/u)
    .filter((word) => word !== '')
    .join(' ')

/** Tokens on the chains whose name or symbol begins with a text in lower case, unordered. */
export const findTokensBeginning = query(nameHit, (scope: ChainScope, text: string) => [
  beginningStatement[scope.form],
  [chainsParameter(scope), text],
])

/** Tokens on the chains whose name or symbol has a later word with which the text begins, unordered. */
export const findTokensByTail = (sql: Queryable, scope: ChainScope, text: string): Promise<NameHit[]> => {
  const tail = tailForm(text)
  return tail === ''
    ? Promise.resolve([])
    : read(sql, nameHit, tailStatement[scope.form], [chainsParameter(scope), tail])
}

/** A few tokens for each of several texts that begin a name, a symbol, or one of their later words; first texts first. */
export const findTokensByHeads = (
  sql: Queryable,
  scope: ChainScope,
  heads: readonly string[],
): Promise<NameHit[]> =>
  heads.length === 0
    ? Promise.resolve([])
    : read(sql, nameHit, headsStatement[scope.form], [
        chainsParameter(scope),
        textList(heads),
        textList(heads.map(tailForm)),
      ])

const wordRow = z.strictObject({ word: z.string() })

async function readWords(sql: Queryable, statement: string, value: string): Promise<string[]> {
  return (await read(sql, wordRow, statement, [value])).map(({ word }) => word)
}

/** Those of the texts with which a word of any name begins. */
export const findKnownWords = (sql: Queryable, texts: readonly string[]): Promise<string[]> =>
  readWords(
    sql,
    `select wanted.word from unnest($1::text::text[]) as wanted (word)
     where exists (select from name_words n
       where n.word >= wanted.word and n.word < (wanted.word || chr(1114111)))`,
    textList(texts),
  )

/** The shortest words that contain a text of three characters or more, or end with it. Needs pg_trgm. */
export const findWordsWithPart = (sql: Queryable, text: string, atEnd: boolean): Promise<string[]> =>
  readWords(
    sql,
    `select word from name_words where word like $1 order by length(word), word
     limit ${atEnd ? maxWithEnd : maxWithPart}`,
    `%${likeText(text)}${atEnd ? '' : '%'}`,
  )

/** Words with half of the trigrams of a word. Needs pg_trgm. */
export const findWordsAlike = (sql: Queryable, word: string): Promise<string[]> =>
  readWords(sql, `select word from name_words where $1 <% word limit ${maxAlike}`, word)

/** The first words that begin with one of many spellings. */
export const findWordsSpelled = (sql: Queryable, spellings: readonly string[]): Promise<string[]> =>
  readWords(
    sql,
    `select found.word from unnest($1::text::text[]) as spelling (head)
     cross join lateral (select word from name_words
       where word >= spelling.head and word < (spelling.head || chr(1114111))
       order by word limit ${maxSpelled}) found`,
    textList(spellings),
  )

/** The metadata of those addresses (20 bytes) that are known tokens, on the chains of the scope. */
export function findTokenFacts(
  database: Queryable,
  scope: ChainScope,
  addresses: readonly { readonly chain: bigint; readonly address: Buffer }[],
): Promise<NameHit[]> {
  const wanted = addresses.filter(({ chain }) => scope.chains.includes(chain))
  if (wanted.length === 0) return Promise.resolve([])
  return read(database, nameHit, factsStatement[scope.form], [
    chainsParameter({ ...scope, chains: wanted.map(({ chain }) => chain) }),
    bytesList(wanted.map(({ address }) => address)),
  ])
}
