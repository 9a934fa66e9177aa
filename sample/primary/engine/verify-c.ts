import { cAssetOutput } from '../../../protocol/primary/outputs.ts'
import { atomicUnsigned } from '../../../protocol/primary/atomic.ts'
import {
  type Owner,
  type Output,
  type Credential,
  type CUnsigned,
  type CTx,
  type AssetInput,
} from '../transactions.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createHash } from 'node:crypto'
import { keccak256 } from 'viem'
import { type EvmView, LedgerError } from '../ledger.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { space, type State, utxoId } from '../state.ts'
import { type BareHex, bytesOf } from '../../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { sha256 } from '../../../protocol/native/hashes.ts'
import type { Made } from '../wallet.ts'
import type { World } from '../world.ts'

/** A C-Chain account: balance in wei, and nonce. */
type EvmAccount = {
  readonly balance: bigint
  readonly nonce: bigint
}

/** The data that an atomic transaction is checked against. */
export type AtomicView = {
  readonly networkId: number
  readonly ids: { readonly C: BareHex; readonly avax: BareHex }
  readonly names: Readonly<Record<BareHex, ChainAlias>>
  /** Unix seconds. */
  readonly time: number
  /** The base fee of the next block, in wei. */
  readonly baseFee: bigint
  /** A UTXO that another chain has exported to C. */
  utxo(source: ChainAlias, id: BareHex): { readonly assetId: BareHex; readonly output: Output } | undefined
  /** The accounts that the transaction debits. */
  account(address: BareHex): EvmAccount
}

type Import = Extract<CUnsigned, { readonly type: 'ImportTx' }>
type Export = Extract<CUnsigned, { readonly type: 'ExportTx' }>

const wei = 10n ** 9n
/** Gas of any atomic transaction, of each signature, and of each signed byte. */
const baseGas = 10_000n
const signatureGas = 1_000n

/** The bytes that are signed. */
function unsignedBytes({ unsigned }: CTx): Uint8Array {
  return encode(atomicUnsigned, unsigned)
}

/** The gas that an atomic transaction uses since Apricot phase 5. */
function atomicGas(tx: CTx): bigint {
  const signatures =
    tx.unsigned.type === 'ImportTx'
      ? tx.unsigned.importedInputs.reduce((sum, { signatureIndices }) => sum + signatureIndices.length, 0)
      : tx.unsigned.evmInputs.length
  return baseGas + signatureGas * BigInt(signatures) + BigInt(unsignedBytes(tx).length)
}

/** The difference between a transaction's inputs and outputs, nAVAX. */
function atomicBurned({ unsigned: tx }: CTx, avax: BareHex): bigint {
  const inputs = tx.type === 'ImportTx' ? tx.importedInputs : tx.evmInputs
  const outputs =
    tx.type === 'ImportTx'
      ? tx.evmOutputs
      : tx.exportedOutputs.map(({ assetId, output }) => ({ assetId, amount: output.amount }))
  const sum = (list: readonly { readonly assetId: BareHex; readonly amount: bigint }[]): bigint =>
    list.reduce((total, { assetId, amount }) => (assetId === avax ? total + amount : total), 0n)
  return sum(inputs) - sum(outputs)
}

/** The price that it pays per gas unit, wei. */
function atomicGasPrice(tx: CTx, avax: BareHex): bigint {
  return (atomicBurned(tx, avax) * wei) / atomicGas(tx)
}

/** The UTXOs or nonces that a transaction consumes. Two transactions that share one conflict. */
function atomicInputs({ unsigned: tx }: CTx): readonly string[] {
  return tx.type === 'ImportTx'
    ? tx.importedInputs.map(({ txId, outputIndex }) => utxoId(txId, outputIndex))
    : tx.evmInputs.map(({ address, nonce }) => `${address}/${nonce}`)
}

function refuse(why: string): never {
  throw new LedgerError(why)
}

function isRising(keys: readonly string[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)
}

function hexKey(value: bigint | number): string {
  return value.toString(16).padStart(16, '0')
}

/** The source or destination chain, which must be another chain of the primary network. */
function otherChain(view: AtomicView, id: BareHex): ChainAlias {
  const name = view.names[id]
  return name === undefined || name === 'C' ? refuse('tx has wrong chain ID') : name
}

function verifyHead(view: AtomicView, { networkId, blockchainId }: CUnsigned): void {
  if (networkId !== view.networkId) refuse('tx was issued with a different network ID')
  if (blockchainId !== view.ids.C) refuse('tx has wrong chain ID')
}

