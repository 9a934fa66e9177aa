import { CodecError, type Reader, UnknownTypeError } from '../codec/reader.ts'

/** The type ids of inputs, outputs, owners and credentials; those of the P- and the C-chain are among them. */
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

/** Type ids of the X-chain alone: its own outputs share numbers with other things of the P-chain. */
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

/** Which chain's type ids hold: C stands for its atomic side. */
export type CodecChain = 'P' | 'X' | 'C'

/** Who may spend: `threshold` of the addresses, from `locktime` (Unix seconds) on. */
export type Owner = {
  readonly locktime: bigint
  readonly threshold: number
  readonly addresses: readonly Uint8Array[]
}

/** An amount that can be spent; `stakeableLocktime` is 0 where it is not locked for staking. */
export type TransferOutput = {
  readonly type: 'TRANSFER'
  readonly amount: bigint
  readonly stakeableLocktime: bigint
  readonly owner: Owner
}

/** What an X-chain output may be beside an amount: rights to mint, NFTs, properties. */
export type Output =
  | TransferOutput
  | { readonly type: 'MINT'; readonly owner: Owner }
  | { readonly type: 'NFT_MINT'; readonly groupId: number; readonly owner: Owner }
  | {
      readonly type: 'NFT_TRANSFER'
      readonly groupId: number
      readonly payload: Uint8Array
      readonly owner: Owner
    }
  | { readonly type: 'PROPERTY_MINT'; readonly owner: Owner }
  | { readonly type: 'PROPERTY_OWNED'; readonly owner: Owner }

/** An output of a transaction with its asset. */
export type AssetOutput<Kind extends Output = Output> = {
  readonly assetId: Uint8Array
  readonly output: Kind
}

/** What an input spends: output `outputIndex` of transaction `txId`. */
export type UtxoReference = { readonly txId: Uint8Array; readonly outputIndex: number }

export type AssetInput = UtxoReference & {
  readonly assetId: Uint8Array
  readonly amount: bigint
  readonly stakeableLocktime: bigint
  readonly signatureIndices: readonly number[]
}

/** The recoverable signatures (65 bytes) for one input or one authority. */
export type Credential = {
  readonly kind: 'secp' | 'nft' | 'property'
  readonly signatures: readonly Uint8Array[]
}

/** An unspent output as a node's getUTXOs and getRewardUTXOs return it. */
export type Utxo = UtxoReference & AssetOutput

/** The smallest sizes, which bound how many of a thing can follow. */
export const leastSizes = {
  id: 32,
  address: 20,
  assetOutput: 52,
  assetInput: 84,
  output: 20,
  credential: 8,
  reference: 36,
  owner: 16,
} as const

const signatureSize = 65

/** The lock time, the threshold and the addresses of an owner. */
export function readOwner(reader: Reader): Owner {
  return {
    locktime: reader.u64(),
    threshold: reader.u32(),
    addresses: reader.list(leastSizes.address, () => reader.shortId()),
  }
}

/** An owner behind its type id. */
export function readTypedOwner(reader: Reader): Owner {
  expectType(reader, typeIds.owners, 'an owner')
  return readOwner(reader)
}

/** The signature indices that authorise a change, behind their type id. */
export function readAuthority(reader: Reader): readonly number[] {
  expectType(reader, typeIds.ownedInput, 'an authority')
  return readIndices(reader)
}

export function readIndices(reader: Reader): number[] {
  return reader.list(4, () => reader.u32())
}

export function readReference(reader: Reader): UtxoReference {
  return { txId: reader.id(), outputIndex: reader.u32() }
}

/** An output with its asset. */
export function readAssetOutput(reader: Reader, chain: CodecChain): AssetOutput {
  return { assetId: reader.id(), output: readOutput(reader, chain) }
}

/** An output that holds an amount, with its asset; any other kind is an error. */
export function readTransferOutput(reader: Reader, chain: CodecChain): AssetOutput<TransferOutput> {
  const at = reader.offset
  const { assetId, output } = readAssetOutput(reader, chain)
  if (output.type !== 'TRANSFER') throw new CodecError('an amount is expected', at)
  return { assetId, output }
}

