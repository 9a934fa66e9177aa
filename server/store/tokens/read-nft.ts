import { z } from 'zod'
import { lastBlock, query, queryOne } from '../read.ts'
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

// The owner is the address that held the token after the newest block that moved it. Heights are bound
// together with the id, as in read-balance.ts.
const ownerOf = `
  left join lateral (
    select number from balances
    where chain = $1 and token = $2 and kind = $3 and token_id >= 0 and $3 = 721
      and token_id >= n.token_id and (token_id, number) <= (n.token_id, ${lastBlock})
    order by token_id desc, number desc limit 1) moved on true
  left join lateral (
    select address from balances
    where chain = $1 and token = $2 and kind = $3 and token_id >= 0
      and (token_id, number) = (n.token_id, moved.number) and balance > 0
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
      select token_id, first_block from nfts
      where chain = $1 and token = $2 and kind = $3 and token_id > $4::numeric
      order by token_id limit 101) next
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
    select token_id, first_block from nfts
    where chain = $1 and token = $2 and kind = $3 and token_id = $4::numeric) n
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
