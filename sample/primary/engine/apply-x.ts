import type { CTx, PlainIn, XTx, XUnsigned } from '../codec/types.ts'
import type { ChainName, Hex } from '../ledger.ts'
import { LedgerError } from '../ledger.ts'
import type { Space, State } from '../state.ts'
import { amountOf, consume, create } from '../state.ts'

/** What a transaction of X or C depends on besides the state. */
export type AtomicContext = {
  readonly txId: Hex
  readonly avax: Hex
  readonly ids: Readonly<Record<Hex, ChainName>>
}

class Sums {
  readonly byAsset = new Map<Hex, bigint>()

  add(asset: Hex, amount: bigint): void {
    this.byAsset.set(asset, (this.byAsset.get(asset) ?? 0n) + amount)
  }

  /** The AVAX left over. Throws `LedgerError` when more comes out than went in. */
  left(avax: Hex): bigint {
    for (const [asset, sum] of this.byAsset) {
      if (sum < 0n || (asset !== avax && sum > 0n)) throw new LedgerError('flow check failed')
    }
    return this.byAsset.get(avax) ?? 0n
  }
}

function take(state: State, from: Space, ins: readonly PlainIn[], sums: Sums): void {
  for (const { txId, index, asset, input } of ins) {
    const utxo = consume(state, from, txId, index)
    if (input.amount !== amountOf(utxo.output) || asset !== utxo.asset) {
      throw new LedgerError('input does not match its UTXO')
    }
    sums.add(asset, input.amount)
  }
}

function other(context: AtomicContext, id: Hex, self: ChainName): ChainName {
  const name = context.ids[id]
  if (name === undefined || name === self) throw new LedgerError('unknown chain')
  return name
}

/** Makes a transaction of X take effect. Throws `LedgerError`; the state is then no longer to be used. */
export function applyX(state: State, { unsigned: tx }: XTx, context: AtomicContext): void {
  const { txId, avax } = context
  const sums = new Sums()
  take(state, 'X', tx.ins, sums)
  if (tx.type === 'ImportTx') {
    take(state, `X<${other(context, tx.source, 'X')}`, tx.imported, sums)
  }
  let index = 0
  for (const { asset, output } of tx.outs) {
    create(state, 'X', txId, index, asset, output)
    sums.add(asset, -amountOf(output))
    index += 1
  }
  if (tx.type === 'ExportTx') {
    const destination = other(context, tx.destination, 'X')
    for (const { asset, output } of tx.exported) {
      create(state, `${destination}<X`, txId, index, asset, output)
      sums.add(asset, -amountOf(output))
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
  for (const { asset, outpoints, operation } of tx.operations) {
    for (const outpoint of outpoints) consume(state, 'X', outpoint.txId, outpoint.index)
    const put = (output: Parameters<typeof create>[5]): void => {
      create(state, 'X', txId, index, asset, output)
      index += 1
    }
    switch (operation.type) {
      case 'mint':
        put({ type: 'mint', ...operation.mintOwner })
        put({ type: 'transfer', ...operation.transfer })
        break
      case 'nftMint':
        for (const owner of operation.owners) {
          put({ type: 'nft', group: operation.group, payload: operation.payload, ...owner })
        }
        break
      case 'nftTransfer': {
        const { group, payload, locktime, threshold, addresses } = operation
        put({ type: 'nft', group, payload, locktime, threshold, addresses })
        break
      }
      case 'propertyMint':
        put({ type: 'propertyMint', ...operation.mintOwner })
        put({ type: 'property', ...operation.owner })
        break
      default:
        // Burning a property leaves nothing behind.
        break
    }
  }
}

/**
 * Makes an atomic transaction of C take effect. Accounts are known here by what atomic transactions did to them, in
 * nAVAX: what else they have and did the EVM knows, and whoever takes the transaction has asked it. Throws
 * `LedgerError`.
 */
export function applyC(state: State, { unsigned: tx }: CTx, context: AtomicContext): void {
  const { txId, avax } = context
  const sums = new Sums()
  if (tx.type === 'ImportTx') {
    take(state, `C<${other(context, tx.source, 'C')}`, tx.imported, sums)
    for (const { address, amount, asset } of tx.evmOuts) {
      sums.add(asset, -amount)
      const account = state.accounts.get(address) ?? { balance: 0n, nonce: 0n }
      state.accounts.set(address, { ...account, balance: account.balance + amount })
    }
  } else {
    for (const { address, amount, asset, nonce } of tx.evmIns) {
      sums.add(asset, amount)
      const left = (state.accounts.get(address)?.balance ?? 0n) - amount
      state.accounts.set(address, { balance: left > 0n ? left : 0n, nonce: nonce + 1n })
    }
    const destination = other(context, tx.destination, 'C')
    tx.exported.forEach(({ asset, output }, index) => {
      create(state, `${destination}<C`, txId, index, asset, output)
      sums.add(asset, -output.amount)
    })
  }
  state.burned.C += sums.left(avax)
}
