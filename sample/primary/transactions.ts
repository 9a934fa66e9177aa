import { CodecError } from '../../protocol/codec/reader.ts'
import { decode } from '../../protocol/codec/schema.ts'
import * as atomic from '../../protocol/primary/atomic.ts'
import type * as outputs from '../../protocol/primary/outputs.ts'
import { decodePBlock } from '../../protocol/primary/p-blocks.ts'
import * as p from '../../protocol/primary/p-transactions.ts'
import type { BaseFields, Signed } from '../../protocol/primary/transactions.ts'
import * as x from '../../protocol/primary/x-transactions.ts'
import { hexed, type Hexed } from './hexed.ts'

// The protocol's types with bytes as hex, as the ledger keeps and compares ids.
export type Owner = Hexed<outputs.Owner>
export type Output = Hexed<outputs.Output>
export type AssetOutput = Hexed<outputs.AssetOutput>
export type AssetAmount = Hexed<outputs.AssetOutput<outputs.TransferOutput>>
export type AssetInput = Hexed<outputs.AssetInput>
export type Base = Hexed<BaseFields>
export type Credential = Hexed<outputs.Credential>
export type Proof = Hexed<p.ProofOfPossession>
export type L1Member = Hexed<p.ConvertedValidator>
export type PUnsigned = Hexed<p.PUnsigned>
export type XUnsigned = Hexed<x.XUnsigned>
export type CUnsigned = Hexed<atomic.AtomicUnsigned>

/** A transaction with its credentials. */
type SignedTx<Unsigned> = { readonly unsigned: Unsigned; readonly credentials: readonly Credential[] }
export type PTx = SignedTx<PUnsigned>
export type XTx = SignedTx<XUnsigned>
export type CTx = SignedTx<CUnsigned>

function signedOf<Unsigned>({ unsigned, credentials }: Signed<Unsigned>): SignedTx<Hexed<Unsigned>> {
  return { unsigned: hexed(unsigned), credentials: hexed(credentials) }
}

/** Decodes a transaction with its codec version. Throws CodecError. */
export const readP = (bytes: Uint8Array): PTx => signedOf(decode(p.pTx, bytes))
/** Decodes a transaction with its codec version. Throws CodecError. */
export const readX = (bytes: Uint8Array): XTx => signedOf(decode(x.xTx, bytes))
/** Decodes a transaction with its codec version. Throws CodecError. */
export const readC = (bytes: Uint8Array): CTx => signedOf(decode(atomic.atomicTx, bytes))

/** The atomic transactions of a C-Chain block's blockExtraData. Throws CodecError. */
export const readExtraData = (bytes: Uint8Array): readonly CTx[] =>
  decode(atomic.extraData, bytes).map(signedOf)

/** The transactions of a P-Chain block in the order of application. Throws CodecError. */
export function txsOfBlock(bytes: Uint8Array): readonly PTx[] {
  const { transactions, proposal } = decodePBlock(bytes)
  return [...transactions, ...(proposal === undefined ? [] : [proposal])].map(known)
}

/** A transaction of a P-Chain block, which must have a known type. Throws CodecError. */
export function known({ unsigned, credentials }: p.PTx): PTx {
  if (unsigned.type === 'UNKNOWN') throw new CodecError('a transaction has an unknown type', 0)
  return { unsigned: hexed(unsigned), credentials: hexed(credentials) }
}

/** The outputs that an operation makes. The function does not inspect the bytes, so hex works as well. */
export const outputsOf = x.operationOutputs as unknown as (
  operation: Hexed<x.XOperation>,
) => readonly Output[]
