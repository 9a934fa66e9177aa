import { type Hex, encodeFunctionData, keccak256, stringToHex } from 'viem'
import { artefacts } from '../contracts/artefacts.ts'
import type { CaseRound, CaseScene, CaseStep } from './case-types.ts'
import { type ArtefactName, call, deploy } from './draft.ts'

export const ether = 10n ** 18n

/** The initial balance of each holder of a stocked token. */
export const initialStock = 25_000n * ether

/** A step without its sender and time. */
export type Sketch = Omit<CaseStep, 'maker' | 'at'>

type Of<T> = T | ((scene: CaseScene) => T)

function valueOf<T extends readonly unknown[]>(of: Of<T>, scene: CaseScene): T {
  return typeof of === 'function' ? of(scene) : of
}

/** The steps of one sender, spread evenly over a part of the history. */
export function spread(maker: number, from: number, to: number, sketches: readonly Sketch[]): CaseStep[] {
  const gap = (to - from) / Math.max(1, sketches.length - 1)
  return sketches.map((sketch, index) => ({ ...sketch, maker, at: from + gap * index }))
}

/** Creates a contract under a name. */
export function create(
  makes: string,
  contract: ArtefactName,
  args: Of<readonly unknown[]> = [],
  needs: readonly string[] = [],
): Sketch {
  return { makes, needs, draft: (scene) => deploy(contract, valueOf(args, scene)) }
}

/** Calls a function of a named contract. */
export function send(
  name: string,
  contract: ArtefactName,
  functionName: string,
  args: Of<readonly unknown[]>,
  gas = 150_000,
): Sketch {
  return {
    needs: [name],
    draft: (scene) => call(contract, scene.at(name), gas, functionName, valueOf(args, scene)),
  }
}

/** The accounts that hold some of nearly every token: the script's senders and the chain's oldest accounts. */
function holders(scene: CaseScene): Hex[] {
  return [...scene.makers, ...scene.people.slice(1, 13)]
}

export const stocked = (name: string): string => `${name} has holders`

/** Mints a token to the holders; anyone may call its `mintAll`. */
export function stock(name: string, contract: ArtefactName, value = initialStock): Sketch {
  const sketch = send(name, contract, 'mintAll', (scene) => [holders(scene), value], 1_700_000)
  return { ...sketch, marks: stocked(name) }
}

/** Transfers a plain token from its creator to the holders. */
export function handOut(name: string, value: bigint): Sketch {
  const sketch = send(name, 'Token', 'payAll', (scene) => [holders(scene), value], 1_700_000)
  return { ...sketch, marks: stocked(name) }
}

/** Encodes the call that names a token behind a proxy. */
export function naming(name: string, symbol: string): (scene: CaseScene) => Hex {
  return (scene) =>
    encodeFunctionData({
      abi: artefacts.Shared.abi,
      functionName: 'initialize',
      args: [name, symbol, holders(scene), initialStock],
    })
}

/** A random receiver: another sender of the script or one of the oldest accounts. */
export function someone(scene: CaseScene): Hex {
  const { random, makers, people } = scene
  const found = random.chance(0.5)
    ? makers[random.below(makers.length)]
    : people[1 + random.below(Math.min(12, people.length - 1))]
  return found ?? '0x000000000000000000000000000000000000dEaD'
}

/** The address of a sender of the script. */
export function maker(scene: CaseScene, place: number): Hex {
  return scene.makers[place] ?? someone(scene)
}

export function self(scene: CaseScene): Hex {
  return maker(scene, scene.self)
}

/** A round that calls a function of a named contract. */
export function round(
  weight: number,
  name: string,
  contract: ArtefactName,
  functionName: string,
  args: Of<readonly unknown[]>,
  more: { readonly gas?: number; readonly needs?: readonly string[] } = {},
): CaseRound {
  const { draft } = send(name, contract, functionName, args, more.gas)
  return { weight, needs: [name, ...(more.needs ?? [])], draft }
}

/** Transfers a small amount of a token that the senders hold. */
export function moves(weight: number, name: string, contract: ArtefactName, unit = ether): CaseRound {
  const args = (scene: CaseScene): readonly unknown[] => [
    someone(scene),
    BigInt(scene.random.between(1, 400)) * (unit / 100n > 0n ? unit / 100n : 1n),
  ]
  return round(weight, name, contract, 'transfer', args, { needs: [stocked(name)] })
}

/** Three amounts of two ids: the first id is in the batch twice. */
function twiceInBatch(scene: CaseScene, ids: number): [bigint[], bigint[]] {
  const first = scene.random.between(1, ids)
  const other = 1 + (first % ids)
  return [
    [first, other, first].map(BigInt),
    [1, 2, 3].map((value) => BigInt(value * scene.random.between(1, 4))),
  ]
}

const itemIds = 4

