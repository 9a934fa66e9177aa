import { oneAvax, daySeconds, validate } from './acts-p.ts'
import { atPart, nodeOf, personOf, type Step } from './script.ts'
import { validatorOf } from '../stakers.ts'
import { zeroId } from '../state.ts'
import type { World } from '../world.ts'

/** Below this density, a history has hardly any ordinary validators. */
const thin = 0.5
const nodeCount = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 18, 19, 21, 22, 23, 24]

/**
 * Additional validators with BLS keys for a history with few ordinary transactions. Otherwise validators
 * without keys would outweigh them and no message could reach a quorum. `density` as in `HistoryPlan`.
 */
export function shortSteps(world: World, density: number): Step[] {
  if (density >= thin) return []
  return nodeCount.map((node, index) => ({
    at: atPart(world, 0.94 + 0.003 * index),
    p(engine, time) {
      const { nodeId } = nodeOf(world, node)
      if (validatorOf(engine.state.current, zeroId, nodeId) !== undefined) return undefined
      return validate(engine, time, {
        party: personOf(world, node),
        node: nodeOf(world, node),
        weight: BigInt(9_000 + index * 1_000) * oneAvax,
        wait: 600,
        seconds: 360 * daySeconds,
        shares: 40_000,
        modern: true,
      })
    },
  }))
}