/** An output behind its type id. Throws UnknownTypeError. */
export function readOutput(reader: Reader, chain: CodecChain): Output {
  const at = reader.offset
  const type = reader.u32()
  if (type === typeIds.transferOutput) return readAmount(reader, 0n)
  if (chain === 'P' && type === typeIds.stakeableLockOut) {
    const locktime = reader.u64()
    expectType(reader, typeIds.transferOutput, 'a locked amount')
    return readAmount(reader, locktime)
  }
  if (chain === 'X') {
    switch (type) {
      case typeIds.mintOutput:
        return { type: 'MINT', owner: readOwner(reader) }
      case xTypeIds.nftMintOutput:
        return { type: 'NFT_MINT', groupId: reader.u32(), owner: readOwner(reader) }
      case xTypeIds.nftTransferOutput:
        return readNft(reader)
      case xTypeIds.propertyMintOutput:
        return { type: 'PROPERTY_MINT', owner: readOwner(reader) }
      case xTypeIds.propertyOwnedOutput:
        return { type: 'PROPERTY_OWNED', owner: readOwner(reader) }
    }
  }
  throw new UnknownTypeError(`output type ${type} is unknown on the ${chain}-chain`, at)
}

/** An amount and its owner, without a type id. */
export function readAmount(reader: Reader, stakeableLocktime: bigint): TransferOutput {
  return { type: 'TRANSFER', amount: reader.u64(), stakeableLocktime, owner: readOwner(reader) }
}

/** An NFT and its owner, without a type id. */
export function readNft(reader: Reader): Extract<Output, { type: 'NFT_TRANSFER' }> {
  return { type: 'NFT_TRANSFER', groupId: reader.u32(), payload: reader.blob(), owner: readOwner(reader) }
}

/** What a transaction spends, with its asset and amount. */
export function readAssetInput(reader: Reader, chain: CodecChain): AssetInput {
  const reference = readReference(reader)
  const assetId = reader.id()
  const at = reader.offset
  let type = reader.u32()
  let stakeableLocktime = 0n
  if (chain === 'P' && type === typeIds.stakeableLockIn) {
    stakeableLocktime = reader.u64()
    type = reader.u32()
  }
  if (type !== typeIds.transferInput) {
    throw new UnknownTypeError(`input type ${type} is unknown on the ${chain}-chain`, at)
  }
  const amount = reader.u64()
  return { ...reference, assetId, amount, stakeableLocktime, signatureIndices: readIndices(reader) }
}

const credentialKinds = new Map<number, Credential['kind']>([
  [typeIds.credential, 'secp'],
  [xTypeIds.nftCredential, 'nft'],
  [xTypeIds.propertyCredential, 'property'],
])

/** A signature list behind its type id. */
export function readCredential(reader: Reader, chain: CodecChain): Credential {
  const at = reader.offset
  const type = reader.u32()
  const kind = credentialKinds.get(type)
  if (kind === undefined || (kind !== 'secp' && chain !== 'X')) {
    throw new UnknownTypeError(`credential type ${type} is unknown on the ${chain}-chain`, at)
  }
  return { kind, signatures: reader.list(signatureSize, () => reader.fixed(signatureSize)) }
}

/** The bytes of a UTXO (getUTXOs, getRewardUTXOs), its codec version included. */
export function decodeUtxo(reader: Reader, chain: CodecChain): Utxo {
  reader.version()
  const utxo = readUtxo(reader, chain)
  reader.end()
  return utxo
}

/** A UTXO inside other bytes. */
export function readUtxo(reader: Reader, chain: CodecChain): Utxo {
  const reference = readReference(reader)
  return { ...reference, ...readAssetOutput(reader, chain) }
}

/** Reads a type id that must be the one given. Throws UnknownTypeError. */
export function expectType(reader: Reader, type: number, what: string): void {
  const at = reader.offset
  const found = reader.u32()
  if (found !== type) throw new UnknownTypeError(`${what} has the type ${found} instead of ${type}`, at)
}
