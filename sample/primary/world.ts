import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { type Owner } from './transactions.ts'
import { type Certificate, certificateOf } from './certificates.ts'
import { type BlsKey, blsKeyOf, blsSecretOf, type Key, keyOf } from './keys.ts'
import type { Upgrades } from './ledger.ts'
import type { ChainAlias } from '../../protocol/primary/chains.ts'
import { type Party, single } from './wallet.ts'

/** Start times of the network's ages, Unix seconds. */
type Ages = Omit<Upgrades, 'stopVertexId'> & {
  readonly start: number
  /** From here on, imports and exports share blocks with other transactions. */
  readonly apricotPhase5: number
  readonly end: number
}

/** A node of the network. */
export type Node = {
  readonly certificate: Certificate
  readonly nodeId: BareHex
  /** Created on first use, because the proof is slow. */
  bls(): BlsKey
  /** Only the secret of the BLS key. */
  blsSecret(): Uint8Array
}

/** The participants of the network's history, derived from the seed and the time. */
export type World = {
  readonly seed: number
  readonly ages: Ages
  readonly ids: { readonly P: BareHex; readonly X: BareHex; readonly C: BareHex; readonly avax: BareHex }
  readonly names: Readonly<Record<BareHex, ChainAlias>>
  readonly people: readonly Party[]
  /** Parties of three keys, two of which must sign. */
  readonly firms: readonly Party[]
  readonly nodes: readonly Node[]
  readonly nodeById: ReadonlyMap<BareHex, number>
  /** Every key by its address. */
  readonly keys: ReadonlyMap<BareHex, Key>
  /** Receives a large number of small payments. */
  readonly collector: Party
}

const personCount = 60
const nodeCount = 55
/** Indexes of the nodes with auto-renewed validators, by the case that each demonstrates. */
export const renewers = {
  compounds: 48,
  paysOut: 49,
  shares: 50,
  changes: 51,
  falters: 52,
  giant: 53,
  brisk: 54,
} as const
export const firstRenewer = 48
const firmCount = 4
/** Indexes of people who never import their coins on C, so that the atomic memory is never empty. */
export const neverImporters: readonly number[] = [41, 43, 45]
const year = 365 * 86_400

/** The ages of a three-year history that ends at `end`. */
function agesOf(end: number): Ages {
  const start = end - 3 * year
  const at = (part: number): number => start + Math.round(part * 3 * year)
  return {
    start,
    apricotPhase4: at(0.08),
    apricotPhase5: at(0.18),
    banff: at(0.3),
    cortina: at(0.45),
    durango: at(0.7),
    etna: at(0.8),
    granite: at(0.86),
    helicon: at(0.88),
    end,
  }
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

export function worldOf(seed: number, end: number, ids: World['ids'], founders: readonly Party[]): World {
  const nodes = Array.from({ length: nodeCount }, (_, index): Node => {
    const certificate = certificateOf(`${seed}/node/${index}`)
    return {
      certificate,
      nodeId: certificate.nodeId,
      bls: lazily(() => blsKeyOf(`${seed}/node/${index}`)),
      blsSecret: lazily(() => blsSecretOf(`${seed}/node/${index}`)),
    }
  })
  const people = Array.from({ length: personCount }, (_, index) => single(keyOf(`${seed}/person/${index}`)))
  const firms = Array.from({ length: firmCount }, (_, firm): Party => {
    const members = [0, 1, 2].map((member) => keyOf(`${seed}/firm/${firm}/${member}`))
    return { keys: members, threshold: 2 }
  })
  const collector = single(keyOf(`${seed}/collector`))
  const keys = [...people, ...firms, ...founders, collector].flatMap((party) => party.keys)
  return {
    seed,
    ages: agesOf(end),
    ids,
    names: { [ids.P]: 'P', [ids.X]: 'X', [ids.C]: 'C' },
    people,
    firms,
    nodes,
    nodeById: new Map(nodes.map(({ nodeId }, index) => [nodeId, index])),
    keys: new Map(keys.map((key) => [key.address, key])),
    collector,
  }
}

/** The party of an owner, with its keys. Throws for an owner outside the network's people. */
export function partyOf(world: World, owner: Owner): Party {
  const keys = owner.addresses.map((address) => {
    const key = world.keys.get(address)
    if (key === undefined) throw new Error(`nobody here has the key of ${address}`)
    return key
  })
  return { keys, threshold: owner.threshold }
}
