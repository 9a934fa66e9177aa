/*
 * Counts the chain metrics from nothing but the node's JSON-RPC: every block is reduced to what it adds,
 * and every figure is counted anew from all blocks of its period (docs/metrics.md).
 */
import type { MetricName, TimeInterval } from '../../contract/metrics/catalogue.ts'
import type { Node, NodeLog } from './node.ts'
import { quantity } from './node.ts'

/** What one block adds to the metrics. */
export type BlockFacts = {
  /** Unix seconds. */
  readonly time: number
  readonly gas: bigint
  readonly parties: ReadonlySet<string>
  readonly senders: ReadonlySet<string>
  /** Effective price and gas of each receipt. */
  readonly paid: readonly { readonly price: bigint; readonly gas: bigint }[]
  /** Who created a contract, once a contract. */
  readonly deployers: readonly string[]
}

/** An exact figure: `of` over `per`; a `per` of 0 says that there was nothing to measure. */
export type Figure = {
  readonly of: bigint
  readonly per: bigint
}

type FlatTrace = {
  readonly type: string
  readonly action: { readonly from: string }
  readonly error?: string | null
  readonly traceAddress: readonly number[]
  readonly transactionPosition: number
}

const nobody = `0x${'0'.repeat(40)}`
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const single = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

const addressIn = (topic: string | undefined): string => `0x${(topic ?? '').slice(-40).toLowerCase()}`

/** Who sent a token to whom; undefined for a log that is no transfer. */
function movementOf({ topics, data }: NodeLog): readonly [string, string] | undefined {
  const words = (data.length - 2) / 64
  const isPlain =
    topics[0] === transfer && ((topics.length === 3 && words === 1) || (topics.length === 4 && words === 0))
  if (isPlain) return [addressIn(topics[1]), addressIn(topics[2])]
  const isItem =
    topics.length === 4 && ((topics[0] === single && words === 2) || (topics[0] === batch && words >= 4))
  return isItem ? [addressIn(topics[2]), addressIn(topics[3])] : undefined
}

/** Creations that lasted: neither they nor any call around them failed. */
function deployersIn(traces: readonly FlatTrace[]): string[] {
  const failed = traces.filter(({ error }) => error != null)
  return traces
    .filter(({ type }) => type === 'create')
    .filter(
      (made) =>
        !failed.some(
          (one) =>
            one.transactionPosition === made.transactionPosition &&
            one.traceAddress.every((step, depth) => made.traceAddress[depth] === step),
        ),
    )
    .map(({ action }) => action.from.toLowerCase())
}

async function readBlock(node: Node, height: number): Promise<BlockFacts> {
  const block = await node.block(height)
  const isEmpty = block.transactions.length === 0
  const receipts = isEmpty ? [] : await node.receipts(height)
  const traces = isEmpty ? [] : await node.call<readonly FlatTrace[]>('trace_block', [quantity(height)])
  const parties = new Set<string>()
  const senders = new Set<string>()
  for (const { from, to } of block.transactions) {
    senders.add(from.toLowerCase())
    if (to !== null) parties.add(to.toLowerCase())
  }
  for (const movement of receipts.flatMap(({ logs }) => logs.map(movementOf))) {
    if (movement === undefined) continue
    senders.add(movement[0])
    parties.add(movement[1])
  }
  for (const sender of senders) parties.add(sender)
  senders.delete(nobody)
  parties.delete(nobody)
  return {
    time: Number(block.timestamp),
    gas: BigInt(block.gasUsed),
    parties,
    senders,
    paid: receipts.map((one) => ({ price: BigInt(one.effectiveGasPrice), gas: BigInt(one.gasUsed) })),
    deployers: deployersIn(traces),
  }
}

/** Reads the blocks of a node from genesis up to, not with, the first one at or after `end` (Unix seconds). */
export async function readFacts(node: Node, end: number): Promise<BlockFacts[]> {
  const facts: BlockFacts[] = []
  const head = await node.head()
  for (let height = 0; height <= head; height += 16) {
    const heights = Array.from({ length: Math.min(16, head - height + 1) }, (_, index) => height + index)
    const read = await Promise.all(heights.map((one) => readBlock(node, one)))
    facts.push(...read.filter(({ time }) => time < end))
    if (read.some(({ time }) => time >= end)) break
  }
  return facts
}

