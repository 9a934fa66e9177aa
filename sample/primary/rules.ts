/** How many of the staking asset there may be, and how fast they come to be. Rates in millionths a year. */
export interface RewardRules {
  readonly cap: bigint
  readonly minRate: bigint
  readonly maxRate: bigint
}

const DENOMINATOR = 1_000_000n
const SECOND = 1_000_000_000n
const YEAR = 365n * 86_400n * SECOND

/** Those of the primary network before Helicon. */
export const primaryRewards: RewardRules = { cap: 720n * 10n ** 15n, minRate: 100_000n, maxRate: 120_000n }

/** What ACP-285 takes from the lower rate, and the seconds since Helicon that it takes for it. */
const REDUCTION = 25_000n
const REDUCTION_SECONDS = 90n * 86_400n

/** The primary network's rules for a staking period that begins at `start`. Unix seconds. */
export function primaryRewardsAt(start: number, helicon: number): RewardRules {
  if (start < helicon) return primaryRewards
  const elapsed = BigInt(start - helicon)
  const reduction = elapsed < REDUCTION_SECONDS ? (REDUCTION * elapsed) / REDUCTION_SECONDS : REDUCTION
  return { ...primaryRewards, minRate: primaryRewards.minRate - reduction }
}

/**
 * What a stake of `weight` earns in `seconds` when there is `supply`: primary.md, "Staking reward". All amounts in the
 * asset's smallest unit.
 */
export function rewardOf(rules: RewardRules, seconds: number, weight: bigint, supply: bigint): bigint {
  const duration = BigInt(seconds) * SECOND
  const left = rules.cap - supply
  const rate = (rules.maxRate - rules.minRate) * duration + rules.minRate * YEAR
  const reward = (left * rate * weight * duration) / (YEAR * DENOMINATOR) / supply / YEAR
  return reward < left ? reward : left
}

/** The most that a validator of the primary network may stake, with what it stakes again. nAVAX. */
export const MOST_STAKE = 3_000_000n * 10n ** 9n

/** How a delegation's reward is split between delegator and validator, whose part is `shares` millionths. */
export function splitReward(
  reward: bigint,
  shares: number,
): { readonly delegator: bigint; readonly validator: bigint } {
  const rest = DENOMINATOR - BigInt(shares)
  const product = reward * rest
  const delegator = product < 1n << 64n ? product / DENOMINATOR : rest * (reward / DENOMINATOR)
  return { delegator, validator: reward - delegator }
}

/** A price that follows an excess. */
export interface PriceRules {
  readonly minPrice: bigint
  readonly constant: bigint
}

/** The fee of L1 validators, nAVAX a second each, on the test network. */
export const validatorFee = { minPrice: 512n, constant: 51_937_021n, target: 10_000n, capacity: 20_000n }
/** The P-chain's gas since Etna. */
export const gasFee = {
  minPrice: 1n,
  constant: 2_164_043n,
  maxCapacity: 1_000_000n,
  maxPerSecond: 100_000n,
  targetPerSecond: 50_000n,
}

const LARGEST = (1n << 64n) - 1n

/** minPrice · e^(excess/constant), by the integer loop of EIP-4844. */
export function priceAt({ minPrice, constant }: PriceRules, excess: bigint): bigint {
  let sum = 0n
  let term = minPrice * constant
  for (let index = 1n; term > 0n; index += 1n) {
    sum += term
    if (sum / constant > LARGEST) return LARGEST
    term = (term * excess) / (constant * index)
  }
  return sum / constant
}

/** What `active` validators pay each in `seconds`, and the excess after it: primary.md, "Fee of L1 validators". */
export function validatorFees(
  rules: PriceRules & { readonly target: bigint },
  excess: bigint,
  active: number,
  seconds: number,
): { readonly cost: bigint; readonly excess: bigint } {
  const change = BigInt(active) - rules.target
  // Once the excess is used up every second costs the same.
  if (excess === 0n && change <= 0n) return { cost: priceAt(rules, 0n) * BigInt(seconds), excess }
  let cost = 0n
  let now = excess
  for (let second = 0; second < seconds; second += 1) {
    now = now + change > 0n ? now + change : 0n
    cost += priceAt(rules, now)
  }
  return { cost, excess: now }
}
