import { z } from 'zod'
import type { Queryable } from '../database.ts'
import { isDistributed } from '../distribution.ts'
import { read } from '../read.ts'

/** Consecutive blocks of a chain: above `above`, up to and including `last`, whose hash is `hash`. */
export type BlockSpan = {
  readonly chain: bigint
  readonly above: bigint
  readonly last: bigint
  readonly hash: Buffer
}

const medianRow = z.strictObject({
  period: z.number(),
  stored: z.boolean(),
  median: z.string().nullable(),
})

const spans = `unnest($1::text::int[], $2::text::bigint[], $3::text::bigint[], $4::text::bigint[], $5::text::text[])
      as asked (period, chain, above, last, hash)`

/** Whether all blocks of the period at `period` are stored. */
const isStored = (chain: string, period: string): string => `
    not exists (
      select from asked where asked.period = ${period} and not exists (
        select from blocks
        where chain = ${chain} and number = asked.last and hash = decode(asked.hash, 'hex'))) as stored`

/** The chain of a span, or `$6` where all spans have the same one: Citus then plans for one server. */
const ofSpan = { several: 'asked.chain', one: '$6::bigint' }

/*
 * The statement that reads the transactions also compares the hash, so both use the same snapshot; a stored
 * block implies that all blocks of the span below it are stored. The sorted prices are one array, because two
 * calls of percentile_disc sort twice and percentile_cont computes in floating point.
 */
const medianStatement = (chain: string): string => `
  with asked as (select * from ${spans}),
  sorted as (
    select period, array_agg(t.gas_price order by t.gas_price) filter (where t.gas_price is not null) as prices
    from asked
    left join lateral (
      select gas_price from transactions
      where chain = ${chain} and number > asked.above and number <= asked.last) t on true
    group by period)
  select period, ${isStored(chain, 'sorted.period')},
    div(prices[(cardinality(prices) + 1) / 2] + prices[cardinality(prices) / 2 + 1], 2)::text as median
  from sorted`
const medianStatements = { several: medianStatement(ofSpan.several), one: medianStatement(ofSpan.one) }

const pricesRow = z.strictObject({
  period: z.number(),
  stored: z.boolean(),
  prices: z.array(z.string()),
  counts: z.array(z.bigint()),
})

// The prices of one chain, each with how many transactions paid it, ascending.
const pricesStatement = `
  with asked as (select * from ${spans}),
  counted as (
    select period, t.gas_price, count(t.gas_price) as paid from asked
    left join lateral (
      select gas_price from transactions
      where chain = ${ofSpan.one} and number > asked.above and number <= asked.last) t on true
    group by period, t.gas_price)
  select period, ${isStored(ofSpan.one, 'counted.period')},
    coalesce(array_agg(gas_price::text order by gas_price) filter (where paid > 0), '{}') as prices,
    coalesce(array_agg(paid order by gas_price) filter (where paid > 0), '{}') as counts
  from counted group by period`

/**
 * The median effective gas price of the transactions of each period. A period consists of spans of one or
 * more chains. For an even count, the median is the mean of the two middle prices, rounded down to whole wei.
 * Null without transactions; undefined if a reorg has replaced blocks of the period.
 */
export async function readMedianGasPrices(
  database: Queryable,
  periods: readonly (readonly BlockSpan[])[],
): Promise<(bigint | null | undefined)[]> {
  const asked = numbered(periods)
  const chains = [...new Set(asked.map(({ chain }) => chain))]
  const [only] = chains
  if (chains.length > 1 && (await isDistributed(database))) return mergeMedians(database, chains, periods)
  const rows =
    chains.length === 1 && only !== undefined
      ? await read(database, medianRow, medianStatements.one, [...listsOf(asked), only])
      : await read(database, medianRow, medianStatements.several, listsOf(asked))
  const medians = new Map(
    rows.map(({ period, stored, median }) => [
      period,
      !stored ? undefined : median === null ? null : BigInt(median),
    ]),
  )
  return periods.map((_, period) => medians.get(period))
}

type AskedSpan = BlockSpan & { readonly period: number }

const numbered = (periods: readonly (readonly BlockSpan[])[]): AskedSpan[] =>
  periods.flatMap((ofPeriod, period) => ofPeriod.map((span) => ({ ...span, period })))

function listsOf(spans: readonly AskedSpan[]): string[] {
  const list = (values: readonly (number | bigint | string)[]): string => `{${values.join(',')}}`
  return [
    list(spans.map(({ period }) => period)),
    list(spans.map(({ chain }) => chain)),
    list(spans.map(({ above }) => above)),
    list(spans.map(({ last }) => last)),
    list(spans.map(({ hash }) => hash.toString('hex'))),
  ]
}

/** The medians over chains on several servers: the prices of each, merged here. */
export async function mergeMedians(
  database: Queryable,
  chains: readonly bigint[],
  periods: readonly (readonly BlockSpan[])[],
): Promise<(bigint | null | undefined)[]> {
  const spans = numbered(periods)
  const prices = periods.map(() => new Map<bigint, bigint>())
  const incomplete = new Set<number>()
  const rows = await Promise.all(
    chains.map((chain) => {
      const own = spans.filter((span) => span.chain === chain)
      return read(database, pricesRow, pricesStatement, [...listsOf(own), chain])
    }),
  )
  for (const row of rows.flat()) {
    if (!row.stored) incomplete.add(row.period)
    const ofPeriod = prices[row.period]
    for (const [place, price] of row.prices.entries())
      ofPeriod?.set(BigInt(price), (ofPeriod.get(BigInt(price)) ?? 0n) + (row.counts[place] ?? 0n))
  }
  return prices.map((ofPeriod, period) => (incomplete.has(period) ? undefined : medianOf(ofPeriod)))
}

/** The median of prices with their counts; the mean of the two middle ones, rounded down, for an even number. */
function medianOf(counts: ReadonlyMap<bigint, bigint>): bigint | null {
  const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  const total = sorted.reduce((sum, [, count]) => sum + count, 0n)
  if (total === 0n) return null
  const at = (rank: bigint): bigint => {
    let seen = 0n
    for (const [price, count] of sorted) if ((seen += count) >= rank) return price
    throw new Error('there are fewer prices')
  }
  return (at((total + 1n) / 2n) + at(total / 2n + 1n)) / 2n
}
