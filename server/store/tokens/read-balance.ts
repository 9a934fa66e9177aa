import { z } from 'zod'
import { byteaList } from '../sql-literals.ts'
import type { Database } from '../database.ts'
import { givenByRanges } from './nft-ranges.ts'
import { nullsOf, query, queryOne, read } from '../read.ts'

const balanceBlock = z.strictObject({ number: z.bigint(), ts: z.bigint(), hash: z.string() })
/** The block at which balances are read; `ts` in Unix seconds, `hash` as 0x text. */
export type BalanceBlock = Readonly<z.output<typeof balanceBlock>>

const blockStatement = `
  select first.number as first, head.number as head, b.number, b.ts, '0x' || encode(b.hash, 'hex') as hash
  from (select $2::bigint as number) asked
  left join lateral (
    select number from blocks where chain = $1 order by number limit 1) first on true
  left join lateral (
    select number from blocks where chain = $1 order by number desc limit 1) head on true
  left join lateral (
    select number, ts, hash from blocks
    where chain = $1 and number = coalesce(asked.number, head.number) limit 1) b on true`

const bounds = { first: z.bigint().nullable(), head: z.bigint().nullable() }
const balanceBlocksRow = z.union([balanceBlock.extend(bounds), nullsOf(balanceBlock).extend(bounds)])

/**
 * A block of a chain by its height, or the head if `number` is absent; undefined if it is not indexed. With the lowest
 * and the highest indexed block, null without blocks.
 */
export const readBalanceBlock = queryOne(
  balanceBlocksRow,
  (chain: bigint, number: bigint | undefined) => [blockStatement, [chain, number ?? null]],
  (row) => {
    if (!row) return { first: null, head: null, block: undefined }
    const { first, head, ...block } = row
    return { first, head, block: block.number === null ? undefined : block }
  },
)

const erc20Row = z.strictObject({
  /** 0x text. */
  token: z.string(),
  /** The sum of the logs in decimal digits, negative if the contract omits logs; null without a log. */
  balance: z.string().nullable(),
  /** Whether the contract's `balanceOf` differs from its logs. */
  disagrees: z.boolean(),
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  decimals: z.number().nullable(),
  reputation: z.string().nullable(),
  reputation_reasons: z.array(z.string()).nullable(),
})
/** A token of an address with its known metadata; unknown values are null. */
export type Erc20Row = Readonly<z.output<typeof erc20Row>>

const hop = { hops: z.number(), found: z.number(), shown: z.boolean() }
const erc20Hop = erc20Row.extend(hop)

/** Rows in order, the position where the next read starts, and whether the end was reached. */
type Stretch<Row, Place> = { readonly rows: Row[]; readonly last: Place; readonly ended: boolean }

/**
 * Maximum number of keys that one statement visits: an address may have traded a million tokens and hold
 * none. Every key takes one or two index seeks.
 */
const maxHops = 2_000

// Heights are always bound together with the id: alone they would also match the index on heights, which
// PostgreSQL may choose before a table has statistics and which covers everyone's history.
const heldAt = (token: string): string => `
  select balance from balances
  where chain = $1 and address = $2 and kind = 20 and token = ${token}
    and token_id >= -1 and (token_id, number) <= (-1, $4)
  order by token_id desc, number desc limit 1`

const erc20Fields = `
  '0x' || encode(shown.token, 'hex') as token, shown.balance, coalesce(facts.disagrees, false) as disagrees,
  facts.name, facts.symbol, facts.decimals, facts.reputation, facts.reputation_reasons`
// A join could be planned as a hash of the whole table; a lateral with a limit is a seek in every plan.
const factsOf = (token: string): string => `
  left join lateral (
    select disagrees, name, symbol, decimals, reputation, reputation_reasons
    from token_facts where chain = $1 and token = ${token} limit 1) facts on true`

// Seeks from token to token, regardless of the rows between them: a token with a million changes is one step.
// A recursive term cannot be stopped by an outer limit and keep its order, so it counts the found rows.
// Whether the logs are wrong only matters for tokens that are not held according to the logs.
const erc20Statement = `
  with recursive walk as (
    select 0 as hops, 0 as found, $3::bytea as token, null::numeric as balance, false as shown
    union all
    select walk.hops + 1, walk.found + showing.showing::integer, next.token, held.balance, showing.showing
    from walk
    cross join lateral (
      select token from (
        (select token from balances
          where chain = $1 and address = $2 and kind = 20 and token > walk.token
          order by token, token_id, number limit 1)
        union all
        (select token from told_balances
          where chain = $1 and address = $2 and token > walk.token order by token limit 1)) either
      order by token limit 1) next
    left join lateral (${heldAt('next.token')}) held on true
    left join lateral (
      select disagrees from token_facts
      where chain = $1 and token = next.token and not coalesce(held.balance > 0, false) limit 1) facts on true
    cross join lateral (
      select coalesce(held.balance > 0, false) or coalesce(facts.disagrees, false) as showing) showing
    where walk.found < $5 and walk.hops < ${maxHops})
  select shown.hops, shown.found, shown.shown, ${erc20Fields}
  from walk shown ${factsOf('shown.token')}
  where shown.shown or shown.hops = (select max(hops) from walk)
  order by shown.hops`

/**
 * The ERC-20 tokens after `past` (0x text, '0x' for the first) that an address held after a block or whose
 * balance must be read from the node, by token address. At most `limit` rows; fewer before the end if many
 * tokens are skipped.
 */