function verifyFlow(view: AtomicView, tx: CTx, what: 'import' | 'export'): void {
  const fee = (atomicGas(tx) * view.baseFee + wei - 1n) / wei
  if (atomicBurned(tx, view.ids.avax) < fee) {
    refuse(`${what} tx flow check failed due to: insufficient funds`)
  }
}

function recovered(hash: Uint8Array, signature: BareHex): Uint8Array {
  const bytes = bytesOf(signature)
  const ordered = Buffer.concat([bytes.subarray(64), bytes.subarray(0, 64)])
  try {
    return secp256k1.recoverPublicKey(new Uint8Array(ordered), hash, { prehash: false })
  } catch (error) {
    throw new LedgerError('invalid signature', { cause: error })
  }
}

function addressOf(publicKey: Uint8Array): BareHex {
  return createHash('ripemd160').update(sha256(publicKey)).digest('hex')
}

function accountOf(publicKey: Uint8Array): BareHex {
  return keccak256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).slice(-40)
}

/** The reason why an owner's output cannot be spent with this credential; undefined if it can. */
function spendingFault(
  view: AtomicView,
  hash: Uint8Array,
  owner: Owner,
  signers: readonly number[],
  { signatures }: Credential,
): string | undefined {
  if (owner.locktime > BigInt(view.time)) return 'output is time locked'
  if (owner.threshold < signers.length) return 'input has more signers than expected'
  if (owner.threshold > signers.length) return 'input has less signers than expected'
  if (signers.length !== signatures.length) {
    return 'input expected a different number of signers than provided in the credential'
  }
  for (const [index, place] of signers.entries()) {
    const wanted = owner.addresses[place]
    if (wanted === undefined) return 'input referenced a nonexistent address in the output'
    const found = addressOf(recovered(hash, signatures[index] ?? ''))
    if (found !== wanted) {
      return `wrong signature: expected signature from ${cb58(wanted)} but got from ${cb58(found)}`
    }
  }
  return undefined
}

function verifySpend(
  view: AtomicView,
  hash: Uint8Array,
  { assetId, amount, signatureIndices }: AssetInput,
  utxo: { readonly assetId: BareHex; readonly output: Output },
  credential: Credential,
): void {
  if (utxo.assetId !== assetId) refuse("asset IDs in the input don't match the utxo")
  const { output } = utxo
  const fault =
    output.type !== 'TRANSFER'
      ? 'wrong utxo type'
      : output.amount === amount
        ? spendingFault(view, hash, output.owner, signatureIndices, credential)
        : `utxo amount and input amount are not equal: ${output.amount} != ${amount}`
  if (fault !== undefined) refuse(`import tx transfer failed verification: ${fault}`)
}

function verifyImport(view: AtomicView, tx: CTx, unsigned: Import): void {
  const { importedInputs, evmOutputs } = unsigned
  const { avax } = view.ids
  if (importedInputs.length === 0) refuse('tx has no imported inputs')
  verifyHead(view, unsigned)
  if (evmOutputs.length === 0) refuse('tx has no EVM outputs')
  const source = otherChain(view, unsigned.sourceChain)
  for (const { amount, assetId } of evmOutputs) {
    if (amount === 0n) refuse('EVM Output failed verification: output has no value')
    if (assetId !== avax) refuse('import output cannot contain non-AVAX in Banff')
  }
  for (const { assetId, amount } of importedInputs) {
    if (amount === 0n) refuse('atomic input failed verification: input has no value')
    if (assetId !== avax) refuse('import input cannot contain non-AVAX in Banff')
  }
  if (!isRising(importedInputs.map(({ txId, outputIndex }) => txId + hexKey(outputIndex)))) {
    refuse('inputs not sorted and unique')
  }
  if (!isRising(evmOutputs.map(({ address, assetId }) => address + assetId))) {
    refuse('outputs not sorted and unique')
  }
  verifyFlow(view, tx, 'import')
  const { credentials } = tx
  if (credentials.length !== importedInputs.length) {
    refuse(`incorrect number of credentials: (${importedInputs.length} vs. ${credentials.length})`)
  }
  const utxos = importedInputs.map(({ txId, outputIndex }) => view.utxo(source, utxoId(txId, outputIndex)))
  if (utxos.includes(undefined)) {
    refuse(`failed to fetch import UTXOs from ${cb58(unsigned.sourceChain)} due to: not found`)
  }
  const hash = sha256(unsignedBytes(tx))
  for (const [index, each] of importedInputs.entries()) {
    const [utxo, credential] = [utxos[index], credentials[index]]
    if (utxo !== undefined && credential !== undefined) verifySpend(view, hash, each, utxo, credential)
  }
}

