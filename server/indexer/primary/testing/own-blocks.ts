import { createHash } from 'node:crypto'
import { decodePBlock } from '../../../../protocol/primary/p-blocks.ts'
import { decodeXBlock, encodeXBlock } from '../../../../protocol/primary/x-blocks.ts'
import type { xTx } from '../../../../protocol/primary/x-transactions.ts'
import type { InputOf } from '../../../../protocol/codec/schema.ts'
import { sha256 } from '../../../../protocol/native/hashes.ts'
import type { PUnsigned } from '../../../../protocol/primary/p-transactions.ts'
import { writePTx } from '../../../../protocol/testing/avalanche.ts'
import { fromCheckedHex, hexText } from '../../../../protocol/ids/text.ts'
import type { RecordedNode } from './recorded-node.ts'

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u64 = (value: number | bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(value))
  return bytes
}

const checkedHex = (bytes: Uint8Array): string => {
  const checksum = createHash('sha256').update(bytes).digest().subarray(-4)
  return hexText(Buffer.concat([bytes, checksum]))
}

/** A proposal, an abort, a commit and a standard block. */
export type BlockType = 29 | 30 | 31 | 32

/** Adds a P-Chain block after the node's last one. */
export function addPBlock(
  node: RecordedNode,
  type: BlockType,
  time: number,
  txs: readonly Uint8Array[],
): void {
  const { blocks } = node
  const parent = decodePBlock(fromCheckedHex(blocks.at(-1) ?? ''))
  const head = [Buffer.alloc(2), u32(type), u64(time)]
  const link = [parent.id, u64(parent.height + 1)]
  const body = type === 32 ? [u32(txs.length), ...txs] : txs
  const bytes = Buffer.concat([...head, ...(type === 29 ? [u32(0)] : []), ...link, ...body])
  blocks.push(checkedHex(bytes))
  node.behaviour.pHeight = blocks.length - 1
}

/**
 * Adds an X-Chain block after the node's last one, by default a second later. With `unread`, its transactions are those
 * bytes instead.
 */
export function addXBlock(
  node: RecordedNode,
  transactions: readonly InputOf<typeof xTx>[],
  { unread, time }: { readonly unread?: readonly Uint8Array[]; readonly time?: number } = {},
): void {
  const { xBlocks } = node
  const parent = decodeXBlock(fromCheckedHex(xBlocks.at(-1) ?? ''))
  const bytes = encodeXBlock({
    parentId: parent.id,
    height: parent.height + 1,
    time: time ?? parent.time + 1,
    merkleRoot: new Uint8Array(32),
    transactions,
  })
  const withUnread = unread && Buffer.concat([bytes.subarray(0, -4), u32(unread.length), ...unread])
  xBlocks.push(checkedHex(withUnread ?? bytes))
  node.behaviour.xHeight = xBlocks.length - 1
}

/** The fields common to all transactions, without inputs or outputs. */
export const emptyBase = {
  networkId: 12345,
  blockchainId: new Uint8Array(32),
  outputs: [],
  inputs: [],
  memo: new Uint8Array(0),
}

/** A transaction without credentials: the indexer accepts whatever a node has accepted. */
export const withoutCredentials = (unsigned: PUnsigned): Uint8Array => writePTx(unsigned, [])

/** RewardValidatorTx for a staker. */
export const rewardTx = (stakingTx: Uint8Array): Uint8Array => Buffer.concat([u32(20), stakingTx, u32(0)])

/** The id of a transaction as embedded in a block. */
export const txIdOf = (bytes: Uint8Array): Uint8Array => sha256(Buffer.concat([Buffer.alloc(2), bytes]))

/** A UTXO as the node reports it among the rewards: an amount for one owner. */
export function rewardUtxo(
  txId: Uint8Array,
  outputIndex: number,
  assetId: Uint8Array,
  amount: bigint,
  owner: Uint8Array,
): string {
  const output = [u32(7), u64(amount), u64(0), u32(1), u32(1), owner]
  return checkedHex(Buffer.concat([Buffer.alloc(2), txId, u32(outputIndex), assetId, ...output]))
}
