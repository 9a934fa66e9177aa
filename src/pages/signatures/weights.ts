import type { SignerSet } from '../../../contract/signatures/warp.ts'

export type Signer = SignerSet['signers'][number]

/** The least weight that reaches a percentage of a total: percentage × total ≤ 100 × weight. */
export const requiredWeight = (total: bigint, percentage: number): bigint =>
  (total * BigInt(percentage) + 99n) / 100n

/** The highest whole percentage that a weight reaches. */
export const reachedPercentage = (weight: bigint, total: bigint): number =>
  total === 0n ? 0 : Number((weight * 100n) / total)

/** The position of a weight on a scale from 0 to 1,000,000; for drawing only. */
export const scalePosition = (weight: bigint, total: bigint): number =>
  total === 0n ? 0 : Number((weight * 1_000_000n) / total)

/** Ordered by weight, largest first: the order in which signers are asked. */
export function byWeight<S extends { weight: string; index: number }>(signers: readonly S[]): S[] {
  return signers.toSorted((a, b) => {
    const difference = BigInt(b.weight) - BigInt(a.weight)
    return difference > 0n ? 1 : difference < 0n ? -1 : a.index - b.index
  })
}

export const sumOfWeights = (signers: readonly { weight: string }[]): bigint =>
  signers.reduce((sum, { weight }) => sum + BigInt(weight), 0n)

/** Two percentages on one scale: the moved one stays, the other one is adjusted so that both fit. */
export function linked(
  now: { quorum: number; buffer: number },
  moved: { quorum: number } | { reach: number },
): { quorum: number; buffer: number } {
  const within = (value: number): number => Math.min(100, Math.max(0, Math.round(value)))
  if ('quorum' in moved) {
    const quorum = within(moved.quorum)
    return { quorum, buffer: Math.min(now.buffer, 100 - quorum) }
  }
  return { quorum: now.quorum, buffer: Math.max(0, within(moved.reach) - now.quorum) }
}
