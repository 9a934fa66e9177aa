import type { BareHex } from '../../protocol/ids/bare-hex.ts'
import { atomicTx, atomicUnsigned } from '../../protocol/primary/atomic.ts'
import { assetOutputs } from '../../protocol/primary/outputs.ts'
import {
  type Owner,
  type Credential,
  type PUnsigned,
  type XUnsigned,
  type CUnsigned,
  type PTx,
  type XTx,
  type CTx,
  type AssetAmount,
  type AssetInput,
  type AssetOutput,
} from './transactions.ts'
import { encode, type Codec } from '../../protocol/codec/schema.ts'
import { pTx, pUnsigned } from '../../protocol/primary/p-transactions.ts'
import { xTx, xUnsigned } from '../../protocol/primary/x-transactions.ts'
import { type Key, ownerOf, sign } from './keys.ts'
import { LedgerError } from './ledger.ts'
import { amountOf, space, type Space, type State, type Utxo } from './state.ts'
import { sha256, sha256Hex } from '../../protocol/native/hashes.ts'

/** One key, or several keys with a shared ownership. */
export type Party = {
  readonly keys: readonly Key[]
  readonly threshold: number
}

/** A signed transaction, its id, and the bytes whose hash is the id. */
export type Made<T> = {
  readonly tx: T
  readonly id: BareHex
  readonly bytes: Uint8Array
}

/** A party's funds are too small for a payment. */
export class PoorError extends LedgerError {}

export function single(key: Key): Party {
  return { keys: [key], threshold: 1 }
}

export function partyOwner(party: Party, locktime = 0n): Owner {
  return ownerOf(party.keys, party.threshold, locktime)
}

/** The keys that sign for a party: those with the lowest addresses. */
export function signersOf({ keys, threshold }: Party): readonly Key[] {
  return [...keys].sort((a, b) => (a.address < b.address ? -1 : 1)).slice(0, threshold)
}

/** The indexes of the signing keys in the owner's address list. */
export function places(party: Party): number[] {
  return Array.from({ length: party.threshold }, (_, index) => index)
}

function isOwnedBy(owner: Owner, wanted: Owner, time: number): boolean {
  return (
    owner.threshold === wanted.threshold &&
    owner.addresses.length === wanted.addresses.length &&
    owner.addresses.every((address, index) => address === wanted.addresses[index]) &&
    owner.locktime <= BigInt(time)
  )
}

/** The UTXOs that a party can spend now, the largest first. */
export function spendable(state: State, where: Space, party: Party, time: number, asset: BareHex): Utxo[] {
  const owner = partyOwner(party)
  const utxos = space(state, where)
  const found: Utxo[] = []
  for (const id of state.owned.get(`${where}/${owner.addresses[0] ?? ''}`) ?? []) {
    const utxo = utxos.get(id)
    if (utxo === undefined || utxo.assetId !== asset || utxo.output.type !== 'TRANSFER') continue
    if (utxo.output.stakeableLocktime !== 0n) continue
    if (isOwnedBy(utxo.output.owner, owner, time)) found.push(utxo)
  }
  return found.sort((a, b) => {
    const difference = amountOf(b.output) - amountOf(a.output)
    return difference === 0n ? (a.id < b.id ? -1 : 1) : difference > 0n ? 1 : -1
  })
}

export function total(utxos: readonly Utxo[]): bigint {
  return utxos.reduce((sum, { output }) => sum + amountOf(output), 0n)
}

const maxInputs = 12

/**
 * Inputs of a party worth at least `amount`, and the change. Throws `PoorError` if the funds are too small.
 */
export function pick(
  state: State,
  where: Space,
  party: Party,
  time: number,
  asset: BareHex,
  amount: bigint,
): { readonly utxos: readonly Utxo[]; readonly change: bigint } {
  const all = spendable(state, where, party, time, asset)
  const utxos: Utxo[] = []
  let sum = 0n
  for (const utxo of all) {
    if (sum >= amount || utxos.length === maxInputs) break
    utxos.push(utxo)
    sum += amountOf(utxo.output)
  }
  // The smallest UTXO is also spent, so that change does not accumulate.
  const smallest = all.at(-1)
  if (smallest !== undefined && utxos.length > 0 && utxos.length < maxInputs && !utxos.includes(smallest)) {
    utxos.push(smallest)
    sum += amountOf(smallest.output)
  }
  if (sum < amount) throw new PoorError(`insufficient funds: ${sum} of ${amount}`)
  return { utxos, change: sum - amount }
}

/** The input that spends a UTXO. */
export function inputOf(
  { txId, outputIndex, assetId, output }: Utxo,
  signatureIndices: readonly number[],
): AssetInput {
  const stakeableLocktime = output.type === 'TRANSFER' ? output.stakeableLocktime : 0n
  return { txId, outputIndex, assetId, amount: amountOf(output), stakeableLocktime, signatureIndices }
}

/** Canonical order of inputs: by transaction, then by output index. */
export function byOutpoint(
  a: { readonly txId: BareHex; readonly outputIndex: number },
  b: { readonly txId: BareHex; readonly outputIndex: number },
): number {
  return a.txId === b.txId ? a.outputIndex - b.outputIndex : a.txId < b.txId ? -1 : 1
}

/** Canonical order of outputs: by asset, then by bytes. */
export function sorted<T extends AssetOutput>(chain: 'P' | 'X', outputs: readonly T[]): T[] {
  return outputs
    .map((output) => ({ output, bytes: Buffer.from(encode(assetOutputs[chain], output)) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ output }) => output)
}

/** A plain output of AVAX or another asset. */
export function output(assetId: BareHex, amount: bigint, owner: Owner): AssetAmount {
  return { assetId, output: { type: 'TRANSFER', amount, stakeableLocktime: 0n, owner } }
}

type Kind = Credential['kind']

function credentialsFor(
  unsigned: Uint8Array,
  signers: readonly (readonly Key[])[],
  kinds: readonly Kind[] = [],
): Credential[] {
  const hash = sha256(unsigned)
  const known = new Map<Key, BareHex>()
  const one = (key: Key): BareHex => {
    const found = known.get(key) ?? sign(hash, key)
    known.set(key, found)
    return found
  }
  return signers.map((keys, index) => ({ kind: kinds[index] ?? 'secp', signatures: keys.map(one) }))
}

function finish<T>(codec: Codec<unknown, T>, tx: T): Made<T> {
  const bytes = encode(codec, tx)
  return { tx, id: sha256Hex(bytes), bytes }
}

/** Signs a P-Chain transaction: one credential per input in order, then those of the authorities. */
export function signP(unsigned: PUnsigned, signers: readonly (readonly Key[])[]): Made<PTx> {
  return finish<PTx>(pTx, { unsigned, credentials: credentialsFor(encode(pUnsigned, unsigned), signers) })
}

export function signX(
  unsigned: XUnsigned,
  signers: readonly (readonly Key[])[],
  kinds?: readonly Kind[],
): Made<XTx> {
  return finish<XTx>(xTx, {
    unsigned,
    credentials: credentialsFor(encode(xUnsigned, unsigned), signers, kinds),
  })
}

export function signC(unsigned: CUnsigned, signers: readonly (readonly Key[])[]): Made<CTx> {
  return finish<CTx>(atomicTx, {
    unsigned,
    credentials: credentialsFor(encode(atomicUnsigned, unsigned), signers),
  })
}

/** P-Chain transactions without signatures. */
export function unsignedP(unsigned: PUnsigned): Made<PTx> {
  return finish<PTx>(pTx, { unsigned, credentials: [] })
}
