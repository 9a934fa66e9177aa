import { z } from 'zod'
import { evictOldest } from '../../kernel/evict-oldest.ts'
import type { Queryable } from '../database.ts'
import { byteaList, numberList } from '../sql-literals.ts'
import { named, read, readNamed } from '../read.ts'
import {
  bytesOf,
  dayTransfers,
  listedToken,
  readTokenList,
  unmovedTokens,
  type Heights,
  type ListedToken,
  type ListName,
  type TokenPlace,
} from './read-token-list.ts'
import { tokenColumns, tokenDetails } from './read-token.ts'

/** A day on which more tokens moved is not kept: its text would have more than 6 MB. */
const maxTokens = 100_000
/** Rankings that are kept; a list that goes on after its own was dropped has it made again. */
const maxRankings = 8
/** The most characters of all of them. */
const maxCharacters = 16 * 1024 * 1024
/** Milliseconds for which one is kept, in case its rows change without their block. */
const maxAge = 60_000

const digits = 19
const kindDigits = 4
const addressDigits = 40
const width = digits + addressDigits + kindDigits

/** A moved token as text of a fixed width, whose order is that of the list: transfers, address, kind. */
const lineOf = ({ value, token, kind }: TokenPlace): string =>
  String(value).padStart(digits, '0') + token.slice(2) + String(kind).padStart(kindDigits, '0')

const rankingRow = z.strictObject({ lines: z.string() })
const ranking = named(
  ($: Readonly<Record<'chain' | 'from' | 'end' | 'max', string>>) => `
  select coalesce(string_agg(line, '' order by line collate "C" desc), '') as lines
  from (
    select lpad(moved::text, ${digits}, '0') || encode(token, 'hex') || lpad(kind::text, ${kindDigits}, '0') as line
    from (
      select t.token, t.kind, ${dayTransfers($)} as moved
      from tokens t where t.chain = ${$.chain} and t.last_block >= ${$.from}) t
    where moved > 0 limit ${$.max}) lines`,
)

const hashRow = z.strictObject({ hash: z.string() })

const movedStatement = `
  select ${tokenColumns}, t.sorted_by as day_transfers, t.sorted_by
  from (
    select t.chain, t.token, t.kind, t.first_block, moved.count as sorted_by
    from unnest($2::text::bytea[], $3::text::smallint[], $4::text::bigint[]) moved (token, kind, count)
    cross join lateral (
      select * from tokens where chain = $1 and token = moved.token and kind = moved.kind limit 1) t
  ) t ${tokenDetails('$1')}
  order by t.sorted_by desc, t.token desc, t.kind desc`

const unmovedStatement = named(
  ($: Readonly<Record<ListName, string>>) => `
  select ${tokenColumns}, t.sorted_by as day_transfers, t.sorted_by
  from (select * from (${unmovedTokens($, '')}) listed order by token desc, kind desc limit ${$.limit}) t
  ${tokenDetails($.chain)}
  order by t.token desc, t.kind desc`,
)

type Kept = { readonly madeAt: number; readonly size: number; readonly lines: string | undefined }

/**
 * The tokens of a chain by their transfers in a range of heights. Counting them takes two seeks for each token that moved,
 * so the ranking is kept for the pages that follow. It does not change while the last block of the range is the same one,
 * which each page checks.
 */
export class DayRankings {
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()
  readonly #making = new Map<string, Promise<string | undefined>>()

  /** `now`: milliseconds of a monotonic clock. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The tokens after a position, in descending order; at most `limit`, which is at most 500. */
  async read(
    database: Queryable,
    chain: bigint,
    day: Heights,
    place: TokenPlace,
    limit: number,
  ): Promise<ListedToken[]> {
    const lines = await this.#ranking(database, chain, day)
    const inStatement = () =>
      readTokenList(database, chain, { sort: 'lastDayTransferCount', name: undefined, day }, place, limit)
    if (lines === undefined) return inStatement()
    const wanted = linesAfter(lines, lineOf(place)).slice(0, limit)
    const rows = wanted.length === 0 ? [] : await readMoved(database, chain, wanted)
    // A block was replaced since the ranking was read.
    if (rows.length < wanted.length) return inStatement()
    if (rows.length === limit) return rows
    const unmoved = place.value > 0n ? firstUnmoved : place
    const others = await readNamed(database, listedToken, unmovedStatement, {
      chain,
      value: 0n,
      token: bytesOf(place.token),
      kind: place.kind,
      unmovedToken: bytesOf(unmoved.token),
      unmovedKind: unmoved.kind,
      limit: limit - rows.length,
      from: day.from,
      end: day.until + 1n,
      pattern: '',
      named: byteaList([]),
    })
    return [...rows, ...others]
  }

  async #ranking(database: Queryable, chain: bigint, day: Heights): Promise<string | undefined> {
    const hash = await readHash(database, chain, day.until)
    if (hash === undefined) return undefined
    const key = `${chain} ${day.from} ${hash}`
    const kept = this.#kept.get(key)
    if (kept && this.#now() - kept.madeAt < maxAge) return kept.lines
    const underway = this.#making.get(key) ?? this.#make(database, chain, day, key, hash)
    this.#making.set(key, underway)
    try {
      return await underway
    } finally {
      if (this.#making.get(key) === underway) this.#making.delete(key)
    }
  }

  async #make(
    database: Queryable,
    chain: bigint,
    day: Heights,
    key: string,
    hash: string,
  ): Promise<string | undefined> {
    const madeAt = this.#now()
    const [row] = await readNamed(database, rankingRow, ranking, {
      chain,
      from: day.from,
      end: day.until + 1n,
      max: maxTokens + 1,
    })
    const all = row?.lines ?? ''
    const lines = all.length > maxTokens * width ? undefined : all
    if ((await readHash(database, chain, day.until)) === hash)
      this.#keep(key, { madeAt, size: lines?.length ?? 0, lines })
    return lines
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    evictOldest(this.#kept, maxRankings)
    let size = [...this.#kept.values()].reduce((sum, each) => sum + each.size, 0)
    for (const [oldest, each] of this.#kept) {
      if (size <= maxCharacters) return
      this.#kept.delete(oldest)
      size -= each.size
    }
  }
}

const firstUnmoved: TokenPlace = { value: 0n, token: `0x${'ff'.repeat(21)}`, kind: 32_767 }

/** The first 500 lines that are smaller than one, of lines in descending order. */
function linesAfter(lines: string, past: string): string[] {
  let [low, high] = [0, lines.length / width]
  while (low < high) {
    const middle = (low + high) >> 1
    if (lines.slice(middle * width, (middle + 1) * width) < past) high = middle
    else low = middle + 1
  }
  const found: string[] = []
  for (let at = low * width; at < lines.length && found.length < 500; at += width)
    found.push(lines.slice(at, at + width))
  return found
}

function readMoved(database: Queryable, chain: bigint, lines: readonly string[]): Promise<ListedToken[]> {
  const tokens = lines.map((line) => `0x${line.slice(digits, digits + addressDigits)}`)
  const kinds = lines.map((line) => BigInt(line.slice(digits + addressDigits)))
  const counts = lines.map((line) => BigInt(line.slice(0, digits)))
  return read(database, listedToken, movedStatement, [
    chain,
    byteaList(tokens),
    numberList(kinds),
    numberList(counts),
  ])
}

async function readHash(database: Queryable, chain: bigint, number: bigint): Promise<string | undefined> {
  const [row] = await read(
    database,
    hashRow,
    `select encode(hash, 'hex') as hash from blocks where chain = $1 and number = $2`,
    [chain, number],
  )
  return row?.hash
}
