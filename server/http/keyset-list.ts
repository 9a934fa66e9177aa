import type { Operation } from '../../contract/base/operation.ts'
import { badRequest } from '../kernel/http-errors.ts'
import type { PageTokenScope, Position } from '../kernel/page-tokens.ts'
import { JsonText } from './bind.ts'
import { filtersOf, type RouteContext } from './route-context.ts'

type Values = { bigint: bigint; number: number; text: string; bytes: Buffer }

/** The columns by which a list is ordered, in the order in which a page token holds them. */
export type CursorShape = Readonly<Record<string, keyof Values>>

/** The end of a page: the values of those columns in its last row. */
export type Cursor<S extends CursorShape> = { readonly [K in keyof S]: Values[S[K]] }

/** A part of a list. `next` is the cursor to continue from; undefined at the end of the list. */
export type Stretch<Row, Place> = { readonly rows: Row[]; readonly next: Place | undefined }

/** The rows of a page, and the page token of the next page; undefined on the last page. */
export type Page<Row> = { readonly rows: Row[]; readonly nextPageToken: string | undefined }

type PageQuery = { readonly pageToken?: string | undefined; readonly pageSize: number }

/** One request for a page of a list that is read by keyset: each page starts after the last row of the one before. */
type KeysetList<S extends CursorShape> = {
  /** The cursor in the request's page token; undefined for a first page. */
  readonly after: Cursor<S> | undefined
  /** Reads a page: `read` gets the cursor (`start` on a first page) and a limit of one row more than the page shows. */
  page<Row extends Cursor<S>>(
    start: Cursor<S>,
    read: (after: Cursor<S>, limit: number) => Promise<readonly Row[]>,
  ): Promise<Page<Row>>
  /** The same for rows whose cursor has other names. */
  page<Row>(
    start: Cursor<S>,
    read: (after: Cursor<S>, limit: number) => Promise<readonly Row[]>,
    cursorOf: (row: Row) => Cursor<S>,
  ): Promise<Page<Row>>
  /** Reads a page whose end is determined by `read`: at most `pageSize` rows, and the cursor to continue from. */
  walk<Row, Start extends Cursor<S> | undefined>(
    start: Start,
    read: (after: Cursor<S> | Start, pageSize: number) => Promise<Stretch<Row, Cursor<S>>>,
  ): Promise<Page<Row>>
  /** Answers the request with the JSON that `make` returns; a first page is cached until one of `topics` changes. */
  answer(topics: readonly string[], make: () => Promise<string>): Promise<JsonText>
}

/**
 * Opens a list for one request. `filters` are the values that select its rows besides the query's own
 * parameters; they replace parameters of the same name. A page token works only with the operation, filters
 * and cursor columns that it was made for. Throws a 400 for any other.
 */
export function openList<S extends CursorShape>(
  { store, headCache }: Pick<RouteContext, 'store' | 'headCache'>,
  operation: Operation,
  shape: S,
  filters: Readonly<Record<string, unknown>>,
  query: PageQuery,
): KeysetList<S> {
  const { pageToken, pageSize } = query
  const scope: PageTokenScope = {
    operation: `${operation.id}(${Object.keys(shape).join()})`,
    filters: filtersOf(filters, query),
  }
  const after =
    pageToken === undefined ? undefined : cursorAt(shape, store.get().pageTokens.openData(scope, pageToken))

  const walk: KeysetList<S>['walk'] = async (start, read) => {
    const { rows, next } = await read(after ?? start, pageSize)
    return { rows, nextPageToken: next && store.get().pageTokens.sealData(scope, positionOf(shape, next)) }
  }
  return {
    after,
    walk,
    page: <Row>(
      start: Cursor<S>,
      read: (after: Cursor<S>, limit: number) => Promise<readonly Row[]>,
      cursorOf = (row: Row) => row as Cursor<S>,
    ) =>
      walk(start, async (cursor) => {
        const found = await read(cursor, pageSize + 1)
        const rows = found.slice(0, pageSize)
        const last = rows.at(-1)
        if (found.length <= pageSize) return { rows, next: undefined }
        // An empty page continues where it began.
        return { rows, next: last === undefined ? cursor : cursorOf(last) }
      }),
    async answer(topics, make) {
      if (pageToken !== undefined) return new JsonText(await make())
      return headCache.get(JSON.stringify([scope, pageSize]), topics, make)
    },
  }
}

function positionOf<S extends CursorShape>(shape: S, cursor: Cursor<S>): Position {
  return Object.keys(shape).map((name) => {
    const value: Values[keyof Values] = cursor[name as keyof S]
    if (Buffer.isBuffer(value)) return value.toString('hex')
    return typeof value === 'bigint' ? value.toString() : value
  })
}

const parsers: { [K in keyof Values]: (value: string | number) => Values[K] } = {
  bigint: BigInt,
  number: Number,
  text: String,
  bytes: (value) => Buffer.from(String(value), 'hex'),
}

function cursorAt<S extends CursorShape>(shape: S, position: Position): Cursor<S> {
  const entries = Object.entries(shape).map(([name, kind], index) => {
    const value = position[index]
    if (value === undefined) throw badRequest('pageToken: was not made for this request')
    return [name, parsers[kind](value)]
  })
  return Object.fromEntries(entries) as Cursor<S>
}

/**
 * Cuts rows, of which one more than the page size was requested, to a page; `horizon` is where it otherwise
 * continues.
 */
export function cut<Row extends Place, Place>(
  rows: readonly Row[],
  pageSize: number,
  horizon?: Place,
): Stretch<Row, Place> {
  const shown = rows.slice(0, pageSize)
  return { rows: shown, next: rows.length > pageSize ? shown.at(-1) : horizon }
}

/** Ends a page before the row that exceeds the weight `max`; it always has at least one row. */
export function cutByWeight<Row extends Place, Place>(
  { rows, next }: Stretch<Row, Place>,
  max: number,
  weightOf: (row: Row) => number,
): Stretch<Row, Place> {
  let weight = 0
  const end = rows.findIndex((row, index) => {
    weight += weightOf(row)
    return weight > max && index > 0
  })
  return end === -1 ? { rows, next } : { rows: rows.slice(0, end), next: rows[end - 1] }
}

/** The number of rows that one read examines: the first read fills most pages, further ones skip filtered rows. */
const firstLookAt = 400
const furtherLookAt = 5_000
/** The most reads of one page. */
const maxReads = 5

/**
 * Fills a page with rows that pass a filter, in reads that each examine a limited number of rows. A read's `horizon`
 * is the position up to which it has examined the list, if not to its end. The page is short if too many rows were
 * filtered out.
 */
export async function fillPage<Row extends Place, Place>(
  pageSize: number,
  after: Place,
  read: (
    after: Place,
    limit: number,
    lookAt: number,
  ) => Promise<{ readonly rows: readonly Row[]; readonly horizon: Place | undefined }>,
): Promise<Stretch<Row, Place>> {
  const rows: Row[] = []
  let from = after
  for (let reads = 1; ; reads += 1) {
    const missing = pageSize + 1 - rows.length
    const found = await read(from, missing, Math.max(reads === 1 ? firstLookAt : furtherLookAt, missing))
    rows.push(...found.rows)
    const { horizon } = found
    if (horizon === undefined || rows.length > pageSize || reads === maxReads) {
      return cut(rows, pageSize, horizon)
    }
    from = horizon
  }
}
