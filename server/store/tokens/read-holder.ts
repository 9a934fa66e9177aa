import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { digits, hex, list } from '../json-rows.ts'
import { lastBlock, query, queryOne, read } from '../read.ts'
import type { TokenKind } from './read-token.ts'

/** A token whose holders are read; the address as bytes. */
export type HeldToken = {
  readonly chain: bigint
  readonly token: Buffer
  readonly kind: TokenKind
  /** Whether the contract's own answers are wanted, because its logs do not add up to them. */
  readonly told?: boolean
}

const holderRow = z.strictObject({ address: z.string(), balance: z.string() })
/** A current or past holder; the balance in decimal digits, never below zero. */
export type HolderRow = Readonly<z.output<typeof holderRow>>

/**
 * A time window as heights: balances after block `carry` were held when the window began, and the blocks
 * after it up to `last` are inside. -1: the window begins before the first block; the largest height: it is
 * open-ended.
 */
export type HoldingWindow = { readonly carry: bigint; readonly last: bigint }

/** The whole history, including future blocks. */
const wholeHistory: HoldingWindow = { carry: -1n, last: lastBlock }

const windowStatement = `
  select
    (select number from blocks where chain = $1 and ts <= $2 order by ts desc, number desc limit 1) as carry,
    (select number from blocks where chain = $1 and ts < $3 order by ts desc, number desc limit 1) as last`

const holdingWindowRow = z.strictObject({ carry: z.bigint().nullable(), last: z.bigint().nullable() })

/**
 * The window strictly between two times in Unix seconds; either may be absent. Undefined if nothing can have
 * been held in it: it is empty, or ends before the first block.
 */
export async function readHoldingWindow(
  database: Queryable,
  chain: bigint,
  start: number | undefined,
  end: number | undefined,
): Promise<HoldingWindow | undefined> {
  if (start === undefined && end === undefined) return wholeHistory
  if (start !== undefined && end !== undefined && end <= start) return undefined
  const [row] = await read(database, holdingWindowRow, windowStatement, [
    chain,
    start ?? -1,
    end ?? lastBlock,
  ])
  if (!row || row.last === null) return undefined
  return { carry: row.carry ?? -1n, last: end === undefined ? lastBlock : row.last }
}

/**
 * Up to this many holders whose peak exceeds a threshold are gathered; if there are more, all holders are
 * walked.
 */
const fewest = 20_000
/** A margin for holders added since the count, so that none is cut off. */
const roomForMore = 10 * fewest

/**
 * Whether so few addresses ever held more than the threshold (decimal digits) that starting from them is
 * faster than walking all holders. Reads a bounded part of the index on peaks.
 */
export const fewEverHeld = queryOne(
  z.strictObject({ count: z.bigint() }),
  ({ chain, token, kind }: HeldToken, threshold: string) => [
    `select count(*) from (
     select 1 from holders where chain = $1 and token = $2 and kind = $3 and peak > $4::numeric
     order by peak limit ${fewest + 1}) counted`,
    [chain, token, kind, threshold],
  ],
  (row) => row !== undefined && row.count <= BigInt(fewest),
)

// Seeks, each with a limit: an `exists` may be planned as a hash of the token's whole history. The current
// and the carried balance are tested first; the blocks inside come last, because there may be many. Heights
// are bound together with the id, as in read-balance.ts.
const heldMore = `
  $8 or ($7 = ${lastBlock} and h.balance > $4::numeric)
  or coalesce((
    select b.balance from balances b
    where b.chain = $1 and b.address = h.address and b.kind = $3 and b.token = $2
      and b.token_id >= -1 and (b.token_id, b.number) <= (-1, $6)
    order by b.token_id desc, b.number desc limit 1) > $4::numeric, false)
  or coalesce((
    select true from balances b
    where b.chain = $1 and b.address = h.address and b.kind = $3 and b.token = $2
      and (b.token_id, b.number) > (-1, $6) and (b.token_id, b.number) <= (-1, $7) and b.balance > $4::numeric
    limit 1), false)`

const holder = { address: hex('h.address'), balance: digits('greatest(h.balance, 0)') }
const found = list(holder, `looked_at h where h.peak > $4::numeric and (${heldMore})`, 'h.address')

const result = `
  select count(*)::integer as looked_at, count(*) filter (where h.peak > $4::numeric)::integer as tested,
    max(('0x' || encode(h.address, 'hex')) collate "C") as last,
    ${found.column} as found
  from looked_at h`

