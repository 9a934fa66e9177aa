import type { Queryable } from '../database.ts'
import { columnsOf, flag, integer, list, rowOf, type RowOf } from '../json-rows.ts'
import { read } from '../read.ts'
import { authorizationBranch, authorizationFields } from './read-address-authorizations.ts'
import { callBranches, callFields } from './read-address-calls.ts'
import {
  logBranches,
  logFields,
  shownData,
  withinReach,
  wordOf,
  type TransferKind,
} from './read-address-logs.ts'
import { nativeBranches } from './read-address-native.ts'
import { transactionColumns, type Place, type TransactionRow } from './read-transactions.ts'

export type Order = 'asc' | 'desc'

/** A transaction that involves an address: as a party (`native`), or by a log, a call or an authorization. */
type FoundTransaction = Place & {
  readonly native: boolean
  readonly transaction: TransactionRow
}

/** The rows of an address from a position on; heights are below 2^53. */
const foundFields = (order: Order, shown: string, heights: string) => ({
  transactions: list(
    { native: flag('p.native'), ...transactionColumns },
    `places p
     cross join lateral (
       select * from transactions
       where chain = $1 and number = p.number and ${heights} and index = p.tx_index limit 1) t
     cross join lateral (
       select * from blocks where chain = $1 and number = p.number and ${heights} limit 1) b`,
    `p.number ${order}, p.tx_index ${order}`,
  ),
  logs: list(
    { number: integer('l.number'), ...logFields },
    `(select *, ${shown} from found_logs
      where (number, tx_index) in (select number, tx_index from places)) l`,
  ),
  calls: list(
    {
      number: integer('k.number'),
      tx: integer('k.tx_index'),
      ordinal: integer('k.ordinal'),
      ...callFields,
    },
    'found_calls k where (number, tx_index) in (select number, tx_index from places)',
  ),
  authorizations: list(
    { number: integer('a.number'), tx: integer('a.tx_index'), ...authorizationFields },
    'found_authorizations a where (number, tx_index) in (select number, tx_index from places)',
    'a.index',
  ),
  // The last positions of the sources that returned as many rows as requested.
  ends: list(
    { number: integer('last[1]'), index: integer('last[2]') },
    `(select ${order === 'asc' ? 'max' : 'min'}(array[number, tx_index]) as last from found
      group by source having count(*) >= $8) ends`,
  ),
})
const foundRow = rowOf(foundFields('asc', '', ''))
type FoundRow = RowOf<ReturnType<typeof foundFields>>
export type FoundLog = FoundRow['logs'][number]
export type FoundCall = FoundRow['calls'][number]
export type FoundAuthorization = FoundRow['authorizations'][number]

/**
 * The activity of an address from a position on, in order. For each transaction before the horizon, it is
 * complete.
 */
export type Findings = {
  readonly transactions: readonly FoundTransaction[]
  readonly logs: readonly FoundLog[]
  readonly calls: readonly FoundCall[]
  readonly authorizations: readonly FoundAuthorization[]
  /**
   * The first transaction that may be incomplete; undefined if everything up to the end of the range was
   * found.
   */
  readonly horizon: Place | undefined
}

/** Limit of rows per source: for a normal read, and for reading the rest of a block. */
const caps = { page: 256, block: 1_048_576 } as const

// The index of the first log of a transaction, or of a later one in the block: a binary search with index
// seeks, because logs are indexed only by log index.
const firstLog = `
  search (low, high) as (
    select 0, coalesce((
      select index + 1 from logs where chain = $1 and number = $4 order by index desc limit 1), 0)
    union all
    select case when probe.tx_index < $6 then (low + high) / 2 + 1 else low end,
           case when probe.tx_index < $6 then high else (low + high) / 2 end
    from search
    cross join lateral (
      select tx_index from logs where chain = $1 and number = $4 and index = (low + high) / 2 limit 1) probe
    where low < high),
  bound as materialized (select low as log from search where low >= high)`

/**
 * What is read first leaves few rows to be read of the other sources: those behind its last transaction of the page can't be
 * on the page. Otherwise each source would read a page of its own, and the rarest one far back.
 */
const reaches = {
  native: '(select number from near_native)',
  transfers: '(select number from near_transfers)',
} as const

/** SQL for the height of the last transaction that is asked for; none if there are fewer. */
const lastPlace = (order: Order, rows: string): string => `
  select number from (
    select distinct number, tx_index from (${rows}) rows
    order by number ${order}, tx_index ${order} offset $9 - 1 limit 1) place`

