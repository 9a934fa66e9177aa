import { utils } from '@avalabs/avalanchejs'
import type { BlockPlace, NodeOutput } from './primary-node.ts'

/** The codec's type ids of outputs. */
const [mint, coins, nftMint, nft, locked] = [6, 7, 10, 11, 22] as const
const idBytes = 32
const addressBytes = 20

type Owned = Omit<NodeOutput, 'txId' | 'index' | 'madeOn' | 'spentOn' | 'isStake' | 'block'>

/** Parses an asset id and an output at `from`. `hrp` is the network's address prefix. */
export function readOutput(bytes: Buffer, from: number, hrp: string): Owned {
  let at = from
  const u32 = (): number => bytes.readUInt32BE((at += 4) - 4)
  const u64 = (): string => String(bytes.readBigUInt64BE((at += 8) - 8))
  const take = (length: number): Buffer => bytes.subarray(at, (at += length))
  const assetId = utils.base58check.encode(take(idBytes))
  let type = u32()
  let stakeableLocktime: string | undefined
  if (type === locked) {
    stakeableLocktime = u64()
    type = u32()
  }
  const isNft = type === nft
  const amount = type === coins ? u64() : isNft ? '1' : '0'
  const groupId = type === nftMint || isNft ? u32() : undefined
  const payload = isNft ? `0x${take(u32()).toString('hex')}` : undefined
  if (![mint, coins, nftMint, nft].some((each) => each === type)) throw new Error(`output of type ${type}`)
  const locktime = u64()
  const threshold = u32()
  const addresses = Array.from({ length: u32() }, () => utils.formatBech32(hrp, take(addressBytes)))
  const kind = isNft ? 'nft' : type === coins ? 'coins' : 'right to mint'
  return { assetId, kind, amount, stakeableLocktime, groupId, payload, locktime, threshold, addresses }
}

/**
 * Parses a UTXO of getUTXOs. `block` and `spentOn` are not in its bytes: the creating block and the chain it is for.
 */
export function readUtxo(bytes: Buffer, hrp: string, block: BlockPlace, spentOn: string): NodeOutput {
  return {
    txId: utils.base58check.encode(bytes.subarray(2, 2 + idBytes)),
    index: bytes.readUInt32BE(2 + idBytes),
    ...readOutput(bytes, 2 + idBytes + 4, hrp),
    madeOn: block.chainId,
    spentOn,
    isStake: false,
    block,
  }
}
