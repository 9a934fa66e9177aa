import { tokenTransfers, type TokenTransfer } from '../../../tokens/abi/token-transfers.ts'
import type { Database, Queryable } from '../../../store/database.ts'
import {
  precedes,
  readFindings,
  type Findings,
  type FoundAuthorization,
  type FoundCall,
  type FoundLog,
  type Order,
} from '../../../store/evm/read-address-activity.ts'
import { readAddressRanges } from '../../../store/evm/read-address-partitions.ts'
import { lastIndex } from '../../../store/read.ts'
import type { BlockRange } from '../../../store/evm/read-blocks.ts'
import type { Place, TransactionRow } from '../../../store/evm/read-transactions.ts'
import type { Stretch } from '../../../http/keyset-list.ts'
import { max, min } from '../../../http/route-context.ts'
import { snapshot } from '../../../store/snapshot.ts'

/** A transaction that involves an address, with its relevant transfers, calls and authorizations. */
export type Activity = Place & {
  readonly transaction: TransactionRow
  readonly transfers: readonly TokenTransfer[]
  readonly calls: readonly FoundCall[]
  readonly authorizations: readonly FoundAuthorization[]
}

/** The address, range and order of a listing. */
type Walk = {
  readonly chain: bigint
  readonly address: Buffer
  readonly order: Order
  readonly range: BlockRange
}

/** Reads per page beside one for each part: rows that turn out to be malformed may use some up. */
const maxReads = 8
/** Number of transfers and calls after which a page ends, regardless of its size. */
const maxItems = 2_000

type ActivityPage = Stretch<Activity, Place>

/**
 * The transactions that involve an address after a position, in order: up to `pageSize`, or fewer if they
 * have many transfers and calls.
 *
 * Every source (transactions, logs of each kind, calls; each by sender and recipient; authorizations by who signed)
 * returns its next rows with one seek. The result is complete up to the nearest end of a source. The cost of a page therefore
 * depends only on its size, not on the address's activity. A transaction with more rows than a read takes is
 * read with the rest of its block. One part of the range (`readAddressRanges`) is read after the other.
 */
export async function gatherActivity(
  database: Database,
  walk: Walk,
  past: Place,
  pageSize: number,
): Promise<ActivityPage> {
  const [part, ...others] = await partsOf(database, walk, past)
  if (!part) return { rows: [], next: undefined }
  const first = await readOn(database, walk, part, within(past, part, walk.order), pageSize, pageSize + 8)
  // Nearly every page needs only one statement; if it needs several, they must use one snapshot.
  return (
    fill([], first, walk.order, pageSize, others.length === 0) ??
    snapshot(database, (sql) => gatherInReads(sql, walk, past, pageSize))
  )
}

async function gatherInReads(
  sql: Queryable,
  walk: Walk,
  past: Place,
  pageSize: number,
): Promise<ActivityPage> {
  const { chain, address, order } = walk
  const activities: Activity[] = []
  const parts = await partsOf(sql, walk, past)
  let reads = 0
  for (const part of parts) {
    for (let start: Place | undefined = within(past, part, order); start; reads += 1) {
      if (reads >= maxReads + parts.length) return { rows: activities, next: start }
      // At least one, which tells whether a full page has another one behind it.
      const left = Math.max(1, pageSize - activities.length)
      let found = await readOn(sql, walk, part, start, left, (pageSize + 8) * 4)
      const { horizon } = found
      if (horizon && !found.transactions.some((place) => precedes(place, horizon, order))) {
        const stop = order === 'asc' ? min(part.before, horizon.number + 1n) : max(part.from, horizon.number)
        const blockEnd =
          order === 'asc' ? { number: horizon.number + 1n, index: 0 } : { number: horizon.number, index: -1 }
        const whole = await readFindings(sql, chain, address, order, start, stop, 'whole', left)
        found = { ...whole, horizon: whole.horizon ?? blockEnd }
      }
      const page = fill(activities, found, order, pageSize, part === parts.at(-1))
      if (page) return page
      // The next read begins with the horizon's transaction, which may be incomplete here. Without one, the part is
      // complete.
      start = found.horizon && {
        number: found.horizon.number,
        index: found.horizon.index + (order === 'asc' ? -1 : 1),
      }
    }
  }
  return { rows: activities, next: undefined }
}