function verifyExport(view: AtomicView, tx: CTx, unsigned: Export): void {
  const { evmInputs, exportedOutputs } = unsigned
  const { avax } = view.ids
  if (exportedOutputs.length === 0) refuse('tx has no export outputs')
  verifyHead(view, unsigned)
  otherChain(view, unsigned.destinationChain)
  for (const { amount, assetId } of evmInputs) {
    if (amount === 0n) refuse('input has no value')
    if (assetId !== avax) refuse('export input cannot contain non-AVAX in Banff')
  }
  for (const { assetId, output } of exportedOutputs) {
    if (output.amount === 0n) refuse('output has no value')
    if (assetId !== avax) refuse('export output cannot contain non-AVAX in Banff')
  }
  const outputs = exportedOutputs.map((each) => Buffer.from(encode(cAssetOutput, each)).toString('hex'))
  if (outputs.some((out, index) => index > 0 && (outputs[index - 1] ?? '') > out))
    refuse('tx outputs not sorted')
  if (!isRising(evmInputs.map(({ address, assetId }) => address + assetId)))
    refuse('inputs not sorted and unique')
  verifyFlow(view, tx, 'export')
  const { credentials } = tx
  if (credentials.length !== evmInputs.length) {
    const counts = `want ${evmInputs.length} got ${credentials.length}`
    refuse(`export tx contained incorrect number of credentials ${counts}`)
  }
  const hash = sha256(unsignedBytes(tx))
  for (const [index, { signatures }] of credentials.entries()) {
    if (signatures.length !== 1) {
      const counts = `want 1 signature for EVM Input Credential, but got ${signatures.length}`
      refuse(`incorrect number of signatures ${counts}`)
    }
    const signer = accountOf(recovered(hash, signatures[0] ?? ''))
    if (signer !== evmInputs[index]?.address) refuse("signature doesn't match public key")
  }
  for (const { address, amount, nonce } of evmInputs) {
    const account = view.account(address)
    if (account.balance < amount * wei) refuse('insufficient funds')
    if (account.nonce !== nonce) refuse('invalid nonce')
  }
}

/** Throws `LedgerError` with the node's message if the transaction is not valid in the next C block. */
export function verifyAtomic(view: AtomicView, tx: CTx): void {
  const { unsigned } = tx
  if (unsigned.type === 'ImportTx') verifyImport(view, tx, unsigned)
  else verifyExport(view, tx, unsigned)
}

/** The accounts that a transaction debits. */
export function accountsIn({ unsigned }: CTx): readonly BareHex[] {
  return unsigned.type === 'ExportTx' ? unsigned.evmInputs.map(({ address }) => address) : []
}

/** The sample's state as needed to check atomic transactions. */
export function atomicView(world: World, state: State, seen: EvmView | undefined): AtomicView {
  return {
    networkId: 5,
    ids: world.ids,
    names: world.names,
    time: state.time,
    baseFee: seen?.baseFee ?? 0n,
    utxo: (source, id) => space(state, `C<${source}`).get(id),
    account(address) {
      const { balance, nonce } = state.accounts.get(address) ?? { balance: 0n, nonce: 0n }
      return seen?.accounts.get(address) ?? { balance: balance * wei, nonce }
    },
  }
}

/**
 * The ids of queued transactions that conflict with `made` and pay less. Throws `LedgerError` if a
 * conflicting one pays as much or more.
 */
export function conflictingOf(
  made: Made<CTx>,
  waiting: readonly Made<CTx>[],
  avax: BareHex,
): ReadonlySet<BareHex> {
  const wanted = new Set(atomicInputs(made.tx))
  const rivals = waiting.filter(({ tx }) => atomicInputs(tx).some((input) => wanted.has(input)))
  const price = atomicGasPrice(made.tx, avax)
  const dearest = rivals.reduce<{ readonly id: BareHex; readonly price: bigint } | undefined>(
    (best, each) => {
      const found = { id: each.id, price: atomicGasPrice(each.tx, avax) }
      return best === undefined || found.price > best.price ? found : best
    },
    undefined,
  )
  if (dearest !== undefined && price <= dearest.price) {
    const own = `issued tx (${cb58(made.id)}) gas price ${price}`
    const other = `conflict tx (${cb58(dearest.id)}) gas price ${dearest.price}`
    refuse(`conflict present: ${own} <= ${other} (${rivals.length} total conflicts in mempool)`)
  }
  return new Set(rivals.map(({ id }) => id))
}
