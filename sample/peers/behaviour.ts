import type { Hex, SetMember } from '../primary/ledger.ts'
import type { World } from '../primary/world.ts'

/**
 * What a validator does when it is asked to sign. `slow`: answers late; `silent`: never; `wrong`: signs other bytes;
 * `refusing`: answers with the error of a node that is asked too much; `unreachable`: info.peers tells of it, and
 * nobody listens at its address; `gone`: neither.
 */
export const behaviours = ['honest', 'slow', 'silent', 'wrong', 'refusing', 'unreachable', 'gone'] as const
export type Behaviour = (typeof behaviours)[number]

/** How late slow validators answer, milliseconds. */
export const slowMs = 200

type Part = {
  readonly behaviour: Behaviour
  /** Who plays it, by the place in the world's nodes. docs/sample.md has the same table. */
  readonly places: readonly number[]
  /** Those who take it over, the lightest who can, when none of them may play it. */
  readonly others?: readonly number[]
}

const understudies = [9, 2, 3, 5, 6, 10, 12, 13, 14, 15, 17, 18, 19, 28, 29, 30]

const parts: readonly Part[] = [
  { behaviour: 'slow', places: [0, 11, 22, 31, 39] },
  { behaviour: 'wrong', places: [7, 8], others: understudies },
  { behaviour: 'silent', places: [4, 16], others: understudies },
  { behaviour: 'refusing', places: [27], others: understudies },
  { behaviour: 'unreachable', places: [1], others: [33, 34, 35, 36, 37, 38] },
]

/** The nodes that may be nobody's peer: their own RPC can be asked instead. */
export function unreachableOf(world: World): Hex[] {
  const places = parts.flatMap(({ behaviour, places, others = [] }) =>
    behaviour === 'unreachable' ? [...places, ...others] : [],
  )
  return places.flatMap((place) => world.nodes[place]?.nodeId ?? [])
}

/** No set loses more than this share of its weight to the cast: a quorum of 67 with a little to spare stays in reach. */
const mostLostPercent = 30n

/** A set of validators, and whether each of its nodes is connected. */
export type CastSet = {
  readonly members: readonly SetMember[]
  isConnected(nodeId: Hex): boolean
}

/**
 * What the nodes of the world do now that are not honest. `sets` begins with the primary network's, in which every
 * part is played as long as a quorum stays in reach.
 */
export function castOf(world: World, sets: readonly CastSet[]): ReadonlyMap<Hex, Behaviour> {
  const weights = sets.map(weigh)
  const first = weights[0]?.byNode ?? new Map<Hex, bigint>()
  const weightAt = (place: number): bigint => first.get(world.nodes[place]?.nodeId ?? '') ?? 0n
  const cast = new Map<Hex, Behaviour>()

  /** Whether the node at this place now plays the part, which takes at most one in `shares` of what may be lost. */
  const play = (place: number, behaviour: Behaviour, shares: bigint): boolean => {
    const nodeId = world.nodes[place]?.nodeId ?? ''
    if (cast.has(nodeId)) return false
    if (behaviour !== 'slow' && !mayLose(nodeId, shares)) return false
    cast.set(nodeId, behaviour)
    return true
  }

  /** Takes the node's weight from every set that it is in, unless that is too much for one of them. */
  const mayLose = (nodeId: Hex, shares: bigint): boolean => {
    if (!first.has(nodeId)) return false
    const touched = weights.filter(({ byNode }) => byNode.has(nodeId))
    const fits = touched.every(({ spare, byNode }) => (byNode.get(nodeId) ?? 0n) * shares <= spare)
    if (fits) for (const set of touched) set.spare -= set.byNode.get(nodeId) ?? 0n
    return fits
  }

  // First one for every part, so that none is left without because others have much.
  for (const [index, { behaviour, places, others = [] }] of parts.entries()) {
    const lightest = others.toSorted((a, b) => (weightAt(a) < weightAt(b) ? -1 : 1))
    const shares = BigInt(parts.length - index)
    ;[...places, ...lightest].find((place) => play(place, behaviour, shares))
  }
  for (const { behaviour, places } of parts) for (const place of places) play(place, behaviour, 1n)
  return cast
}

/** The weight that each node of a set signs with, and how much of it the set can spare. */
function weigh({ members, isConnected }: CastSet): {
  spare: bigint
  readonly byNode: ReadonlyMap<Hex, bigint>
} {
  let total = 0n
  let lost = 0n
  const byNode = new Map<Hex, bigint>()
  for (const { nodeId, weight, publicKey } of members) {
    total += weight
    if (publicKey === undefined || !isConnected(nodeId)) lost += weight
    else byNode.set(nodeId, weight)
  }
  return { spare: (total * mostLostPercent) / 100n - lost, byNode }
}