/** The start of the period that holds a time, and the start of the next one, by the calendar. */
export function periodAt(interval: TimeInterval, time: number): { start: number; end: number } {
  const date = new Date(time * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()] as const
  const monday = day - ((date.getUTCDay() + 6) % 7)
  const hour = date.getUTCHours()
  const seconds = (...parts: Parameters<typeof Date.UTC>): number => Date.UTC(...parts) / 1000
  switch (interval) {
    case 'hour':
      return { start: seconds(year, month, day, hour), end: seconds(year, month, day, hour + 1) }
    case 'day':
      return { start: seconds(year, month, day), end: seconds(year, month, day + 1) }
    case 'week':
      return { start: seconds(year, month, monday), end: seconds(year, month, monday + 7) }
    case 'month':
      return { start: seconds(year, month, 1), end: seconds(year, month + 1, 1) }
  }
}

const whole = (of: bigint | number): Figure => ({ of: BigInt(of), per: 1n })
const nothing: Figure = { of: 0n, per: 0n }
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
const distinct = (facts: readonly BlockFacts[], pick: (one: BlockFacts) => Iterable<string>): Figure =>
  whole(new Set(facts.flatMap((one) => [...pick(one)])).size)

type Amount = (one: BlockFacts) => bigint
const txsOf: Amount = ({ paid }) => BigInt(paid.length)
const gasOf: Amount = ({ gas }) => gas

/** The day's total over the time since the last block before it; on the first day, since the first block. */
function meanRate(own: readonly BlockFacts[], before: readonly BlockFacts[], amount: Amount): Figure {
  const last = own.at(-1)
  if (last === undefined) return nothing
  const previous = before.at(-1)
  const counted = previous === undefined ? own.slice(1) : own
  const since = previous ?? own[0] ?? last
  return { of: sum(counted.map(amount)), per: BigInt(last.time - since.time) }
}

/** The highest rate of any second that has blocks, by the time since the second with blocks before it. */
function peakRate(own: readonly BlockFacts[], before: readonly BlockFacts[], amount: Amount): Figure {
  let best = nothing
  let previous = before.at(-1)?.time
  for (const time of new Set(own.map((one) => one.time))) {
    const rate = {
      of: sum(own.filter((one) => one.time === time).map(amount)),
      per: BigInt(time - (previous ?? time)),
    }
    if (rate.per > 0n && (best.per === 0n || rate.of * best.per > best.of * rate.per)) best = rate
    previous = time
  }
  return best
}

/** The figure of a metric in the period that begins at `start`. `facts` are all blocks, in their order. */
export function figureOf(
  metric: MetricName,
  facts: readonly BlockFacts[],
  start: number,
  end: number,
): Figure {
  const before = facts.filter(({ time }) => time < start)
  const own = facts.filter(({ time }) => time >= start && time < end)
  const prices = own.flatMap(({ paid }) => paid.map(({ price }) => price))
  switch (metric) {
    case 'activeAddresses':
      return distinct(own, ({ parties }) => parties)
    case 'activeSenders':
      return distinct(own, ({ senders }) => senders)
    case 'cumulativeAddresses':
      return distinct([...before, ...own], ({ parties }) => parties)
    case 'cumulativeDeployers':
      return distinct([...before, ...own], ({ deployers }) => deployers)
    case 'deployers':
      return distinct(own, ({ deployers }) => deployers)
    case 'contracts':
      return whole(own.flatMap(({ deployers }) => deployers).length)
    case 'cumulativeContracts':
      return whole(before.flatMap(({ deployers }) => deployers).length)
    case 'txCount':
      return whole(sum(own.map(txsOf)))
    case 'cumulativeTxCount':
      return whole(sum([...before, ...own].map(txsOf)))
    case 'gasUsed':
      return whole(sum(own.map(gasOf)))
    case 'feesPaid':
      return whole(sum(own.flatMap(({ paid }) => paid.map(({ price, gas }) => price * gas))))
    case 'avgGasPrice':
      return { of: sum(prices), per: BigInt(prices.length) }
    case 'maxGasPrice':
      return prices.length === 0 ? nothing : whole(prices.reduce((top, price) => (price > top ? price : top)))
    case 'avgTps':
      return meanRate(own, before, txsOf)
    case 'avgGps':
      return meanRate(own, before, gasOf)
    case 'maxTps':
      return peakRate(own, before, txsOf)
    case 'maxGps':
      return peakRate(own, before, gasOf)
  }
}
