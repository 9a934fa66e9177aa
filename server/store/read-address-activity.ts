import type { Queryable } from './database.ts'
import { lineBreak, read, readLines } from './read.ts'
import { callBranches, callFields, readCall, type AddressCall } from './read-address-calls.ts'
import { logBranches, logFields, readLog, shownData, wordOf, type AddressLog } from './read-address-logs.ts'
import { nativeBranches } from './read-address-native.ts'
import { transactionFields, type Place } from './read-transactions.ts'

export type Order = 'asc' | 'desc'

/** Whether the chain's node has traces: calls inside transactions are known. */
export async function hasTraceSource(database: Queryable, chain: bigint): Promise<boolean> {
  const [row] = await read<{ trace_source: string }>(
    database,
    'select trace_source from chains where chain = $1',
    [chain],
  )
  return row?.trace_source !== 'none'
}

const firstLogStatement = `
  with recursive search (low, high) as (
    select 0, coalesce((
      select index + 1 from logs where chain = $1 and number = $2 order by index desc limit 1), 0)
    union all
    select case when probe.tx_index < $3 then (low + high) / 2 + 1 else low end,
           case when probe.tx_index < $3 then high else (low + high) / 2 end
    from search
    cross join lateral (
      select tx_index from logs where chain = $1 and number = $2 and index = (low + high) / 2 limit 1) probe
    where low < high)
  select low as first from search where low >= high`

/**
 * The index that the first log of a transaction, or of a later one of the block, has: a binary search by
 * seeks, because logs are found by their own index only.
 */
export async function readFirstLog(database: Queryable, chain: bigint, place: Place): Promise<number> {
  const [row] = await read<{ first: number }>(database, firstLogStatement, [chain, place.number, place.index])
  return row?.first ?? 0
}

/** Where a read starts, exclusive, in the order of the walk. */
export type Bound = Place & {
  /** Going down, the first log that is no longer wanted; going up, the first that is. */
  readonly log: number
}

/** What was found of an address from one place on: up to `limit` rows of each source, in order. */
export type Findings = {
  readonly transactions: readonly Place[]
  readonly logs: readonly AddressLog[]
  readonly calls: readonly AddressCall[]
  /**
   * The first transaction of which something may be missing; undefined when everything up to the end of
   * the range was found.
   */
  readonly horizon: Place | undefined
  /** Whether the chain's node has traces: calls inside transactions are known. */
  readonly traced: boolean
}

/** Rows of one source in an ordinary read, and in one that reads the rest of a block. */
const caps = { page: 256, block: 1_048_576 } as const

// Parameters: chain, address, its word, number, transaction, log, stop, limit.
function statement(order: Order, cap: number): string {
  const native = nativeBranches(order, cap, {
    address: '$2',
    number: '$4',
    index: '$5',
    stop: '$7',
    limit: '$8',
  })
  const logs = (['ERC-20', 'ERC-721', 'ERC-1155'] as const).flatMap((kind) =>
    logBranches(kind, order, cap, { word: '$3', number: '$4', index: '$6', stop: '$7', limit: '$8' }).map(
      (branch, side) => `select *, '${kind} ${side}' as source from ${branch} branch`,
    ),
  )
  const bounds =
    order === 'desc'
      ? '(number, tx_index) < ($4, $5) and number >= $7'
      : '(number, tx_index) > ($4, $5) and number < $7'
  const calls = callBranches(order, cap, { address: '$2', bounds, limit: '$8' })
  const places = native.map((branch, side) => `select *, 'native ${side}' as source from ${branch} branch`)
  // What is left of a block is read whole: no log of it may come without its data.
  const shown = cap === caps.block ? 'data as shown' : shownData(order)
  return `
    select
      (select string_agg('{"number":"' || t.number || '","index":' || t.index || ',"source":"' || t.source || '"}', ${lineBreak})
       from (${places.join(' union all ')}) t) as transactions,
      (select string_agg('{' || ${logFields} || ',"source":"' || l.source || '"}', ${lineBreak})
       from (select *, ${shown} from (${logs.join(' union all ')}) found) l) as logs,
      (select string_agg('{' || ${callFields} || ',"source":"' || k.side || '"}', ${lineBreak})
       from (${calls.join(' union all ')}) k) as calls,
      (select trace_source from chains where chain = $1) as trace_source`
}
const statements = {
  page: { asc: statement('asc', caps.page), desc: statement('desc', caps.page) },
  block: { asc: statement('asc', caps.block), desc: statement('desc', caps.block) },
}

