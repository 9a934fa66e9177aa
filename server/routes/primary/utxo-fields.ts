import { rewardTypes, type Utxo } from '../../../contract/primary/fields.ts'
import { primaryChainOf } from '../../primary/chains.ts'
import { u16, u32, u64 } from '../../../protocol/codec/pack.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import { typeIds, xTypeIds } from '../../../protocol/primary/outputs.ts'
import type { UtxoRow } from '../../store/primary/read-utxos.ts'
import type { AssetBook, NetworkView } from './context.ts'

/** The stored numbers of kinds of rewards. */
export const rewardTypeIds = (types: readonly string[]): number[] =>
  rewardTypes.flatMap((type, place) => (types.includes(type) ? [place + 1] : []))

/** The name of a stored reward type. */
export const rewardTypeOf = (type: number): string => rewardTypes[type - 1] ?? 'UNKNOWN'

/** A UTXO without its history: what its bytes and its place say, and the period for which it is staked. */
export type OutputRow = Pick<
  UtxoRow,
  | 'chain'
  | 'home'
  | 'tx_id'
  | 'output_index'
  | 'utxo_id'
  | 'asset'
  | 'amount'
  | 'type'
  | 'threshold'
  | 'locktime'
  | 'stakeable_locktime'
  | 'owner'
  | 'owners'
  | 'group_id'
  | 'payload'
>

const ownersOf = (row: OutputRow): readonly Buffer[] => row.owners ?? (row.owner === null ? [] : [row.owner])

export const isNft = (row: OutputRow): boolean => row.type === xTypeIds.nftTransferOutput

/** An NFT counts as one, regardless of the stored amount. */
export const amountOf = (row: OutputRow): bigint => (isNft(row) ? 1n : BigInt(row.amount))

/** Whether the UTXO is a stake that is not yet returned at a time (Unix seconds). */
const isStakedAt = (row: UtxoRow, time: number): boolean =>
  row.staked_until !== null && row.staked_until > BigInt(time)

/**
 * The fields of a UTXO whose history is not known (docs/api.md, Primary network; for the additional fields of X- and
 * C-Chain records, the hosted API).
 */
export function outputFields(row: OutputRow, view: NetworkView, assets: AssetBook): Utxo {
  const { texts } = view
  const txHash = texts.id(row.tx_id)
  const amount = amountOf(row).toString()
  const locktime = BigInt(row.locktime)
  return {
    addresses: texts.addresses(ownersOf(row)),
    asset: assets.amount(row.asset, amount, isNft(row)),
    consumedOnChainId: view.chainId(row.home),
    createdOnChainId: view.chainId(row.chain),
    utxoId: texts.id(row.utxo_id),
    utxoBytes: hexText(utxoBytes(row)),
    amount,
    assetId: texts.id(row.asset),
    outputIndex: row.output_index,
    threshold: row.threshold,
    txHash,
    utxoType: 'TRANSFER',
    platformLocktime: locktime,
    ...(row.stakeable_locktime !== '0' && { stakeableLocktime: BigInt(row.stakeable_locktime) }),
    ...(primaryChainOf(row.chain).alias !== 'p-chain' && { creationTxHash: txHash, locktime }),
    ...(row.group_id !== null && { groupId: Number(row.group_id) }),
    ...(row.payload !== null && { payload: hexText(row.payload) }),
  }
}

/** The fields of an indexed UTXO. `time` is the chain time that determines whether a stake counts as returned. */
export function utxoFields(
  row: UtxoRow,
  view: NetworkView,
  assets: AssetBook,
  time: number,
  signatures?: readonly Uint8Array[],
): Utxo {
  const { texts } = view
  const isStake = row.staked_from !== null
  const isP = primaryChainOf(row.chain).alias === 'p-chain'
  return {
    ...outputFields(row, view, assets),
    // A vertex is not a block, so a UTXO from a vertex has no block, like its transaction.
    ...(row.height >= 0n && { blockNumber: row.height.toString() }),
    blockTimestamp: Number(row.ts),
    ...(isStake && { utxoType: 'STAKE', staked: isStakedAt(row, time) }),
    ...(row.staked_from !== null && { utxoStartTimestamp: Number(row.staked_from) }),
    ...(row.staked_until !== null && { utxoEndTimestamp: Number(row.staked_until) }),
    ...(row.reward_type !== null && { rewardType: rewardTypeOf(row.reward_type) }),
    ...(row.spent_tx !== null && { consumingTxHash: texts.id(row.spent_tx) }),
    ...(row.spent_height !== null &&
      row.spent_height >= 0n && { consumingBlockNumber: row.spent_height.toString() }),
    ...(row.spent_ts !== null && { consumingBlockTimestamp: Number(row.spent_ts) }),
    ...(!isP && {
      timestamp: Number(row.ts),
      ...(row.spent_ts !== null && { consumingTxTimestamp: Number(row.spent_ts) }),
    }),
    ...(signatures !== undefined && {
      credentials: signatures.map((signature) => ({ signature: hexText(signature) })),
    }),
  }
}

/** A UTXO's bytes as returned by a node's getUTXOs, with the codec version and without a checksum. */
function utxoBytes(row: OutputRow): Buffer {
  const parts = [u16(0), row.tx_id, u32(row.output_index), row.asset]
  if (row.stakeable_locktime !== '0')
    parts.push(u32(typeIds.stakeableLockOut), u64(BigInt(row.stakeable_locktime)))
  parts.push(u32(row.type))
  if (row.type === typeIds.transferOutput) parts.push(u64(BigInt(row.amount)))
  // The NFT extension: rights to mint a group, and NFTs of one.
  if (row.type === xTypeIds.nftMintOutput || isNft(row)) parts.push(u32(Number(row.group_id ?? 0n)))
  if (isNft(row)) {
    const payload = row.payload ?? Buffer.alloc(0)
    parts.push(u32(payload.length), payload)
  }
  const owners = ownersOf(row)
  return Buffer.concat([
    ...parts,
    u64(BigInt(row.locktime)),
    u32(row.threshold),
    u32(owners.length),
    ...owners,
  ])
}
