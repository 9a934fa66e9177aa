import { z } from 'zod'
import { lastBlock, query, queryOne } from '../read.ts'
import { givenByRanges } from './nft-ranges.ts'
import type { NftKind } from './read-balance.ts'

const nftRow = z.strictObject({
  /** In decimal digits. */
  tokenId: z.string(),
  first_block: z.bigint(),
  /** For an ERC-721 token; 0x text. */
  owner: z.string().nullable(),
  /** For an ERC-1155 id: the total supply. */
  supply: z.string().nullable(),
})
/** A token id of a contract. Null: it has no owner, or computing its supply takes too long. */
export type NftRow = Readonly<z.output<typeof nftRow>>

// The owner is one of those whose balance the newest block that moved the token changed, or who received it with a range:
// the one who holds it. Heights are bound together with the id, as in read-balance.ts.
const ownerOf = `
  left join lateral (
    select number from balances
    where chain = $1 and token = $2 and kind = $3 and token_id >= 0 and $3 = 721
      and token_id >= n.token_id and (token_id, number) <= (n.token_id, ${lastBlock})
    order by token_id desc, number desc limit 1) moved on true
  left join lateral (
    select holder.address from (
      select address from balances
      where chain = $1 and token = $2 and kind = $3 and token_id >= 0 and (token_id, number) = (n.token_id, moved.number)
      union
      select recipient from nft_ranges
      where chain = $1 and token = $2 and $3 = 721 and n.token_id between from_id and to_id) holder
    left join lateral (
      select balance from balances
      where chain = $1 and address = holder.address and kind = $3 and token = $2
        and token_id >= n.token_id and (token_id, number) <= (n.token_id, ${lastBlock})
      order by token_id desc, number desc limit 1) own on true
    where coalesce(own.balance, 0) + ${givenByRanges('holder.address', 'n.token_id', String(lastBlock))} > 0
      and holder.address <> decode(repeat('00', 20), 'hex')
    limit 1) owner on true`

// The sum reads every change of the id, so ids with a long history are skipped.
const supplyOf = (max: number): string => `
  left join lateral (
    select case when $3 = 1155 and coalesce(max(latest.changes), 0) <= ${max}
                then greatest(coalesce(sum(latest.balance), 0), 0) end as total
    from (
      select distinct on (changed.address) changed.balance, count(*) over () as changes
      from (
        select address, number, balance from balances
        where chain = $1 and token = $2 and kind = $3 and token_id >= 0 and $3 = 1155
          and token_id >= n.token_id and (token_id, number) <= (n.token_id, ${lastBlock})
        order by token_id desc, number desc limit ${max + 1}) changed
      order by changed.address, changed.number desc) latest) supply on true`

const fields = `
  n.token_id::text as "tokenId", n.first_block, '0x' || encode(owner.address, 'hex') as owner,
  supply.total::text as supply`

/** Maximum number of changes that are summed for a row of a list, and for the page of one NFT. */
const maxChanges = { row: 1_000, page: 100_000 }

const listStatement = `
  select ${fields}
  from (
    select * from (
      select token_id, min(first_block) as first_block from (
        (select token_id, first_block from nfts
          where chain = $1 and token = $2 and kind = $3 and token_id > $4::numeric
          order by token_id limit 101)
        union all
        (select token_id, number from (
            select from_id, to_id, number, greatest(from_id, $4::numeric + 1) as next_id from nft_ranges
            where chain = $1 and token = $2 and $3 = 721 and to_id > $4::numeric) r
          cross join lateral generate_series(next_id, least(to_id, next_id + 100)) as token_id)) either
      group by token_id order by token_id limit 101) next
    limit $5) n
  ${ownerOf} ${supplyOf(maxChanges.row)}
  order by n.token_id`

/** The token ids of a contract after one (decimal digits, -1 for the first), in order; at most 101. */
export const readNfts = query(
  nftRow,
  (chain: bigint, token: Buffer, kind: NftKind, past: string, limit: number) => [
    listStatement,
    [chain, token, kind, past, limit],
  ],
)

const oneStatement = `
  select ${fields}, metadata.reindexed_ts
  from (
    select $4::numeric as token_id, min(first_block) as first_block from (
      select first_block from nfts where chain = $1 and token = $2 and kind = $3 and token_id = $4::numeric
      union all
      select number from nft_ranges
      where chain = $1 and token = $2 and $3 = 721 and $4::numeric between from_id and to_id) seen
    having count(*) > 0) n
  ${ownerOf} ${supplyOf(maxChanges.page)}
  left join lateral (
    select reindexed_ts from nft_metadata
    where chain = $1 and token = $2 and token_id = n.token_id limit 1) metadata on true`

/** One token id (decimal digits), and when a user last requested a reindex of its metadata. */
export const readNft = queryOne(
  nftRow.extend({ reindexed_ts: z.bigint().nullable() }),
  (chain: bigint, token: Buffer, kind: NftKind, tokenId: string) => [
    oneStatement,
    [chain, token, kind, tokenId],
  ],
)
