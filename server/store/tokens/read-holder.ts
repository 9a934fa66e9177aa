import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { digits, hex, list } from '../json-rows.ts'
import { lastBlock, read } from '../read.ts'
import type { TokenKind } from './read-token.ts'

/** A token whose holders are read; the address in bytes. */
export type HeldToken = { readonly chain: bigint; readonly token: Buffer; readonly kind: TokenKind }

const holderRow = z.strictObject({ address: z.string(), balance: z.string() })
/** Someone who holds or held a token; the balance in decimal digits, never below zero. */
export type HolderRow = Readonly<z.output<typeof holderRow>>

/**
 * A window of time as heights: what was held after block `carry` was held when the window began, and the
 * blocks after it up to `last` lie inside. -1: the window begins before the first block; the largest
 * height: it has no end yet.
 */
export type HoldingWindow = { readonly carry: bigint; readonly last: bigint }

/** The whole history, whatever is yet to come. */
export const wholeHistory: HoldingWindow = { carry: -1n, last: lastBlock }

const windowStatement = `
  select
    (select number from blocks where chain = $1 and ts <= $2 order by ts desc, number desc limit 1) as carry,
    (select number from blocks where chain = $1 and ts < $3 order by ts desc, number desc limit 1) as last`

const holdingWindowRow = z.strictObject({ carry: z.bigint().nullable(), last: z.bigint().nullable() })

/**
 * The window strictly between two times in Unix seconds; either may be left out. Undefined when nothing
 * can have been held in it: it ends as it begins, or before the first block.
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

/** Holders whose highest balance ever passes a threshold are gathered up to this many; beyond it they are walked. */
const fewest = 20_000
/** More than there can have become since they were counted, so that none is cut off. */
const roomForMore = 10 * fewest

const fewEverHeldRow = z.strictObject({ count: z.bigint() })

/**
 * Whether so few ever held more than the threshold (decimal digits) that it is quicker to start from them
 * than from all holders. It costs a bounded stretch of the index on peaks.
 */
export async function fewEverHeld(
  database: Queryable,
  { chain, token, kind }: HeldToken,
  threshold: string,
): Promise<boolean> {
  const [row] = await read(
    database,
    fewEverHeldRow,
    `select count(*) from (
       select 1 from holders where chain = $1 and token = $2 and kind = $3 and peak > $4::numeric
       order by peak limit ${fewest + 1}) counted`,
    [chain, token, kind, threshold],
  )
  return row !== undefined && row.count <= BigInt(fewest)
}

// Seeks, each with a limit: an `exists` may be planned as a hash of the token's whole history. What is held
// now or was carried into the window is asked first; the blocks inside come last, for there may be many.
// Heights are bound together with the id, as in read-balance.ts: alone they also fit the index on heights.
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
  // In order of address: the next holders, of whom those are tested who ever held enough.
  walk: `
    with looked_at as materialized (
      select address, balance, peak from holders
      where chain = $1 and token = $2 and kind = $3 and address > $5
      order by address limit $9)
    ${result}`,
  // All who ever held enough, gathered by the index on peaks, and of them the next in order of address.
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

/** How holders are looked for: by walking all of them, or from those who ever held enough. */
export type HolderSearch = keyof typeof statements

/** What a stretch of holders came to. */
export type HolderStretch = {
  readonly rows: readonly HolderRow[]
  /** The last address looked at, undefined past the last one. */
  readonly last: string | undefined
  readonly lookedAt: number
  /** How many of them took seeks into their history. */
  readonly tested: number
}

/**
 * Looks at the next `count` holders past an address (0x text), in its order, and gives those who held more
 * than the threshold at a time of the window.
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

/** A place among the holders of now, largest first. */
export type HolderPlace = { readonly balance: string; readonly address: string }

const largestStatement = `
  select '0x' || encode(address, 'hex') as address, balance::text as balance
  from (
    select address, balance from holders
    where chain = $1 and token = $2 and kind = $3 and balance > 0 and (balance, address) < ($4::numeric, $5)
    order by balance desc, address desc
    limit 501) largest
  order by largest.balance desc, largest.address desc
  limit $6`

/** Larger than every balance and every address: where the list begins. */
export const beforeLargest: HolderPlace = { balance: 'infinity', address: `0x${'ff'.repeat(21)}` }

/** Who holds a token now past a place, largest first; at most `limit`, which is at most 501. */
export function readLargestHolders(
  database: Queryable,
  { chain, token, kind }: HeldToken,
  past: HolderPlace,
  limit: number,
): Promise<HolderRow[]> {
  return read(database, holderRow, largestStatement, [
    chain,
    token,
    kind,
    past.balance,
    Buffer.from(past.address.slice(2), 'hex'),
    limit,
  ])
}

const bandRow = z.strictObject({ digits: z.number(), holders: z.bigint(), held: z.string() })
/** The holders whose balance has so many digits; their number and what they hold together. */
export type BandRow = Readonly<z.output<typeof bandRow>>

// Each number of digits is a range of the index on balances, read without the rows and without writing any
// balance out: a quarter of what grouping all holders takes.
const bandsStatement = `
  select digits, band.holders, band.held::text as held
  from generate_series(1, 100) digits
  cross join lateral (
    select count(*) as holders, sum(balance) as held from holders
    where chain = $1 and token = $2 and kind = $3 and balance > 0
      and balance >= power(10::numeric, digits - 1) and balance < power(10::numeric, digits)) band
  where band.holders > 0
  order by digits`

/** How a token is spread now, by the number of digits of the balances. It reads every holder. */
export function readBands(database: Queryable, { chain, token, kind }: HeldToken): Promise<BandRow[]> {
  return read(database, bandRow, bandsStatement, [chain, token, kind])
}
