import { tokenTransfers, type TokenTransfer } from '../abi/token-transfers.ts'
import type { Queryable } from '../store/database.ts'
import {
  precedes,
  readFindings,
  readFirstLog,
  type Bound,
  type Findings,
  type Order,
} from '../store/read-address-activity.ts'
import type { AddressCall } from '../store/read-address-calls.ts'
import type { AddressLog } from '../store/read-address-logs.ts'
import type { BlockRange } from '../store/read-blocks.ts'
import type { Place } from '../store/read-transactions.ts'

/** A transaction that concerns an address, and what in it does. */
export type Activity = Place & {
  readonly transfers: readonly TokenTransfer[]
  readonly calls: readonly AddressCall[]
}

/** Whose transactions are walked, and how. */
export type Walk = {
  readonly chain: bigint
  readonly address: Buffer
  readonly order: Order
  readonly range: BlockRange
}

/** Reads of one page: rows that turn out to be no transfers may fill some. */
const mostReads = 8
/** Transfers and calls after which a page ends, whatever its size. */
const mostItems = 2_000

/**
 * The transactions that concern an address past a place, in order: up to `pageSize`, fewer where their
 * transfers and calls are many. `next` is the place past which the next page begins; undefined at the end.
 *
 * Every source (transactions, logs of each kind, calls; from and to) gives its next rows by one seek. What
 * lies before the nearest end of a source is complete. So a page costs as much as it shows, whatever the
 * address has done; a transaction with more rows than a read takes is read with the rest of its block.
 */
export async function gatherActivity(
  sql: Queryable,
  walk: Walk,
  past: Place,
  pageSize: number,
): Promise<{ activities: Activity[]; next: Place | undefined; traced: boolean }> {
  const { chain, address, order, range } = walk
  const stop = order === 'asc' ? range.before : range.from
  const activities: Activity[] = []
  let items = 0
  let traced = false
  let start = within(past, walk)
  for (let reads = 0; reads < mostReads; reads += 1) {
    // Most addresses fill a page from the first read; where a transaction has many rows, the next reads more.
    const size = (pageSize + 8) * (reads === 0 ? 1 : 4)
    const bound = await boundOf(sql, chain, start, order)
    let found = await readFindings(sql, chain, address, order, bound, stop, size)
    let end = found.horizon
    traced = found.traced
    if (end && !hasBefore(found, end, order)) {
      const blockEnd = order === 'asc' ? min(stop, end.number + 1n) : max(stop, end.number)
      found = await readFindings(sql, chain, address, order, bound, blockEnd, 'whole')
      end = order === 'asc' ? { number: end.number + 1n, index: 0 } : { number: end.number, index: -1 }
    }
    for (const activity of collect(found, end, order)) {
      if (activities.length === pageSize || (items > mostItems && activities.length > 0)) {
        return { activities, next: placeOf(activities.at(-1) ?? start), traced }
      }
      activities.push(activity)
      items += activity.transfers.length + activity.calls.length
    }
    if (!end) return { activities, next: undefined, traced }
    // The next read begins with the transaction at the end, which may lack something here.
    start = { number: end.number, index: order === 'asc' ? end.index - 1 : end.index + 1 }
  }
  return { activities, next: start, traced }
}

/** The start of a walk, inside its range. */
function within(past: Place, { order, range }: Walk): Place {
  const edge = order === 'asc' ? { number: range.from, index: -1 } : { number: range.before, index: 0 }
  return precedes(past, edge, order) ? edge : past
}

async function boundOf(sql: Queryable, chain: bigint, start: Place, order: Order): Promise<Bound> {
  // Before a block's first transaction no log has to be found.
  if (order === 'desc' && start.index <= 0) return { ...start, log: 0 }
  if (order === 'asc' && start.index < 0) return { ...start, log: 0 }
  const first = order === 'asc' ? { ...start, index: start.index + 1 } : start
  return { ...start, log: await readFirstLog(sql, chain, first) }
}

const placeOf = ({ number, index }: Place): Place => ({ number, index })
const ofTransaction = ({ number, tx }: AddressLog | AddressCall): Place => ({ number, index: tx })

function hasBefore({ transactions, logs, calls }: Findings, end: Place, order: Order): boolean {
  return (
    transactions.some((place) => precedes(place, end, order)) ||
    [...logs, ...calls].some((row) => precedes(ofTransaction(row), end, order))
  )
}

/** The transactions before `end`, in order, each once. */
function collect(found: Findings, end: Place | undefined, order: Order): Activity[] {
  type Draft = Place & { transfers: TokenTransfer[]; calls: AddressCall[]; met: Set<string> }
  const drafts = new Map<string, Draft>()
  const draft = (place: Place): Draft | undefined => {
    if (end && !precedes(place, end, order)) return undefined
    const key = `${place.number} ${place.index}`
    const known = drafts.get(key) ?? { ...placeOf(place), transfers: [], calls: [], met: new Set() }
    drafts.set(key, known)
    return known
  }
  for (const place of found.transactions) draft(place)
  for (const log of found.logs) {
    const transfers = log.data === undefined ? [] : tokenTransfers({ ...log, data: log.data })
    // A log that only claims to be a transfer concerns nobody.
    if (transfers.length === 0) continue
    const known = draft(ofTransaction(log))
    if (!known || known.met.has(`log ${log.index}`)) continue
    known.met.add(`log ${log.index}`)
    known.transfers.push(...transfers)
  }
  for (const call of found.calls) {
    const known = draft(ofTransaction(call))
    if (!known || known.met.has(`call ${call.ordinal}`)) continue
    known.met.add(`call ${call.ordinal}`)
    known.calls.push(call)
  }
  return [...drafts.values()]
    .map(({ number, index, transfers, calls }) => ({
      number,
      index,
      transfers: transfers.sort((left, right) => left.logIndex - right.logIndex),
      calls: calls.sort((left, right) => left.ordinal - right.ordinal),
    }))
    .sort((left, right) => (precedes(left, right, order) ? -1 : 1))
}

const max = (left: bigint, right: bigint): bigint => (left > right ? left : right)
const min = (left: bigint, right: bigint): bigint => (left < right ? left : right)
