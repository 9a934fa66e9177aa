import { type Output, type XTx, type AssetOutput } from '../transactions.ts'
import type { Random } from '../../kernel/random.ts'
import { anyParty, daySeconds, memoOf, oneAvax } from './acts-p.ts'
import { importX, makeX, type XDraft } from '../engine/build-x.ts'
import type { Engine } from '../engine/engine.ts'
import { space, type Utxo } from '../state.ts'
import { type Made, output, type Party, partyOwner, places, signersOf, spendable, total } from '../wallet.ts'
import { type BareHex, hexOf } from '../../../protocol/ids/bare-hex.ts'
import { partyOf } from '../world.ts'
import { exportTo, transfer } from '../engine/drafts.ts'

/** A random party with at least `amount` of an asset on X, and coins for the fee. */
function payerX(
  engine: Engine,
  time: number,
  random: Random,
  asset: BareHex,
  amount: bigint,
): Party | undefined {
  const { world, state } = engine
  for (const party of anyParty(engine, random)) {
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

/** Durango abolished memos. */
function memoAt(engine: Engine, time: number, random: Random): Uint8Array {
  return time >= engine.world.ages.durango ? new Uint8Array() : memoOf(random)
}

/** A payment in coins or another asset, sometimes to several recipients, sometimes locked. */
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
  const outputs: AssetOutput[] = []
  const count = random.chance(0.15) ? random.between(2, 5) : 1
  const parts = BigInt(count)
  if (amount < parts) return undefined
  for (let index = 0; index < count; index += 1) {
    const locktime = random.chance(0.05) ? BigInt(time + random.between(10, 300) * daySeconds) : 0n
    outputs.push(output(asset, amount / parts, partyOwner(anyone(engine, random), locktime)))
  }
  return makeX(engine, time, transfer(party, outputs, memoAt(engine, time, random)))
}

export function exportCoinsX(
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
  return makeX(engine, time, exportTo(party, world.ids[destination], world.ids.avax, amount, to))
}

export function fetchX(
  engine: Engine,
  time: number,
  random: Random,
  source: 'P' | 'C',
): Made<XTx> | undefined {
  for (const party of anyParty(engine, random)) {
    const made = importX(engine, time, party, source)
    if (made !== undefined) return made
  }
  return undefined
}

/** A new asset with its initial outputs, by the index of their kind (0 money, 1 NFTs, 2 properties). */
export function createAsset(
  party: Party,
  about: { readonly name: string; readonly symbol: string; readonly denomination: number },
  states: readonly {
    readonly fxIndex: number
    readonly outputs: readonly Output[]
  }[],
): XDraft {
  return { party, build: (base) => ({ type: 'CreateAssetTx', base, ...about, states }) }
}

type Kind = Output['type']

/** The UTXOs of one kind of an asset, in id order. */
export function held(engine: Engine, asset: BareHex, kind: Kind): Utxo[] {
  return [...space(engine.state, 'X').values()]
    .filter((utxo) => utxo.assetId === asset && utxo.output.type === kind)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** An operation on one UTXO, signed and paid by its owner. */
function operate(
  engine: Engine,
  time: number,
  utxo: Utxo,
  kind: 'secp' | 'nft' | 'property',
  operation: (signatureIndices: readonly number[]) => Parameters<typeof operationDraft>[3],
): Made<XTx> {
  const party = partyOf(engine.world, utxo.output.owner)
  return makeX(engine, time, operationDraft(party, utxo, kind, operation(places(party))))
}

function operationDraft(
  party: Party,
  { txId, outputIndex, assetId }: Utxo,
  kind: 'secp' | 'nft' | 'property',
  operation: Extract<XTx['unsigned'], { type: 'OperationTx' }>['operations'][number]['operation'],
): XDraft {
  return {
    party,
    signers: [{ keys: signersOf(party), kind }],
    build: (base) => ({
      type: 'OperationTx',
      base,
      operations: [{ assetId, references: [{ txId, outputIndex }], operation }],
    }),
  }
}

/** Mints an asset of variable amount. */
export function mint(engine: Engine, time: number, right: Utxo, amount: bigint, to: Party): Made<XTx> {
  return operate(engine, time, right, 'secp', (signatureIndices) => ({
    type: 'MINT',
    signatureIndices,
    mintOwner: right.output.owner,
    output: output(right.assetId, amount, partyOwner(to)).output,
  }))
}

export function mintNft(
  engine: Engine,
  time: number,
  right: Utxo,
  payload: Uint8Array,
  to: readonly Party[],
): Made<XTx> {
  const groupId = right.output.type === 'NFT_MINT' ? right.output.groupId : 0
  return operate(engine, time, right, 'nft', (signatureIndices) => ({
    type: 'NFT_MINT',
    signatureIndices,
    groupId,
    payload: hexOf(payload),
    owners: to.map((party) => partyOwner(party)),
  }))
}

function giveNft(engine: Engine, time: number, nft: Utxo, to: Party): Made<XTx> | undefined {
  const { output: held } = nft
  if (held.type !== 'NFT_TRANSFER') return undefined
  return operate(engine, time, nft, 'nft', (signatureIndices) => ({
    type: 'NFT_TRANSFER',
    signatureIndices,
    output: { ...held, owner: partyOwner(to) },
  }))
}

export function mintProperty(engine: Engine, time: number, right: Utxo, to: Party): Made<XTx> {
  return operate(engine, time, right, 'property', (signatureIndices) => ({
    type: 'PROPERTY_MINT',
    signatureIndices,
    mintOwner: right.output.owner,
    owner: partyOwner(to),
  }))
}

function burnProperty(engine: Engine, time: number, property: Utxo): Made<XTx> {
  return operate(engine, time, property, 'property', (signatureIndices) => ({
    type: 'PROPERTY_BURN',
    signatureIndices,
  }))
}

/** An operation on one of the assets that support it. */
export function operateX(engine: Engine, time: number, random: Random): Made<XTx> | undefined {
  const kinds = [
    'MINT',
    'NFT_MINT',
    'NFT_TRANSFER',
    'NFT_TRANSFER',
    'PROPERTY_MINT',
    'PROPERTY_OWNED',
  ] as const
  const kind = kinds[random.below(kinds.length)] ?? 'NFT_TRANSFER'
  const all = [...space(engine.state, 'X').values()]
    .filter((utxo) => utxo.output.type === kind)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const utxo = all[random.below(all.length)]
  if (utxo === undefined) return undefined
  const party = partyOf(engine.world, utxo.output.owner)
  const { avax } = engine.world.ids
  if (total(spendable(engine.state, 'X', party, time, avax)) < oneAvax / 10n) return undefined
  const to = anyone(engine, random)
  if (kind === 'MINT') return mint(engine, time, utxo, BigInt(random.between(100, 9_000)), to)
  if (kind === 'NFT_MINT') {
    return mintNft(engine, time, utxo, new Uint8Array(Buffer.from(`card ${random.below(1_000)}`)), [to])
  }
  if (kind === 'NFT_TRANSFER') return giveNft(engine, time, utxo, to)
  if (kind === 'PROPERTY_MINT') return mintProperty(engine, time, utxo, to)
  return burnProperty(engine, time, utxo)
}
