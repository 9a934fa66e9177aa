import type { Queryable } from '../database.ts'
import { lineBreak, mostRows, readLines } from '../read.ts'
import type { BlockRange } from './read-blocks.ts'
import type { Place } from './read-transactions.ts'
import { transferLogs } from './transfer-logs.ts'

export type TransferKind = 'ERC-20' | 'ERC-721' | 'ERC-1155'

const shapes = {
  'ERC-20': { where: transferLogs['ERC-20'], sides: ['topic1', 'topic2'] },
  'ERC-721': { where: transferLogs['ERC-721'], sides: ['topic1', 'topic2'] },
  'ERC-1155': { where: transferLogs['ERC-1155'], sides: ['topic2', 'topic3'] },
} as const satisfies Record<TransferKind, { where: string; sides: readonly [string, string] }>

/** Bytes of log data after which the rest of a page comes without: a batch may fill a whole block. */
const mostBytes = 262_144

/** The parameters of a branch, in the SQL text of its statement. */
export type BranchParameters = {
  /** The address as a topic has it: 32 bytes. */
  readonly word: string
  readonly number: string
  readonly index: string
  readonly stop: string
  readonly limit: string
}

/**
 * SQL for the logs of one kind that name an address on one side, past a place and in order: one range of
 * one partial index. `cap` is no parameter, so that a generic plan knows how few rows there will be.
 */
export function logBranches(
  kind: TransferKind,
  order: 'asc' | 'desc',
  cap: number,
  parameters: BranchParameters,
): string[] {
  const { word, number, index, stop, limit } = parameters
  const { where, sides } = shapes[kind]
  const bounds =
    order === 'desc'
      ? `(number, index) < (${number}, ${index}) and number >= ${stop}`
      : `(number, index) >= (${number}, ${index}) and number < ${stop}`
  return sides.map(
    (side) => `
      (select number, index, tx_index, address, topic0, topic1, topic2, topic3, data, '${side}' as side
       from (
         select * from logs where chain = $1 and ${side} = ${word} and ${where} and ${bounds}
         order by number ${order}, index ${order}
         limit ${cap}) range
       order by number ${order}, index ${order}
       limit ${limit})`,
  )
}

/** The JSON of a log `l` with what `shown` leaves of its data. */
export const logFields = `
  '"number":"' || l.number || '","index":' || l.index || ',"tx":' || l.tx_index
  || ',"address":"0x' || encode(l.address, 'hex') || '","topics":["0x' || encode(l.topic0, 'hex')
  || '","0x' || encode(l.topic1, 'hex') || '","0x' || encode(l.topic2, 'hex') || '"'
  || coalesce(',"0x' || encode(l.topic3, 'hex') || '"', '') || ']'
  || coalesce(',"data":"0x' || encode(l.shown, 'hex') || '"', '')`

/** SQL for the data of a log, null once the logs before it hold too many bytes. */
export const shownData = (order: 'asc' | 'desc'): string => `
  case when sum(length(data)) over (order by number ${order}, index ${order}, side) - length(data) < ${mostBytes}
       then data end as shown`

/** A transfer log of an address. `data` is absent where the page has too many bytes before it. */
export type AddressLog = {
  readonly number: bigint
  readonly index: number
  readonly tx: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data?: string
}

/** A transfer log with its block and transaction. */
export type PlacedLog = AddressLog & {
  readonly ts: number
  readonly blockHash: string
  readonly txHash: string
}

// A transfer to oneself is in both ranges.
const listStatement = (kind: TransferKind): string => `
  select string_agg(page.json, ${lineBreak} order by page.number desc, page.index desc) as lines
  from (
    select l.number, l.index, '{' || ${logFields} || ',"ts":' || b.ts || ',"blockHash":"0x' || encode(b.hash, 'hex')
      || '","txHash":"0x' || encode(t.hash, 'hex') || '"}' as json
    from (
      select *, ${shownData('desc')} from (
        select distinct on (number, index) * from (
          ${logBranches(kind, 'desc', mostRows, { word: '$2', number: '$3', index: '$4', stop: '$5', limit: '$6' }).join(' union all ')}
        ) either
        order by number desc, index desc
        limit $6) one) l
    cross join lateral (select ts, hash from blocks where chain = $1 and number = l.number limit 1) b
    cross join lateral (
      select hash from transactions where chain = $1 and number = l.number and index = l.tx_index limit 1) t
  ) page`
const listStatements = {
  'ERC-20': listStatement('ERC-20'),
  'ERC-721': listStatement('ERC-721'),
  'ERC-1155': listStatement('ERC-1155'),
}

/**
 * The logs of one kind of transfer that an address sent or received, latest first: those of the range
 * before a log (`past.index` is a log index). `limit` is at most 101.
 */
export async function readTransferLogs(
  database: Queryable,
  chain: bigint,
  address: string,
  kind: TransferKind,
  range: BlockRange,
  past: Place,
  limit: number,
): Promise<PlacedLog[]> {
  const start = past.number < range.before ? past : { number: range.before, index: 0 }
  const lines = await readLines(database, listStatements[kind], [
    chain,
    wordOf(address),
    start.number,
    start.index,
    range.from,
    limit,
  ])
  return lines.map((line) => readLog(JSON.parse(line) as PlacedLog))
}

/** A log's JSON with its height as a bigint. */
export function readLog<Log extends AddressLog>(log: Log): Log {
  return { ...log, number: BigInt(log.number) }
}

/** An address (0x text) as a topic has it. */
export const wordOf = (address: string): Buffer => Buffer.from(address.slice(2).padStart(64, '0'), 'hex')