type FoundRow = Readonly<Record<'transactions' | 'logs' | 'calls' | 'trace_source', string | null>>
type Sourced = { readonly source: string }

/**
 * What concerns an address past a bound and before `stop` (going down: from `stop` on). An ordinary read
 * takes at most `limit` rows (256 at most) of each source. `whole` reads without this limit: only for what
 * is left of one block, with which `stop` is to agree.
 */
export async function readFindings(
  database: Queryable,
  chain: bigint,
  address: Buffer,
  order: Order,
  bound: Bound,
  stop: bigint,
  limit: number | 'whole',
): Promise<Findings> {
  const size = limit === 'whole' ? caps.block : Math.min(limit, caps.page)
  const [row] = await read<FoundRow>(database, statements[limit === 'whole' ? 'block' : 'page'][order], [
    chain,
    address,
    wordOf(`0x${address.toString('hex')}`),
    bound.number,
    bound.index,
    bound.log,
    stop,
    size,
  ])
  const transactions = parseLines<Place & Sourced>(row?.transactions).map((found) => ({
    ...found,
    number: BigInt(found.number),
  }))
  const logs = parseLines<AddressLog & Sourced>(row?.logs).map(readLog)
  const calls = parseLines<AddressCall & Sourced>(row?.calls).map(readCall)
  const horizons: Place[] = []
  const places = [
    ...transactions.map(({ number, index, source }) => ({ number, index, source })),
    ...[...logs, ...calls].map(({ number, tx, source }) => ({ number, index: tx, source })),
  ]
  // A source that gave all that it was asked for may have more of its last transaction.
  const counts = new Map<string, number>()
  for (const { source } of places) counts.set(source, (counts.get(source) ?? 0) + 1)
  for (const [source, count] of counts) {
    if (count < size) continue
    horizons.push(
      ...farthest(
        places.filter((place) => place.source === source),
        order,
      ),
    )
  }
  // Past the first log whose data did not fit, nothing is complete.
  const cut = logs.filter(({ data }) => data === undefined)
  horizons.push(
    ...nearest(
      cut.map(({ number, tx }) => ({ number, index: tx })),
      order,
    ),
  )
  const [horizon] = nearest(horizons, order)
  return { transactions, logs, calls, horizon, traced: row?.trace_source !== 'none' }
}

const parseLines = <Row>(text: string | null | undefined): Row[] =>
  text == null ? [] : text.split('\n').map((line) => JSON.parse(line) as Row)

/** Whether `left` comes before `right` in a walk of this order. */
export function precedes(left: Place, right: Place, order: Order): boolean {
  const [first, second] = order === 'asc' ? [left, right] : [right, left]
  return first.number === second.number ? first.index < second.index : first.number < second.number
}

function nearest(places: readonly Place[], order: Order): Place[] {
  const [first, ...rest] = places
  if (!first) return []
  return [rest.reduce((best, place) => (precedes(place, best, order) ? place : best), first)]
}

const farthest = (places: readonly Place[], order: Order): Place[] =>
  nearest(places, order === 'asc' ? 'desc' : 'asc')

const transactionsStatement = `
  select string_agg('{' || ${transactionFields} || '}', ${lineBreak} order by asked.position) as lines
  from unnest($2::text::bigint[], $3::text::integer[]) with ordinality as asked (number, index, position)
  cross join lateral (
    select * from transactions where chain = $1 and number = asked.number and index = asked.index limit 1) t
  cross join lateral (select * from blocks where chain = $1 and number = asked.number limit 1) b`

/** The JSON of the transactions at these places, in their order. */
export function readTransactionsAt(
  database: Queryable,
  chain: bigint,
  places: readonly Place[],
): Promise<string[]> {
  return readLines(database, transactionsStatement, [
    chain,
    `{${places.map(({ number }) => number).join(',')}}`,
    `{${places.map(({ index }) => index).join(',')}}`,
  ])
}
