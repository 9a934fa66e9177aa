import { type XTx, type CTx, outputsOf } from '../transactions.ts'
import { consume, type State } from '../state.ts'
import { Flow, type FlowContext } from './flow.ts'

/** Applies an X-Chain transaction. Throws `LedgerError`; the state must not be used afterwards. */
export function applyX(state: State, { unsigned: tx }: XTx, context: FlowContext): void {
  const { txId } = context
  const flow = new Flow(state, 'X', context)
  flow.take(tx.base.inputs)
  if (tx.type === 'ImportTx') flow.take(tx.importedInputs, tx.sourceChain)
  flow.give(tx.base.outputs)
  if (tx.type === 'ExportTx') flow.give(tx.exportedOutputs, tx.destinationChain)
  if (tx.type === 'CreateAssetTx') {
    const { name, symbol, denomination } = tx
    state.assets.set(txId, { id: txId, name, symbol, denomination })
    for (const { outputs } of tx.states) for (const output of outputs) flow.make(txId, output)
  }
  if (tx.type === 'OperationTx') {
    for (const { assetId, references, operation } of tx.operations) {
      for (const { txId: spentId, outputIndex } of references) consume(state, 'X', spentId, outputIndex)
      for (const output of outputsOf(operation)) flow.make(assetId, output)
    }
  }
  state.burned.X += flow.left()
}

/**
 * Applies an atomic C-Chain transaction. The ledger knows only the effects of atomic transactions on
 * accounts, in nAVAX; the caller has checked the rest with the EVM. Throws `LedgerError`.
 */
export function applyC(state: State, { unsigned: tx }: CTx, context: FlowContext): void {
  const flow = new Flow(state, 'C', context)
  if (tx.type === 'ImportTx') {
    flow.take(tx.importedInputs, tx.sourceChain)
    for (const { address, amount, assetId } of tx.evmOutputs) {
      flow.add(assetId, -amount)
      const account = state.accounts.get(address) ?? { balance: 0n, nonce: 0n }
      state.accounts.set(address, { ...account, balance: account.balance + amount })
    }
  } else {
    for (const { address, amount, assetId, nonce } of tx.evmInputs) {
      flow.add(assetId, amount)
      const left = (state.accounts.get(address)?.balance ?? 0n) - amount
      state.accounts.set(address, { balance: left > 0n ? left : 0n, nonce: nonce + 1n })
    }
    flow.give(tx.exportedOutputs, tx.destinationChain)
  }
  state.burned.C += flow.left()
}