// Parameters: chain, address, its word, number, transaction, the first transaction whose logs are outside the
// bound (descending) or inside it (ascending), stop, rows per source, transactions.
function statement(order: Order, cap: number): string {
  const native = nativeBranches(order, cap, {
    address: '$2',
    number: '$4',
    index: '$5',
    stop: '$7',
    limit: '$8',
  }).map(
    (branch, side) => `select number, index as tx_index, 'native ${side}' as source from ${branch} branch`,
  )
  const logs = (kinds: readonly TransferKind[], reach: string): string =>
    kinds
      .flatMap((kind) =>
        logBranches(kind, order, cap, {
          word: '$3',
          number: '$4',
          index: '(select log from bound)',
          stop: '$7',
          reach,
          limit: '$8',
        }).map((branch, side) => `select *, '${kind} ${side}' as source from ${branch} branch`),
      )
      .join(' union all ')
  const heights = order === 'desc' ? 'number >= $7 and number < $4 + 1' : 'number >= $4 and number < $7'
  const position = order === 'desc' ? '(number, tx_index) < ($4, $5)' : '(number, tx_index) > ($4, $5)'
  const bounds = `${position} and ${heights} and ${withinReach(order, reaches.transfers, '$7')}`
  const calls = callBranches(order, cap, { address: '$2', bounds, limit: '$8' })
  // The rest of a block is read completely, so no log may lack its data.
  const shown = cap === caps.block ? 'data as shown' : shownData(order)
  return `
    with recursive ${firstLog},
    native as materialized (${native.join(' union all ')}),
    near_native as (${lastPlace(order, 'select number, tx_index from native')}),
    erc20_logs as materialized (${logs(['ERC-20'], reaches.native)}),
    near_transfers as (${lastPlace(order, 'select number, tx_index from native union all select number, tx_index from erc20_logs')}),
    other_logs as materialized (${logs(['ERC-721', 'ERC-1155'], reaches.transfers)}),
    found_logs as (select * from erc20_logs union all select * from other_logs),
    found_calls as materialized (${calls.map((branch) => `select *, side as source from ${branch} branch`).join(' union all ')}),
    found_authorizations as materialized (
      select * from ${authorizationBranch(order, cap, { address: '$2', bounds, limit: '$8' })} branch),
    found as materialized (
      select number, tx_index, source, true as native from native
      union all select number, tx_index, source, false from found_logs
      union all select number, tx_index, source, false from found_calls
      union all select number, tx_index, 'authorizations', false from found_authorizations),
    places as materialized (
      select number, tx_index, bool_or(native) as native from found
      group by number, tx_index order by number ${order}, tx_index ${order} limit $9)
    select ${columnsOf(foundFields(order, shown, heights))}`
}
const statements = {
  page: { asc: statement('asc', caps.page), desc: statement('desc', caps.page) },
  block: { asc: statement('asc', caps.block), desc: statement('desc', caps.block) },
}

/**
 * The activity of an address after a position and before `stop` (descending: from `stop` on), at most `max`
 * transactions, in one statement. A normal read takes at most `rows` (at most 256) rows from each source.
 * `whole` reads without this limit, only for the rest of one block; `stop` must match.
 */
export async function readFindings(
  database: Queryable,
  chain: bigint,
  address: Buffer,
  order: Order,
  past: Place,
  stop: bigint,
  rows: number | 'whole',
  max: number,
): Promise<Findings> {
  const size = rows === 'whole' ? caps.block : Math.min(rows, caps.page)
  const statement = statements[rows === 'whole' ? 'block' : 'page'][order]
  const [row] = await read(database, foundRow, statement, [
    chain,
    address,
    wordOf(`0x${address.toString('hex')}`),
    past.number,
    past.index,
    order === 'asc' ? past.index + 1 : past.index,
    stop,
    size,
    // One more row, to detect whether there are more.
    max + 1,
  ])
  if (!row) throw new Error('the findings of an address have no row')
  const { logs, calls, authorizations, ends } = row
  const found = row.transactions.map(({ native, ...transaction }) => ({
    number: BigInt(transaction.blockNumber),
    index: transaction.blockIndex,
    native,
    transaction,
  }))
  const horizons: Place[] = [
    ...found.slice(max),
    // A source that returned as many rows as requested may have more rows of its last transaction.
    ...ends.map(({ number, index }) => ({ number: BigInt(number), index })),
    // Nothing is complete after the first log whose data did not fit.
    ...logs
      .filter(({ data }) => data === null)
      .map(({ number, tx }) => ({ number: BigInt(number), index: tx })),
  ]
  return {
    transactions: found.slice(0, max),
    logs,
    calls,
    authorizations,
    horizon: nearest(horizons, order),
  }
}

/** Whether `left` comes before `right` in a walk of this order. */
export function precedes(left: Place, right: Place, order: Order): boolean {
  const [first, second] = order === 'asc' ? [left, right] : [right, left]
  return first.number === second.number ? first.index < second.index : first.number < second.number
}

function nearest(places: readonly Place[], order: Order): Place | undefined {
  const [first, ...rest] = places
  return first && rest.reduce((best, place) => (precedes(place, best, order) ? place : best), first)
}
