/**
 * The minting rules of a staking asset. Rates in millionths per year; amounts in the asset's smallest unit.
 */
export type RewardRules = {
  readonly cap: bigint
  readonly minRate: bigint
  readonly maxRate: bigint
}

const millionths = 1_000_000n
const nanoseconds = 1_000_000_000n
const mintingPeriod = 365n * 86_400n * nanoseconds
const widest = 2n ** 64n

/** The rules of the primary network before Helicon, equal on all networks. */
export const primaryRewards: RewardRules = {
  cap: 720_000_000_000_000_000n,
  minRate: 100_000n,
  maxRate: 120_000n,
}

/** Helicon reduces the lower rate by this amount, linearly over this many seconds (ACP-285). */
const rateReduction = 25_000n
const reductionSeconds = 90n * 86_400n

/**
 * The rules of the primary network for a period that begins at `start`; `helicon` is the upgrade's activation
 * time.
 */
export function primaryRewardsAt(start: number, helicon: number): RewardRules {
  if (start < helicon) return primaryRewards
  const elapsed = BigInt(start - helicon)
  const change = elapsed < reductionSeconds ? (rateReduction * elapsed) / reductionSeconds : rateReduction
  return { ...primaryRewards, minRate: primaryRewards.minRate - change }
}

/**
 * The full reward for staking `weight` over `seconds` at a given `supply`. The three divisions round down one
 * after the other, as on the chain.
 */
export function rewardOf(rules: RewardRules, seconds: number, weight: bigint, supply: bigint): bigint {
  const duration = BigInt(seconds) * nanoseconds
  const left = rules.cap - supply
  const rate = (rules.maxRate - rules.minRate) * duration + rules.minRate * mintingPeriod
  const reward = (left * rate * weight * duration) / (mintingPeriod * millionths) / supply / mintingPeriod
  return reward < left ? reward : left
}

/**
 * Splits a reward into `shares` millionths and the rest: a validator's share of a delegation's reward and the
 * delegator's part, or the restaked and the paid part. The rest is rounded down; a product above 64 bits
 * loses its last digits, as on the chain.
 */
export function splitReward(
  reward: bigint,
  shares: number,
): { readonly share: bigint; readonly rest: bigint } {
  const others = millionths - BigInt(shares)
  const product = reward * others
  const rest = product < widest ? product / millionths : others * (reward / millionths)
  return { share: reward - rest, rest }
}

/**
 * The restaked parts of a period's rewards: of the validator's own reward, and of its share of delegation
 * rewards.
 */
export type Restaked = { readonly own: bigint; readonly fees: bigint }

/**
 * The amounts that an auto-renewed validator restakes with its `shares`; if its weight would exceed `room`,
 * both are reduced to fit (ACP-236).
 */
export function restakeOf(own: bigint, fees: bigint, shares: number, room: bigint): Restaked {
  const wanted = { own: splitReward(own, shares).share, fees: splitReward(fees, shares).share }
  const sum = wanted.own + wanted.fees
  if (sum <= room) return wanted
  const kept = (wanted.own * room) / sum
  return { own: kept, fees: room - kept }
}
