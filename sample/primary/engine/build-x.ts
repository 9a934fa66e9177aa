import type { CTx, Owner, PlainIn, XOut, XTx, XUnsigned } from '../codec/types.ts'
import { xOut } from '../codec/types.ts'
import type { Credential } from '../codec/types.ts'
import type { Engine } from './engine.ts'
import type { Key } from '../keys.ts'
import type { ChainName, Hex } from '../ledger.ts'
import type { Utxo } from '../state.ts'
import { amountOf } from '../state.ts'
import type { Made, Party } from '../wallet.ts'
import {
  byOutpoint,
  output,
  partyOwner,
  pick,
  places,
  plainInput,
  signC,
  signX,
  signersOf,
  sorted,
  spendable,
} from '../wallet.ts'

export type XBase = {
  readonly networkId: number
  readonly chainId: Hex
  readonly outs: readonly XOut[]
  readonly ins: readonly PlainIn[]
  readonly memo: Uint8Array
}

/** What a transaction of X is to do; inputs, change, fee and signatures are found for it. */
export type XDraft = {
  readonly party: Party
  readonly build: (base: XBase) => XUnsigned
  readonly needs?: readonly (readonly [Hex, bigint])[]
  readonly outs?: readonly XOut[]
  readonly memo?: Uint8Array
  /** Who signs the operations' or imports' inputs, in their order, and with which kind of credential. */
  readonly signers?: readonly { readonly keys: readonly Key[]; readonly kind: Credential['type'] }[]
  /** UTXOs that must not be taken: they are what the operation is about. */
  readonly fee?: bigint
}

const oneAvax = 1_000_000_000n
const txFee = oneAvax / 1_000n
const assetFee = oneAvax / 100n

/** Makes and signs a transaction of X as of `time`. Throws `LedgerError` when the party cannot pay. */
export function makeX(engine: Engine, time: number, draft: XDraft): Made<XTx> {
  const { state, world } = engine
  const { avax, X } = world.ids
  const { party } = draft
  const memo = draft.memo ?? new Uint8Array()
  const probe = draft.build({ networkId: 5, chainId: X, outs: [], ins: [], memo })
  const fee = draft.fee ?? (probe.type === 'CreateAssetTx' ? assetFee : txFee)
  const needs = new Map<Hex, bigint>([[avax, fee]])
  for (const [asset, amount] of draft.needs ?? []) needs.set(asset, (needs.get(asset) ?? 0n) + amount)
  const utxos: Utxo[] = []
  const outs: XOut[] = [...(draft.outs ?? [])]
  for (const [asset, amount] of needs) {
    if (amount === 0n) continue
    const found = pick(state, 'X', party, time, asset, amount)
    utxos.push(...found.utxos)
    if (found.change > 0n) outs.push(output(asset, found.change, partyOwner(party)))
  }
  utxos.sort(byOutpoint)
  const unsigned = draft.build({
    networkId: 5,
    chainId: X,
    outs: sorted(outs, xOut),
    ins: utxos.map((utxo) => plainInput(utxo, places(party))),
    memo,
  })
  const others = draft.signers ?? []
  const kinds: Credential['type'][] = [...utxos.map(() => 'secp' as const), ...others.map(({ kind }) => kind)]
  const keys = [...utxos.map(() => signersOf(party)), ...others.map((each) => each.keys)]
  return signX(unsigned, keys, kinds)
}

export function transferX(party: Party, outs: readonly XOut[], memo?: Uint8Array): XDraft {
  return {
    party,
    outs,
    needs: outs.map(({ asset, output: each }) => [asset, amountOf(each)] as const),
    ...(memo === undefined ? {} : { memo }),
    build: (base) => ({ type: 'BaseTx', ...base }),
  }
}

export function exportX(party: Party, destination: Hex, asset: Hex, amount: bigint, to: Owner): XDraft {
  return {
    party,
    needs: [[asset, amount]],
    build: (base) => ({ type: 'ExportTx', ...base, destination, exported: [output(asset, amount, to)] }),
  }
}

/** Fetches what lies in the atomic memory for a party; undefined when there is too little. */
export function importX(
  engine: Engine,
  time: number,
  party: Party,
  source: Exclude<ChainName, 'X'>,
): Made<XTx> | undefined {
  const { state, world } = engine
  const { avax } = world.ids
  const found = spendable(state, `X<${source}`, party, time, avax).slice(0, 10).sort(byOutpoint)
  const sum = found.reduce((all, utxo) => all + amountOf(utxo.output), 0n)
  if (sum <= txFee) return undefined
  return makeX(engine, time, {
    party,
    fee: 0n,
    outs: [output(avax, sum - txFee, partyOwner(party))],
    signers: found.map(() => ({ keys: signersOf(party), kind: 'secp' })),
    build: (base) => ({
      type: 'ImportTx',
      ...base,
      source: world.ids[source],
      imported: found.map((utxo) => plainInput(utxo, places(party))),
    }),
  })
}

/** A key's account on C fetches what lies in the atomic memory for it; undefined when there is too little. */
export function importC(
  engine: Engine,
  time: number,
  key: Key,
  source: Exclude<ChainName, 'C'>,
): Made<CTx> | undefined {
  const { state, world } = engine
  const { avax, C } = world.ids
  const party: Party = { keys: [key], threshold: 1 }
  const found = spendable(state, `C<${source}`, party, time, avax).slice(0, 10).sort(byOutpoint)
  const sum = found.reduce((all, utxo) => all + amountOf(utxo.output), 0n)
  const fee = cFee * BigInt(1 + found.length)
  if (sum <= fee) return undefined
  return signC(
    {
      type: 'ImportTx',
      networkId: 5,
      chainId: C,
      source: world.ids[source],
      imported: found.map((utxo) => plainInput(utxo, places(party))),
      evmOuts: [{ address: key.account, amount: sum - fee, asset: avax }],
    },
    found.map(() => [key]),
  )
}

/** What an input of an atomic transaction costs at the base fee of 25 gwei. */
const cFee = 280_750n

/** Sends `amount` from a key's account on C. */
export function exportC(
  engine: Engine,
  key: Key,
  destination: Exclude<ChainName, 'C'>,
  amount: bigint,
  to: Owner,
): Made<CTx> {
  const { state, world } = engine
  const { avax, C } = world.ids
  return signC(
    {
      type: 'ExportTx',
      networkId: 5,
      chainId: C,
      destination: world.ids[destination],
      evmIns: [
        { address: key.account, amount, asset: avax, nonce: state.accounts.get(key.account)?.nonce ?? 0n },
      ],
      exported: [output(avax, amount - 2n * cFee, to)],
    },
    [[key]],
  )
}
