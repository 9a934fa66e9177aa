import { expect } from 'vitest'
import {
  intervalsOf,
  metricNames,
  type MetricName,
  type TimeInterval,
} from '../../contract/metrics/catalogue.ts'
import { getMetric } from '../../contract/metrics/metrics.ts'
import type { ContractReader } from '../stack/contract-reader.ts'
import type { CallFrame, ChainOfNode, MinedTransaction } from './evm-node.ts'
import { transfersOf } from './evm-transfers.ts'

const nobody = `0x${'00'.repeat(20)}`
/** How many periods of each metric are compared, newest first. */
const periods = 10

/** Metrics that are counted from traces. */
const fromTraces: ReadonlySet<MetricName> = new Set([
  'contracts',
  'deployers',
  'cumulativeContracts',
  'cumulativeDeployers',
])

/** All blocks of one second: rates have whole seconds between them. */
type Second = {
  readonly ts: number
  readonly mined: readonly MinedTransaction[]
}

/**
 * Holds the newest periods of every metric, at every interval, against a count from the node's blocks by the
 * rules of docs/metrics.md, the plain way: the transactions of a period are all looked at, for each figure.
 */
export async function compareMetrics(chain: ChainOfNode, service: ContractReader): Promise<void> {
  const times = new Set(chain.blocks.map(({ block }) => Number(block.timestamp)))
  // A genesis block without a time has no second of its own.
  times.delete(0)
  const seconds = [...times].map((ts): Second => {
    const blocks = chain.blocks.filter(({ block }) => Number(block.timestamp) === ts)
    return { ts, mined: blocks.flatMap(({ mined }) => mined) }
  })
  for (const metric of metricNames) {
    if (!chain.isTraced && fromTraces.has(metric)) continue
    for (const timeInterval of intervalsOf(metric)) {
      const asked = { timeInterval, pageSize: periods }
      const { results } = await service.get(getMetric, { chainId: chain.id, metric }, asked)
      const newest = startOf(timeInterval, seconds.at(-1)?.ts ?? 0)
      expect(results[0]?.timestamp, `${metric} by ${timeInterval}`).toBe(newest)
      for (const { timestamp, value } of results) {
        const wanted = figureOf(metric, seconds, timestamp, endOf(timeInterval, timestamp))
        const title = `${metric} of the ${timeInterval} at ${timestamp}`
        expect(Number(value), title).toBeCloseTo(wanted, wanted > 1e9 ? 0 : 9)
      }
    }
  }
}

function figureOf(metric: MetricName, seconds: readonly Second[], start: number, end: number): number {
  const within = seconds.filter(({ ts }) => ts >= start && ts < end)
  const own = within.flatMap(({ mined }) => mined)
  const before = (limit: number): MinedTransaction[] =>
    seconds.filter(({ ts }) => ts < limit).flatMap(({ mined }) => mined)
  const nextDay = start + 86_400
  switch (metric) {
    case 'activeAddresses':
      return addressesOf(own).size
    case 'activeSenders':
      return sendersOf(own).size
    case 'cumulativeTxCount':
      return before(nextDay).length
    case 'cumulativeAddresses':
      return addressesOf(before(nextDay)).size
    case 'cumulativeContracts':
      return before(start).flatMap(deployersOf).length
    case 'cumulativeDeployers':
      return new Set(before(nextDay).flatMap(deployersOf)).size
    case 'contracts':
      return own.flatMap(deployersOf).length
    case 'deployers':
      return new Set(own.flatMap(deployersOf)).size
    case 'txCount':
      return own.length
    case 'gasUsed':
      return gasOf(own)
    case 'avgTps':
      return meanOf(seconds, within, ({ mined }) => mined.length)
    case 'avgGps':
      return meanOf(seconds, within, ({ mined }) => gasOf(mined))
    case 'maxTps':
      return peakOf(seconds, within, ({ mined }) => mined.length)
    case 'maxGps':
      return peakOf(seconds, within, ({ mined }) => gasOf(mined))
    case 'avgGasPrice':
      return own.length === 0 ? 0 : total(own.map(priceOf)) / own.length
    case 'maxGasPrice':
      return Math.max(0, ...own.map(priceOf))
    case 'feesPaid':
      return total(own.map((mined) => Number(mined.receipt.gasUsed) * priceOf(mined)))
  }
}

const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)
const gasOf = (mined: readonly MinedTransaction[]): number =>
  total(mined.map(({ receipt }) => Number(receipt.gasUsed)))
const priceOf = ({ receipt }: MinedTransaction): number => Number(receipt.effectiveGasPrice)

function sendersOf(mined: readonly MinedTransaction[]): Set<string> {
  const found = mined.flatMap(({ transaction, receipt }) => [
    transaction.from,
    ...receipt.logs.flatMap(transfersOf).map(({ from }) => from),
  ])
  return without(found)
}

function addressesOf(mined: readonly MinedTransaction[]): Set<string> {
  const receivers = mined.flatMap(({ transaction, receipt }) => [
    transaction.to ?? nobody,
    ...receipt.logs.flatMap(transfersOf).map(({ to }) => to),
  ])
  return new Set([...sendersOf(mined), ...without(receivers)])
}

const without = (addresses: readonly string[]): Set<string> =>
  new Set(addresses.filter((address) => address !== nobody))

/** Who made a contract that lasted, once for each. */
function deployersOf({ trace }: MinedTransaction): string[] {
  const creators = (frame: CallFrame): string[] =>
    frame.error !== undefined
      ? []
      : [...(frame.type.startsWith('CREATE') ? [frame.from] : []), ...(frame.calls ?? []).flatMap(creators)]
  return creators(trace)
}

/** The total over the time since the last block before the period; on the chain's first day since its first block. */
function meanOf(
  seconds: readonly Second[],
  within: readonly Second[],
  amountOf: (second: Second) => number,
): number {
  const [first] = within
  const last = within.at(-1)
  if (first === undefined || last === undefined) return 0
  const previous = seconds[seconds.indexOf(first) - 1]
  const counted = previous === undefined ? within.slice(1) : within
  const time = last.ts - (previous ?? first).ts
  return time === 0 ? 0 : total(counted.map(amountOf)) / time
}

/** The greatest amount of one second over the time since the second before it. */
function peakOf(
  seconds: readonly Second[],
  within: readonly Second[],
  amountOf: (second: Second) => number,
): number {
  const rates = within.map((second) => {
    const previous = seconds[seconds.indexOf(second) - 1]
    return previous === undefined ? 0 : amountOf(second) / (second.ts - previous.ts)
  })
  return Math.max(0, ...rates)
}

function startOf(interval: TimeInterval, ts: number): number {
  const date = new Date(ts * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const starts = {
    hour: Date.UTC(year, month, day, date.getUTCHours()),
    day: Date.UTC(year, month, day),
    week: Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)),
    month: Date.UTC(year, month),
  }
  return starts[interval] / 1000
}

function endOf(interval: TimeInterval, start: number): number {
  const date = new Date(start * 1000)
  if (interval === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / 1000
  return start + { hour: 3_600, day: 86_400, week: 604_800 }[interval]
}
