import {
  columnsOf,
  digits,
  flag,
  hex,
  hexList,
  integer,
  list,
  nullable,
  optional,
  rowOf,
  word,
  type RowOf,
} from '../json-rows.ts'
import { query } from '../read.ts'
import { numberList } from '../sql-literals.ts'
import { isMovingType } from './listed-calls.ts'
import type { Place } from './read-transactions.ts'
import { transferLogs } from './transfer-logs.ts'

/** Maximum number of bytes of a log's data that are read: a batch of about sixty tokens. */
const maxData = 4096

/** Native value that the calls of transaction `t` moved to or from its sender. Each side is a seek in a partial index. */
const moved = (side: 'sender' | 'recipient'): string => `coalesce((
  select sum(value) from calls
  where chain = $1 and ${side} = t.sender and number = t.number and tx_index = t.index and value > 0
    and not reverted and ${isMovingType}), 0)`

const movements = {
  number: digits('t.number'),
  index: integer('t.index'),
  txHash: hex('t.hash'),
  sender: hex('t.sender'),
  to: word(`coalesce('0x' || encode(coalesce(t.recipient, t.created), 'hex'), '')`),
  isToContract: flag(
    `exists (select from contracts c where c.chain = $1 and c.address = coalesce(t.recipient, t.created))`,
  ),
  hasSucceeded: flag('t.status = 1'),
  /** Null if the node could not trace the block, or its calls were dropped. */
  nativeReceived: nullable(
    digits(`case when (t.number < c.traces_from) is not true and not exists (
      select from trace_gaps g where g.chain = $1 and not g.filled
        and t.number between g.first_block and g.last_block)
      then ${moved('recipient')} - ${moved('sender')} end`),
  ),
  /** The lowest kept block, if its logs were dropped. */
  logsFrom: optional(digits('case when t.number < c.logs_from then c.logs_from end')),
  /** The number of all logs of transfers. */
  logCount: integer(
    `coalesce((select max(l.total) from found l where l.number = t.number and l.tx_index = t.index), 0)`,
  ),
  logs: list(
    {
      index: integer('l.index'),
      address: hex('l.address'),
      topics: hexList(['l.topic0', 'l.topic1', 'l.topic2', 'l.topic3']),
      /** Empty if it is too long to be read here. */
      data: hex(String.raw`case when length(l.data) <= ${maxData} then l.data else '\x' end`),
      isLong: flag(`length(l.data) > ${maxData}`),
    },
    'found l where l.number = t.number and l.tx_index = t.index',
    'l.index',
  ),
}
const movementsRow = rowOf(movements)
/** A transaction with the logs of its first transfers. */
export type Movements = RowOf<typeof movements>

// The logs of a block are read once for all of its transactions: their key is the index in the block.
const statement = `
  with asked as (
    select distinct number, index from unnest($2::text::bigint[], $3::text::integer[]) as asked (number, index)),
  found as materialized (
    select l.* from (select distinct number from asked) heights
    cross join lateral (
      select *, row_number() over (partition by tx_index order by index) as rank,
        count(*) over (partition by tx_index) as total
      from logs where chain = $1 and number = heights.number and ${transferLogs.any}) l
    join asked on asked.number = l.number and asked.index = l.tx_index
    where l.rank <= $4)
  select ${columnsOf(movements)}
  from asked
  cross join lateral (
    select * from transactions
    where chain = $1 and number = asked.number and index = asked.index limit 1) t
  left join chains c on c.chain = $1
  order by t.number desc, t.index desc`

/**
 * What moved in the transactions at these places, latest first, with at most `maxLogs` logs of transfers each.
 * Places without a transaction are left out. One statement, so that a reorg cannot mix two blocks.
 */
export const readMovements = query(
  movementsRow,
  (chain: bigint, places: readonly Place[], maxLogs: number) => [
    statement,
    [
      chain,
      numberList(places.map(({ number }) => number)),
      numberList(places.map(({ index }) => index)),
      maxLogs,
    ],
  ],
)
