import type { ChainAlias } from './chains.ts'
import { type Reader, UnknownTypeError } from '../codec/reader.ts'
import {
  blob,
  type Codec,
  decode,
  fixed,
  id,
  list,
  type Of,
  shortId,
  struct,
  typed,
  u32,
  u64,
  union,
} from '../codec/schema.ts'

/** The type ids of inputs, outputs, owners and credentials, including those of the P- and C-Chain. */
export const typeIds = {
  transferInput: 5,
  mintOutput: 6,
  transferOutput: 7,
  mintOperation: 8,
  credential: 9,
  ownedInput: 10,
  owners: 11,
  stakeableLockIn: 21,
  stakeableLockOut: 22,
} as const

/** Type ids only on the X-Chain: its own outputs share numbers with other types of the P-Chain. */
export const xTypeIds = {
  nftMintOutput: 10,
  nftTransferOutput: 11,
  nftMintOperation: 12,
  nftTransferOperation: 13,
  nftCredential: 14,
  propertyMintOutput: 15,
  propertyOwnedOutput: 16,
  propertyMintOperation: 17,
  propertyBurnOperation: 18,
  propertyCredential: 19,
} as const

/** Who may spend: `threshold` of the addresses, from `locktime` (Unix seconds) on. */
export const owner = struct({ locktime: u64, threshold: u32, addresses: list(shortId) })
export type Owner = Of<typeof owner>

/** An owner preceded by its type id. */
export const typedOwner = typed('owner', typeIds.owners, owner)

/** Which of the owner's addresses sign, by index. */
export const signatureIndices = list(u32)

/** The signature indices that authorize a change, preceded by their type id. */
export const authority = typed('authority', typeIds.ownedInput, signatureIndices)

/** A spendable amount; `stakeableLocktime` is 0 unless it is locked for staking. */
export type TransferOutput = {
  readonly type: 'TRANSFER'
  readonly amount: bigint
  readonly stakeableLocktime: bigint
  readonly owner: Owner
}

const amountFields = struct({ amount: u64, owner })

/** An amount and its owner, without a type id. */
export const plainAmount: Codec<TransferOutput> = {
  minBytes: amountFields.minBytes,
  read: (reader) => readAmount(reader, 0n),
  write: (writer, value) => amountFields.write(writer, value),
}

function readAmount(reader: Reader, stakeableLocktime: bigint): TransferOutput {
  return { type: 'TRANSFER', amount: reader.u64(), stakeableLocktime, owner: owner.read(reader) }
}

const nftFields = { groupId: u32, payload: blob, owner }
/** An NFT and its owner, without a type id. */
export const nft = struct(nftFields)

/** The outputs of the X-Chain that are not amounts: rights to mint, NFTs, properties. */
const otherOutput = union('X-Chain output', {
  MINT: [typeIds.mintOutput, { owner }],
  NFT_MINT: [xTypeIds.nftMintOutput, { groupId: u32, owner }],
  NFT_TRANSFER: [xTypeIds.nftTransferOutput, nftFields],
  PROPERTY_MINT: [xTypeIds.propertyMintOutput, { owner }],
  PROPERTY_OWNED: [xTypeIds.propertyOwnedOutput, { owner }],
})

export type Output = TransferOutput | Of<typeof otherOutput>

/** The type id of each kind of output. */
export const outputTypeIds: Readonly<Record<Output['type'], number>> = {
  TRANSFER: typeIds.transferOutput,
  MINT: typeIds.mintOutput,
  NFT_MINT: xTypeIds.nftMintOutput,
  NFT_TRANSFER: xTypeIds.nftTransferOutput,
  PROPERTY_MINT: xTypeIds.propertyMintOutput,
  PROPERTY_OWNED: xTypeIds.propertyOwnedOutput,
}

/**
 * An amount preceded by its type id and, if allowed, by its lock. Nodes refuse a lock of 0 seconds, so a
 * `stakeableLocktime` of 0 has only one encoding.
 */
function amountOn(chain: ChainAlias): Codec<TransferOutput> {
  return {
    minBytes: 4 + amountFields.minBytes,
    read(reader) {
      const at = reader.offset
      let type = reader.u32()
      let locktime = 0n
      if (chain === 'P' && type === typeIds.stakeableLockOut) {
        locktime = reader.u64()
        type = reader.u32()
      }
      if (type !== typeIds.transferOutput)
        throw new UnknownTypeError(`${chain}-Chain output type ${type} is unknown`, at)
      return readAmount(reader, locktime)
    },
    write(writer, value) {
      if (value.stakeableLocktime !== 0n) {
        writer.u32(typeIds.stakeableLockOut)
        writer.u64(value.stakeableLocktime)
      }
      writer.u32(typeIds.transferOutput)
      amountFields.write(writer, value)
    },
  }
}

