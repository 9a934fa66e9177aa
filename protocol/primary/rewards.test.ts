import { expect, test } from 'vitest'
import { feesFor } from './l1-fees.ts'
import { primaryRewards, primaryRewardsAt, restakeOf, rewardOf, splitReward } from './rewards.ts'

/** Five validators of the local network's genesis: end, and what the node says that they may earn. */
const genesis = [
  [1822514400, 239808237943328n],
  [1822519800, 239536834958496n],
  [1822525200, 238631074194715n],
  [1822530600, 239313906584684n],
  [1822536000, 239043697070926n],
] as const

test('rewards of the five genesis validators are those that a node recorded', () => {
  let supply = 360_000_000_000_000_000n
  // In the order of the genesis, which is that of a heap.
  const order = [0, 1, 3, 4, 2] as const
  for (const index of order) {
    const [end, potential] = genesis[index] ?? [0, 0n]
    const reward = rewardOf(primaryRewards, end - 1791000000, 2_000_000_000_000_000n, supply)
    expect(reward).toBe(potential)
    supply += reward
  }
})

test('a delegation is split as the chain does, small and past 64 bits', () => {
  expect(splitReward(999n, 20_000)).toEqual({ rest: 979n, share: 20n })
  const large = 2n ** 63n
  const { rest, share } = splitReward(large, 20_000)
  expect(rest).toBe(980_000n * (large / 1_000_000n))
  expect(rest + share).toBe(large)
})

/** Seconds since Helicon, the period, the stake, the supply: the reward that avalanchego 1.15 works out. */
const sinceHelicon = [
  [-1, 1209600, 2000000000000n, 460000000000000000n, 4369176042n],
  [0, 1209600, 2000000000000n, 460000000000000000n, 4369176042n],
  [310, 17280000, 1234567890123456n, 500000000000000001n, 33026834005629n],
  [86400, 1209600, 2000000000000n, 460000000000000000n, 4357626236n],
  [86400, 17280000, 1234567890123456n, 500000000000000001n, 32989562611846n],
  [3456007, 1209600, 2000000000000n, 460000000000000000n, 3905891209n],
  [3456007, 17280000, 1234567890123456n, 500000000000000001n, 31531807087480n],
  [7775999, 1209600, 2000000000000n, 460000000000000000n, 3326816439n],
  [7776000, 1209600, 2000000000000n, 460000000000000000n, 3326774743n],
  [7776000, 17280000, 1234567890123456n, 500000000000000001n, 29662989801352n],
  [17280000, 17280000, 1234567890123456n, 500000000000000001n, 29662989801352n],
] as const

test.each(sinceHelicon)(
  'a period that begins %i s after Helicon',
  (since, seconds, weight, supply, reward) => {
    const rules = primaryRewardsAt(1_790_000_000 + since, 1_790_000_000)
    expect(rewardOf(rules, seconds, weight, supply)).toBe(reward)
  },
)

test('what is staked again is rounded up, and shrinks to the room there is', () => {
  // Both parts by the function that splits rewards on the chain.
  expect(restakeOf(1_000_001n, 999n, 300_000, 10n ** 12n)).toEqual({ own: 300_001n, fees: 300n })
  expect(restakeOf(7n, 3n, 0, 10n ** 12n)).toEqual({ own: 0n, fees: 0n })
  expect(restakeOf(7n, 3n, 1_000_000, 9n)).toEqual({ own: 6n, fees: 3n })
  expect(restakeOf(7n, 3n, 1_000_000, 0n)).toEqual({ own: 0n, fees: 0n })
})

test('the fee of each second follows the vectors of mainnet', () => {
  const mainnet = { target: 10_000n, minPrice: 512n, conversion: 1_246_488_515n }
  expect(feesFor(mainnet, 0n, 1, 86_400)).toEqual({ cost: 44_236_800n, excess: 0n })
  expect(feesFor(mainnet, 0n, 20_000, 3_600).cost).toBe(1_868_282n)
  const day = feesFor(mainnet, 0n, 20_000, 86_400)
  expect(day).toEqual({ cost: 63_777_286n, excess: 864_000_000n })
  expect(feesFor(mainnet, day.excess, 5_000, 1_000).cost).toBe(1_021_436n)
  expect(feesFor(mainnet, 864_000_000n, 10_000, 10)).toEqual({ cost: 10_240n, excess: 864_000_000n })
})
