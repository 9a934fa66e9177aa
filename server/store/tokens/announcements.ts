import type { Database, Queryable } from '../database.ts'
import { firstIdsOfRanges } from './nft-ranges.ts'

/** MetadataUpdate(uint256) and BatchMetadataUpdate(uint256,uint256): EIP-4906. URI(string,uint256): ERC-1155. */
const topics = {
  one: 'f8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7',
  many: '6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c',
  uri: '6bb7ff708619ba0610cba295a58592e0451dee2622938c8755667688daf3529b',
} as const

/** Blocks that one statement searches. */
const maxBlocks = 2_000n
/** NFTs that the announcement of a whole range schedules at most. */
const maxOfRange = 10_000
/** Minimum seconds between two reads of an NFT, if it is announced individually or by a range. */
const pauses = { one: 60, range: 3_600 } as const

/**
 * The block up to which a chain's announcements were read, and the height `since` which they count: the
 * node's head at the first call.
 */
type Cursor = { readonly number: string; readonly hash: string; readonly since: string }

/**
 * Schedules the NFTs whose contracts announced changed metadata since the last call. Announcements before the
 * first call are ignored, even if they are indexed later: NFTs are read at the node's head, which was already
 * past them. If the last read block was replaced, the `margin` blocks below it are searched again. The
 * position is stored in the database, so nothing is missed while no process runs; concurrent calls are
 * harmless.
 */
export async function queueAnnounced(
  database: Database,
  chain: number,
  margin: number,
  now: number,
  signal: AbortSignal,
): Promise<void> {
  const key = `nft-announcements ${chain}`
  const head = await readBlock(database, chain, undefined)
  if (!head) return
  const [kept] = await database<{ value: string }[]>`select value from service where key = ${key}`
  const place = async ({ number, hash }: Block, since: bigint): Promise<void> => {
    const value = JSON.stringify({ number: `${number}`, hash, since: `${since}` } satisfies Cursor)
    await database`
      insert into service (key, value) values (${key}, ${value})
      on conflict (key) do update set value = excluded.value`
  }
  if (!kept) {
    const [row] = await database<{ node_block: bigint | null }[]>`
      select node_block from chains where chain = ${chain}`
    if (row?.node_block != null) await place(head, row.node_block)
    return
  }
  const cursor = JSON.parse(kept.value) as Cursor
  const since = BigInt(cursor.since)
  if (head.number <= since) return
  let from = BigInt(cursor.number) + 1n
  const last = await readBlock(database, chain, BigInt(cursor.number))
  if (last?.hash !== cursor.hash) from -= BigInt(margin) + 1n
  if (from <= since) from = since + 1n
  while (from <= head.number && !signal.aborted) {
    const to = from + maxBlocks <= head.number ? from + maxBlocks - 1n : head.number
    await queueBetween(database, chain, from, to, now)
    const reached = to === head.number ? head : await readBlock(database, chain, to)
    // A reorg has removed the block; the next call detects it.
    if (!reached) return
    await place(reached, since)
    from = to + 1n
  }
}

/**
 * Schedules the NFTs whose metadata may have been read from blocks that are about to be deleted: those
 * announced there, in the newest 2,000 blocks, and those first seen there, the newest 10,000. Call it before
 * deleting the blocks above `number`, in the same transaction. The minimum time between reads still applies,
 * so frequent reorgs do not cause more reads.
 */
export async function queueUndone(sql: Queryable, chain: number, number: number): Promise<void> {
  const head = await readBlock(sql, chain, undefined)
  if (!head || head.number <= BigInt(number)) return
  const lowest = head.number - maxBlocks + 1n
  const from = lowest > BigInt(number) ? lowest : BigInt(number) + 1n
  // The indexer does not know the worker's clock: the minimum time counts from the last read.
  const now = 0
  await queueBetween(sql, chain, from, head.number, now)
  await sql`
    update nft_metadata m set due_ts = ${dueAfter(sql, now, pauses.one)}
    from (
      select distinct token, token_id from (
        select token, token_id, first_block from nfts where chain = ${chain} and first_block > ${number}
        union all ${sql.unsafe(firstIdsOfRanges(chain, `r.number > ${number}`))}
        order by first_block desc limit ${maxOfRange}) newest) undone
    where m.chain = ${chain} and m.token = undone.token and m.token_id = undone.token_id`
}

