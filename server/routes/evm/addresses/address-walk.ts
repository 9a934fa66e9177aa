import { tokenTransfers, type TokenTransfer } from '../../../tokens/abi/token-transfers.ts'
import type { Database, Queryable } from '../../../store/database.ts'
import {
  precedes,
  readFindings,
  type Findings,
  type FoundCall,
  type FoundLog,
  type Order,
} from '../../../store/evm/read-address-activity.ts'
import type { BlockRange } from '../../../store/evm/read-blocks.ts'
import type { Place, TransactionRow } from '../../../store/evm/read-transactions.ts'
import type { Stretch } from '../../../http/keyset-list.ts'
import { snapshot } from '../../../store/snapshot.ts'

/** A transaction that involves an address, with its relevant transfers and calls. */
export type Activity = Place & {
  readonly transaction: TransactionRow
  readonly transfers: readonly TokenTransfer[]
  readonly calls: readonly FoundCall[]
}

/** The address, range and order of a listing. */
type Walk = {
  readonly chain: bigint
  readonly address: Buffer
  readonly order: Order
  readonly range: BlockRange
}

/** Reads per page: rows that turn out to be malformed may use some up. */
const mostReads = 8
/** Number of transfers and calls after which a page ends, regardless of its size. */
const mostItems = 2_000

type ActivityPage = Stretch<Activity, Place>

/**
 * The transactions that involve an address after a position, in order: up to `pageSize`, or fewer if they
 * have many transfers and calls.
 *
 * Every source (transactions, logs of each kind, calls; each by sender and recipient) returns its next rows
 * with one seek. The result is complete up to the nearest end of a source. The cost of a page therefore
 * depends only on its size, not on the address's activity. A transaction with more rows than a read takes is
 * read with the rest of its block.
 */
export async function gatherActivity(
  database: Database,
  walk: Walk,
  past: Place,
  pageSize: number,
): Promise<ActivityPage> {
  const first = await readOn(database, walk, within(past, walk), pageSize, pageSize + 8)
  // Nearly every page needs only one statement; if it needs several, they must use one snapshot.
  return (
    fill([], first, walk.order, pageSize) ??
    snapshot(database, (sql) => gatherInReads(sql, walk, past, pageSize))
  )
}

async function gatherInReads(
  sql: Queryable,
  walk: Walk,
  past: Place,
  pageSize: number,
): Promise<ActivityPage> {
  const { chain, address, order, range } = walk
  const activities: Activity[] = []
  let start = within(past, walk)
  for (let reads = 0; reads < mostReads; reads += 1) {
    const left = pageSize - activities.length
    let found = await readOn(sql, walk, start, left, (pageSize + 8) * 4)
    const { horizon } = found
    if (horizon && !found.transactions.some((place) => precedes(place, horizon, order))) {
      const stop = order === 'asc' ? min(range.before, horizon.number + 1n) : max(range.from, horizon.number)
      const blockEnd =
        order === 'asc' ? { number: horizon.number + 1n, index: 0 } : { number: horizon.number, index: -1 }
      const whole = await readFindings(sql, chain, address, order, start, stop, 'whole', left)
      found = { ...whole, horizon: whole.horizon ?? blockEnd }
    }
    const page = fill(activities, found, order, pageSize)
    // An incomplete page always has a horizon.
    if (page || !found.horizon) return page ?? { rows: activities, next: undefined }
    // The next read begins with the horizon's transaction, which may be incomplete here.
    const { number, index } = found.horizon
    start = { number, index: order === 'asc' ? index - 1 : index + 1 }
  }
  return { rows: activities, next: start }
}

/** The start of a listing, limited to its range. */
function within(past: Place, { order, range }: Walk): Place {
  const edge = order === 'asc' ? { number: range.from, index: -1 } : { number: range.before, index: 0 }
  return precedes(past, edge, order) ? edge : past
}

function readOn(sql: Queryable, walk: Walk, past: Place, most: number, rows: number): Promise<Findings> {
  const { chain, address, order, range } = walk
  const stop = order === 'asc' ? range.before : range.from
  return readFindings(sql, chain, address, order, past, stop, rows, most)
}

/**
 * Adds the complete transactions to the activities; returns the page once it is full or everything was found.
 */
function fill(
  activities: Activity[],
  found: Findings,
  order: Order,
  pageSize: number,
): ActivityPage | undefined {
  const { horizon } = found
  let items = activities.reduce((sum, activity) => sum + itemsOf(activity), 0)
  for (const activity of collect(found, order)) {
    if (activities.length === pageSize || (items > mostItems && activities.length > 0)) {
      return { rows: activities, next: lastOf(activities) }
    }
    activities.push(activity)
    items += itemsOf(activity)
  }
  if (!horizon) return { rows: activities, next: undefined }
  return activities.length < pageSize ? undefined : { rows: activities, next: lastOf(activities) }
}

const itemsOf = ({ transfers, calls }: Activity): number => transfers.length + calls.length
const placeOf = ({ number, index }: Place): Place => ({ number, index })
const keyOf = ({ number, index }: { number: bigint | number; index: number }): string => `${number} ${index}`
const transactionOf = ({ number, tx }: FoundLog | FoundCall): string => keyOf({ number, index: tx })

function lastOf(activities: readonly Activity[]): Place | undefined {
  const last = activities.at(-1)
  return last && placeOf(last)
}

/** The transactions before the horizon, in order, each once. */
function collect({ transactions, logs, calls, horizon }: Findings, order: Order): Activity[] {
  type Draft = Activity & { transfers: TokenTransfer[]; calls: FoundCall[] }
  const drafts = new Map<string, Draft>()
  // A malformed transfer log involves no address.
  const concerned = new Set<string>()
  for (const { number, index, transaction, native } of transactions) {
    if (horizon && !precedes({ number, index }, horizon, order)) break
    const key = keyOf({ number, index })
    drafts.set(key, { number, index, transaction, transfers: [], calls: [] })
    if (native) concerned.add(key)
  }
  const met = new Set<string>()
  for (const log of logs) {
    const key = transactionOf(log)
    const draft = drafts.get(key)
    const name = `${log.number} log ${log.index}`
    if (!draft || log.data === null || met.has(name)) continue
    met.add(name)
    const transfers = tokenTransfers({ ...log, data: log.data })
    if (transfers.length === 0) continue
    concerned.add(key)
    draft.transfers.push(...transfers)
  }
  for (const call of calls) {
    const key = transactionOf(call)
    const draft = drafts.get(key)
    const name = `${key} call ${call.ordinal}`
    if (!draft || met.has(name)) continue
    met.add(name)
    concerned.add(key)
    draft.calls.push(call)
  }
  for (const { transfers, calls } of drafts.values()) {
    transfers.sort((left, right) => left.logIndex - right.logIndex)
    calls.sort((left, right) => left.ordinal - right.ordinal)
  }
  return [...drafts].filter(([key]) => concerned.has(key)).map(([, draft]) => draft)
}

const max = (left: bigint, right: bigint): bigint => (left > right ? left : right)
const min = (left: bigint, right: bigint): bigint => (left < right ? left : right)
