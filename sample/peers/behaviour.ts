import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import type { SetMember } from '../primary/ledger.ts'
import type { World } from '../primary/world.ts'

/**
 * A validator's reaction to a signature request. `slow`: answers late; `silent`: never answers; `wrong`:
 * signs other bytes; `refusing`: answers with the error of an overloaded node; `unreachable`: info.peers
 * lists it, but nobody listens at its address; `gone`: neither listed nor listening.
 */
export const behaviours = ['honest', 'slow', 'silent', 'wrong', 'refusing', 'unreachable', 'gone'] as const
export type Behaviour = (typeof behaviours)[number]

/** Delay of slow validators in milliseconds. */
export const slowMs = 200

type Part = {
  readonly behaviour: Behaviour
  /** The preferred nodes for the part, by index. docs/sample.md has the same table. */
  readonly places: readonly number[]
  /** Substitutes if none of them is eligible: the lightest eligible ones. */
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

/** The nodes that may be unreachable as peers; their own RPC is available instead. */
export function unreachableOf(world: World): BareHex[] {
  const places = parts.flatMap(({ behaviour, places, others = [] }) =>
    behaviour === 'unreachable' ? [...places, ...others] : [],
  )
  return places.flatMap((place) => world.nodes[place]?.nodeId ?? [])
}

/**
 * No set may lose more than this share of its weight, so that a quorum of 67 % with some reserve remains
 * possible.
 */
const maxLostPercent = 30n

/** A validator set, and whether each of its nodes is connected. */
type CastSet = {
  readonly members: readonly SetMember[]
  isConnected(nodeId: BareHex): boolean
}

/**
 * The current behaviour of all nodes that are not honest. `sets` begins with the primary network's set, in
 * which every part is assigned while a quorum remains possible.
 */
export function castOf(world: World, sets: readonly CastSet[]): ReadonlyMap<BareHex, Behaviour> {
  const weights = sets.map(weigh)
  const first = weights[0]?.byNode ?? new Map<BareHex, bigint>()
  const weightAt = (place: number): bigint => first.get(world.nodes[place]?.nodeId ?? '') ?? 0n
  const cast = new Map<BareHex, Behaviour>()

  /**
   * Assigns the part to the node at this index if it is eligible and weighs at most one `shares`-th of the
   * spare weight. Returns whether it did.
   */
  const play = (place: number, behaviour: Behaviour, shares: bigint): boolean => {
    const nodeId = world.nodes[place]?.nodeId ?? ''
    if (cast.has(nodeId)) return false
    if (behaviour !== 'slow' && !mayLose(nodeId, shares)) return false
    cast.set(nodeId, behaviour)
    return true
  }

  /** Subtracts the node's weight from every set that contains it, unless that is too much for one of them. */
  const mayLose = (nodeId: BareHex, shares: bigint): boolean => {
    if (!first.has(nodeId)) return false
    const touched = weights.filter(({ byNode }) => byNode.has(nodeId))
    const fits = touched.every(({ spare, byNode }) => (byNode.get(nodeId) ?? 0n) * shares <= spare)
    if (fits) for (const set of touched) set.spare -= set.byNode.get(nodeId) ?? 0n
    return fits
  }

  // One node for every part first, so that no part is left out.
  for (const [index, { behaviour, places, others = [] }] of parts.entries()) {
    const lightest = others.toSorted((a, b) => (weightAt(a) < weightAt(b) ? -1 : 1))
    const shares = BigInt(parts.length - index)
    ;[...places, ...lightest].find((place) => play(place, behaviour, shares))
  }
  for (const { behaviour, places } of parts) for (const place of places) play(place, behaviour, 1n)
  return cast
}

/** The signing weight of each node of a set, and the weight that the set can spare. */
function weigh({ members, isConnected }: CastSet): {
  spare: bigint
  readonly byNode: ReadonlyMap<BareHex, bigint>
} {
  let total = 0n
  let lost = 0n
  const byNode = new Map<BareHex, bigint>()
  for (const { nodeId, weight, publicKey } of members) {
    total += weight
    if (publicKey === undefined || !isConnected(nodeId)) lost += weight
    else byNode.set(nodeId, weight)
  }
  return { spare: (total * maxLostPercent) / 100n - lost, byNode }
}
