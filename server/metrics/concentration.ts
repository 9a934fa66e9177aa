import type { StakingPeriodRow } from '../store/metrics/read-network-metrics.ts'
import { nothing, type Fraction } from './definitions.ts'

/** The weights of the validators at one time, largest first, in nAVAX, and their sum. */
type Weights = { readonly weights: BigUint64Array; readonly total: bigint }

/** A figure about how stake is spread. */
export type Concentration = (weights: Weights) => Fraction

/** The percentage of the total that the largest `percent` of validators have, rounded up to whole ones. */
export const largestShare =
  (percent: number): Concentration =>
  ({ weights, total }) => {
    const count = Math.ceil((weights.length * percent) / 100)
    const held = weights.subarray(0, count).reduce((sum, weight) => sum + weight, 0n)
    return { amount: 100n * held, per: total }
  }

/** The smallest number of validators that together have at least `permille` of the total. */
export const fewestWith =
  (permille: bigint): Concentration =>
  ({ weights, total }) => {
    let held = 0n
    for (const [index, weight] of weights.entries()) {
      held += weight
      if (held * 1000n >= total * permille) return { amount: BigInt(index + 1), per: 1n }
    }
    return nothing
  }

/**
 * The Gini coefficient: with weights in ascending order and i counted from 1, 2 Σ i·w / (n Σ w) − (n + 1) / n.
 */
export const gini: Concentration = ({ weights, total }) => {
  const count = BigInt(weights.length)
  let ranked = 0n
  for (const [index, weight] of weights.entries()) ranked += (count - BigInt(index)) * weight
  return { amount: 2n * ranked - (count + 1n) * total, per: count * total }
}

/**
 * The figure at each of the times, ascending: over stakes that began before the time and did not end before it.
 * A stake counts for its validator's node.
 */
export function concentrationAt(
  periods: readonly StakingPeriodRow[],
  times: readonly number[],
  figure: Concentration,
): Fraction[] {
  const events = periods
    .flatMap(({ node, weight, start_ts: start, ended_ts: end }) => {
      const key = node.toString('hex')
      const amount = BigInt(weight)
      const begins = { ts: Number(start), key, amount }
      return end === null ? [begins] : [begins, { ts: Number(end), key, amount: -amount }]
    })
    .sort((a, b) => a.ts - b.ts)
  const byNode = new Map<string, bigint>()
  let next = 0
  let last: Fraction = nothing
  return times.map((time) => {
    const before = next
    for (let event = events[next]; event && event.ts < time; event = events[next]) {
      const weight = (byNode.get(event.key) ?? 0n) + event.amount
      if (weight === 0n) byNode.delete(event.key)
      else byNode.set(event.key, weight)
      next += 1
    }
    if (next > before) {
      const weights = BigUint64Array.from(byNode.values()).sort().reverse()
      last =
        weights.length === 0
          ? nothing
          : figure({ weights, total: weights.reduce((sum, weight) => sum + weight, 0n) })
    }
    return last
  })
}
