import { z } from 'zod'
import { lastBlock, query, queryOne } from '../read.ts'
import { byteaList } from '../sql-literals.ts'

export type TokenKind = 20 | 721 | 1155

export const tokenRow = z.strictObject({
  /** 0x text. */
  token: z.string(),
  kind: z.literal([20, 721, 1155]),
  first_block: z.bigint(),
  /**
   * In the smallest unit: what the contract tells if its logs do not add up to it, else according to the logs; negative
   * if the contract omits mints. The same of the holders.
   */
  supply: z.string(),
  holders: z.bigint(),
  transfers: z.bigint(),
  /** The block of the latest transfer. */
  last_block: z.bigint(),
  name: z.string().nullable(),
  symbol: z.string().nullable(),
  decimals: z.number().nullable(),
  /** 721 or 1155 if the contract declares it by ERC-165. */
  interface: z.number().nullable(),
  disagrees: z.boolean(),
  /** Whether balanceOf answers nothing. */
  unprovable: z.boolean(),
  /** The block of the told balances; null if there are none. */
  told_block: z.bigint().nullable(),
  reputation: z.string().nullable(),
  reputation_reasons: z.array(z.string()).nullable(),
})
/** A token contract with its latest totals and known metadata; unknown values are null. */
export type TokenRow = Readonly<z.output<typeof tokenRow>>

// Laterals with a limit are seeks in every plan; joins might be planned as a hash of a whole table.
/** The columns of a token `t` with `tokenDetails`. */
export const tokenColumns = `
  '0x' || encode(t.token, 'hex') as token, t.kind, t.first_block, coalesce(told.supply, totals.supply)::text as supply,
  coalesce(told.holders, totals.holders) as holders, totals.cum_transfers as transfers, totals.number as last_block, facts.name, facts.symbol,
  facts.decimals, facts.interface, coalesce(facts.disagrees, false) as disagrees, coalesce(facts.unprovable, false) as unprovable,
  told.block as told_block, facts.reputation, facts.reputation_reasons`
/** The latest totals and the metadata of a token `t`; `chain` is a placeholder. */
export const tokenDetails = (chain: string): string => `
  cross join lateral (
    select supply, holders, cum_transfers, number from token_blocks
    where chain = ${chain} and token = t.token and kind = t.kind
    order by number desc limit 1) totals
  left join lateral (
    select name, symbol, decimals, interface, disagrees, unprovable, reputation, reputation_reasons,
      told_supply, told_holders, told_block
    from token_facts where chain = ${chain} and token = t.token limit 1) facts on true
  left join lateral (
    select facts.told_supply as supply, facts.told_holders as holders, facts.told_block as block
    where facts.disagrees and t.kind = 20 and facts.told_block is not null) told on true`

const oneStatement = `
  select ${tokenColumns} from tokens t ${tokenDetails('$1')} where t.chain = $1 and t.token = $2
  order by (t.kind = facts.interface) is true desc, totals.cum_transfers desc, t.first_block, t.kind`

/**
 * A token contract (address as bytes), once for each kind of tokens that it moved: first the kind that it
 * declares by ERC-165, then those with the most transfers. Empty for an address that never moved a token.
 */
export const readToken = query(tokenRow, (chain: bigint, token: Buffer) => [oneStatement, [chain, token]])

const wrappersStatement = `
  select '0x' || encode(token, 'hex') as token from tokens
  where chain = $1 and kind = 20 and token in (select unnest($2::text::bytea[])) and first_wrap <= $3`

/** Those of some contracts (0x texts) that are wrappers of the native token, by what they moved up to a block. */
export const readWrappers = query(
  z.strictObject({ token: z.string() }),
  (chain: bigint, contracts: readonly string[], block: bigint) => [
    wrappersStatement,
    [chain, byteaList(contracts), block],
  ],
)

// An id that moved on its own may be one of a range as well, and ranges may overlap.
const idCountStatement = `
  select (
      select count(*) from nfts
      where chain = $1 and token = $2 and kind = $3 and (all_ids.ids is null or not token_id <@ all_ids.ids))
    + coalesce((select sum(upper(part) - lower(part)) from unnest(all_ids.ids) as part), 0) as count
  from (
    select range_agg(numrange(from_id, to_id + 1)) as ids from nft_ranges
    where chain = $1 and token = $2 and $3 = 721) all_ids`

/** The number of token ids of a contract that were ever seen, in decimal digits. */
export const readIdCount = queryOne(
  z.strictObject({ count: z.string() }),
  (chain: bigint, { token, kind }: Pick<TokenRow, 'token' | 'kind'>) => [
    idCountStatement,
    [chain, Buffer.from(token.slice(2), 'hex'), kind],
  ],
  (row) => row?.count ?? '0',
)

/** The Unix time of a block; undefined if it no longer exists. */
export const readTimeOf = queryOne(
  z.strictObject({ ts: z.bigint() }),
  (chain: bigint, number: bigint) => [
    'select ts from blocks where chain = $1 and number = $2',
    [chain, number],
  ],
  (row) => row && Number(row.ts),
)

/** A token's totals at the end of a UTC day, which begins at `day` (Unix seconds). */
const tokenDay = z.strictObject({
  day: z.bigint(),
  supply: z.string(),
  holders: z.bigint(),
  transfers: z.bigint(),
})

// Seeks from day to day: the first movement from a time on, the end of its day, the last movement before
// that. Heights are bound together with the kind, as in read-balance.ts with the id.
const historyStatement = `
  with recursive days as (
    select 0 as place, $4::bigint as since, null::numeric as supply, null::bigint as holders,
      null::bigint as transfers
    union all
    select days.place + 1, day.start + 86400, totals.supply, totals.holders, totals.cum_transfers
    from days
    cross join lateral (
      select number from blocks where chain = $1 and ts >= days.since order by ts, number limit 1) begin
    cross join lateral (
      select number from token_blocks
      where chain = $1 and token = $2 and kind <= $3 and (kind, number) >= ($3, begin.number)
      order by kind, number limit 1) moved
    cross join lateral (
      select ts - ts % 86400 as start from blocks where chain = $1 and number = moved.number limit 1) day
    left join lateral (
      select number from blocks
      where chain = $1 and ts >= day.start + 86400 order by ts, number limit 1) following on true
    cross join lateral (
      select supply, holders, cum_transfers from token_blocks
      where chain = $1 and token = $2 and kind >= $3
        and (kind, number) < ($3, coalesce(following.number, ${lastBlock}))
      order by kind desc, number desc limit 1) totals
    where days.place < $6 and day.start < $5)
  select since - 86400 as day, supply::text as supply, holders, transfers
  from days where place > 0 order by place`

/** The days in a range of times on which a token moved, oldest first, at most `limit`. */
export const readTokenDays = query(
  tokenDay,
  (
    chain: bigint,
    { token, kind }: Pick<TokenRow, 'token' | 'kind'>,
    from: bigint,
    before: bigint,
    limit: number,
  ) => [historyStatement, [chain, Buffer.from(token.slice(2), 'hex'), kind, from, before, limit]],
)
