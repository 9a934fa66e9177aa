import type { Random } from '../../kernel/random.ts'
import type { XOut, XTx } from '../codec/types.ts'
import { oneAvax, daySeconds, memoOf } from './acts-p.ts'
import type { XDraft } from '../engine/build-x.ts'
import { exportX, importX, makeX, transferX } from '../engine/build-x.ts'
import type { Engine } from '../engine/engine.ts'
import type { Hex } from '../ledger.ts'
import type { Output } from '../codec/types.ts'
import type { Utxo } from '../state.ts'
import { ownerOfOutput, space } from '../state.ts'
import type { Made, Party } from '../wallet.ts'
import { output, partyOwner, places, signersOf, spendable, total } from '../wallet.ts'
import { partyOf } from '../world.ts'

/** Somebody with at least `amount` of an asset, and the coins for a fee, on X. */
export function payerX(
  engine: Engine,
  time: number,
  random: Random,
  asset: Hex,
  amount: bigint,
): Party | undefined {
  const { world, state } = engine
  const all = [...world.people, ...world.firms]
  const offset = random.below(all.length)
  for (let index = 0; index < all.length; index += 1) {
    const party = all[(index + offset) % all.length]
    if (party === undefined) continue
    if (total(spendable(state, 'X', party, time, world.ids.avax)) < oneAvax / 10n) continue
    if (total(spendable(state, 'X', party, time, asset)) > amount + oneAvax / 10n) return party
  }
  return undefined
}

function anyone(engine: Engine, random: Random): Party {
  const { world } = engine
  const list = random.chance(0.1) ? world.firms : world.people
  return list[random.below(list.length)] ?? world.collector
}

/** Memos were done away with in Durango. */
function memoAt(engine: Engine, time: number, random: Random): Uint8Array {
  return time >= engine.world.ages.durango ? new Uint8Array() : memoOf(random)
}

/** Somebody pays somebody in coins or another asset, sometimes several at once, sometimes locked. */
export function payX(engine: Engine, time: number, random: Random): Made<XTx> | undefined {
  const { world, state } = engine
  const others = [...state.assets.keys()].filter((id) => id !== world.ids.avax)
  const asset = random.chance(0.35) ? others[random.below(others.length)] : world.ids.avax
  if (asset === undefined) return undefined
  const isCoin = asset === world.ids.avax
  const amount = isCoin
    ? BigInt(random.between(1, 400)) * oneAvax + BigInt(random.below(1_000_000_000))
    : BigInt(random.between(1, 900))
  const party = payerX(engine, time, random, asset, amount)
  if (party === undefined) return undefined
  const outs: XOut[] = []
  const count = random.chance(0.15) ? random.between(2, 5) : 1
  const parts = BigInt(count)
  if (amount < parts) return undefined
  for (let index = 0; index < count; index += 1) {
    const locktime = random.chance(0.05) ? BigInt(time + random.between(10, 300) * daySeconds) : 0n
    outs.push(output(asset, amount / parts, partyOwner(anyone(engine, random), locktime)))
  }
  return makeX(engine, time, transferX(party, outs, memoAt(engine, time, random)))
}

export function sendAwayX(
  engine: Engine,
  time: number,
  random: Random,
  destination: 'P' | 'C',
): Made<XTx> | undefined {
  const { world } = engine
  const amount = BigInt(random.between(5, 300)) * oneAvax + BigInt(random.below(1_000_000_000))
  const party = payerX(engine, time, random, world.ids.avax, amount)
  if (party === undefined || (destination === 'C' && party.threshold > 1)) return undefined
  const to = partyOwner(party)
  return makeX(engine, time, exportX(party, world.ids[destination], world.ids.avax, amount, to))
}

export function fetchX(
  engine: Engine,
  time: number,
  random: Random,
  source: 'P' | 'C',
): Made<XTx> | undefined {
  const all = [...engine.world.people, ...engine.world.firms]
  const offset = random.below(all.length)
  for (let index = 0; index < all.length; index += 1) {
    const party = all[(index + offset) % all.length]
    const made = party === undefined ? undefined : importX(engine, time, party, source)
    if (made !== undefined) return made
  }
  return undefined
}

/** A new asset: what it starts with, by the place of the kind of output (0 money, 1 NFTs, 2 properties). */
export function createAsset(
  party: Party,
  about: { readonly name: string; readonly symbol: string; readonly denomination: number },
  states: readonly {
    readonly fx: number
    readonly outputs: readonly Exclude<Output, { type: 'stakeable' }>[]
  }[],
): XDraft {
  return { party, build: (base) => ({ type: 'CreateAssetTx', ...base, ...about, states }) }
}

