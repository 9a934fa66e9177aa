import type {
  CTx,
  CUnsigned,
  Credential,
  Owner,
  PIn,
  POut,
  PTx,
  PUnsigned,
  PlainIn,
  XOut,
  XTx,
  XUnsigned,
} from './codec/types.ts'
import { cTx, cUnsigned, pTx, pUnsigned, xTx, xUnsigned } from './codec/types.ts'
import type { Codec } from './codec/wire.ts'
import { encode } from './codec/wire.ts'
import type { Key } from './keys.ts'
import { ownerOf, sign } from './keys.ts'
import type { Hex } from './ledger.ts'
import { LedgerError } from './ledger.ts'
import type { Space, State, Utxo } from './state.ts'
import { amountOf, space } from './state.ts'
import { sha256, sha256Hex } from './text.ts'

/** One key or several that hold and sign together. */
export type Party = {
  readonly keys: readonly Key[]
  readonly threshold: number
}

/** A signed transaction with its id and the bytes that the id is the hash of. */
export type Made<T> = {
  readonly tx: T
  readonly id: Hex
  readonly bytes: Uint8Array
}

/** A party cannot pay what it wants to. */
export class PoorError extends LedgerError {}

export function single(key: Key): Party {
  return { keys: [key], threshold: 1 }
}

export function partyOwner(party: Party, locktime = 0n): Owner {
  return ownerOf(party.keys, party.threshold, locktime)
}

/** The keys that sign for a party: those of its lowest addresses. */
export function signersOf({ keys, threshold }: Party): readonly Key[] {
  return [...keys].sort((a, b) => (a.address < b.address ? -1 : 1)).slice(0, threshold)
}

/** The places of those keys in the owner's list. */
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

/** What a party can spend now, the largest first. */
export function spendable(state: State, where: Space, party: Party, time: number, asset: Hex): Utxo[] {
  const owner = partyOwner(party)
  const utxos = space(state, where)
  const found: Utxo[] = []
  for (const id of state.owned.get(`${where}/${owner.addresses[0] ?? ''}`) ?? []) {
    const utxo = utxos.get(id)
    if (utxo === undefined || utxo.asset !== asset || utxo.output.type !== 'transfer') continue
    if (isOwnedBy(utxo.output, owner, time)) found.push(utxo)
  }
  return found.sort((a, b) => {
    const difference = amountOf(b.output) - amountOf(a.output)
    return difference === 0n ? (a.id < b.id ? -1 : 1) : difference > 0n ? 1 : -1
  })
}

export function total(utxos: readonly Utxo[]): bigint {
  return utxos.reduce((sum, { output }) => sum + amountOf(output), 0n)
}

const mostInputs = 12

/** Inputs of a party worth at least `amount`, and the change. Throws `PoorError` when there is too little. */
export function pick(
  state: State,
  where: Space,
  party: Party,
  time: number,
  asset: Hex,
  amount: bigint,
): { readonly utxos: readonly Utxo[]; readonly change: bigint } {
  const all = spendable(state, where, party, time, asset)
  const utxos: Utxo[] = []
  let sum = 0n
  for (const utxo of all) {
    if (sum >= amount || utxos.length === mostInputs) break
    utxos.push(utxo)
    sum += amountOf(utxo.output)
  }
  // A small one is swept up with the rest, so that change does not pile up.
  const smallest = all.at(-1)
  if (smallest !== undefined && utxos.length > 0 && utxos.length < mostInputs && !utxos.includes(smallest)) {
    utxos.push(smallest)
    sum += amountOf(smallest.output)
  }
  if (sum < amount) throw new PoorError(`insufficient funds: ${sum} of ${amount}`)
  return { utxos, change: sum - amount }
}

export function plainInput({ txId, index, asset, output }: Utxo, signers: readonly number[]): PlainIn {
  return { txId, index, asset, input: { type: 'transfer', amount: amountOf(output), signers } }
}

export function pInput(utxo: Utxo, signers: readonly number[]): PIn {
  const { txId, index, asset, output } = utxo
  const input = { type: 'transfer' as const, amount: amountOf(output), signers }
  if (output.type !== 'stakeable') return { txId, index, asset, input }
  return { txId, index, asset, input: { type: 'stakeable', until: output.until, input } }
}

/** As the chains want inputs: by transaction, then place. */
export function byOutpoint(
  a: { readonly txId: Hex; readonly index: number },
  b: { readonly txId: Hex; readonly index: number },
): number {
  return a.txId === b.txId ? a.index - b.index : a.txId < b.txId ? -1 : 1
}

/** As the chains want outputs: by asset, then bytes. */
export function sorted<T extends POut | XOut>(outs: readonly T[], codec: Codec<T>): T[] {
  return outs
    .map((out) => ({ out, bytes: Buffer.from(encode(codec, out)) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    .map(({ out }) => out)
}

/** A plain output of AVAX or another asset. */
export function output(
  asset: Hex,
  amount: bigint,
  owner: Owner,
): { asset: Hex; output: { type: 'transfer'; amount: bigint } & Owner } {
  return { asset, output: { type: 'transfer', amount, ...owner } }
}

type Kind = Credential['type']

function credentialsFor(
  unsigned: Uint8Array,
  signers: readonly (readonly Key[])[],
  kinds: readonly Kind[] = [],
): Credential[] {
  const hash = sha256(unsigned)
  const known = new Map<Key, Hex>()
  const one = (key: Key): Hex => {
    const found = known.get(key) ?? sign(hash, key)
    known.set(key, found)
    return found
  }
  return signers.map((keys, index) => ({ type: kinds[index] ?? 'secp', signatures: keys.map(one) }))
}

function finish<T>(codec: Codec<T>, tx: T): Made<T> {
  const bytes = encode(codec, tx)
  return { tx, id: sha256Hex(bytes), bytes }
}

/** Signs a transaction of P: one credential an input in their order, then those of offices. */
export function signP(unsigned: PUnsigned, signers: readonly (readonly Key[])[]): Made<PTx> {
  return finish(pTx, { unsigned, credentials: credentialsFor(encode(pUnsigned, unsigned), signers) })
}

export function signX(
  unsigned: XUnsigned,
  signers: readonly (readonly Key[])[],
  kinds?: readonly Kind[],
): Made<XTx> {
  return finish(xTx, { unsigned, credentials: credentialsFor(encode(xUnsigned, unsigned), signers, kinds) })
}

export function signC(unsigned: CUnsigned, signers: readonly (readonly Key[])[]): Made<CTx> {
  return finish(cTx, { unsigned, credentials: credentialsFor(encode(cUnsigned, unsigned), signers) })
}

/** Transactions of P that nobody signs. */
export function unsignedP(unsigned: PUnsigned): Made<PTx> {
  return finish(pTx, { unsigned, credentials: [] })
}