/** All kinds of transactions of an ERC-1155 collection like `Relics`. */
export function relicRounds(name: string): CaseRound[] {
  const needs = [stocked(name)]
  const id = (scene: CaseScene): bigint => BigInt(scene.random.between(1, itemIds))
  const relic = (
    weight: number,
    functionName: string,
    args: (scene: CaseScene) => readonly unknown[],
  ): CaseRound => round(weight, name, 'Relics', functionName, args, { needs, gas: 260_000 })
  return [
    relic(3, 'safeTransferFrom', (scene) => [self(scene), someone(scene), id(scene), 2n, '0x']),
    relic(3, 'safeBatchTransferFrom', (scene) => [
      self(scene),
      someone(scene),
      ...twiceInBatch(scene, itemIds),
      '0x',
    ]),
    relic(1, 'safeTransferFrom', (scene) => [self(scene), self(scene), id(scene), 5n, '0x']),
    relic(1, 'safeBatchTransferFrom', (scene) => [
      self(scene),
      self(scene),
      ...twiceInBatch(scene, itemIds),
      '0x',
    ]),
    relic(1, 'safeTransferFrom', (scene) => [self(scene), someone(scene), id(scene), 0n, '0x']),
    relic(1, 'safeBatchTransferFrom', (scene) => [self(scene), someone(scene), [1n, 2n], [0n, 1n], '0x']),
    relic(1, 'safeBatchTransferFrom', (scene) => [self(scene), someone(scene), [], [], '0x']),
    relic(1, 'mint', (scene) => [self(scene), id(scene), 10n]),
    relic(1, 'mintBatch', (scene) => [self(scene), ...twiceInBatch(scene, itemIds)]),
    relic(1, 'burn', (scene) => [id(scene), 1n]),
    relic(1, 'burnBatch', (scene) => twiceInBatch(scene, itemIds)),
  ]
}

/** Every kind of ERC-1155 transfer once, so that even a short history has all of them. */
export function everyRelicMove(name: string, to: number): Sketch[] {
  const relic = (functionName: string, args: (scene: CaseScene) => readonly unknown[]): Sketch => ({
    ...send(name, 'Relics', functionName, args, 260_000),
    needs: [name, stocked(name)],
  })
  const other = (scene: CaseScene): Hex => maker(scene, to)
  const twice = [
    [1n, 2n, 1n],
    [5n, 6n, 7n],
  ] as const
  return [
    relic('safeTransferFrom', (scene) => [self(scene), other(scene), 1n, 3n, '0x']),
    relic('safeTransferFrom', (scene) => [self(scene), self(scene), 1n, 4n, '0x']),
    relic('safeTransferFrom', (scene) => [self(scene), other(scene), 2n, 0n, '0x']),
    relic('safeBatchTransferFrom', (scene) => [self(scene), other(scene), ...twice, '0x']),
    relic('safeBatchTransferFrom', (scene) => [self(scene), self(scene), ...twice, '0x']),
    relic('safeBatchTransferFrom', (scene) => [self(scene), other(scene), [], [], '0x']),
    relic('mint', (scene) => [self(scene), 3n, 10n]),
    relic('burn', () => [3n, 2n]),
    relic('burnBatch', () => twice),
  ]
}

/** Mints a large amount of each relic to the chain's script senders. */
export function stockRelics(name: string, places: readonly number[]): Sketch[] {
  return places.map((place, index) => ({
    ...send(
      name,
      'Relics',
      'mintBatch',
      (scene) => [maker(scene, place), [1n, 2n, 3n, 4n, 2n], [100_000n, 100_000n, 100_000n, 100_000n, 7n]],
      320_000,
    ),
    ...(index === places.length - 1 ? { marks: stocked(name) } : {}),
  }))
}

/** Mints tokens with these URIs in as few transactions as possible, each using less than five million gas. */
export function mintUris(name: string, place: number, uris: readonly string[]): Sketch[] {
  const groups: { list: string[]; gas: number }[] = []
  for (const uri of uris) {
    const { length } = Buffer.from(uri, 'utf8')
    const gas = 95_000 + 24_000 * (1 + Math.ceil(length / 32)) + 17 * length
    const group = groups.at(-1)
    if (group === undefined || group.gas + gas > 4_500_000) groups.push({ list: [uri], gas: gas + 60_000 })
    else {
      group.list.push(uri)
      group.gas += gas
    }
  }
  return groups.map(({ list, gas }) =>
    send(name, 'Gallery', 'mintAll', (scene) => [maker(scene, place), list], gas),
  )
}

/** A salt derived from text. */
export function saltOf(text: string): Hex {
  return keccak256(stringToHex(text))
}

/** The storage slot that ERC-1967 derives from a name. */
export function slotOf(name: string): Hex {
  return `0x${(BigInt(keccak256(stringToHex(name))) - 1n).toString(16).padStart(64, '0')}`
}
