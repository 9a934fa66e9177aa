import type { Queryable } from '../database.ts'
import {
  columnsOf,
  height,
  hex,
  hexList,
  integer,
  nullable,
  rowOf,
  type Fields,
  type RowOf,
} from '../json-rows.ts'
import { lastIndex, maxRows, read } from '../read.ts'
import { readByPartition } from './read-address-partitions.ts'
import type { BlockRange } from './read-blocks.ts'
import type { Place } from './read-transactions.ts'
import { transferLogs } from './transfer-logs.ts'

export type TransferKind = 'ERC-20' | 'ERC-721' | 'ERC-1155'

const shapes = {
  'ERC-20': [{ where: transferLogs['ERC-20'], sides: ['topic1', 'topic2'] }],
  'ERC-721': [
    { where: transferLogs['ERC-721'], sides: ['topic1', 'topic2'] },
    { where: transferLogs.ranges, sides: ['topic2', 'topic3'] },
  ],
  'ERC-1155': [{ where: transferLogs['ERC-1155'], sides: ['topic2', 'topic3'] }],
} as const satisfies Record<
  TransferKind,
  readonly { readonly where: string; readonly sides: readonly [string, string] }[]
>

/**
 * After this many bytes of log data, the remaining logs of a page come without data: a batch may fill a whole
 * block.
 */
const maxBytes = 262_144

/** The parameters of a branch, in the SQL text of its statement. */
type BranchParameters = {
  /** The address as a 32-byte topic. */
  readonly word: string
  readonly number: string
  readonly index: string
  readonly stop: string
  /** A bound of the heights that is found while the statement runs, and may be null. */
  readonly reach?: string
  readonly limit: string
}

/** SQL for heights that are not behind a bound, if there is one. */
export const withinReach = (order: 'asc' | 'desc', reach: string, stop: string): string =>
  order === 'desc' ? `number >= coalesce(${reach}, ${stop})` : `number <= coalesce(${reach}, ${stop})`

/**
 * SQL for the transfer logs of one kind that name an address, in order. Each side is one range of a partial index.
 * `cap` is part of the text, not a parameter, so that a generic plan expects few rows.
 */
export function logBranches(
  kind: TransferKind,
  order: 'asc' | 'desc',
  cap: number,
  parameters: BranchParameters,
): string[] {
  const { word, number, index, stop, reach, limit } = parameters
  const near = reach === undefined ? '' : ` and ${withinReach(order, reach, stop)}`
  const bounds =
    order === 'desc'
      ? `(number, index) < (${number}, ${index}) and number >= ${stop} and number < ${number} + 1`
      : `(number, index) >= (${number}, ${index}) and number >= ${number} and number < ${stop}`
  const branches = shapes[kind].flatMap(({ where, sides }) => sides.map((side) => ({ where, side })))
  return branches.map(
    ({ where, side }) => `
      (select number, index, tx_index, address, topic0, topic1, topic2, topic3, data, '${side}' as side
       from (
         select * from logs where chain = $1 and ${side} = ${word} and ${where} and ${bounds}${near}
         order by number ${order}, index ${order}
         limit ${cap}) range
       order by number ${order}, index ${order}
       limit ${limit})`,
  )
}

/** The fields of a log `l`. Its data is null if the logs before it on the page have too many bytes. */
export const logFields = {
  index: integer('l.index'),
  tx: integer('l.tx_index'),
  address: hex('l.address'),
  topics: hexList(['l.topic0', 'l.topic1', 'l.topic2', 'l.topic3']),
  data: nullable(hex('l.shown')),
} satisfies Fields

const placedFields = {
  number: height('l.number'),
  ...logFields,
  ts: integer('b.ts'),
  blockHash: hex('b.hash'),
  txHash: hex('t.hash'),
}
const placedRow = rowOf(placedFields)
/** A transfer log with its block and transaction. */
export type PlacedLog = RowOf<typeof placedFields>

/** SQL for the data of a log; null once the logs before it have too many bytes. */
export const shownData = (order: 'asc' | 'desc'): string => `
  case when sum(length(data)) over (order by number ${order}, index ${order}, side) - length(data) < ${maxBytes}
       then data end as shown`

// A transfer to oneself is in both ranges.
const listStatement = (kind: TransferKind): string => `
  select ${columnsOf(placedFields)}
  from (
    select *, ${shownData('desc')} from (
      select distinct on (number, index) * from (
        ${logBranches(kind, 'desc', maxRows, { word: '$2', number: '$3', index: '$4', stop: '$5', limit: '$6' }).join(' union all ')}
      ) either
      order by number desc, index desc
      limit $6) one) l
  cross join lateral (
    select ts, hash from blocks where chain = $1 and number = l.number and number between $5 and $3 limit 1) b
  cross join lateral (
    select hash from transactions
    where chain = $1 and number = l.number and number between $5 and $3 and index = l.tx_index limit 1) t
  order by l.number desc, l.index desc`
const listStatements = {
  'ERC-20': listStatement('ERC-20'),
  'ERC-721': listStatement('ERC-721'),
  'ERC-1155': listStatement('ERC-1155'),
}

/**
 * The transfer logs of one kind that an address sent or received, in a range of blocks before a log, latest
 * first. `past.index` is a log index. `limit` is at most 101.
 */
export function readTransferLogs(
  database: Queryable,
  chain: bigint,
  address: string,
  kind: TransferKind,
  range: BlockRange,
  past: Place,
  limit: number,
): Promise<PlacedLog[]> {
  const word = wordOf(address)
  const list = { chain, address: word.subarray(12), range, past, last: { index: lastIndex } }
  return readByPartition(database, list, limit, ({ number, index }, from, left) =>
    read(database, placedRow, listStatements[kind], [chain, word, number, index, from, left]),
  )
}

/** An address (0x text) as a topic. */
export const wordOf = (address: string): Buffer => Buffer.from(address.slice(2).padStart(64, '0'), 'hex')
