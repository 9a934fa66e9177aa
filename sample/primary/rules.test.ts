import { describe, expect, it } from 'vitest'
import recorded from './fixtures/renewals.json' with { type: 'json' }
import { primaryRewards, primaryRewardsAt, priceAt, rewardOf, splitReward, validatorFees } from './rules.ts'

/** The vectors were computed by the node's own code for the main network (primary.md). */
const main = { minPrice: 512n, constant: 1_246_488_515n, target: 10_000n }

describe('the fee of L1 validators', () => {
  it.each([
    { active: 1, seconds: 86_400, from: 0n, cost: 44_236_800n, to: 0n },
    { active: 20_000, seconds: 3_600, from: 0n, cost: 1_868_282n, to: 36_000_000n },
    { active: 20_000, seconds: 86_400, from: 0n, cost: 63_777_286n, to: 864_000_000n },
    { active: 5_000, seconds: 1_000, from: 864_000_000n, cost: 1_021_436n, to: 859_000_000n },
  ])('$active active for $seconds s cost $cost', ({ active, seconds, from, cost, to }) => {
    expect(validatorFees(main, from, active, seconds)).toEqual({ cost, excess: to })
  })

  it('has the prices that follow', () => {
    expect(priceAt(main, 36_000_000n)).toBe(527n)
    expect(priceAt(main, 864_000_000n)).toBe(1_024n)
  })
})

describe('the staking reward', () => {
  // Potential rewards that a node told of its genesis validators, in the order of the genesis list.
  it.each([{ seconds: 31_514_400, supply: 360_000_000_000_000_000n, reward: 239_808_237_943_328n }])(
    'of 2,000,000 AVAX for $seconds s is $reward',
    ({ seconds, supply, reward }) => {
      expect(rewardOf(primaryRewards, seconds, 2_000_000_000_000_000n, supply)).toBe(reward)
    },
  )

  // Networks whose Helicon lay 30, 60, 89 and 100 days back told these rewards.
  it('follows the lower rate down that ACP-285 brings', () => {
    for (const { heliconTime, validators } of recorded.rewardVectors) {
      for (const { startTime, endTime, weight, supplyBefore, potentialReward } of validators) {
        const [start, end] = [Number(startTime), Number(endTime)]
        const rules = primaryRewardsAt(start, heliconTime)
        const reward = rewardOf(rules, end - start, BigInt(weight), BigInt(supplyBefore))
        expect(reward).toBe(BigInt(potentialReward))
      }
    }
  })

  it('is split as the node splits it', () => {
    expect(splitReward(999n, 20_000)).toEqual({ delegator: 979n, validator: 20n })
    const large = 1n << 60n
    expect(splitReward(large, 20_000).delegator).toBe(980_000n * (large / 1_000_000n))
  })
})
