import { z } from 'zod'
import { byteaList, likeText } from '../sql-literals.ts'
import type { Queryable } from '../database.ts'
import { lastBlock, named, read, readNamed, type NamedStatement, type Placeholders } from '../read.ts'
import { tokenColumns, tokenDetails, tokenRow } from './read-token.ts'

/** What the tokens of a chain are sorted by. */
type TokenSort = 'firstBlock' | 'holderCount' | 'lastDayTransferCount'

/** A range of heights, both included. */
export type Heights = { readonly from: bigint; readonly until: bigint }

/** A position among the tokens of a chain: the value that they are sorted by, then address and kind. */
export type TokenPlace = { readonly value: bigint; readonly token: string; readonly kind: number }

/** The position before all tokens; every sort is descending. */
export const firstPlace: TokenPlace = { value: lastBlock, token: `0x${'ff'.repeat(21)}`, kind: 32_767 }

export const listedToken = z.strictObject({
  ...tokenRow.shape,
  /** Transfers in the requested heights. */
  day_transfers: z.bigint(),
  /** The value that the list is sorted by. */
  sorted_by: z.bigint(),
})
/** A token of a list: its latest totals, its metadata, and its transfers in a range of heights. */
export type ListedToken = Readonly<z.output<typeof listedToken>>

const heightsRow = z.strictObject({ from: z.bigint(), until: z.bigint() })

/**
 * The heights of the 24 whole hours before the hour of `now` (Unix seconds), as all that is called “24 h” counts them; empty
 * for a chain without blocks in them.
 */
export async function readLastDay(database: Queryable, chain: bigint, now: number): Promise<Heights> {
  const [row] = await read(
    database,
    heightsRow,
    `select coalesce(first.number, last.number + 1) as from, last.number as until
    from (
      select number from blocks where chain = $1 and ts < $2::bigint order by ts desc, number desc limit 1) last
    left join lateral (
      select number from blocks where chain = $1 and ts >= $2::bigint - 86400 and ts < $2::bigint
      order by ts, number limit 1) first on true`,
    [chain, now - (now % 3600)],
  )
  return row ?? { from: 0n, until: -1n }
}

export type ListName =
  | 'chain'
  | 'value'
  | 'token'
  | 'kind'
  | 'unmovedToken'
  | 'unmovedKind'
  | 'limit'
  | 'from'
  | 'end'
  | 'pattern'
  | 'named'
type $ = Placeholders<ListName>

/** The transfers of a token `t` before a height, by its running count. */
const transfersBefore = ($: Pick<$, 'chain'>, height: string): string => `coalesce((
    select cum_transfers from token_blocks
    where chain = ${$.chain} and token = t.token and kind = t.kind and number < ${height}
    order by number desc limit 1), 0)`

/** The transfers of a token `t` in the requested heights. */
export const dayTransfers = ($: Pick<$, 'chain' | 'from' | 'end'>): string =>
  `(${transfersBefore($, $.end)} - ${transfersBefore($, $.from)})`

// A token by its own texts, or by the name that the operator gave it.
const isNamed = ($: $): string => `
    and t.token in (
      select token from token_facts
      where chain = ${$.chain} and (name ilike ${$.pattern} or symbol ilike ${$.pattern})
      union all select unnest(${$.named}::text::bytea[]))`

const isPast = ($: $, value: string): string =>
  `(${value}, t.token, t.kind) < (${$.value}, ${$.token}, ${$.kind})`

// The literal limit tells a generic plan how few rows there will be.
const inOrder = 'order by sorted_by desc, token desc, kind desc limit 500'

/** The tokens of a chain with the value of a sort; `more` are further conditions. */
const tokensBy = ($: $, value: string, more: string): string => `
    select t.chain, t.token, t.kind, t.first_block, ${value} as sorted_by
    from tokens t where t.chain = ${$.chain} ${more}`

const byColumn = ($: $, column: string, more: string): string =>
  `${tokensBy($, column, `${more} and ${isPast($, column)}`)}
    order by ${column} desc, t.token desc, t.kind desc limit 500`

/** The tokens that did not move in the requested heights, by address. */
export const unmovedTokens = ($: $, more: string): string => `${tokensBy($, '0::bigint', more)}
      and (t.last_block < ${$.from} or ${dayTransfers($)} = 0)
      and (t.token, t.kind) < (${$.unmovedToken}, ${$.unmovedKind})
    order by t.token desc, t.kind desc limit 500`

/** Every token that moved since the day began is counted, which takes two seeks each; the others follow. */
const byDayTransfers = ($: $, more: string): string => `
    (select * from (${tokensBy($, dayTransfers($), `${more} and t.last_block >= ${$.from}`)}) t
    where sorted_by > 0 and ${isPast($, 'sorted_by')} ${inOrder})
    union all
    (${unmovedTokens($, more)})`

const sorts: { readonly [Sort in TokenSort]: ($: $, more: string) => string } = {
  firstBlock: ($, more) => byColumn($, 't.first_block', more),
  holderCount: ($, more) => byColumn($, 't.holders', more),
  lastDayTransferCount: byDayTransfers,
}

const statementOf = (sort: TokenSort, filtered: boolean): NamedStatement<ListName> =>
  named(
    ($: $) => `
  select ${tokenColumns}, ${dayTransfers($)} as day_transfers, t.sorted_by
  from (
    select * from (${sorts[sort]($, filtered ? isNamed($) : '')}) listed
    order by sorted_by desc, token desc, kind desc
    limit ${$.limit}) t ${tokenDetails($.chain)}
  order by t.sorted_by desc, t.token desc, t.kind desc`,
  )

const statements = Object.fromEntries(
  (Object.keys(sorts) as TokenSort[]).map((sort) => [
    sort,
    { all: statementOf(sort, false), filtered: statementOf(sort, true) },
  ]),
) as Record<TokenSort, { all: NamedStatement<ListName>; filtered: NamedStatement<ListName> }>

/** A part of a token's name or symbol, in any case, and the tokens (0x text) that the operator named so. */
export type NamePart = { readonly part: string; readonly named: readonly string[] }

export type TokenListing = {
  readonly sort: TokenSort
  /** Only tokens with this in their name or symbol. */
  readonly name: NamePart | undefined
  /** The heights in which `day_transfers` are counted. */
  readonly day: Heights
}

/** The tokens of a chain after a position, in descending order; at most `limit`, which is at most 500. */
export function readTokenList(
  database: Queryable,
  chain: bigint,
  { sort, name, day }: TokenListing,
  { value, token, kind }: TokenPlace,
  limit: number,
): Promise<ListedToken[]> {
  const unmoved = value > 0n ? firstPlace : { token, kind }
  return readNamed(database, listedToken, statements[sort][name ? 'filtered' : 'all'], {
    chain,
    value,
    token: bytesOf(token),
    kind,
    unmovedToken: bytesOf(unmoved.token),
    unmovedKind: unmoved.kind,
    limit,
    from: day.from,
    end: day.until + 1n,
    pattern: `%${likeText(name?.part ?? '')}%`,
    named: byteaList(name?.named ?? []),
  })
}

export const bytesOf = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
