import { columnsOf, flag, height, hex, integer, nullable, rowOf, type RowOf } from '../json-rows.ts'
import { query } from '../read.ts'
import { approvalLogs } from './approval-logs.ts'
import { wordOf } from './read-address-logs.ts'

const fields = {
  number: height('l.number'),
  ts: integer('b.ts'),
  txHash: hex('t.hash'),
  token: hex('l.address'),
  topic0: hex('l.topic0'),
  /** Who may take, as a topic. */
  spender: hex('l.topic2'),
  /** The id of the NFT that one may take; null for all others. */
  tokenId: nullable(hex('l.topic3')),
  data: hex('substr(l.data, 1, 32)'),
  /** Whether there were more logs than are read. */
  isCut: flag('l.is_cut'),
}
const row = rowOf(fields)
export type ApprovalLog = RowOf<typeof fields>

/** The approvals that are read of an address, the newest ones. */
const maxRead = 5_000

/**
 * What an address has approved last: the newest log for each token with each spender, or with each id for a single NFT. The
 * newest first, at most `limit`.
 */
export const readApprovals = query(row, (chain: bigint, owner: string, limit: number) => [
  `with newest as materialized (
     select number, index, tx_index, address, topic0, topic2, topic3, data from logs
     where chain = $1 and topic1 = $2 and ${approvalLogs}
     order by number desc, index desc limit ${maxRead + 1}),
   last as (
     select distinct on (address, topic0, topic3 is null, coalesce(topic3, topic2))
       *, (select count(*) > ${maxRead} from newest) as is_cut
     from newest
     order by address, topic0, topic3 is null, coalesce(topic3, topic2), number desc, index desc),
   shown as (select * from last order by number desc, index desc limit $3)
   select ${columnsOf(fields)}
   from shown l
   cross join lateral (select ts from blocks where chain = $1 and number = l.number limit 1) b
   cross join lateral (
     select hash from transactions where chain = $1 and number = l.number and index = l.tx_index limit 1) t
   order by l.number desc, l.index desc`,
  [chain, wordOf(owner), limit],
])
