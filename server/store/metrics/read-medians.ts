import { z } from 'zod'
import type { Queryable } from '../database.ts'
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

/*
 * The statement that reads the transactions also compares the hash, so both use the same snapshot; a stored
 * block implies that all blocks of the span below it are stored. The sorted prices are one array, because two
 * calls of percentile_disc sort twice and percentile_cont computes in floating point.
 */
const medianStatement = `
  with asked as (
    select * from unnest($1::text::int[], $2::text::bigint[], $3::text::bigint[], $4::text::bigint[], $5::text::text[])
      as asked (period, chain, above, last, hash)),
  sorted as (
    select period, array_agg(t.gas_price order by t.gas_price) filter (where t.gas_price is not null) as prices
    from asked
    left join lateral (
      select gas_price from transactions
      where chain = asked.chain and number > asked.above and number <= asked.last) t on true
    group by period)
  select period,
    not exists (
      select from asked where asked.period = sorted.period and not exists (
        select from blocks
        where chain = asked.chain and number = asked.last and hash = decode(asked.hash, 'hex'))) as stored,
    div(prices[(cardinality(prices) + 1) / 2] + prices[cardinality(prices) / 2 + 1], 2)::text as median
  from sorted`

/**
 * The median effective gas price of the transactions of each period. A period consists of spans of one or
 * more chains. For an even count, the median is the mean of the two middle prices, rounded down to whole wei.
 * Null without transactions; undefined if a reorg has replaced blocks of the period.
 */
export async function readMedianGasPrices(
  database: Queryable,
  periods: readonly (readonly BlockSpan[])[],
): Promise<(bigint | null | undefined)[]> {
  const spans = periods.flatMap((ofPeriod, period) => ofPeriod.map((span) => ({ ...span, period })))
  const list = (values: readonly (number | bigint | string)[]): string => `{${values.join(',')}}`
  const rows = await read(database, medianRow, medianStatement, [
    list(spans.map(({ period }) => period)),
    list(spans.map(({ chain }) => chain)),
    list(spans.map(({ above }) => above)),
    list(spans.map(({ last }) => last)),
    list(spans.map(({ hash }) => hash.toString('hex'))),
  ])
  const medians = new Map(
    rows.map(({ period, stored, median }) => [
      period,
      !stored ? undefined : median === null ? null : BigInt(median),
    ]),
  )
  return periods.map((_, period) => medians.get(period))
}
