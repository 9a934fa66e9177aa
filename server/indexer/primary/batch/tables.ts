import type { L1Validator, Staker, Subnet, UtxoRow } from './model.ts'
import { storedColumns, storedTypes, type StoredColumns } from '../../../store/columns.ts'
import { primaryTableNames, primaryTables, type PrimaryTableName } from '../../../store/primary/columns.ts'
import { bytesOfKey, type Cell } from './rows.ts'

/** The tables that blocks write to. */
export type BatchTable = PrimaryTableName

/** The columns of every table that blocks write to; the cells of a row are in their order. */
export const copyColumns = Object.fromEntries(
  primaryTableNames.map((name): [string, StoredColumns] => [
    name,
    { chain: storedTypes.chain, ...storedColumns(primaryTables[name]) },
  ]),
) as Readonly<Record<BatchTable, StoredColumns>>

/** The row of a UTXO. */
export function utxoCells(row: UtxoRow): Cell[] {
  const { spent } = row
  return [
    row.chain,
    row.height,
    row.index,
    row.outputIndex,
    row.ts,
    row.txId,
    row.utxoId,
    row.home,
    row.assetId,
    row.amount,
    row.type,
    row.threshold,
    row.locktime,
    row.stakeableLocktime,
    row.owners[0],
    row.owners.length > 1 ? row.owners : null,
    row.groupId,
    row.payload,
    row.stakedFrom,
    row.stakedUntil,
    row.rewardType,
    spent?.chain,
    spent?.height,
    spent?.index,
    spent?.input,
    spent?.ts,
    spent?.txId,
  ]
}

/** The row of a staker. */
export function stakerCells(chain: number, row: Staker): Cell[] {
  return [
    chain,
    row.height,
    row.index,
    bytesOfKey(row.txId),
    row.isDelegator,
    bytesOfKey(row.subnet),
    bytesOfKey(row.node),
    row.weight,
    row.start,
    row.end,
    row.shares,
    row.blsKey,
    row.blsProof,
    row.validatorTx === undefined ? null : bytesOfKey(row.validatorTx),
    row.rewardAddresses,
    row.delegationRewardAddresses,
    row.potentialReward,
    row.delegatorCount,
    row.delegated,
    row.ended?.height,
    row.ended?.hasIndex ? row.ended.index : null,
    row.ended?.ts,
    row.ended?.txId,
    row.outcome,
    row.reward,
    row.delegationReward,
    row.renewal?.compoundShares,
    row.renewal?.nextPeriod,
    row.renewal?.authorityAddresses,
    row.renewal?.accrued,
    row.renewal?.accruedFees,
    row.renewal?.pendingFees,
  ]
}

/** The row of a subnet. */
export function subnetCells(chain: number, row: Subnet): Cell[] {
  const { owner, elastic, conversion } = row
  return [
    chain,
    row.height,
    row.index,
    row.ts,
    bytesOfKey(row.subnet),
    owner?.threshold,
    owner?.locktime,
    owner?.addresses,
    elastic?.transformTx,
    elastic?.assetId,
    elastic?.supply,
    conversion?.txId,
    conversion?.ts,
    conversion?.chain,
    conversion?.address,
  ]
}

/** The row of an L1 validator. */
export function l1Cells(chain: number, row: L1Validator): Cell[] {
  return [
    chain,
    row.height,
    row.index,
    row.ordinal,
    row.ts,
    bytesOfKey(row.validationId),
    row.txId,
    bytesOfKey(row.subnet),
    row.node,
    row.blsKey,
    row.remainingOwner.threshold,
    row.remainingOwner.addresses,
    row.deactivationOwner.threshold,
    row.deactivationOwner.addresses,
    row.weight,
    row.minNonce,
    row.endFee,
    row.removedTs,
  ]
}
