import { chainAliases } from '../../protocol/primary/chains.ts'
import { periodEnd, periodStart } from '../../contract/metrics/intervals.ts'
import {
  networkIntervals,
  networkMetricEntry,
  networkMetricNames,
  type NetworkMetricName,
} from '../../contract/metrics/network-catalogue.ts'
import { isSampled } from '../../contract/metrics/network-samples.ts'
import { primaryAliasOf, type PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { decodePGenesis } from '../../protocol/primary/genesis.ts'
import type { NetworkConfig } from '../kernel/settings/config.ts'
import { nothing, type Fraction } from '../metrics/definitions.ts'
import { readNetworkRange, readNetworkSeries } from '../metrics/network-series.ts'
import { periodsDown } from '../metrics/periods.ts'
import { primaryChainKey } from '../primary/chains.ts'
import type { OddKind } from '../../contract/primary/odd-history.ts'
import { readGenesisFile } from '../primary/genesis-file.ts'
import { publicGenesis } from '../primary/public-genesis.ts'
import type { Database, Queryable } from '../store/database.ts'
import { snapshot } from '../store/snapshot.ts'
import type { Findings } from './findings.ts'
import { readMessagePairs } from '../store/metrics/read-messages.ts'
import type { NetworkFacts } from './network-facts.ts'
import { countsOf, networkCounts, readNetworkFacts } from './network-recount.ts'
import type { PrimaryNodeReader } from './primary-node.ts'

/** UTXOs that the C-Chain sent are known from its blocks. */
const needsC: ReadonlySet<NetworkMetricName> = new Set(['pUtxos', 'xUtxos'])

/**
 * The genesis bytes of the setting, or those of a public network; undefined without either. The id of the stored block 0,
 * which is compared with the node's, commits to its parent.
 */
async function genesisOf(database: Database, network: NetworkConfig): Promise<Uint8Array | undefined> {
  if (network.genesisFile !== undefined) return readGenesisFile(network.genesisFile)
  const [row] = await database<{ parent_id: Buffer }[]>`
    select parent_id from primary_blocks where chain = ${primaryChainKey(network.id, 'p-chain')} and height = 0`
  return row && publicGenesis(row.parent_id)
}

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
  const bytes = await genesisOf(database, network)
  if (!bytes)
    return { values: 0, leftOut: ['network metrics: the configuration has no genesisFile to count from'] }
  const genesis = decodePGenesis(bytes)
  return snapshot(database, async (sql) => {
    const store = sql as unknown as Database
    const heights = { P: -1, X: -1, C: -1 }
    for (const chainAlias of chainAliases) {
      const [row] = await store<{ height: bigint | null }[]>`
        select max(height) as height from primary_blocks
        where chain = ${primaryChainKey(network.id, primaryAliasOf[chainAlias])}`
      heights[chainAlias] = Number(row?.height ?? -1n)
    }
    if (heights.P < 0) return { values: 0, leftOut: ['network metrics: the P-Chain is not indexed'] }
    const [pending] = await store<{ imports: bigint }[]>`
      select count(*) as imports from pending_imports
      where not unmade
        and home in (${primaryChainKey(network.id, 'p-chain')}, ${primaryChainKey(network.id, 'x-chain')})`
    if (heights.X < 0 || (pending?.imports ?? 0n) > 0n)
      return { values: 0, leftOut: ['network metrics: P, X and C have not caught up with each other'] }
    const [neverMade] = await store<{ inputs: bigint }[]>`
      select count(*) as inputs from odd_history where kind = ${'neverMade' satisfies OddKind}
        and chain in (${primaryChainKey(network.id, 'p-chain')}, ${primaryChainKey(network.id, 'x-chain')})`
    const leftOut =
      heights.C < 0
        ? ['network metrics of UTXOs: the C-Chain is not indexed']
        : (neverMade?.inputs ?? 0n) > 0n
          ? ['network metrics of UTXOs: accepted blocks spend UTXOs that nobody made']
          : []
    const [vertex] = await store`
      select from vertices where chain = ${primaryChainKey(network.id, 'x-chain')} limit 1`
    const facts = await readNetworkFacts(node, genesis, heights, vertex !== undefined)
    let values = 0
    for (const metric of networkMetricNames) {
      if (isSampled(metric) || (leftOut.length > 0 && needsC.has(metric))) continue
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
    const pChain = primaryChainKey(network.id, 'p-chain')
    values += await comparePairs(sql, pChain, facts, findings)
    return { values, leftOut }
  })
}

/**
 * Compares the messages of the P-Chain by the chain at the other end. Those of EVM chains are rows, which are compared one
 * by one with the chain's logs (rows.ts).
 */
async function comparePairs(
  sql: Queryable,
  chain: number,
  facts: NetworkFacts,
  findings: Findings,
): Promise<number> {
  const range = await readNetworkRange(sql, chain, 'pTransactions')
  if (range === undefined) return 0
  let values = 0
  for (const interval of networkIntervals) {
    const first = periodStart(range.first, interval)
    const starts = periodsDown(interval, periodStart(range.last, interval), first, Infinity).reverse()
    const boundaries = [...starts, range.last + 1]
    for (const direction of ['sent', 'delivered'] as const) {
      const left = new Map(
        facts.names(direction).map((name) => [name, countsOf(facts.of(name), boundaries)] as const),
      )
      for (const { place, peer, messages } of await readMessagePairs(sql, [], chain, direction, boundaries)) {
        const name = `${direction} ${peer?.toString('hex') ?? 'unknown'}`
        const counted = left.get(name)?.[place - 1] ?? 0n
        values += 1
        if (counted !== messages)
          findings.add(
            'I6',
            `messages ${name} by ${interval} at ${starts[place - 1]} are ${messages}, counted ${counted}`,
          )
        left.get(name)?.splice(place - 1, 1, 0n)
      }
      for (const [name, counts] of left)
        for (const [index, count] of counts.entries())
          if (count > 0n)
            findings.add('I6', `messages ${name} by ${interval} at ${starts[index]} are 0, counted ${count}`)
    }
  }
  return values
}

const same = (a: Fraction, b: Fraction): boolean =>
  a.per === 0n || b.per === 0n ? a.per === b.per : a.amount * b.per === b.amount * a.per
