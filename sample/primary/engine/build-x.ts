import { type BareHex, hexOf } from '../../../protocol/ids/bare-hex.ts'
import {
  type Owner,
  type Credential,
  type XUnsigned,
  type XTx,
  type CTx,
  type AssetOutput,
} from '../transactions.ts'
import type { Draft } from './drafts.ts'
import type { Engine } from './engine.ts'
import type { Key } from '../keys.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { amountOf, type Utxo } from '../state.ts'
import {
  byOutpoint,
  inputOf,
  type Made,
  output,
  type Party,
  partyOwner,
  pick,
  places,
  signC,
  signersOf,
  signX,
  sorted,
  spendable,
} from '../wallet.ts'

export type XDraft = Draft<XUnsigned> & {
  /** Signers of the inputs of operations or imports, in order, with the kind of credential. */
  readonly signers?: readonly { readonly keys: readonly Key[]; readonly kind: Credential['kind'] }[]
  /** By default that of its type. */
  readonly fee?: bigint
}

const oneAvax = 1_000_000_000n
const txFee = oneAvax / 1_000n
const assetFee = oneAvax / 100n

/** Builds and signs an X-Chain transaction at `time`. Throws `LedgerError` if the party cannot pay. */
export function makeX(engine: Engine, time: number, draft: XDraft): Made<XTx> {
  const { state, world } = engine
  const { avax, X } = world.ids
  const { party } = draft
  const memo = hexOf(draft.memo ?? new Uint8Array())
  const common = { networkId: 5, blockchainId: X, memo }
  const probe = draft.build({ ...common, outputs: [], inputs: [] })
  const fee = draft.fee ?? (probe.type === 'CreateAssetTx' ? assetFee : txFee)
  const needs = new Map<BareHex, bigint>([[avax, fee]])
  for (const [asset, amount] of draft.needs ?? []) needs.set(asset, (needs.get(asset) ?? 0n) + amount)
  const utxos: Utxo[] = []
  const outputs: AssetOutput[] = [...(draft.outputs ?? [])]
  for (const [asset, amount] of needs) {
    if (amount === 0n) continue
    const found = pick(state, 'X', party, time, asset, amount)
    utxos.push(...found.utxos)
    if (found.change > 0n) outputs.push(output(asset, found.change, partyOwner(party)))
  }
  utxos.sort(byOutpoint)
  const unsigned = draft.build({
    ...common,
    outputs: sorted('X', outputs),
    inputs: utxos.map((utxo) => inputOf(utxo, places(party))),
  })
  const others = draft.signers ?? []
  const kinds: Credential['kind'][] = [...utxos.map(() => 'secp' as const), ...others.map(({ kind }) => kind)]
  const keys = [...utxos.map(() => signersOf(party)), ...others.map((each) => each.keys)]
  return signX(unsigned, keys, kinds)
}

/** Imports everything in the atomic memory for a party; undefined if there is too little. */
export function importX(
  engine: Engine,
  time: number,
  party: Party,
  source: Exclude<ChainAlias, 'X'>,
): Made<XTx> | undefined {
  const { state, world } = engine
  const { avax } = world.ids
  const found = spendable(state, `X<${source}`, party, time, avax).slice(0, 10).sort(byOutpoint)
  const sum = found.reduce((all, utxo) => all + amountOf(utxo.output), 0n)
  if (sum <= txFee) return undefined
  return makeX(engine, time, {
    party,
    fee: 0n,
    outputs: [output(avax, sum - txFee, partyOwner(party))],
    signers: found.map(() => ({ keys: signersOf(party), kind: 'secp' })),
    build: (base) => ({
      type: 'ImportTx',
      base,
      sourceChain: world.ids[source],
      importedInputs: found.map((utxo) => inputOf(utxo, places(party))),
    }),
  })
}

/** Imports everything in the atomic memory for a key's C-Chain account; undefined if there is too little. */
export function importC(
  engine: Engine,
  time: number,
  key: Key,
  source: Exclude<ChainAlias, 'C'>,
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
      blockchainId: C,
      sourceChain: world.ids[source],
      importedInputs: found.map((utxo) => inputOf(utxo, places(party))),
      evmOutputs: [{ address: key.account, amount: sum - fee, assetId: avax }],
    },
    found.map(() => [key]),
  )
}

/** Cost of one input of an atomic transaction at a base fee of 25 gwei. */
const cFee = 280_750n

/** Exports `amount` from a key's C-Chain account. */
export function exportC(
  engine: Engine,
  key: Key,
  destination: Exclude<ChainAlias, 'C'>,
  amount: bigint,
  to: Owner,
): Made<CTx> {
  const { state, world } = engine
  const { avax, C } = world.ids
  return signC(
    {
      type: 'ExportTx',
      networkId: 5,
      blockchainId: C,
      destinationChain: world.ids[destination],
      evmInputs: [
        { address: key.account, amount, assetId: avax, nonce: state.accounts.get(key.account)?.nonce ?? 0n },
      ],
      exportedOutputs: [output(avax, amount - 2n * cFee, to)],
    },
    [[key]],
  )
}
