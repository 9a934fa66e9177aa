import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256, utxoIdOf, withVersion } from '../../../../protocol/native/hashes.ts'
import { type AssetInput, type AssetOutput, outputTypeIds } from '../../../../protocol/primary/outputs.ts'
import type { Signed } from '../../../../protocol/primary/transactions.ts'
import type { Place, Spend, UtxoRow } from './model.ts'
import { strayHeight, strayIndex } from './store.ts'

/**
 * The transaction that made an output, the chain it was made on and the chain where it can be spent (keys of
 * chains).
 */
type Origin = Place & { readonly chain: number; readonly home: number; readonly txId: Uint8Array }

/** The additional fields of a stake output. */
export type StakePeriod = { readonly stakedFrom: number; readonly stakedUntil: number }

/** The row of an output. */
export function utxoRow(
  origin: Origin,
  outputIndex: number,
  { assetId, output }: AssetOutput,
  more: Partial<StakePeriod & { rewardType: number }> = {},
): UtxoRow {
  const { owner } = output
  return {
    chain: origin.chain,
    height: origin.height,
    index: origin.index,
    ts: origin.ts,
    outputIndex,
    txId: origin.txId,
    utxoId: utxoIdOf(origin.txId, outputIndex),
    home: origin.home,
    assetId,
    amount: output.type === 'TRANSFER' ? output.amount : 0n,
    type: outputTypeIds[output.type],
    threshold: owner.threshold,
    locktime: owner.locktime,
    stakeableLocktime: output.type === 'TRANSFER' ? output.stakeableLocktime : 0n,
    owners: owner.addresses,
    // Every row has every field, so that all rows have the same shape (one hidden class).
    groupId: 'groupId' in output ? output.groupId : undefined,
    payload: 'payload' in output ? output.payload : undefined,
    stakedFrom: more.stakedFrom,
    stakedUntil: more.stakedUntil,
    rewardType: more.rewardType,
    spent: undefined,
  }
}

/** Genesis UTXOs of the P-Chain come before every transaction. */
export const genesisUtxoIndex = -1

/**
 * Recovers a genesis UTXO of the P-Chain that is spent but was not in the known genesis. Every genesis UTXO
 * has one owner without locktime, so the signer is the owner. Undefined if it is not a genesis UTXO.
 */
export function recoverGenesisUtxo(
  tx: Signed<unknown>,
  input: AssetInput,
  credential: number,
  spend: Spend,
  genesisTime: number,
): UtxoRow | undefined {
  if (input.txId.some((byte) => byte !== 0)) return undefined
  const signature = tx.credentials[credential]?.signatures[0]
  if (!signature) return undefined
  const { amount, stakeableLocktime } = input
  const owner = { locktime: 0n, threshold: 1, addresses: [signerOf(tx.unsignedBytes, signature)] }
  const origin = {
    chain: spend.chain,
    home: spend.chain,
    height: 0,
    index: genesisUtxoIndex,
    ts: genesisTime,
    txId: input.txId,
  }
  const output = { type: 'TRANSFER', amount, stakeableLocktime, owner } as const
  const row = utxoRow(origin, input.outputIndex, { assetId: input.assetId, output })
  row.spent = spend
  return row
}

/** Numbers for UTXOs whose creating transaction is not indexed. */
export type Strays = { next: number }

/**
 * Recovers an imported UTXO from a chain that is not indexed: the input contains its asset and amount, and
 * the signers are taken as its owners.
 */
export function recoverImportedUtxo(
  tx: Signed<unknown>,
  input: AssetInput,
  credential: number,
  spend: Spend,
  source: number,
  strays: Strays,
): UtxoRow {
  const signatures = tx.credentials[credential]?.signatures ?? []
  const addresses = signatures.map((signature) => signerOf(tx.unsignedBytes, signature))
  const owner = { locktime: 0n, threshold: addresses.length, addresses }
  const index = strayIndex(strays.next, spend.chain)
  strays.next += 1
  const origin = {
    chain: source,
    home: spend.chain,
    height: strayHeight,
    index,
    ts: spend.ts,
    txId: input.txId,
  }
  const { amount, stakeableLocktime, assetId, outputIndex } = input
  const output = { type: 'TRANSFER', amount, stakeableLocktime, owner } as const
  const row = utxoRow(origin, outputIndex, { assetId, output })
  row.spent = spend
  return row
}

/** The address whose key made a recoverable signature (64 bytes and the recovery bit) over a transaction. */
function signerOf(unsignedBytes: Uint8Array, signature: Uint8Array): Uint8Array {
  const hash = sha256(withVersion(unsignedBytes))
  const recovery = signature[64] ?? 0
  const key = secp256k1.Signature.fromBytes(signature.subarray(0, 64))
    .addRecoveryBit(recovery)
    .recoverPublicKey(hash)
    .toBytes(true)
  return createHash('ripemd160').update(sha256(key)).digest()
}