type Block = { readonly number: bigint; readonly hash: string }

/** A block by its height, or the newest one. */
async function readBlock(
  database: Queryable,
  chain: number,
  number: bigint | undefined,
): Promise<Block | undefined> {
  const [row] = await database<Block[]>`
    select number, encode(hash, 'hex') as hash from blocks
    where chain = ${chain} and ${number === undefined ? database`true` : database`number = ${number}`}
    order by number desc limit 1`
  return row
}

type Announcement = { token: Buffer; topic: string; id: Buffer | null; data: Buffer }

/** Schedules the NFTs announced in the given blocks, both inclusive. */
async function queueBetween(
  database: Queryable,
  chain: number,
  from: bigint,
  to: bigint,
  now: number,
): Promise<void> {
  const rows = await database<Announcement[]>`
    select distinct address as token, encode(topic0, 'hex') as topic, topic1 as id,
      case when topic1 is null then data else ''::bytea end as data
    from logs where chain = ${chain} and number between ${from} and ${to}
      and topic0 in ${database(Object.values(topics).map((topic) => Buffer.from(topic, 'hex')))}
      and (topic1 is not null or length(data) <= 64)`
  const ids = new Map<string, { token: Buffer; id: bigint }>()
  const ranges = new Map<string, { token: Buffer; first: bigint; last: bigint }>()
  for (const { token, topic, id, data } of rows) {
    const address = token.toString('hex')
    if (topic === topics.uri && id) ids.set(`${address} ${wordAt(id, 0)}`, { token, id: wordAt(id, 0) })
    if (topic === topics.one && !id && data.length === 32)
      ids.set(`${address} ${wordAt(data, 0)}`, { token, id: wordAt(data, 0) })
    if (topic === topics.many && !id && data.length === 64) {
      const known = ranges.get(address)
      const [first, last] = [wordAt(data, 0), wordAt(data, 1)]
      // The ranges of a contract are merged; the ids between them are read once more at most.
      ranges.set(address, {
        token,
        first: known && known.first < first ? known.first : first,
        last: known && known.last > last ? known.last : last,
      })
    }
  }
  const listed = [...ids.values()]
  if (listed.length > 0) {
    await database`
      update nft_metadata m set due_ts = ${dueAfter(database, now, pauses.one)}
      from unnest(${list(listed.map(({ token }) => String.raw`"\\x${token.toString('hex')}"`))}::text::bytea[],
        ${list(listed.map(({ id }) => id))}::text::numeric[]) as announced (token, token_id)
      where m.chain = ${chain} and m.token = announced.token and m.token_id = announced.token_id`
  }
  for (const { token, first, last } of ranges.values()) {
    await database`
      update nft_metadata m set due_ts = ${dueAfter(database, now, pauses.range)}
      from (
        select token_id from nft_metadata
        where chain = ${chain} and token = ${token} and token_id between ${first.toString()} and ${last.toString()}
        order by token_id limit ${maxOfRange}) announced
      where m.chain = ${chain} and m.token = ${token} and m.token_id = announced.token_id`
  }
}

/**
 * SQL for the due time of an announced NFT: now, or the end of the minimum time since the last read. An
 * earlier due time is kept but changed by a second: this discards the result of a read in progress, which may
 * precede the announcement.
 */
const dueAfter = (database: Queryable, now: number, pause: number) => database`
  case when m.due_ts <= greatest(${now}::bigint, coalesce(m.updated_ts, ${now}) + ${pause}) then m.due_ts + 1
       else greatest(${now}::bigint, coalesce(m.updated_ts, ${now}) + ${pause}) end`

const wordAt = (bytes: Buffer, place: number): bigint =>
  BigInt(`0x${bytes.subarray(32 * place, 32 * place + 32).toString('hex')}`)

/** A PostgreSQL array literal. */
const list = (items: readonly (string | bigint)[]): string => `{${items.join(',')}}`
