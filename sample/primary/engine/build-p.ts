import { type BareHex, hexOf } from '../../../protocol/ids/bare-hex.ts'
import { type Owner, type PUnsigned, type PTx, type AssetOutput, type Base } from '../transactions.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { pTx } from '../../../protocol/primary/p-transactions.ts'
import type { Draft } from './drafts.ts'
import type { Engine } from './engine.ts'
import { gasOf } from '../gas.ts'
import type { Key } from '../keys.ts'
import { LedgerError } from '../ledger.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { gasFees, priceAt } from '../../../protocol/primary/l1-fees.ts'
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
  signersOf,
  signP,
  sorted,
  spendable,
} from '../wallet.ts'
import { partyOf } from '../world.ts'

type PDraft = Draft<PUnsigned> & {
  /** The party whose authority (of a subnet or an L1 validator) the transaction needs. */
  readonly office?: Party
  /** Locked coins to stake; their change is among `outputs`. */
  readonly locked?: readonly Utxo[]
}

const oneAvax = 1_000_000_000n
/** An upper bound of any transaction's gas since Etna. */
const maxGas = 250_000n
const free = new Set<PUnsigned['type']>([
  'AddValidatorTx',
  'AddDelegatorTx',
  'AddPermissionlessValidatorTx',
  'AddPermissionlessDelegatorTx',
])

/** The fee before Etna. */
function flatFee(type: PUnsigned['type'], isOfPrimary: boolean): bigint {
  if (type === 'CreateSubnetTx' || type === 'CreateChainTx') return oneAvax
  if (type === 'TransformSubnetTx') return 10n * oneAvax
  return free.has(type) && isOfPrimary ? 0n : oneAvax / 1_000n
}

/** Builds and signs a P-Chain transaction at `time`. Throws `LedgerError` if the party cannot pay. */
export function makeP(engine: Engine, time: number, draft: PDraft): Made<PTx> {
  const { state, world } = engine
  const { avax } = world.ids
  const { party, locked = [], office } = draft
  const memo = hexOf(draft.memo ?? new Uint8Array())
  const needs = new Map<BareHex, bigint>([[avax, 0n]])
  for (const [asset, amount] of draft.needs ?? []) needs.set(asset, (needs.get(asset) ?? 0n) + amount)
  const common = { networkId: 5, blockchainId: world.ids.P, memo }
  const probe = draft.build({ ...common, outputs: [], inputs: [] })
  const isLate = time >= world.ages.etna
  const price = priceAt(gasFees, state.gas.excess)
  const isOfPrimary = !('subnetId' in probe) || /^0+$/.test(probe.subnetId)
  const reserve = isLate ? maxGas * price : flatFee(probe.type, isOfPrimary)
  const spent: { readonly utxo: Utxo; readonly keys: readonly Key[] }[] = []
  const keys = signersOf(party)
  const change: { readonly asset: BareHex; amount: bigint }[] = []
  for (const [asset, amount] of needs) {
    const wanted = asset === avax ? amount + reserve : amount
    if (wanted === 0n) continue
    const found = pick(state, 'P', party, time, asset, wanted)
    for (const utxo of found.utxos) spent.push({ utxo, keys })
    change.push({ asset, amount: found.change })
  }
  for (const utxo of locked) spent.push({ utxo, keys })
  spent.sort((a, b) => byOutpoint(a.utxo, b.utxo))
  const inputs = spent.map(({ utxo }) => inputOf(utxo, places(party)))

  const assemble = (returned: bigint): PUnsigned => {
    const back = change.map(({ asset, amount }) => ({
      asset,
      amount: asset === avax ? amount + returned : amount,
    }))
    const outputs: AssetOutput[] = [
      ...(draft.outputs ?? []),
      ...back
        .filter(({ amount }) => amount > 0n)
        .map(({ asset, amount }) => output(asset, amount, partyOwner(party))),
    ]
    return draft.build({ ...common, outputs: sorted('P', outputs), inputs })
  }
  const signers = [...spent.map((each) => each.keys), ...(office === undefined ? [] : [signersOf(office)])]
  if (!isLate) return signP(assemble(0n), signers)
  const rough = assemble(1n)
  const blank = '00'.repeat(65)
  const unsigned: PTx = {
    unsigned: rough,
    credentials: signers.map((each) => ({ kind: 'secp', signatures: each.map(() => blank) })),
  }
  const gas = gasOf(unsigned, encode(pTx, unsigned).length)
  return signP(assemble(reserve - gas * price), signers)
}

/** A transaction that an owner, of a subnet or of a validator's settings, authorises and pays. */
export function makeAuthorised(
  engine: Engine,
  time: number,
  owner: Owner,
  build: (base: Base, authority: readonly number[]) => PUnsigned,
  needs: PDraft['needs'] = [],
): Made<PTx> {
  const office = partyOf(engine.world, owner)
  return makeP(engine, time, {
    party: office,
    office,
    needs,
    build: (base) => build(base, places(office)),
  })
}

/** Imports everything in the atomic memory from `source` for a party; undefined if there is nothing. */
export function importP(
  engine: Engine,
  time: number,
  party: Party,
  source: Exclude<ChainAlias, 'P'>,
  asset: BareHex,
): Made<PTx> | undefined {
  const { state, world } = engine
  const found = spendable(state, `P<${source}`, party, time, asset).slice(0, 10).sort(byOutpoint)
  const isCoin = asset === world.ids.avax
  const fee = time >= world.ages.etna ? 0n : oneAvax / 1_000n
  const sum = found.reduce((all, utxo) => all + amountOf(utxo.output), 0n)
  if (found.length === 0 || (isCoin && sum < oneAvax)) return undefined
  const importedInputs = found.map((utxo) => inputOf(utxo, places(party)))
  const keys = signersOf(party)
  // Imported coins pay their own fee; the fee for another asset is paid with coins of the P-Chain.
  if (!isCoin) {
    const made = makeP(engine, time, {
      party,
      outputs: [output(asset, sum, partyOwner(party))],
      build: (base) => ({ type: 'ImportTx', base, sourceChain: world.ids[source], importedInputs }),
    })
    const { unsigned } = made.tx
    const count = 'base' in unsigned ? unsigned.base.inputs.length : 0
    return signP(
      unsigned,
      Array.from({ length: count + found.length }, () => keys),
    )
  }
  const build = (paid: bigint): PUnsigned => ({
    type: 'ImportTx',
    base: {
      networkId: 5,
      blockchainId: world.ids.P,
      outputs: [output(asset, sum - paid, partyOwner(party))],
      inputs: [],
      memo: '',
    },
    sourceChain: world.ids[source],
    importedInputs,
  })
  const signers = importedInputs.map(() => keys)
  if (fee > 0n) return signP(build(fee), signers)
  const rough: PTx = {
    unsigned: build(0n),
    credentials: signers.map((each) => ({ kind: 'secp', signatures: each.map(() => '00'.repeat(65)) })),
  }
  const gas = gasOf(rough, encode(pTx, rough).length)
  return signP(build(gas * priceAt(gasFees, state.gas.excess)), signers)
}

/** Throws `LedgerError` if the subnet does not exist. */
export function subnetOwner(engine: Engine, subnetId: BareHex): Owner {
  const subnet = engine.state.subnets.get(subnetId)
  if (subnet === undefined) throw new LedgerError('subnet not found')
  return subnet.owner
}
