import { columnsOf, height, hex, integer, nullable, rowOf, type RowOf } from '../../json-rows.ts'
import { query } from '../../read.ts'
import { byteaList } from '../../sql-literals.ts'
import { powerLogs, powerTopic } from './power-logs.ts'

const fields = {
  number: height('l.number'),
  ts: integer('b.ts'),
  txHash: hex('t.hash'),
  sender: hex('t.sender'),
  address: hex('l.address'),
  topic0: hex('l.topic0'),
  topic1: nullable(hex('l.topic1')),
  topic2: nullable(hex('l.topic2')),
  data: hex('substr(l.data, 1, 96)'),
}
const row = rowOf(fields)
/** An event by which a contract's code or powers changed, with the transaction that it happened in. */
export type PowerLog = RowOf<typeof fields>

/** The newest events of contracts, the newest first; `limit` is at most 1,000. */
export const readPowerLogs = query(row, (chain: bigint, addresses: readonly string[], limit: number) =>
  addresses.length === 0
    ? undefined
    : [
        `select ${columnsOf(fields)}
         from unnest($2::text::bytea[]) as asked (address)
         cross join lateral (
           select * from logs where chain = $1 and address = asked.address and ${powerLogs}
           order by number desc, index desc limit $3) l
         cross join lateral (select ts from blocks where chain = $1 and number = l.number limit 1) b
         cross join lateral (
           select hash, sender from transactions where chain = $1 and number = l.number and index = l.tx_index limit 1) t
         order by l.number desc, l.index desc limit $3`,
        [chain, byteaList(addresses), limit],
      ],
)

const implementation = { address: hex('asked.address'), implementation: hex('substr(l.topic1, 13)') }
const implementationRow = rowOf(implementation)
const upgraded = String.raw`'\x${powerTopic('upgraded')}'`

/** The code that proxies had after a block, by their last `Upgraded` event; those without one are absent. */
export const readImplementations = query(
  implementationRow,
  (chain: bigint, addresses: readonly string[], block: bigint) =>
    addresses.length === 0
      ? undefined
      : [
          `select ${columnsOf(implementation)}
           from unnest($2::text::bytea[]) as asked (address)
           cross join lateral (
             select topic1 from logs
             where chain = $1 and address = asked.address and number <= $3 and ${powerLogs} and topic0 = ${upgraded}
               and length(topic1) = 32
             order by number desc, index desc limit 1) l`,
          [chain, byteaList(addresses), block],
        ],
  (rows): ReadonlyMap<string, string> => new Map(rows.map((each) => [each.address, each.implementation])),
)
