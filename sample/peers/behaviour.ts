import type { Hex, SetMember } from '../primary/ledger.ts'
import type { World } from '../primary/world.ts'

/**
 * What a validator does when it is asked to sign. `slow`: answers late; `silent`: never; `wrong`: signs other bytes;
 * `refusing`: answers with the error of a node that is asked too much; `unreachable`: info.peers tells of it, and
 * nobody listens at its address; `gone`: neither.
 */
export const BEHAVIOURS = ['honest', 'slow', 'silent', 'wrong', 'refusing', 'unreachable', 'gone'] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

/** How late slow validators answer, milliseconds. */
export const SLOW_MS = 200

/** Who misbehaves, by the place in the world's nodes. docs/sample.md has the same table. */
const CASTING: Readonly<Record<number, Behaviour>> = {
  0: 'slow',
  11: 'slow',
  22: 'slow',
  31: 'slow',
  39: 'slow',
  4: 'silent',
  16: 'silent',
  7: 'wrong',
  8: 'wrong',
  27: 'refusing',
  1: 'unreachable',
}

/** The nodes that nobody reaches as peers: what a validator's own RPC is asked for. */
export function unreachableOf(world: World): Hex[] {
  return world.nodes.filter((_, place) => CASTING[place] === 'unreachable').map(({ nodeId }) => nodeId)
}

/** Behaviours whose weight a set cannot count on. */
const LOST: ReadonlySet<Behaviour> = new Set(['silent', 'wrong', 'refusing', 'unreachable', 'gone'])

/** No set loses more than this share of its weight to the cast: a quorum of 67 with a little to spare stays in reach. */
const MOST_LOST_PERCENT = 30n

/** A set of validators, and whether each of its nodes is connected. */
export interface CastSet {
  readonly members: readonly SetMember[]
  isConnected(nodeId: Hex): boolean
}

/** What every node of the world does now. Those whose part would put a quorum out of reach are honest. */
export function castOf(world: World, sets: readonly CastSet[]): ReadonlyMap<Hex, Behaviour> {
  const weights = sets.map(({ members, isConnected }) => {
    let total = 0n
    let lost = 0n
    const byNode = new Map<Hex, bigint>()
    for (const { nodeId, weight, publicKey } of members) {
      total += weight
      if (publicKey === undefined || !isConnected(nodeId)) lost += weight
      else byNode.set(nodeId, weight)
    }
    return { total, lost, byNode }
  })
  const cast = new Map<Hex, Behaviour>()
  for (const [place, { nodeId }] of world.nodes.entries()) {
    const behaviour = CASTING[place]
    if (behaviour === undefined) continue
    if (!LOST.has(behaviour)) {
      cast.set(nodeId, behaviour)
      continue
    }
    const touched = weights.filter(({ byNode }) => byNode.has(nodeId))
    const fits = touched.every(
      ({ total, lost, byNode }) => 100n * (lost + (byNode.get(nodeId) ?? 0n)) <= MOST_LOST_PERCENT * total,
    )
    if (!fits) continue
    for (const set of touched) set.lost += set.byNode.get(nodeId) ?? 0n
    cast.set(nodeId, behaviour)
  }
  return cast
}
