import { certificateOf } from './certificates.ts'
import type { Certificate } from './certificates.ts'
import type { BlsKey, Key } from './keys.ts'
import { blsKeyOf, keyOf } from './keys.ts'
import type { ChainName, Hex, Upgrades } from './ledger.ts'
import type { Party } from './wallet.ts'
import { single } from './wallet.ts'

/** When the ages of the network begin, Unix seconds. */
export type Ages = Omit<Upgrades, 'stopVertexId'> & {
  readonly start: number
  /** Imports and exports go in blocks with others from here on. */
  readonly apricotPhase5: number
  readonly end: number
}

/** A machine of the network. */
export interface Node {
  readonly certificate: Certificate
  readonly nodeId: Hex
  /** Made when first asked for: it takes a while. */
  bls(): BlsKey
}

/** Who and what the network's history is about; follows from the seed and the time. */
export interface World {
  readonly seed: number
  readonly ages: Ages
  readonly ids: { readonly P: Hex; readonly X: Hex; readonly C: Hex; readonly avax: Hex }
  readonly names: Readonly<Record<Hex, ChainName>>
  readonly people: readonly Party[]
  /** Three each, of whom two sign. */
  readonly firms: readonly Party[]
  readonly nodes: readonly Node[]
  readonly nodeById: ReadonlyMap<Hex, number>
  /** Who gets very many small payments. */
  readonly collector: Party
}

export const PEOPLE = 60
export const NODES = 48
export const FIRMS = 4
const YEAR = 365 * 86_400

/** The ages of a history that ends at `end`. Three years, with every age in them. */
export function agesOf(end: number): Ages {
  const start = end - 3 * YEAR
  const at = (part: number): number => start + Math.round(part * 3 * YEAR)
  return {
    start,
    apricotPhase4: at(0.08),
    apricotPhase5: at(0.16),
    banff: at(0.26),
    cortina: at(0.38),
    durango: at(0.55),
    etna: at(0.72),
    granite: at(0.9),
    end,
  }
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

export function worldOf(seed: number, end: number, ids: World['ids']): World {
  const nodes = Array.from({ length: NODES }, (_, index): Node => {
    const certificate = certificateOf(`${seed}/node/${index}`)
    return {
      certificate,
      nodeId: certificate.nodeId,
      bls: lazily(() => blsKeyOf(`${seed}/node/${index}`)),
    }
  })
  return {
    seed,
    ages: agesOf(end),
    ids,
    names: { [ids.P]: 'P', [ids.X]: 'X', [ids.C]: 'C' },
    people: Array.from({ length: PEOPLE }, (_, index) => single(keyOf(`${seed}/person/${index}`))),
    firms: Array.from({ length: FIRMS }, (_, firm) => ({
      keys: [0, 1, 2].map((member): Key => keyOf(`${seed}/firm/${firm}/${member}`)),
      threshold: 2,
    })),
    nodes,
    nodeById: new Map(nodes.map(({ nodeId }, index) => [nodeId, index])),
    collector: single(keyOf(`${seed}/collector`)),
  }
}
