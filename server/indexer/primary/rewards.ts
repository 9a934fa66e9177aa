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

/** The rules of the primary network, the same on every network. */
export const primaryRewards: RewardRules = {
  cap: 720_000_000_000_000_000n,
  minRate: 100_000n,
  maxRate: 120_000n,
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
 * What a delegator and its validator get of a delegation's reward; `shares` are the validator's millionths.
 * A product past 64 bits loses its last digits, as it does on the chain.
 */
export function splitReward(
  reward: bigint,
  shares: number,
): { readonly delegator: bigint; readonly validator: bigint } {
  const rest = millionths - BigInt(shares)
  const product = reward * rest
  const delegator = product < widest ? product / millionths : rest * (reward / millionths)
  return { delegator, validator: reward - delegator }
}
