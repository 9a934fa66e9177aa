import { type XUnsigned, type XTx, type CTx, type AssetInput, outputsOf } from '../transactions.ts'
import { type ChainName, type Hex, LedgerError } from '../ledger.ts'
import { amountOf, consume, create, type Space, type State } from '../state.ts'

/** The inputs of an X- or C-chain transaction's effect besides the state. */
type AtomicContext = {
  readonly txId: Hex
  readonly avax: Hex
  readonly ids: Readonly<Record<Hex, ChainName>>
}

class Sums {
  readonly byAsset = new Map<Hex, bigint>()

  add(asset: Hex, amount: bigint): void {
    this.byAsset.set(asset, (this.byAsset.get(asset) ?? 0n) + amount)
  }

  /** The remaining AVAX. Throws `LedgerError` if the outputs exceed the inputs. */
  left(avax: Hex): bigint {
    for (const [asset, sum] of this.byAsset) {
      if (sum < 0n || (asset !== avax && sum > 0n)) throw new LedgerError('flow check failed')
    }
    return this.byAsset.get(avax) ?? 0n
  }
}

function take(state: State, from: Space, inputs: readonly AssetInput[], sums: Sums): void {
  for (const { txId, outputIndex, assetId, amount } of inputs) {
    const utxo = consume(state, from, txId, outputIndex)
    if (amount !== amountOf(utxo.output) || assetId !== utxo.assetId) {
      throw new LedgerError('input does not match its UTXO')
    }
    sums.add(assetId, amount)
  }
}

function other(context: AtomicContext, id: Hex, self: ChainName): ChainName {
  const name = context.ids[id]
  if (name === undefined || name === self) throw new LedgerError('unknown chain')
  return name
}

/** Applies an X-chain transaction. Throws `LedgerError`; the state must not be used afterwards. */
export function applyX(state: State, { unsigned: tx }: XTx, context: AtomicContext): void {
  const { txId, avax } = context
  const sums = new Sums()
  take(state, 'X', tx.base.inputs, sums)
  if (tx.type === 'ImportTx') {
    take(state, `X<${other(context, tx.sourceChain, 'X')}`, tx.importedInputs, sums)
  }
  let index = 0
  for (const { assetId, output } of tx.base.outputs) {
    create(state, 'X', txId, index, assetId, output)
    sums.add(assetId, -amountOf(output))
    index += 1
  }
  if (tx.type === 'ExportTx') {
    const destination = other(context, tx.destinationChain, 'X')
    for (const { assetId, output } of tx.exportedOutputs) {
      create(state, `${destination}<X`, txId, index, assetId, output)
      sums.add(assetId, -amountOf(output))
      index += 1
    }
  }
  if (tx.type === 'CreateAssetTx') {
    const { name, symbol, denomination } = tx
    state.assets.set(txId, { id: txId, name, symbol, denomination })
    for (const { outputs } of tx.states) {
      for (const output of outputs) {
        create(state, 'X', txId, index, txId, output)
        index += 1
      }
    }
  }
  if (tx.type === 'OperationTx') operate(state, tx, txId, index)
  state.burned.X += sums.left(avax)
}

function operate(
  state: State,
  tx: Extract<XUnsigned, { readonly type: 'OperationTx' }>,
  txId: Hex,
  first: number,
): void {
  let index = first
  for (const { assetId, references, operation } of tx.operations) {
    for (const { txId: spentId, outputIndex } of references) consume(state, 'X', spentId, outputIndex)
    for (const output of outputsOf(operation)) {
      create(state, 'X', txId, index, assetId, output)
      index += 1
    }
  }
}

/**
 * Applies an atomic C-chain transaction. The ledger knows only the effects of atomic transactions on
 * accounts, in nAVAX; the caller has checked the rest with the EVM. Throws `LedgerError`.
 */
export function applyC(state: State, { unsigned: tx }: CTx, context: AtomicContext): void {
  const { txId, avax } = context
  const sums = new Sums()
  if (tx.type === 'ImportTx') {
    take(state, `C<${other(context, tx.sourceChain, 'C')}`, tx.importedInputs, sums)
    for (const { address, amount, assetId } of tx.evmOutputs) {
      sums.add(assetId, -amount)
      const account = state.accounts.get(address) ?? { balance: 0n, nonce: 0n }
      state.accounts.set(address, { ...account, balance: account.balance + amount })
    }
  } else {
    for (const { address, amount, assetId, nonce } of tx.evmInputs) {
      sums.add(assetId, amount)
      const left = (state.accounts.get(address)?.balance ?? 0n) - amount
      state.accounts.set(address, { balance: left > 0n ? left : 0n, nonce: nonce + 1n })
    }
    const destination = other(context, tx.destinationChain, 'C')
    tx.exportedOutputs.forEach(({ assetId, output }, index) => {
      create(state, `${destination}<C`, txId, index, assetId, output)
      sums.add(assetId, -output.amount)
    })
  }
  state.burned.C += sums.left(avax)
}
