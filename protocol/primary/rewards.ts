/** How a staking asset is minted. Rates in millionths of a year; amounts in the asset's smallest unit. */
export type RewardRules = {
  readonly cap: bigint
  readonly minRate: bigint
  readonly maxRate: bigint
}

const millionths = 1_000_000n
const nanoseconds = 1_000_000_000n
const mintingPeriod = 365n * 86_400n * nanoseconds
const widest = 2n ** 64n

/** The rules of the primary network before Helicon, the same on every network. */
export const primaryRewards: RewardRules = {
  cap: 720_000_000_000_000_000n,
  minRate: 100_000n,
  maxRate: 120_000n,
}

/** Helicon lowers the lower rate by this, evenly over as many seconds (ACP-285). */
const rateReduction = 25_000n
const reductionSeconds = 90n * 86_400n

/** The rules of the primary network for a period that begins at `start`; `helicon` is when that upgrade began. */
export function primaryRewardsAt(start: number, helicon: number): RewardRules {
  if (start < helicon) return primaryRewards
  const elapsed = BigInt(start - helicon)
  const change = elapsed < reductionSeconds ? (rateReduction * elapsed) / reductionSeconds : rateReduction
  return { ...primaryRewards, minRate: primaryRewards.minRate - change }
}

/**
 * The whole reward for staking `weight` over `seconds` while `supply` exists. The three divisions round
 * down in turn, as the chain does.
 */
export function rewardOf(rules: RewardRules, seconds: number, weight: bigint, supply: bigint): bigint {
  const duration = BigInt(seconds) * nanoseconds
  const left = rules.cap - supply
  const rate = (rules.maxRate - rules.minRate) * duration + rules.minRate * mintingPeriod
  const reward = (left * rate * weight * duration) / (mintingPeriod * millionths) / supply / mintingPeriod
  return reward < left ? reward : left
}

/**
 * What `shares` millionths of a reward come to, and what is left: a validator's part of a delegation's reward
 * and the delegator's, or what is staked again and what is paid. What is left is rounded down; a product past
 * 64 bits loses its last digits, as it does on the chain.
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

/** What is staked again of a period's rewards: of the validator's own, and of its share of delegations. */
export type Restaked = { readonly own: bigint; readonly fees: bigint }

/**
 * What an auto-renewed validator stakes again by its `shares`; where its weight would pass `room`, both parts
 * shrink to fit (ACP-236).
 */
export function restakeOf(own: bigint, fees: bigint, shares: number, room: bigint): Restaked {
  const wanted = { own: splitReward(own, shares).share, fees: splitReward(fees, shares).share }
  const sum = wanted.own + wanted.fees
  if (sum <= room) return wanted
  const kept = (wanted.own * room) / sum
  return { own: kept, fees: room - kept }
}