type Kind = Output['type']

/** The UTXOs of an asset of one kind, oldest id first. */
export function held(engine: Engine, asset: Hex, kind: Kind): Utxo[] {
  return [...space(engine.state, 'X').values()]
    .filter((utxo) => utxo.asset === asset && utxo.output.type === kind)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** What is done to one UTXO by an operation, signed by its owner; whoever owns it pays. */
function operate(
  engine: Engine,
  time: number,
  utxo: Utxo,
  kind: 'secp' | 'nft' | 'property',
  operation: (signers: readonly number[]) => Parameters<typeof operationDraft>[3],
): Made<XTx> {
  const party = partyOf(engine.world, ownerOfOutput(utxo.output))
  return makeX(engine, time, operationDraft(party, utxo, kind, operation(places(party))))
}

function operationDraft(
  party: Party,
  { txId, index, asset }: Utxo,
  kind: 'secp' | 'nft' | 'property',
  operation: Extract<XTx['unsigned'], { type: 'OperationTx' }>['operations'][number]['operation'],
): XDraft {
  return {
    party,
    signers: [{ keys: signersOf(party), kind }],
    build: (base) => ({
      type: 'OperationTx',
      ...base,
      operations: [{ asset, outpoints: [{ txId, index }], operation }],
    }),
  }
}

/** Mints of an asset whose amount is not fixed. */
export function mint(engine: Engine, time: number, right: Utxo, amount: bigint, to: Party): Made<XTx> {
  const mintOwner = ownerOnly(right.output)
  return operate(engine, time, right, 'secp', (signers) => ({
    type: 'mint',
    signers,
    mintOwner,
    transfer: { amount, ...partyOwner(to) },
  }))
}

export function mintNft(
  engine: Engine,
  time: number,
  right: Utxo,
  payload: Uint8Array,
  to: readonly Party[],
): Made<XTx> {
  const group = right.output.type === 'nftMint' ? right.output.group : 0
  return operate(engine, time, right, 'nft', (signers) => ({
    type: 'nftMint',
    signers,
    group,
    payload,
    owners: to.map((party) => partyOwner(party)),
  }))
}

export function giveNft(engine: Engine, time: number, nft: Utxo, to: Party): Made<XTx> | undefined {
  if (nft.output.type !== 'nft') return undefined
  const { group, payload } = nft.output
  return operate(engine, time, nft, 'nft', (signers) => ({
    type: 'nftTransfer',
    signers,
    group,
    payload,
    ...partyOwner(to),
  }))
}

export function mintProperty(engine: Engine, time: number, right: Utxo, to: Party): Made<XTx> {
  const mintOwner = ownerOnly(right.output)
  return operate(engine, time, right, 'property', (signers) => ({
    type: 'propertyMint',
    signers,
    mintOwner,
    owner: partyOwner(to),
  }))
}

export function burnProperty(engine: Engine, time: number, property: Utxo): Made<XTx> {
  return operate(engine, time, property, 'property', (signers) => ({ type: 'propertyBurn', signers }))
}

function ownerOnly(of: Output): ReturnType<typeof ownerOfOutput> {
  const { locktime, threshold, addresses } = ownerOfOutput(of)
  return { locktime, threshold, addresses }
}

/** Something is done with one of the assets that know operations. */
export function operateX(engine: Engine, time: number, random: Random): Made<XTx> | undefined {
  const kinds = ['mint', 'nftMint', 'nft', 'nft', 'propertyMint', 'property'] as const
  const kind = kinds[random.below(kinds.length)] ?? 'nft'
  const all = [...space(engine.state, 'X').values()]
    .filter((utxo) => utxo.output.type === kind)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const utxo = all[random.below(all.length)]
  if (utxo === undefined) return undefined
  const party = partyOf(engine.world, ownerOfOutput(utxo.output))
  const { avax } = engine.world.ids
  if (total(spendable(engine.state, 'X', party, time, avax)) < oneAvax / 10n) return undefined
  const to = anyone(engine, random)
  if (kind === 'mint') return mint(engine, time, utxo, BigInt(random.between(100, 9_000)), to)
  if (kind === 'nftMint') {
    return mintNft(engine, time, utxo, new Uint8Array(Buffer.from(`card ${random.below(1_000)}`)), [to])
  }
  if (kind === 'nft') return giveNft(engine, time, utxo, to)
  if (kind === 'propertyMint') return mintProperty(engine, time, utxo, to)
  return burnProperty(engine, time, utxo)
}
