import { intervalsOf, metricNames, type MetricName } from '../../contract/metrics/catalogue.ts'
import type { Chain } from '../kernel/settings/chains.ts'
import { readChainPoints } from '../metrics/chain-points.ts'
import { KeptMedians } from '../metrics/series.ts'
import type { Queryable } from '../store/database.ts'
import type { PrimaryCoverage } from './primary-coverage.ts'
import type { DescribedColumn } from './tables.ts'

/** What the tables of the store alone are read with. */
export type StoreSource = {
  readonly sql: Queryable
  readonly chains: readonly Chain[]
  /** The networks, and what the lake has of them. */
  readonly primary: readonly PrimaryCoverage[]
}

export type Field = string | number | bigint | boolean | null

/** A table whose rows the store alone has, in the order of its columns. */
export type StoreTable = {
  readonly name: string
  readonly group: string
  readonly description: string
  readonly columns: readonly DescribedColumn[]
  /** Batches of rows; those that the lake has are left out where it has any. */
  rows(source: StoreSource): AsyncIterable<readonly (readonly Field[])[]>
}

export const column = (name: string, type: string, description = ''): DescribedColumn => ({
  name,
  type,
  description,
})

/** Unix seconds as the engine reads a timestamp. */
export const moment = (seconds: bigint | null): string | null =>
  seconds === null ? null : new Date(Number(seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' ')

/** Days of one metric and chain; more than any chain has. */
const maxDays = 100_000

const metrics: StoreTable = {
  name: 'metrics',
  group: 'Metrics',
  description: 'One row per day, chain and metric, as the metrics’ pages count it; the last day is not over.',
  columns: [
    column('chain', 'BIGINT', 'the EVM chain id'),
    column('metric', 'VARCHAR', `such as ${metricNames.slice(0, 3).join(', ')}`),
    column('day', 'DATE', 'UTC'),
    column('value', 'DOUBLE'),
  ],
  async *rows({ sql, chains }) {
    const medians = new KeptMedians()
    const daily = metricNames.filter((name: MetricName) => intervalsOf(name).includes('day'))
    for (const chain of chains) {
      for (const metric of daily) {
        const asked = { metric, interval: 'day', pageSize: maxDays } as const
        const { results } = await readChainPoints(sql, [chain], asked, medians).catch(unlessUntraced)
        yield results.map(({ timestamp, value }) => [
          chain.id,
          metric,
          moment(BigInt(timestamp))?.slice(0, 10) ?? null,
          Number(value),
        ])
      }
    }
  },
}

/** A metric that needs traces has no days where the node gives none. */
function unlessUntraced(error: unknown): { results: [] } {
  if ((error as { status?: number }).status === 503) return { results: [] }
  throw error
}

/** The tables of the store alone, apart from those of the primary network. */
export const storeTables: readonly StoreTable[] = [metrics]
