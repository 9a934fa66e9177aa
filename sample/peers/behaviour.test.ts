import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SetMember } from '../primary/ledger.ts'
import { testPlan } from '../testing/made-ledger.ts'
import type { World } from '../primary/world.ts'
import { castOf, unreachableOf } from './behaviour.ts'

let world: World
beforeAll(() => {
  ;({ world } = testPlan(1, 48, 0.1))
})

const everybody = () => true

/** A set of all nodes, each with a weight of 10 unless `weights` gives another one by index. */
function setOf(weights: Readonly<Record<number, bigint>> = {}): SetMember[] {
  return world.nodes.map(({ nodeId }, place) => ({
    nodeId,
    weight: weights[place] ?? 10n,
    publicKey: '00' as BareHex,
  }))
}

const parts = (cast: ReadonlyMap<BareHex, string>) => new Set(cast.values())
const all = new Set(['slow', 'wrong', 'silent', 'refusing', 'unreachable'])

describe('the assignment of misbehaviour', () => {
  test('covers every part, with the preferred node if eligible', () => {
    const cast = castOf(world, [{ members: setOf(), isConnected: everybody }])
    expect(parts(cast)).toEqual(all)
    const places = world.nodes.flatMap(({ nodeId }, place) => (cast.has(nodeId) ? [place] : []))
    expect(places).toEqual([0, 1, 4, 7, 8, 11, 16, 22, 27, 31, 39])
  })

  test('chooses another node if the preferred one weighs too much, has left, or is not connected', () => {
    const heavy = { 7: 3_000n, 8: 3_000n, 27: 3_000n }
    const members = setOf(heavy).filter((_, place) => place !== 4 && place !== 16)
    const gone = world.nodes[1]?.nodeId
    const cast = castOf(world, [{ members, isConnected: (nodeId) => nodeId !== gone }])
    expect(parts(cast)).toEqual(all)
    for (const place of [7, 8, 27, 4, 16, 1]) expect(cast.has(world.nodes[place]?.nodeId ?? '')).toBe(false)
    const unreachable = [...cast].find(([, behaviour]) => behaviour === 'unreachable')?.[0] ?? ''
    expect(unreachableOf(world)).toContain(unreachable)
  })

  test('takes at most 30 % of any set, and nothing from a set that has already lost as much', () => {
    const small = setOf().filter((_, place) => [7, 16, 20, 21].includes(place))
    const cast = castOf(world, [
      { members: setOf(), isConnected: everybody },
      { members: small, isConnected: everybody },
    ])
    // Node 7 alone is a quarter of the small set; with node 16 it would be half.
    expect(cast.get(world.nodes[7]?.nodeId ?? '')).toBe('wrong')
    expect(cast.has(world.nodes[16]?.nodeId ?? '')).toBe(false)
    const half = castOf(world, [
      { members: setOf(), isConnected: (nodeId) => (world.nodeById.get(nodeId) ?? 0) > 15 },
    ])
    expect(parts(half)).toEqual(new Set(['slow']))
  })
})