const statements = {
  // By address: the next holders, of which those whose peak is high enough are tested.
  walk: `
    with looked_at as materialized (
      select address, balance, peak from holders
      where chain = $1 and token = $2 and kind = $3 and address > $5
      order by address limit $9)
    ${result}`,
  // All holders whose peak is high enough, from the index on peaks, then the next ones by address.
  gather: `
    with gathered as materialized (
      select address, balance, peak from holders
      where chain = $1 and token = $2 and kind = $3 and peak > $4::numeric
      order by peak limit ${roomForMore}),
    looked_at as materialized (
      select * from gathered where address > $5 order by address limit $9)
    ${result}`,
}

const stretchRow = z.strictObject({
  looked_at: z.number(),
  tested: z.number(),
  last: z.string().nullable(),
  found: found.schema,
})

/** How holders are found: by walking all of them, or by gathering those whose peak is high enough. */
export type HolderSearch = keyof typeof statements

/** The result of reading some holders. */
type HolderStretch = {
  readonly rows: readonly HolderRow[]
  /** The last address read; undefined at the end. */
  readonly last: string | undefined
  readonly lookedAt: number
  /** The number of holders whose history had to be read. */
  readonly tested: number
}

/**
 * Reads the next `count` holders after an address (0x text), in address order, and returns those who held
 * more than the threshold at some time of the window.
 */
export async function readHolderStretch(
  database: Queryable,
  { chain, token, kind }: HeldToken,
  threshold: string,
  window: HoldingWindow,
  search: HolderSearch,
  past: string,
  count: number,
): Promise<HolderStretch> {
  const whole = window.carry === -1n && window.last === lastBlock
  const [row] = await read(database, stretchRow, statements[search], [
    chain,
    token,
    kind,
    threshold,
    Buffer.from(past.slice(2), 'hex'),
    window.carry,
    window.last,
    whole,
    count,
  ])
  return {
    rows: row?.found ?? [],
    last: row?.last ?? undefined,
    lookedAt: row?.looked_at ?? 0,
    tested: whole ? 0 : (row?.tested ?? 0),
  }
}

const holdersFromStatement = `
  select number from (select number from blocks where chain = $1 order by number limit 1) first
  where number > 0 and not exists (select from contracts where chain = $1 and address = $2)`

/**
 * The first indexed block, if a token may have had holders before it: the chain is indexed from the middle, and the
 * contract was not created in an indexed block. Undefined otherwise.
 */
export const readHoldersFrom = queryOne(
  z.strictObject({ number: z.bigint() }),
  (chain: bigint, token: Buffer) => [holdersFromStatement, [chain, token]],
  (row) => row?.number.toString(),
)

/** A position among the current holders, largest balance first. */
type HolderPlace = { readonly balance: string; readonly address: string }

/** The rows of a token's holders: by the logs, or as the contract tells them. Kind 20 is the only one that is told. */
const rowsOf = ({ told }: Pick<HeldToken, 'told'>): string =>
  told === true ? '(select *, 20::smallint as kind from told_balances) told' : 'holders'

const largestStatement = (token: HeldToken): string => `
  select '0x' || encode(address, 'hex') as address, balance::text as balance
  from (
    select address, balance from ${rowsOf(token)}
    where chain = $1 and token = $2 and kind = $3 and balance > 0 and (balance, address) < ($4::numeric, $5)
    order by balance desc, address desc
    limit 501) largest
  order by largest.balance desc, largest.address desc
  limit $6`

/** The position before the largest holder. */
export const beforeLargest: HolderPlace = { balance: 'infinity', address: `0x${'ff'.repeat(21)}` }

/**
 * The current holders of a token after a position, largest balance first; at most `limit`, which is at most
 * 501.
 */
export const readLargestHolders = query(holderRow, (held: HeldToken, past: HolderPlace, limit: number) => [
  largestStatement(held),
  [held.chain, held.token, held.kind, past.balance, Buffer.from(past.address.slice(2), 'hex'), limit],
])

/** The number of holders whose balance has this many digits, and their total balance. */
const bandRow = z.strictObject({ digits: z.number(), holders: z.bigint(), held: z.string() })

// Each number of digits is a range of the index on balances, read by index-only scans and without converting
// balances to text: a quarter of the cost of grouping all holders.
const bandsStatement = (token: HeldToken): string => `
  select digits, band.holders, band.held::text as held
  from generate_series(1, 100) digits
  cross join lateral (
    select count(*) as holders, sum(balance) as held from ${rowsOf(token)}
    where chain = $1 and token = $2 and kind = $3 and balance > 0
      and balance >= power(10::numeric, digits - 1) and balance < power(10::numeric, digits)) band
  where band.holders > 0
  order by digits`

/** The current distribution of a token, by the number of digits of the balances. Reads every holder. */
export const readBands = query(bandRow, (held: HeldToken) => [
  bandsStatement(held),
  [held.chain, held.token, held.kind],
])
