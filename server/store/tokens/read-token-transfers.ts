import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { readAddressRanges } from '../evm/read-address-partitions.ts'
import { lastBlock, lastIndex, read } from '../read.ts'
import type { TokenKind } from './read-token.ts'
import { transferLogs } from '../evm/transfer-logs.ts'

const transferLog = z.strictObject({
  number: z.bigint(),
  index: z.number(),
  topics: z.array(z.string()),
  data: z.string(),
  ts: z.bigint(),
  block_hash: z.string(),
  tx_hash: z.string(),
})
/** A log of a token contract with a transfer event; hashes, topics and data as 0x text. */
export type TransferLog = Readonly<z.output<typeof transferLog>>
// After too many bytes, a log comes without its data.
const logRow = z.discriminatedUnion('shown', [
  transferLog.extend({ shown: z.literal(true) }),
  transferLog.extend({ shown: z.literal(false), data: z.null() }),
])

/** A log by its block and its index in it. */
export type LogPlace = { readonly number: bigint; readonly index: number }

/** Logs in order, and whether there may be more. */
type LogStretch = { readonly logs: readonly TransferLog[]; readonly more: boolean }

/** Maximum number of logs per read. */
export const maxLogs = 101
/** Bytes of log data after which a read ends: one batch may fill a block. */
const maxBytes = 262_144

/** By these, PostgreSQL leaves out partitions before it opens them. */
const heights = {
  asc: 'number >= $3 and number < $5',
  desc: 'number between $5 and $3',
}

const shownLogs = (source: string, order: 'asc' | 'desc'): string => `
  select l.number, l.index, l.data is not null as shown,
    array_remove(array['0x' || encode(l.topic0, 'hex'), '0x' || encode(l.topic1, 'hex'),
      '0x' || encode(l.topic2, 'hex'), '0x' || encode(l.topic3, 'hex')], null) as topics,
    '0x' || encode(l.data, 'hex') as data, b.ts, '0x' || encode(b.hash, 'hex') as block_hash,
    '0x' || encode(t.hash, 'hex') as tx_hash
  from (
    select number, index, tx_index, topic0, topic1, topic2, topic3,
      case when sum(length(data)) over (order by number ${order}, index ${order}) - length(data) < ${maxBytes}
           then data end as data
    from (${source}) source) l
  cross join lateral (
    select ts, hash from blocks where chain = $1 and number = l.number and ${heights[order]} limit 1) b
  cross join lateral (
    select hash from transactions
    where chain = $1 and number = l.number and ${heights[order]} and index = l.tx_index limit 1) t
  order by l.number ${order}, l.index ${order}`

// One bound where the scan starts and one where it stops, as in read-transactions.ts.
const bounds = {
  asc: `(number, index) >= ($3, $4) and ${heights.asc}`,
  desc: `(number, index) <= ($3, $4) and ${heights.desc}`,
}
const listStatement = (order: 'asc' | 'desc'): string =>
  shownLogs(
    `select * from (
       select number, index, tx_index, topic0, topic1, topic2, topic3, data from logs
       where chain = $1 and address = $2 and ${transferLogs.any} and ${bounds[order]}
       order by number ${order}, index ${order}
       limit ${maxLogs}) stretch
     order by number ${order}, index ${order}
     limit $6`,
    order,
  )

/**
 * Heights per lookup in the index on NFTs. Each has a log of the NFT except perhaps the first, whose logs may
 * all be before the position: so they suffice for a full read, or for all that exist.
 */
const maxHeights = maxLogs + 1

// The blocks that changed somebody's balance of the id or moved it with a range, then the token's logs in them.
const nftStatement = (order: 'asc' | 'desc'): string => {
  // Heights are bound together with the id, as in read-balance.ts.
  const [within, beyond] = order === 'asc' ? ['>=', '<'] : ['<=', '>=']
  return shownLogs(
    `select l.* from (
       select number from (
         (select distinct token_id, number from balances
           where chain = $1 and token = $2 and kind = $7 and token_id >= 0
             and (token_id, number) ${within} ($8::numeric, $3) and (token_id, number) ${beyond} ($8::numeric, $5)
           order by token_id ${order}, number ${order} limit ${maxHeights})
         union
         select $8::numeric, number from nft_ranges
         where chain = $1 and token = $2 and $7 = 721 and $8::numeric between from_id and to_id
           and number ${within} $3 and number ${beyond} $5) either
       order by number ${order} limit ${maxHeights}) heights
     cross join lateral (
       select number, index, tx_index, topic0, topic1, topic2, topic3, data from logs
       where chain = $1 and address = $2 and ${transferLogs.any} and number = heights.number and ${heights[order]}
         and ((topic3 = $9 and length(data) = 0) or (topic3 is not null and position($9 in data) > 0)
           or (${transferLogs.ranges} and topic1 <= $9 and data >= $9))) l
     where ${order === 'asc' ? '(l.number, l.index) >= ($3, $4)' : '(l.number, l.index) <= ($3, $4)'}
     order by l.number ${order}, l.index ${order}
     limit $6`,
    order,
  )
}

const statements = {
  token: { asc: listStatement('asc'), desc: listStatement('desc') },
  nft: { asc: nftStatement('asc'), desc: nftStatement('desc') },
}

/** One NFT of a token contract; the id in decimal digits. */
export type NftOfToken = { readonly kind: TokenKind; readonly tokenId: string }

/**
 * The transfer logs of a token contract from a position on, in order; at most `limit`, which is at most
 * `maxLogs`. `stop` is exclusive in ascending and inclusive in descending order. For one NFT: those in
 * blocks that changed somebody's balance of it.
 */
export async function readTransferLogs(
  database: Queryable,
  chain: bigint,
  token: Buffer,
  nft: NftOfToken | undefined,
  order: 'asc' | 'desc',
  place: LogPlace,
  stop: bigint,
  limit: number,
): Promise<LogStretch> {
  const id = nft && Buffer.from(BigInt(nft.tokenId).toString(16).padStart(64, '0'), 'hex')
  const isAscending = order === 'asc'
  const range = isAscending
    ? { from: place.number, before: stop }
    : { from: stop, before: place.number < lastBlock ? place.number + 1n : lastBlock }
  const logs: TransferLog[] = []
  for (const { from, before } of await readAddressRanges(database, chain, token, range, order)) {
    const isInside = place.number >= from && place.number < before
    const edge = isAscending ? { number: from, index: 0 } : { number: before - 1n, index: lastIndex }
    const start = isInside ? place : edge
    const rows = await read(database, logRow, statements[nft ? 'nft' : 'token'][order], [
      chain,
      token,
      start.number,
      start.index,
      isAscending ? before : from,
      limit - logs.length,
      ...(nft && id ? [nft.kind, nft.tokenId, id] : []),
    ])
    const shown = rows.filter((row) => row.shown)
    logs.push(...shown)
    if (shown.length < rows.length || logs.length === limit) return { logs, more: true }
  }
  return { logs, more: false }
}
