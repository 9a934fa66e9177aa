/**
 * Ranges of ERC-721 tokens that one log moved (ERC-2309, the table nft_ranges). A range costs its sender as much gas with
 * 2^256 ids as with one, so its ids are never written out: reads join them.
 */

/**
 * Maximum number of stored ranges of a contract, which every read of an NFT goes through. A collection of a hundred
 * thousand tokens needs twenty, because the usual libraries mint at most 5,000 at once.
 */
export const maxRanges = 1_000

/**
 * Of each range, this many ids have their metadata read by themselves, the lowest; the others when they move on their own,
 * or when a reindex is asked for. A contract may log a range for next to nothing, and each read is a call of the node.
 */
const maxRead = 100

/** SQL for the first ids of the ranges of a chain that a condition on `r` selects. */
export const firstIdsOfRanges = (chain: number, condition: string): string => `
  select r.token, id as token_id, r.number as first_block from nft_ranges r
  cross join lateral generate_series(r.from_id, least(r.to_id, r.from_id + ${maxRead - 1})) as id
  where r.chain = ${chain} and ${condition}`

/**
 * SQL for how often ranges of token $2 on chain $1 gave an id to an address, less how often they took it away, up to a
 * height.
 */
export const givenByRanges = (address: string, id: string, height: string, token = '$2'): string => `
  coalesce((
    select sum((r.recipient = ${address})::integer - (r.sender = ${address})::integer) from nft_ranges r
    where r.chain = $1 and r.token = ${token} and ${id} between r.from_id and r.to_id and r.number <= ${height}), 0)`
