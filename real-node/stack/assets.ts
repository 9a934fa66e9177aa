import { avm, utils } from '@avalabs/avalanchejs'
import type { Wallet } from './wallet.ts'

/** The codec's type ids of an asset's states and operations. */
const types = {
  createAsset: 1,
  operation: 2,
  mintOutput: 6,
  transferOutput: 7,
  mintOperation: 8,
  credential: 9,
  nftMintOutput: 10,
  nftMintOperation: 12,
  nftTransferOperation: 13,
  nftCredential: 14,
} as const

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}
const text = (value: string): Buffer => Buffer.concat([u16(value.length), Buffer.from(value)])
const blob = (value: Uint8Array): Buffer => Buffer.concat([u32(value.length), value])

/** The offset of a base transaction's output count: after version, type, network and chain. */
const outputCountAt = 2 + 4 + 4 + 32

/**
 * Creates an asset of coins and NFTs on the X-Chain, mints both, and transfers an NFT. The library cannot build
 * these transactions: its base transaction pays the fee, and the asset's part is appended to it. Resolves with the
 * ids by purpose; `created` is also the asset's id.
 */
export async function playAssets(wallet: Wallet): Promise<Record<string, string>> {
  const { address, context } = wallet
  const owners = Buffer.concat([u64(0n), u32(1), u32(1), address])
  // A single owner signs with its first key.
  const input = Buffer.concat([u32(1), u32(0)])

  /**
   * Issues a transaction of a type: the base part, then its own. Resolves with its id and its number of change
   * outputs.
   */
  async function issue(
    type: number,
    own: Buffer,
    operationCredential: number | undefined,
  ): Promise<{ readonly id: string; readonly firstOutput: number }> {
    const fee = type === types.createAsset ? context.createAssetTxFee : context.baseTxFee
    const paying = avm.newBaseTx({ ...context, baseTxFee: fee }, [address], await spendable(), [])
    const base = Buffer.from(paying.toBytes())
    const unsigned = Buffer.concat([base.subarray(0, 2), u32(type), base.subarray(6), own])
    const credentials = [
      ...paying.getCredentials().map(() => types.credential),
      ...(operationCredential === undefined ? [] : [operationCredential]),
    ]
    return {
      id: await wallet.issueXBytes(unsigned, credentials),
      firstOutput: base.readUInt32BE(outputCountAt),
    }
  }

  /** Outputs of AVAX, not of the asset, for fees. */
  async function spendable() {
    return (await wallet.utxos('X')).filter((utxo) => utxo.assetId.toString() === context.avaxAssetID)
  }

  const operation = (assetId: string, txId: string, index: number, type: number, body: Buffer[]): Buffer =>
    Buffer.concat([
      u32(1),
      utils.base58check.decode(assetId),
      u32(1),
      utils.base58check.decode(txId),
      u32(index),
      u32(type),
      ...body,
    ])

  const created = await issue(
    types.createAsset,
    Buffer.concat([
      text('Story coin'),
      text('STRY'),
      Buffer.from([2]),
      u32(2),
      // Coins: a minting right and an initial amount.
      Buffer.concat([u32(0), u32(2), u32(types.mintOutput), owners]),
      Buffer.concat([u32(types.transferOutput), u64(50_000n), owners]),
      // NFTs: minting rights for two groups.
      Buffer.concat([u32(1), u32(2), u32(types.nftMintOutput), u32(1), owners]),
      Buffer.concat([u32(types.nftMintOutput), u32(2), owners]),
    ]),
    undefined,
  )
  const asset = created.id
  const minted = await issue(
    types.operation,
    operation(asset, asset, created.firstOutput, types.mintOperation, [input, owners, u64(1_234n), owners]),
    types.credential,
  )
  const payload = Buffer.from('{"name":"first of the story"}')
  const nftMinted = await issue(
    types.operation,
    operation(asset, asset, created.firstOutput + 2, types.nftMintOperation, [
      input,
      u32(1),
      blob(payload),
      u32(1),
      owners,
    ]),
    types.nftCredential,
  )
  const nftMoved = await issue(
    types.operation,
    operation(asset, nftMinted.id, nftMinted.firstOutput, types.nftTransferOperation, [
      input,
      u32(1),
      blob(payload),
      owners,
    ]),
    types.nftCredential,
  )
  return { created: asset, minted: minted.id, nftMinted: nftMinted.id, nftMoved: nftMoved.id }
}
