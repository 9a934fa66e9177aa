import { expect, it } from 'vitest'
import { feesFor } from '../../primary/l1-fees.ts'
import { primaryRewards, rewardOf, splitReward } from './rewards.ts'

/** Five validators of the local network's genesis: end, and what the node says that they may earn. */
const genesis = [
  [1822514400, 239808237943328n],
  [1822519800, 239536834958496n],
  [1822525200, 238631074194715n],
  [1822530600, 239313906584684n],
  [1822536000, 239043697070926n],
] as const

it('rewards of the five genesis validators are those that a node recorded', () => {
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

it('a delegation is split as the chain does, small and past 64 bits', () => {
  expect(splitReward(999n, 20_000)).toEqual({ rest: 979n, share: 20n })
  const large = 2n ** 63n
  const { rest, share } = splitReward(large, 20_000)
  expect(rest).toBe(980_000n * (large / 1_000_000n))
  expect(rest + share).toBe(large)
})

it('the fee of each second follows the vectors of mainnet', () => {
  const mainnet = { target: 10_000n, minPrice: 512n, conversion: 1_246_488_515n }
  expect(feesFor(mainnet, 0n, 1, 86_400)).toEqual({ cost: 44_236_800n, excess: 0n })
  expect(feesFor(mainnet, 0n, 20_000, 3_600).cost).toBe(1_868_282n)
  const day = feesFor(mainnet, 0n, 20_000, 86_400)
  expect(day).toEqual({ cost: 63_777_286n, excess: 864_000_000n })
  expect(feesFor(mainnet, day.excess, 5_000, 1_000).cost).toBe(1_021_436n)
  expect(feesFor(mainnet, 864_000_000n, 10_000, 10)).toEqual({ cost: 10_240n, excess: 864_000_000n })
})
