import { z } from 'zod'
import { bytes, query } from '../read.ts'
import { listedCalls } from '../evm/listed-calls.ts'
import { transferLogs } from '../evm/transfer-logs.ts'

const row = z.strictObject({ height: z.bigint(), hash: bytes })

const heights = 'number > $3 and number <= $4'

const listed = (places: string): string => `
  select t.number as height, t.hash from (
    select * from (${places}) found order by number, index limit $5) place
  join transactions t on t.chain = $1 and t.number = place.number and t.number > $3 and t.number <= $4
    and t.index = place.index
  order by t.number, t.index`

const sent = listed(`select number, index from transactions where chain = $1 and sender = $2 and ${heights}`)

/** Transfers to an address: the topic with the recipient, and the shape of the log. */
const transfers = [
  // One of nothing is what impostors send to be listed.
  ['topic2', `${transferLogs['ERC-20']} and data <> decode(repeat('00', 32), 'hex')`],
  ['topic2', transferLogs['ERC-721']],
  ['topic3', transferLogs.ranges],
  ['topic3', transferLogs['ERC-1155']],
] as const

const received = listed(
  [
    `select number, index from transactions
     where chain = $1 and coalesce(recipient, created) = $2 and value > 0 and status = 1 and ${heights}`,
    `select number, tx_index from calls
     where chain = $1 and recipient = $2 and ${listedCalls()} and value > 0 and not reverted and ${heights}`,
    ...transfers.map(
      ([topic, shape]) => `select number, tx_index from logs
       where chain = $1 and ${topic} = decode(repeat('00', 12), 'hex') || $2::bytea and ${shape} and ${heights}`,
    ),
  ].join(' union '),
)

const statements = { addressSends: sent, addressReceives: received }
/** Which transactions of an address: those that it signed, or those that brought it the native token, a token or an NFT. */
type ActivityKind = keyof typeof statements

/** Transactions of an address after one height and up to another, oldest first, at most `limit`. */
export const readActivity = query(
  row,
  (kind: ActivityKind, chain: bigint, address: Buffer, after: number, upTo: number, limit: number) => [
    statements[kind],
    [chain, address, after, upTo, limit],
  ],
)
