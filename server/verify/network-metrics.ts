import { periodEnd, periodStart } from '../../contract/metrics/intervals.ts'
import {
  networkIntervals,
  networkMetricEntry,
  networkMetricNames,
  type NetworkMetricName,
} from '../../contract/metrics/network-catalogue.ts'
import { isSampled } from '../../contract/metrics/network-samples.ts'
import type { PrimaryChainAlias } from '../../contract/primary/fields.ts'
import { decodePGenesis } from '../../protocol/primary/genesis.ts'
import type { NetworkConfig } from '../kernel/config.ts'
import { nothing, type Fraction } from '../metrics/definitions.ts'
import { readNetworkRange, readNetworkSeries } from '../metrics/network-series.ts'
import { periodsDown } from '../metrics/periods.ts'
import { primaryChainKey } from '../primary/chains.ts'
import { readGenesisFile } from '../primary/genesis-file.ts'
import type { Database } from '../store/database.ts'
import { snapshot } from '../store/snapshot.ts'
import type { Findings } from './findings.ts'
import { networkCounts, readNetworkFacts } from './network-recount.ts'
import type { PrimaryNodeReader } from './primary-node.ts'

/** UTXOs that the C-chain sent are known from its blocks. */
const needsC: ReadonlySet<NetworkMetricName> = new Set(['pUtxos', 'xUtxos'])

const aliases = { P: 'p-chain', X: 'x-chain', C: 'c-chain' } as const

/**
 * Compares every metric of a network at every interval, as read by the service, with a recount from the node's
 * blocks up to the stored heights. Returns the number of compared values, and what was not compared.
 */
export async function compareNetworkMetrics(
  database: Database,
  node: PrimaryNodeReader,
  network: NetworkConfig,
  findings: Findings,
): Promise<{ readonly values: number; readonly leftOut: readonly string[] }> {
  if (network.genesisFile === undefined)
    return { values: 0, leftOut: ['network metrics: the configuration has no genesisFile to count from'] }
  const genesis = decodePGenesis(readGenesisFile(network.genesisFile))
  return snapshot(database, async (sql) => {
    const store = sql as unknown as Database
    const heights = { P: -1, X: -1, C: -1 }
    for (const letter of ['P', 'X', 'C'] as const) {
      const [row] = await store<{ height: bigint | null }[]>`
        select max(height) as height from primary_blocks
        where chain = ${primaryChainKey(network.id, aliases[letter])}`
      heights[letter] = Number(row?.height ?? -1n)
    }
    if (heights.P < 0) return { values: 0, leftOut: ['network metrics: the P-chain is not indexed'] }
    const [pending] = await store<{ imports: bigint }[]>`
      select count(*) as imports from pending_imports
      where home in (${primaryChainKey(network.id, 'p-chain')}, ${primaryChainKey(network.id, 'x-chain')})`
    if (heights.X < 0 || (pending?.imports ?? 0n) > 0n)
      return { values: 0, leftOut: ['network metrics: P, X and C have not caught up with each other'] }
    const leftOut = heights.C < 0 ? ['network metrics of UTXOs: the C-chain is not indexed'] : []
    const [vertex] = await store`
      select from vertices where chain = ${primaryChainKey(network.id, 'x-chain')} limit 1`
    const facts = await readNetworkFacts(node, genesis, heights, vertex !== undefined)
    let values = 0
    for (const metric of networkMetricNames) {
      if (isSampled(metric) || (heights.C < 0 && needsC.has(metric))) continue
      const chain = primaryChainKey(network.id, networkMetricEntry(metric).chain satisfies PrimaryChainAlias)
      const range = await readNetworkRange(sql, chain, metric)
      if (range === undefined) continue
      const { first, last } = range
      let wrong = 0
      let example: string | undefined
      for (const interval of networkIntervals) {
        const start = periodStart(first, interval)
        const starts = periodsDown(interval, periodStart(last, interval), start, Infinity).reverse()
        const end = Math.min(periodEnd(starts.at(-1) ?? start, interval), last + 1)
        const boundaries = [...starts, end]
        const counted = networkCounts[metric](facts, boundaries)
        const read = await readNetworkSeries(sql, chain, metric, boundaries)
        for (const [index, figure] of counted.entries()) {
          const value = read[index] ?? nothing
          values += 1
          if (same(figure, value)) continue
          wrong += 1
          example ??= `by ${interval} at ${starts[index]} is ${value.amount}/${value.per}, counted ${figure.amount}/${figure.per}`
        }
      }
      // One line a metric: a wrong stake makes thousands of wrong values.
      if (example !== undefined) findings.add('I6', `${metric} ${example}; ${wrong} of its values differ`)
    }
    return { values, leftOut }
  })
}

const same = (a: Fraction, b: Fraction): boolean =>
  a.per === 0n || b.per === 0n ? a.per === b.per : a.amount * b.per === b.amount * a.per
