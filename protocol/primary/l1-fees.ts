/**
 * How the price per second depends on the excess, as reported by the node (platform.getValidatorFeeConfig).
 */
export type L1FeeRules = {
  readonly target: bigint
  readonly minPrice: bigint
  readonly conversion: bigint
}

const widest = 2n ** 64n - 1n

/**
 * The price of one second in nAVAX at an excess over the target: the integer loop of EIP-4844, limited to 64
 * bits.
 */
export function priceAt({ minPrice, conversion }: Omit<L1FeeRules, 'target'>, excess: bigint): bigint {
  const ceiling = widest * conversion
  let sum = 0n
  let term = minPrice * conversion
  for (let step = 1n; term > 0n; step += 1n) {
    sum += term
    if (sum > ceiling) return widest
    term = (term * excess) / (conversion * step)
  }
  return sum / conversion
}

/**
 * The amount that each active L1 validator pays for the next `seconds`, in nAVAX, and the excess after them.
 * The number of active validators is constant meanwhile, because it only changes with blocks.
 */
export function feesFor(
  rules: L1FeeRules,
  excess: bigint,
  active: number,
  seconds: number,
): { readonly cost: bigint; readonly excess: bigint } {
  const change = BigInt(active) - rules.target
  if (change === 0n) return { cost: priceAt(rules, excess) * BigInt(seconds), excess }
  let cost = 0n
  let now = excess
  for (let second = 0; second < seconds; second += 1) {
    now = now + change > 0n ? now + change : 0n
    // From here on the price is constant, however long the chain made no blocks.
    if (now === 0n && change < 0n)
      return { cost: cost + rules.minPrice * BigInt(seconds - second), excess: 0n }
    cost += priceAt(rules, now)
  }
  return { cost, excess: now }
}

/** The L1 validator fee on the test network; the price is in nAVAX per second. */
export const fujiL1Fees = {
  target: 10_000n,
  capacity: 20_000n,
  minPrice: 512n,
  conversion: 51_937_021n,
} satisfies L1FeeRules & { readonly capacity: bigint }

/** The P-Chain's gas since Etna, equal on all public networks; the price is in nAVAX per unit (ACP-103). */
export const gasFees = {
  minPrice: 1n,
  conversion: 2_164_043n,
  maxCapacity: 1_000_000n,
  maxPerSecond: 100_000n,
  targetPerSecond: 50_000n,
}