/** The parts of the range that may hold rows of the address from a position on. */
function partsOf(sql: Queryable, { chain, address, order, range }: Walk, past: Place): Promise<BlockRange[]> {
  const left =
    order === 'asc'
      ? { from: max(range.from, past.number), before: range.before }
      : { from: range.from, before: past.number < range.before ? past.number + 1n : range.before }
  return readAddressRanges(sql, chain, address, left, order)
}

/** The position from which a part is read. It is in the part, because a position beside it would open another partition. */
function within(past: Place, { from, before }: BlockRange, order: Order): Place {
  const edge = order === 'asc' ? { number: from, index: -1 } : { number: before - 1n, index: lastIndex }
  return precedes(past, edge, order) ? edge : past
}

function readOn(
  sql: Queryable,
  { chain, address, order }: Walk,
  part: BlockRange,
  past: Place,
  maxRows: number,
  rows: number,
): Promise<Findings> {
  const stop = order === 'asc' ? part.before : part.from
  return readFindings(sql, chain, address, order, past, stop, rows, maxRows)
}

/**
 * Adds the complete transactions to the activities; returns the page once it is full or everything was found, of the last
 * part of the range.
 */
function fill(
  activities: Activity[],
  found: Findings,
  order: Order,
  pageSize: number,
  isLast: boolean,
): ActivityPage | undefined {
  const { horizon } = found
  let items = activities.reduce((sum, activity) => sum + itemsOf(activity), 0)
  for (const activity of collect(found, order)) {
    if (activities.length === pageSize || (items > maxItems && activities.length > 0)) {
      return { rows: activities, next: lastOf(activities) }
    }
    activities.push(activity)
    items += itemsOf(activity)
  }
  if (!horizon) return isLast ? { rows: activities, next: undefined } : undefined
  return activities.length < pageSize ? undefined : { rows: activities, next: lastOf(activities) }
}

const itemsOf = ({ transfers, calls, authorizations }: Activity): number =>
  transfers.length + calls.length + authorizations.length
const placeOf = ({ number, index }: Place): Place => ({ number, index })
const keyOf = ({ number, index }: { number: bigint | number; index: number }): string => `${number} ${index}`
const transactionOf = ({ number, tx }: FoundLog | FoundCall | FoundAuthorization): string =>
  keyOf({ number, index: tx })

function lastOf(activities: readonly Activity[]): Place | undefined {
  const last = activities.at(-1)
  return last && placeOf(last)
}

/** The transactions before the horizon, in order, each once. */
function collect({ transactions, logs, calls, authorizations, horizon }: Findings, order: Order): Activity[] {
  type Draft = Activity & {
    transfers: TokenTransfer[]
    calls: FoundCall[]
    authorizations: FoundAuthorization[]
  }
  const drafts = new Map<string, Draft>()
  // A malformed transfer log involves no address.
  const concerned = new Set<string>()
  for (const { number, index, transaction, native } of transactions) {
    if (horizon && !precedes({ number, index }, horizon, order)) break
    const key = keyOf({ number, index })
    drafts.set(key, { number, index, transaction, transfers: [], calls: [], authorizations: [] })
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
  for (const authorization of authorizations) {
    const key = transactionOf(authorization)
    const draft = drafts.get(key)
    if (!draft) continue
    concerned.add(key)
    draft.authorizations.push(authorization)
  }
  for (const { transfers, calls } of drafts.values()) {
    transfers.sort((left, right) => left.logIndex - right.logIndex)
    calls.sort((left, right) => left.ordinal - right.ordinal)
  }
  return [...drafts].filter(([key]) => concerned.has(key)).map(([, draft]) => draft)
}