const xAmount = amountOn('X')
const xOutput: Codec<Output> = {
  minBytes: Math.min(xAmount.minBytes, otherOutput.minBytes),
  read(reader) {
    const at = reader.offset
    const type = reader.u32()
    reader.rewind(at)
    return type === typeIds.transferOutput ? xAmount.read(reader) : otherOutput.read(reader)
  },
  write(writer, value) {
    if (value.type === 'TRANSFER') xAmount.write(writer, value)
    else otherOutput.write(writer, value)
  },
}

/** The outputs of each chain, preceded by their type id. Reading throws UnknownTypeError. */
export const outputs: Readonly<Record<ChainAlias, Codec<Output>>> = {
  P: amountOn('P') as Codec<Output>,
  X: xOutput,
  C: amountOn('C') as Codec<Output>,
}

/** An output of a transaction with its asset. */
export type AssetOutput<Kind extends Output = Output> = {
  readonly assetId: Uint8Array
  readonly output: Kind
}

const assetOutput = (chain: ChainAlias): Codec<AssetOutput> => struct({ assetId: id, output: outputs[chain] })
/** Outputs of each chain with their asset. */
export const assetOutputs: Readonly<Record<ChainAlias, Codec<AssetOutput>>> = {
  P: assetOutput('P'),
  X: assetOutput('X'),
  C: assetOutput('C'),
}
/** Outputs of the P- and C-Chain, which only contain amounts. */
export const pAssetOutput = assetOutputs.P as Codec<AssetOutput<TransferOutput>>
export const cAssetOutput = assetOutputs.C as Codec<AssetOutput<TransferOutput>>

const referenceFields = { txId: id, outputIndex: u32 }
/** The output that an input spends: output `outputIndex` of transaction `txId`. */
export const utxoReference = struct(referenceFields)
export type UtxoReference = Of<typeof utxoReference>

export type AssetInput = UtxoReference & {
  readonly assetId: Uint8Array
  readonly amount: bigint
  readonly stakeableLocktime: bigint
  readonly signatureIndices: readonly number[]
}

const spentAsset = struct({ ...referenceFields, assetId: id })
const spentAmount = struct({ amount: u64, signatureIndices })

/** An input with its asset and amount. */
export function assetInput(chain: ChainAlias): Codec<AssetInput> {
  return {
    minBytes: spentAsset.minBytes + 4 + spentAmount.minBytes,
    read(reader) {
      const { txId, outputIndex, assetId } = spentAsset.read(reader)
      const at = reader.offset
      let type = reader.u32()
      let stakeableLocktime = 0n
      if (chain === 'P' && type === typeIds.stakeableLockIn) {
        stakeableLocktime = reader.u64()
        type = reader.u32()
      }
      if (type !== typeIds.transferInput) {
        throw new UnknownTypeError(`${chain}-Chain input type ${type} is unknown`, at)
      }
      return {
        txId,
        outputIndex,
        assetId,
        amount: reader.u64(),
        stakeableLocktime,
        signatureIndices: signatureIndices.read(reader),
      }
    },
    write(writer, value) {
      spentAsset.write(writer, value)
      if (value.stakeableLocktime !== 0n) {
        writer.u32(typeIds.stakeableLockIn)
        writer.u64(value.stakeableLocktime)
      }
      writer.u32(typeIds.transferInput)
      spentAmount.write(writer, value)
    },
  }
}

/** The recoverable signatures (65 bytes) for one input or one authority. */
export type Credential = {
  readonly kind: 'secp' | 'nft' | 'property'
  readonly signatures: readonly Uint8Array[]
}

const credentialIds = {
  secp: typeIds.credential,
  nft: xTypeIds.nftCredential,
  property: xTypeIds.propertyCredential,
} as const
const signatures = list(fixed(65))

/** A list of signatures preceded by its type id. */
export function credential(chain: ChainAlias): Codec<Credential> {
  const kinds = chain === 'X' ? (['secp', 'nft', 'property'] as const) : (['secp'] as const)
  const byId = new Map(kinds.map((kind) => [credentialIds[kind] as number, kind]))
  return {
    minBytes: 4 + signatures.minBytes,
    read(reader) {
      const at = reader.offset
      const type = reader.u32()
      const kind = byId.get(type)
      if (kind === undefined)
        throw new UnknownTypeError(`${chain}-Chain credential type ${type} is unknown`, at)
      return { kind, signatures: signatures.read(reader) }
    },
    write(writer, value) {
      writer.u32(credentialIds[value.kind])
      signatures.write(writer, value.signatures)
    },
  }
}

const utxo = (chain: ChainAlias): Codec<Utxo> =>
  struct({ ...referenceFields, assetId: id, output: outputs[chain] })
/** An unspent output as returned by a node's getUTXOs and getRewardUTXOs. */
export type Utxo = UtxoReference & AssetOutput
/** UTXOs of each chain. */
export const utxos: Readonly<Record<ChainAlias, Codec<Utxo>>> = { P: utxo('P'), X: utxo('X'), C: utxo('C') }

/** The bytes of a UTXO, codec version included. Throws CodecError. */
export function decodeUtxo(bytes: Uint8Array, chain: ChainAlias): Utxo {
  return decode(utxos[chain], bytes)
}
