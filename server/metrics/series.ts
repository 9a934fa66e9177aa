import { metricEntry, type MetricName } from '../../contract/metrics/catalogue.ts'
import { periodEnd, type TimeInterval } from '../../contract/metrics/intervals.ts'
import { evictOldest } from '../kernel/evict-oldest.ts'
import type { Queryable } from '../store/database.ts'
import { readFirstTokens } from '../store/metrics/read-first-tokens.ts'
import { readMessageCounts } from '../store/metrics/read-messages.ts'
import { readMedianGasPrices, type BlockSpan } from '../store/metrics/read-medians.ts'
import { readEdges, type EdgeRow } from '../store/metrics/read-metrics.ts'
import { combine, definitionOf, nothing, type Fraction } from './definitions.ts'

/**
 * Maximum number of transactions sorted by one read (about a second of work), unless a single period has
 * more.
 */
const maxSorted = 200_000
/** Maximum number of cached medians. */
const maxKept = 50_000

/**
 * A cache of medians by blocks. The hash of a period's last block identifies all blocks before it, so entries
 * never become invalid: a reorg leads to another hash. The least recently used entries are evicted.
 */
export class KeptMedians {
  readonly #kept = new Map<string, Fraction>()

  get(key: string): Fraction | undefined {
    const found = this.#kept.get(key)
    if (found) this.set(key, found)
    return found
  }

  set(key: string, median: Fraction): void {
    this.#kept.delete(key)
    this.#kept.set(key, median)
    evictOldest(this.#kept, maxKept)
  }
}

/** The requested values: of one chain, or of several combined. */
type AskedSeries = {
  readonly chains: readonly bigint[]
  readonly metric: MetricName
  readonly interval: TimeInterval
  /** The start times of the periods. */
  readonly starts: readonly number[]
}

/**
 * The values of a metric in the order of `starts`. For a metric computed from transactions, fewer values may
 * be returned, but at least one: the caller asks again for the rest.
 */
export async function readSeries(
  database: Queryable,
  asked: AskedSeries,
  kept: KeptMedians,
): Promise<Fraction[]> {
  const { chains, metric, interval, starts } = asked
  if (starts.length === 0) return []
  const entry = metricEntry(metric)
  if (entry.kind === 'median') return readMedians(database, asked, kept)
  if (entry.kind === 'first') return readCounts(database, asked, readFirstTokens)
  if (entry.kind === 'messages') {
    return readCounts(database, asked, (...place) => readMessageCounts(...place, entry.of))
  }
  const definition = definitionOf(metric, interval)
  const series = await edgesOf(database, asked, definition.columns)
  return starts.map((start, index) =>
    combine(
      definition.combine,
      chains.map((_, chain) => definition.value({ start, ...series(chain, index) })),
    ),
  )
}

type Edges = { before: EdgeRow | undefined; end: EdgeRow | undefined; first: EdgeRow | undefined }

/** Reads the boundary blocks of all periods, by chain and period; consecutive periods share one. */
async function edgesOf(
  database: Queryable,
  { chains, interval, starts }: AskedSeries,
  columns: Parameters<typeof readEdges>[2],
): Promise<(chain: number, period: number) => Edges> {
  const times = [...new Set(starts.flatMap((start) => [periodEnd(start, interval), start]))]
  const places = new Map(times.map((time, place) => [time, place]))
  const series = await Promise.all(chains.map((chain) => readEdges(database, chain, columns, times)))
  return (chain, period) => {
    const start = starts[period] ?? 0
    const { edges, first } = series[chain] ?? { edges: [], first: undefined }
    const at = (time: number): EdgeRow | undefined => edges[places.get(time) ?? -1]
    return { before: at(start), end: at(periodEnd(start, interval)), first }
  }
}

/** What is counted from rows, between consecutive times in ascending order. */
type CountRows = (database: Queryable, chain: bigint, times: readonly number[]) => Promise<bigint[]>

/** What each period counts. Reads one statement a chain, so that a reorg cannot divide it. */
async function readCounts(
  database: Queryable,
  asked: AskedSeries,
  countRows: CountRows,
): Promise<Fraction[]> {
  const { chains, interval, starts } = asked
  const times = [...new Set(starts.flatMap((start) => [start, periodEnd(start, interval)]))].toSorted(
    (left, right) => left - right,
  )
  const places = new Map(times.map((time, place) => [time, place]))
  const counts = await Promise.all(chains.map((chain) => countRows(database, chain, times)))
  return starts.map((start) => ({
    amount: counts.reduce((sum, count) => sum + (count[places.get(start) ?? -1] ?? 0n), 0n),
    per: 1n,
  }))
}

async function readMedians(database: Queryable, asked: AskedSeries, kept: KeptMedians): Promise<Fraction[]> {
  // A reorg between the two reads changes the hash of a period's last block; then everything is read again.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const found = await tryMedians(database, asked, kept)
    if (found) return found
  }
  throw new Error('blocks are replaced faster than their median can be read')
}

async function tryMedians(
  database: Queryable,
  asked: AskedSeries,
  kept: KeptMedians,
): Promise<Fraction[] | undefined> {
  const edges = await edgesOf(database, asked, ['number', 'hash', 'cum_txs'])
  const values: (Fraction | undefined)[] = []
  const missing: { period: number; key: string; spans: BlockSpan[] }[] = []
  let sorted = 0n
  for (const period of asked.starts.keys()) {
    const spans = asked.chains.flatMap((chain, place) => spanOf(chain, edges(place, period)))
    const key = spans.map(({ chain, above, hash }) => `${chain} ${above} ${hash.toString('hex')}`).join()
    const value = spans.length === 0 ? nothing : kept.get(key)
    if (!value) {
      sorted += spans.reduce((sum, { txs }) => sum + txs, 0n)
      if (missing.length > 0 && sorted > maxSorted) break
      missing.push({ period, key, spans })
    }
    values.push(value)
  }
  if (missing.length > 0) {
    const medians = await readMedianGasPrices(
      database,
      missing.map(({ spans }) => spans),
    )
    for (const [index, { period, key }] of missing.entries()) {
      const median = medians[index]
      if (median === undefined) return undefined
      const value = median === null ? nothing : { amount: median, per: 1n }
      kept.set(key, value)
      values[period] = value
    }
  }
  return values.map((value) => value ?? nothing)
}

/** The blocks of a period and their number of transactions; empty for a period without blocks. */
function spanOf(chain: bigint, { before, end }: Edges): (BlockSpan & { txs: bigint })[] {
  if (!end?.hash || end.number == null || end.number === before?.number) return []
  const txs = BigInt(end.cum_txs ?? 0) - BigInt(before?.cum_txs ?? 0)
  return [{ chain, above: BigInt(before?.number ?? -1), last: BigInt(end.number), hash: end.hash, txs }]
}
