import { z } from 'zod'
import type { Database, Queryable } from '../database.ts'
import { bytes, read } from '../read.ts'
import { bytesList, likeText, numberList, textList } from '../sql-literals.ts'

/** Which index finds later words and typing mistakes in names (migration 0015). */
export type NameIndex = 'pg_trgm' | 'beginnings'

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
const patience = 400
/** Candidates of each B-tree, of malicious tokens, and of the trigrams. */
const mostBeginning = 40
const mostMalicious = 10
const mostPartial = 200
const mostSimilar = 400

// The expressions of the indexes.
const wholeText = `left(coalesce(name, '') || ' ' || coalesce(symbol, ''), 256)`
const headOf = (column: string): string => `lower(left(${column}, 64))`

/** Metadata, standard and holders of found tokens: one seek each. */
const described = (hits: string): string => `
  select f.chain, f.token, f.name, f.symbol, f.reputation, f.reputation_reasons, t.kind, t.holders
  from (select distinct chain, token from (${hits}) every) hit
  cross join lateral (
    select * from token_facts where chain = hit.chain and token = hit.token limit 1) f
  left join lateral (
    select k.kind, totals.holders from tokens k
    left join lateral (
      select holders from token_blocks b where b.chain = k.chain and b.token = k.token and b.kind = k.kind
      order by number desc limit 1) totals on true
    where k.chain = hit.chain and k.token = hit.token order by k.kind limit 1) t on true`

/** U+10FFFF sorts after every character of a name. */
const beginning = (column: string, where: string, limit: number): string => `
  (select chain, token from token_facts
   where ${headOf(column)} ~>=~ lower($2) and ${headOf(column)} ~<~ (lower($2) || chr(1114111))
     and ${where} and chain = any($1::text::bigint[])
   order by ${headOf(column)} using ~<~ limit ${limit})`

const benign = `reputation is distinct from 'Malicious'`
const malicious = `reputation = 'Malicious'`

const beginningStatement = described(
  [
    beginning('name', benign, mostBeginning),
    beginning('symbol', benign, mostBeginning),
    beginning('name', malicious, mostMalicious),
    beginning('symbol', malicious, mostMalicious),
  ].join(' union all '),
)

const partStatement: Readonly<Record<NameIndex, string>> = {
  pg_trgm: described(`
    select chain, token from token_facts
    where ${wholeText} ilike $2 and chain = any($1::text::bigint[]) limit ${mostPartial}`),
  beginnings: described(`
    select chain, token from token_facts
    where name_beginnings(${wholeText}) @> $2::text::text[] and chain = any($1::text::bigint[])
    limit ${mostPartial}`),
}

const similarStatement = described(`
  select chain, token from token_facts
  where $2 <% ${wholeText} and chain = any($1::text::bigint[]) limit ${mostSimilar}`)

// A few rows of each spelling, by the B-trees: the cost is the same however common a name is.
const spellingStatement = described(`
    select hit.chain, hit.token from unnest($2::text::text[]) as spelling (head)
    cross join lateral (
      ${['name', 'symbol']
        .map(
          (column) => `(select chain, token from token_facts
            where ${headOf(column)} ~>=~ spelling.head and ${headOf(column)} ~<~ (spelling.head || chr(1114111))
              and ${benign} and chain = any($1::text::bigint[]) limit 5)`,
        )
        .join(' union all ')}) hit limit ${mostSimilar}`)

const factsStatement = described(`
  select asked.chain, asked.token
  from unnest($1::text::bigint[], $2::text::bytea[]) as asked (chain, token)
  cross join lateral (
    select from token_facts where chain = asked.chain and token = asked.token limit 1) known`)

const indexName = z.strictObject({ trigrams: z.boolean() })

/** The index that the migration could create. */
export async function readNameIndex(database: Queryable): Promise<NameIndex> {
  const [row] = await read(
    database,
    indexName,
    `select to_regclass('token_facts_trigrams') is not null as trigrams`,
    [],
  )
  return row?.trigrams === true ? 'pg_trgm' : 'beginnings'
}

/** What names are searched for: see `findTokensNamed`. */
export type NameSearch = {
  /** The text in lower case, without surrounding space. */
  readonly text: string
  /** Its words of letters and digits, in lower case; empty: only beginnings of whole names are searched. */
  readonly words: readonly string[]
  /** For `similar`: one word of the text. */
  readonly word?: string
  /** For `spelling`: the text in all spellings with one mistake taken back. */
  readonly spellings?: readonly string[]
}

/**
 * A stage of the search for names: beginnings of names and symbols; parts of them; names with half of the trigrams of
 * a word (only with pg_trgm); names that begin with one of many spellings.
 */
export type NameStage = 'beginning' | 'part' | 'similar' | 'spelling'

/** The share of a word's trigrams that a similar name has. */
const similarShare = '0.5'

/**
 * Tokens on the chains by name or symbol, unordered, by one stage. It runs in a transaction with a time limit
 * and without sequential scans. Throws PostgreSQL's error 57014 when the limit is reached.
 */
export function findTokensNamed(
  database: Database,
  index: NameIndex,
  chains: readonly bigint[],
  stage: NameStage,
  search: NameSearch,
): Promise<NameHit[]> {
  const [statement, value] = statementOf(index, stage, search)
  return limited(database, (sql) => read(sql, nameHit, statement, [numberList(chains), value]))
}

function statementOf(
  index: NameIndex,
  stage: NameStage,
  { text, words, word = '', spellings = [] }: NameSearch,
): [statement: string, value: string] {
  switch (stage) {
    case 'beginning':
      return [beginningStatement, text]
    case 'part':
      return index === 'pg_trgm'
        ? [partStatement.pg_trgm, `%${likeText(text)}%`]
        : [partStatement.beginnings, textList(words.map((each) => each.slice(0, 16)))]
    case 'similar':
      return [similarStatement, word]
    case 'spelling':
      return [spellingStatement, textList(spellings)]
  }
}

/** Runs a statement with the limits of a search. */
async function limited<Row>(database: Database, run: (sql: Queryable) => Promise<Row[]>): Promise<Row[]> {
  const { rows } = await database.begin(async (sql) => {
    await sql`select set_config('statement_timeout', ${String(patience)}, true),
      set_config('enable_seqscan', 'off', true),
      set_config('pg_trgm.word_similarity_threshold', ${similarShare}, true)`
    return { rows: await run(sql) }
  })
  return rows
}

/** The metadata of those addresses (20 bytes) that are known tokens, on any chain. */
export function findTokenFacts(
  database: Queryable,
  addresses: readonly { readonly chain: bigint; readonly address: Buffer }[],
): Promise<NameHit[]> {
  if (addresses.length === 0) return Promise.resolve([])
  return read(database, nameHit, factsStatement, [
    numberList(addresses.map(({ chain }) => chain)),
    bytesList(addresses.map(({ address }) => address)),
  ])
}
