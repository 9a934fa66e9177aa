import { readChains } from '../../store/chain-reads.ts'
import type { Database } from '../../store/database.ts'
import { readHead } from '../facts/first-seen.ts'
import type { NftFields } from './metadata.ts'
import { firstIdsOfRanges } from '../../store/tokens/nft-ranges.ts'
import { moveQueueMark, readQueueMark, type QueueMark } from '../../store/tokens/queue-mark.ts'

/** The possible results of a read: the `indexStatus` values of the hosted API. */
export type IndexStatus =
  | 'UNKNOWN'
  | 'MISSING_TOKEN'
  | 'INVALID_TOKEN_URI'
  | 'INVALID_TOKEN_URI_SCHEME'
  | 'UNREACHABLE_TOKEN_URI'
  | 'THROTTLED_TOKEN_URI'
  | 'METADATA_CONTENT_TOO_LARGE'
  | 'INVALID_METADATA'
  | 'INVALID_METADATA_JSON'
  | 'INDEXED'
  | 'UNINDEXED'

/** An NFT whose metadata are due, with the lease of this process. */
export type LeasedNft = {
  readonly chain: bigint
  readonly token: Buffer
  /** Decimal digits. */
  readonly token_id: string
  /** Number of failed attempts. */
  readonly attempts: number
  /** 721 or 1155; null if a reorg removed the NFT. */
  readonly kind: number | null
  /** `due_ts` during the lease; when the read finishes, it must be unchanged. */
  readonly lease: bigint
}

/** Duration of a lease in seconds; a read takes far less. */
const leaseSeconds = 300

/** NFTs that one statement queues, plus the rest of its last height. */
const max = 2_000

/**
 * Queues NFTs first seen since the height that an earlier call or process had reached. The last `margin`
 * heights below it are read again each time, because a reorg may replace them.
 */
export async function queueNew(
  database: Database,
  chain: number,
  margin: number,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  let mark: QueueMark | undefined = await readQueueMark(database, chain)
  let from: bigint | undefined
  while (mark && !signal.aborted) {
    const head = await readHead(database, chain)
    if (head === undefined) return
    from ??= (mark.number < head ? mark.number : head) - BigInt(margin)
    const { found, last } = await queueSeen(database, chain, from, now)
    if (found < max || last === undefined) {
      if (mark.number !== head) await moveQueueMark(database, chain, mark, head)
      return
    }
    // If the mark was lowered meanwhile, the next call starts there.
    mark = await moveQueueMark(database, chain, mark, last)
    from = last + 1n
  }
}

/** Queues NFTs first seen from a height on: about `max`, including all of the last height. */
async function queueSeen(
  sql: Database,
  chain: number,
  from: bigint,
  now: number,
): Promise<{ found: number; last: bigint | undefined }> {
  const [row] = await sql<{ found: number; last: bigint | null }[]>`
    with seen as materialized (
      select token, token_id, first_block from (
        select token, token_id, first_block from nfts where chain = ${chain} and first_block >= ${from}
        union all ${sql.unsafe(firstIdsOfRanges(chain, `r.number >= ${from}`))}) either
      order by first_block fetch first ${max} rows with ties),
    added as (
      insert into nft_metadata (chain, token, token_id, due_ts)
      select distinct ${chain}::bigint, token, token_id, ${now}::bigint from seen
      where not exists (select from nft_metadata m
        where m.chain = ${chain} and m.token = seen.token and m.token_id = seen.token_id)
      on conflict do nothing)
    select count(*)::int as found, max(first_block) as last from seen`
  return { found: row?.found ?? 0, last: row?.last ?? undefined }
}

/**
 * Queues NFTs that were not read because fetching was disabled; called at the start of a service with
 * fetching enabled.
 */
export async function queueUnread(database: Database, chains: readonly number[], now: number): Promise<void> {
  await readChains(
    database,
    chains.map(BigInt),
    ({ chains: asked }) => database`
      update nft_metadata set due_ts = ${now}
      where chain in ${database(asked)} and due_ts is null and status = 'UNINDEXED'`,
    () => undefined,
  )
}

/**
 * Leases due NFTs, longest due first; where the tables are distributed, an equal share of each chain. The lease moves
 * their `due_ts` into the future, so that other processes skip them, and find them again if this one dies.
 */
export async function takeDue(
  database: Database,
  chains: readonly number[],
  now: number,
  max: number,
): Promise<LeasedNft[]> {
  return readChains(
    database,
    chains.map(BigInt),
    ({ chains: asked, form }) => {
      const [first = 0n] = asked
      const [ofDue, ofNft, limit] =
        form === 'one'
          ? [
              database`chain = ${first}`,
              database`m.chain = ${first}`,
              Math.max(1, Math.floor(max / chains.length)),
            ]
          : [database`chain in ${database(asked)}`, database`m.chain = due.chain`, max]
      const chainOfNft = form === 'one' ? database`${first}` : database`m.chain`
      return database<LeasedNft[]>`
        update nft_metadata m set due_ts = ${now + leaseSeconds}
        from (
          select chain, token, token_id from nft_metadata
          where due_ts <= ${now} and ${ofDue}
          order by due_ts limit ${limit} for update skip locked
        ) due
        where ${ofNft} and m.token = due.token and m.token_id = due.token_id
        returning m.chain, m.token, m.token_id::text as token_id, m.attempts, m.due_ts as lease,
          coalesce(
            (select max(n.kind)::int from nfts n where n.chain = ${chainOfNft}
              and n.token = m.token and n.token_id = m.token_id and n.kind in (721, 1155)),
            (select 721 from nft_ranges r where r.chain = ${chainOfNft}
              and r.token = m.token and m.token_id between r.from_id and r.to_id limit 1)) as kind`
    },
    () => undefined,
  )
}

/** The result of a read. `uri` is undefined if it is unknown. */
type Reading = {
  readonly uri?: string | null
  readonly status: IndexStatus
  readonly fields?: NftFields
  /** When to read again; null for no automatic retry. */
  readonly due: number | null
}

/**
 * Writes the result of a read, unless the lease was lost or a new read was requested meanwhile. If the read
 * failed, texts of an earlier success remain. Returns whether it was written.
 */
export async function finish(
  database: Database,
  nft: LeasedNft,
  { uri, status, fields, due }: Reading,
  now: number,
): Promise<boolean> {
  const changes = {
    status,
    due_ts: due,
    attempts: due === null ? 0 : nft.attempts + 1,
    ...(uri !== undefined && { uri }),
    ...(fields && { ...fields, updated_ts: now }),
  }
  const rows = await database`
    update nft_metadata set ${database(changes)} where ${mine(database, nft)} returning 1`
  return rows.length > 0
}

/** Releases an NFT unread for the next process. */
export async function release(database: Database, nft: LeasedNft, now: number): Promise<void> {
  await database`update nft_metadata set due_ts = ${now} where ${mine(database, nft)}`
}

/** Deletes an NFT that a reorg removed; it is queued again when it reappears. */
export async function forget(database: Database, nft: LeasedNft): Promise<void> {
  await database`delete from nft_metadata where ${mine(database, nft)}`
}

const mine = (database: Database, nft: LeasedNft) => database`
  chain = ${nft.chain} and token = ${nft.token} and token_id = ${nft.token_id}::numeric
  and due_ts = ${nft.lease}`