export async function readErc20Balances(
  database: Database,
  chain: bigint,
  address: Buffer,
  block: bigint,
  past: string,
  limit: number,
): Promise<Stretch<Erc20Row, string> & { readonly hops: number }> {
  const all = await read(database, erc20Hop, erc20Statement, [
    chain,
    address,
    Buffer.from(past.slice(2), 'hex'),
    block,
    limit,
  ])
  const last = all.at(-1)
  const hops = last?.hops ?? 0
  return {
    rows: all.filter((row) => row.shown),
    last: last?.token ?? past,
    ended: last === undefined || (last.found < limit && hops < maxHops),
    hops,
  }
}

const someErc20Statement = `
  select ${erc20Fields}
  from (select distinct asked.token from unnest($3::text::bytea[]) as asked (token)) asked
  left join lateral (${heldAt('asked.token')}) held on true
  cross join lateral (select asked.token, held.balance) shown
  ${factsOf('asked.token')}
  where held.balance > 0 or facts.disagrees
  order by asked.token`

/** The same for given tokens (0x texts), each once, in one result. */
export const readSomeErc20Balances = query(
  erc20Row,
  (chain: bigint, address: Buffer, block: bigint, tokens: readonly string[]) => [
    someErc20Statement,
    [chain, address, byteaList(tokens), block],
  ],
)

/** The kinds of tokens with ids, by their ERC number. */
export type NftKind = 721 | 1155

const nftBalanceRow = z.strictObject({ token: z.string(), tokenId: z.string(), balance: z.string() })
const nftHop = z.discriminatedUnion('shown', [
  nftBalanceRow.extend({ ...hop, shown: z.literal(true) }),
  nftBalanceRow.extend({ ...hop, shown: z.literal(false), balance: z.string().nullable() }),
])
/** A token id that an address holds; amount and id in decimal digits, the contract as 0x text. */
export type NftBalanceRow = Readonly<z.output<typeof nftBalanceRow>>

/** A position among an address's token ids. The id -1 is before all ids of a contract. */
export type NftPlace = { readonly token: string; readonly tokenId: string }

// Like the ERC-20 statement, from id to id. $6 is the last contract of the range. The next id is one that moved on its own,
// or one of a range that the address received.
const nftStatement = `
  with recursive walk as (
    select 0 as hops, 0 as found, $3::bytea as token, $7::numeric as token_id, null::numeric as balance,
      false as shown
    union all
    select walk.hops + 1, walk.found + showing.showing::integer, next.token, next.token_id, held.balance,
      showing.showing
    from walk
    cross join lateral (
      select token, token_id from (
        (select token, token_id from balances
          where chain = $1 and address = $2 and kind = $8 and (token, token_id) > (walk.token, walk.token_id)
            and token <= $6
          order by token, token_id, number limit 1)
        union all
        (select token, greatest(from_id, walk.token_id + 1) as token_id from nft_ranges
          where chain = $1 and recipient = $2 and $8 = 721 and token = walk.token and to_id > walk.token_id
          order by greatest(from_id, walk.token_id + 1) limit 1)
        union all
        (select token, from_id from nft_ranges
          where chain = $1 and recipient = $2 and $8 = 721 and token > walk.token and token <= $6
          order by token, from_id limit 1)) either
      order by token, token_id limit 1) next
    left join lateral (
      select balance from balances
      where chain = $1 and address = $2 and kind = $8 and token = next.token
        and token_id >= next.token_id and (token_id, number) <= (next.token_id, $4)
      order by token_id desc, number desc limit 1) moved on true
    cross join lateral (
      select case when $8 = 721
        then coalesce(moved.balance, 0) + ${givenByRanges('$2', 'next.token_id', '$4', 'next.token')}
        else moved.balance end as balance) held
    cross join lateral (select next.token_id >= 0 and coalesce(held.balance > 0, false) as showing) showing
    where walk.found < $5 and walk.hops < ${maxHops})
  select hops, found, shown, '0x' || encode(token, 'hex') as token, token_id::text as "tokenId",
    balance::text as balance
  from walk
  where shown or hops = (select max(hops) from walk)
  order by hops`

/** Sorts after every contract: addresses have 20 bytes. */
const lastToken = Buffer.alloc(21, 0xff)

/**
 * The token ids of one kind after a position that an address held after a block, by contract and id,
 * optionally of one contract (0x text). Otherwise like readErc20Balances.
 */
export async function readNftBalances(
  database: Database,
  chain: bigint,
  address: Buffer,
  block: bigint,
  kind: NftKind,
  contract: string | undefined,
  past: NftPlace | undefined,
  limit: number,
): Promise<Stretch<NftBalanceRow, NftPlace> & { readonly hops: number }> {
  const start = past ?? { token: contract ?? '0x', tokenId: '-1' }
  const all = await read(database, nftHop, nftStatement, [
    chain,
    address,
    Buffer.from(start.token.slice(2), 'hex'),
    block,
    limit,
    contract === undefined ? lastToken : Buffer.from(contract.slice(2), 'hex'),
    start.tokenId,
    kind,
  ])
  const last = all.at(-1)
  const hops = last?.hops ?? 0
  return {
    rows: all.filter((row) => row.shown),
    last: last ? { token: last.token, tokenId: last.tokenId } : start,
    ended: last === undefined || (last.found < limit && hops < maxHops),
    hops,
  }
}
