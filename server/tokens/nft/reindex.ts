import type { Queryable } from '../../store/database.ts'

/** Minimum seconds between two requested reindexes of a token (docs/api.md, Keys and limits). */
export const reindexPause = 3_600

/** `wait` is in seconds. */
type ReindexOutcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'tooSoon'; readonly wait: number }

/**
 * Queues an NFT to be read again, at most once an hour. A single statement decides: of two concurrent
 * requests, the second waits for the first one's row and is then rejected. `now` is in Unix seconds.
 */
export async function requestReindex(
  database: Queryable,
  nft: { readonly chain: bigint; readonly token: Buffer; readonly tokenId: string },
  now: number,
): Promise<ReindexOutcome> {
  const { chain, token, tokenId } = nft
  const [row] = await database<{ known: boolean; accepted: boolean }[]>`
    with known as (
      select 1 as one from nfts where chain = ${chain} and token = ${token} and kind in (721, 1155)
        and token_id = ${tokenId}::numeric
      union all
      select 1 from nft_ranges where chain = ${chain} and token = ${token}
        and ${tokenId}::numeric between from_id and to_id
      limit 1),
    accepted as (
      insert into nft_metadata (chain, token, token_id, due_ts, reindexed_ts)
      select ${chain}::bigint, ${token}::bytea, ${tokenId}::numeric, ${now}::bigint, ${now}::bigint from known
      on conflict (chain, token, token_id) do update
        set due_ts = excluded.due_ts, attempts = 0, reindexed_ts = excluded.reindexed_ts
        where nft_metadata.reindexed_ts is null
          or nft_metadata.reindexed_ts <= excluded.reindexed_ts - ${reindexPause}
      returning 1)
    select exists (select from known) as known, exists (select from accepted) as accepted`
  if (row?.accepted === true) return { kind: 'accepted' }
  if (row?.known !== true) return { kind: 'unknown' }
  const [last] = await database<{ reindexed_ts: bigint | null }[]>`
    select reindexed_ts from nft_metadata
    where chain = ${chain} and token = ${token} and token_id = ${tokenId}::numeric`
  const wait = Number(last?.reindexed_ts ?? BigInt(now)) + reindexPause - now
  return { kind: 'tooSoon', wait: Math.min(reindexPause, Math.max(1, wait)) }
}
